// The header of a log: which parts it has and where they are.
#pragma once

#include <string>
#include <vector>

#include "parsers/darshan/file.h"
#include "parsers/darshan/source.h"

namespace fathom::darshan {

inline constexpr std::int64_t magic = 6567223;
inline constexpr std::size_t magic_offset = 8;

struct Header {
    std::string version;
    std::uint64_t bytes = 0;
    bool swapped = false;
    bool short_job = false;    // before 3.41: the job's record has whole seconds
    bool sized_names = false;  // 3.00: names have a length rather than an end
    Compression compression{};
    Region job, names;
    std::vector<ModuleRegion> modules;
    std::vector<Problem> problems;  // parts that reach beyond the end of the file
};

// Throws LogError where it is none, or one of a version that is not known.
Header read_header(const Source& source);

}  // namespace fathom::darshan
