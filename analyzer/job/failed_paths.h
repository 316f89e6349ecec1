// The paths that calls failed on most, as the log has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "logformat/log/log.h"

namespace fathom {

struct FailedCalls {
    std::string path;  // of a long one the end, behind dots
    std::uint64_t calls = 0;
    bool at_least = false;  // there may be more
    std::string why;
};

// Those with most calls that are certain.
std::vector<FailedCalls> most_failed(const Log& log, std::size_t most);

// Some of those that failed a few times each, of so many that none of them could be counted; none: there were
// not that many.
std::vector<std::string> some_of_many(const Log& log, std::size_t most);

struct SleptFor {
    std::string path;
    std::uint64_t slept = 0, cause = 0;  // ns; errno
};

// Those that threads slept for longest between two calls.
std::vector<SleptFor> most_slept_for(const Log& log, std::size_t most);

}  // namespace fathom
