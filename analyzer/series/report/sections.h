// The sections of a report on devices and servers: each makes blocks of the document from what it is about. A
// section is a row in report.cpp; one without blocks is left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/series/report/idle.h"
#include "analyzer/series/report/load.h"
#include "analyzer/series/report/servers.h"

namespace fathom::series {

// A pool that moved data.
struct Part {
    const Pool* pool = nullptr;
    Load load;  // its rates are kept where the part is shown in all sections
    ServerLoads servers;
    std::size_t low = 0;  // bins below Choice::low of the peak
    IdleClasses idle{}, still{};
    Run longest_idle, longest_gap;  // of no bins: there is none
    std::size_t gaps = 0;

    double of_known(std::size_t bins) const
    {
        return load.known > 0 ? static_cast<double>(bins) / static_cast<double>(load.known) : 0;
    }
    double known_share() const
    {
        return load.grid.count > 0 ? static_cast<double>(load.known) / static_cast<double>(load.grid.count)
                                   : 0;
    }
};
std::size_t bins_of(const IdleClasses& classes);

// What is known of the space of a component.
struct Space {
    std::uint32_t component = 0;
    const Pool* pool = nullptr;
    double used = 0, free = 0;     // bytes, at the end
    std::optional<double> inodes;  // share of them that is in use
    double grown = 0;              // bytes, from the first sample to the last
    Nanoseconds begin = 0, end = 0;

    double full() const { return used + free > 0 ? used / (used + free) : 0; }
};

struct Facts {
    Facts(const Pools& of, const Choice& chosen) : pools(of), choice(chosen) {}

    const Pools& pools;
    const Choice& choice;
    std::vector<Part> parts;    // servers before clients; of those of a type by bytes
    std::size_t shown = 0;      // the first ones, which all sections have
    std::vector<Space> spaces;  // the fullest first
};

report::Blocks overview_blocks(const Facts& facts);
report::Blocks throughput_blocks(const Facts& facts);
report::Blocks distribution_blocks(const Facts& facts);
report::Blocks idle_blocks(const Facts& facts);
report::Blocks day_blocks(const Facts& facts);
report::Blocks server_blocks(const Facts& facts);
report::Blocks lag_blocks(const Facts& facts);
report::Blocks metadata_blocks(const Facts& facts);
report::Blocks space_blocks(const Facts& facts);
report::Blocks read_blocks(const Facts& facts);

std::vector<Space> spaces_of(const Pools& pools);

}  // namespace fathom::series
