// The page cache of a file: how much of the file it holds, taking the file out of it, filling it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace fathom::measure {

// Of the first `bytes` of a file, the part that is in the page cache, 0 to 1: by cachestat(2), which looks at
// the pages that are there and takes 0.1 ms a GiB, or where the kernel has not got that (before Linux 6.5),
// by mincore(2), which looks at each page of the file: 25 ms. Nothing where neither can say.
std::optional<double> resident_share(int file, std::uint64_t bytes);
std::optional<double> resident_share_by_mincore(int file, std::uint64_t bytes);

// Writes what is dirty, and lets go of all pages; of some, where others use them. No allocation.
void drop_from_cache(int file);

// Lets go of the page cache of the whole machine. False where we may not.
bool drop_caches_of_machine();

// Reads the first `bytes`, unless `stop`.
void read_into_cache(int file, std::uint64_t bytes, const std::atomic<bool>& stop);

// What the kernel counted for this process (/proc/self/io); nothing where it does not.
struct IoCounters {
    std::uint64_t read_bytes = 0;   // fetched from a device
    std::uint64_t write_bytes = 0;  // sent to one, or made dirty in the page cache
};
std::optional<IoCounters> io_counters();

}  // namespace fathom::measure
