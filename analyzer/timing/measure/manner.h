// How a configuration gets the data into the state that it asks for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "analyzer/timing/measure/grid.h"

namespace fathom::measure {

// null          /dev/zero or /dev/null
// warm          the files were read before, and stay in the page cache
// direct        O_DIRECT: past the page cache
// dropped       the file is taken out of the page cache before each access, and nothing is read ahead
// dropped_once  the files are taken out of the page cache before the first access alone
// synced        each write waits until its data is on the device (RWF_DSYNC)
enum class How : std::uint8_t { null, warm, direct, dropped, dropped_once, synced };
inline constexpr std::array<std::string_view, 6> how_names = {"null",    "warm",         "direct",
                                                              "dropped", "dropped_once", "synced"};
inline std::string_view name_of(How how)
{
    return how_names[static_cast<std::size_t>(how)];
}

// What uncached is to mean: past the page cache where that can be, dropped elsewhere; always dropped; or, as
// in the paper, dropped once before each run of a configuration.
enum class Uncached : std::uint8_t { direct, dropped, once };
inline constexpr std::array<std::string_view, 3> uncached_names = {"direct", "dropped", "once"};

// `alignment` is what O_DIRECT asks of a file (0: it is refused), `page` the size of a page. A write of part
// of a page that is not cached has to read the page first; one of whole pages has not, so that it is synced.
How how_of(const Configuration& one, Uncached wanted, std::uint64_t alignment, std::uint64_t page);

}  // namespace fathom::measure
