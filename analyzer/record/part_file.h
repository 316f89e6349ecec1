// A part (logformat/part/part.h) as a file of the spool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "logformat/log/log.h"
#include "logformat/part/part.h"

namespace fathom {

struct ReleaseWords {
    std::size_t mapped = 0;  // bytes; 0: they were read into memory
    void operator()(std::uint64_t* words) const;
};

// A part in memory of its own, aligned for its structs: its process may still be writing to the file. A large
// one that nobody uses is mapped: making a copy of it takes as long as all else that is done with it.
struct PartFile {
    std::unique_ptr<std::uint64_t[], ReleaseWords> words;
    std::size_t size = 0;  // words
    std::string path;

    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words.get(), size)); }
    const PartHeader& header() const { return *reinterpret_cast<const PartHeader*>(words.get()); }
    // False for a part whose process died while it made it: the header was never filled in.
    bool begun() const { return size * 8 >= sizeof(PartHeader) && header().layout != 0; }
    // False also for what this version of Fathom cannot read.
    bool good() const { return begun() && is_part(bytes()); }
    bool has_rank() const { return header().rank >= 0; }
    // Where MPI_Finalize wrote what this part holds; empty where it did not.
    std::string log() const { return std::string(part_text(bytes(), header().log)); }
};

// The header alone, or all that is in use, which is usually little of the file.
PartFile load_header(const std::string& path);
enum class InUse { perhaps, by_nobody };
PartFile load_part(const std::string& path, InUse in_use = InUse::perhaps);

// The rows of one part as a log of its own, in which the process has number 0; the ends of its children are
// facts of it (endings.h).
Log log_of(const PartFile& part, const ClockMap& clock);

}  // namespace fathom
