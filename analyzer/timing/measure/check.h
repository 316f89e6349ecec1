// Whether the data was in the state that a configuration asked for, by what the kernel says.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/timing/measure/grid.h"
#include "analyzer/timing/measure/manner.h"

namespace fathom::measure {

// What was seen of one run of a configuration.
struct Observed {
    How how = How::null;
    std::uint64_t operations = 0, planned = 0;
    std::uint64_t bytes = 0;       // that were asked for
    std::uint64_t page_bytes = 0;  // of all pages that the accesses touched, each time they did
    bool in_memory = false;        // the file system keeps its files in memory
    std::optional<double> resident_before, resident_after;  // part of the files in the page cache
    std::optional<std::uint64_t> read_bytes, write_bytes;   // by /proc/self/io, during the run

    // Of the pages that were read, those that nothing was fetched for.
    std::optional<std::uint64_t> cache_hits(Operation operation, std::uint64_t page) const;
};

enum class AsAsked : std::uint8_t { yes, no, unknown };
inline constexpr std::array<std::string_view, 3> as_asked_names = {"yes", "no", "unknown"};

struct Verdict {
    AsAsked as_asked = AsAsked::unknown;
    std::string why;  // empty where it was as asked
};

// cached: 99.9 % of the files were in the page cache, and reads fetched less than 1 % of what they asked for.
// uncached: at least 90 % of the bytes moved, of whole pages where they went through the page cache, came
// from the device or went to it. `page` is the size of a page.
Verdict judge(const Configuration& one, const Observed& seen, std::uint64_t page);

// A row of the file of checks.
struct Check {
    Configuration configuration;
    Observed seen;
    Verdict verdict;
};

}  // namespace fathom::measure
