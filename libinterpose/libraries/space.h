// Dataspaces: how large a dataset or variable is, and what a call selects of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "logformat/library_counters.h"

namespace fathom::libraries {

enum class Selection : std::uint8_t { nothing, points, regular, whole, irregular, unknown };

struct Space {
    Selection selection = Selection::unknown;
    std::uint64_t elements = 0, selected = 0;  // of its extent; of those
    Extents extent, shape;                     // shape: of what is selected; rank 0: not known
    std::uint64_t edits = 0;                   // grows when what is selected becomes another number or shape
};

// Extents of so many dimensions, as libraries give them.
template <class Number>
Extents extents_of(int rank, const Number* of)
{
    Extents extents;
    extents.rank = static_cast<std::uint64_t>(std::max(rank, 0));
    const int kept = std::min(rank, static_cast<int>(Extents::most));
    for (int at = 0; at < kept; ++at)
        extents.extent[static_cast<std::size_t>(at)] = static_cast<std::uint64_t>(of[rank - kept + at]);
    return extents;
}

// Of its extent.
inline void select_all_of(Space& space)
{
    space.selection = space.elements == 0 ? Selection::nothing : Selection::whole;
    space.selected = space.elements;
    space.shape = space.extent;
}

}  // namespace fathom::libraries
