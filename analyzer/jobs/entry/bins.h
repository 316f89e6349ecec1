// The time bins of a job as one value of a database.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom::jobs {

// What a job did on files in one time bin: each byte as POSIX and stdio saw it, and how many of its processes
// were in reads, and in writes or syncs. Where the log has no times: how many read, and wrote, any.
struct Bin {
    std::uint64_t number = 0;  // covers [number * length, (number + 1) * length) ns of UNIX time
    std::uint64_t bytes_read = 0, bytes_written = 0, readers = 0, writers = 0;
};

struct Bins {
    std::uint64_t length = 0;  // ns; 0: the log has none
    std::vector<Bin> bins;     // those in which there was any of it, in the order of time
};

inline constexpr std::size_t most_bins = 1024;

// Neighbours become one until there are at most `most_bins` from the first to the last.
Bins bins_of(const fathom::Job& job);

// A line a bin, "number bytes_read bytes_written readers writers", of which the first number is as it is and
// later ones since the one before; compressed by zlib, in base64. Empty where there are none.
std::string pack(std::span<const Bin> bins);
// Throws std::runtime_error where that is not what pack() gives.
std::vector<Bin> unpack(std::string_view packed);

}  // namespace fathom::jobs
