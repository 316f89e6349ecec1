// Variables of NetCDF's classic formats, of which PnetCDF and netCDF-C are asked alike.
#pragma once

#include <algorithm>
#include <cstring>

#include "libinterpose/libraries/ids.h"
#include "libinterpose/libraries/originals.h"
#include "libinterpose/recording/program_text.h"

namespace fathom::libraries {

constexpr std::uint64_t bytes_of_type(int type)  // nc_type
{
    constexpr std::uint64_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type > 0 && type < static_cast<int>(std::size(bytes)) ? bytes[type] : 0;
}

// Asks for the extent of a variable, and how its elements lie in the file. `Asked` has the library's
// questions: variable, unlimited_dimension, and length of a dimension.
template <class Asked>
bool ask_variable(const Loaded& library, int file, int variable, Known& into, PathText& name)
{
    constexpr int most_rank = 1024;  // NC_MAX_VAR_DIMS: a program has few
    static_assert(most_rank * sizeof(int) <= PathText::capacity());
    const PathScratch numbers;
    if (!numbers) return false;
    auto* const dimensions = reinterpret_cast<int*>(numbers->data());
    int type = 0, rank = 0, unlimited = -1;
    if (Asked::variable(library)(file, variable, name.data(), &type, &rank, nullptr, nullptr) != 0 ||
        rank < 0 || rank > most_rank ||
        Asked::variable(library)(file, variable, nullptr, nullptr, nullptr, dimensions, nullptr) != 0)
        return false;
    name.resize(std::strlen(name.c_str()));
    static_cast<void>(Asked::unlimited_dimension(library)(file, &unlimited));
    into.element_bytes = bytes_of_type(type);
    into.grows = rank > 0 && unlimited >= 0 && dimensions[0] == unlimited;
    Space& space = into.space;
    space.elements = 1;
    space.extent = {};
    space.extent.rank = static_cast<std::uint64_t>(rank);
    constexpr int most = static_cast<int>(Extents::most);
    const int first = std::max(rank - most, 0);
    for (int at = 0; at < rank; ++at) {
        typename Asked::Length length = 0;
        if (Asked::length(library)(file, dimensions[at], &length) != 0 || length < 0) return false;
        space.elements *= static_cast<std::uint64_t>(length);
        if (at >= first)
            space.extent.extent[static_cast<std::size_t>(at - first)] = static_cast<std::uint64_t>(length);
    }
    select_all_of(space);
    return true;
}

inline void note_variable(DatasetCounters& counters, const Known& what, DataLibrary library)
{
    counters.library = static_cast<std::uint64_t>(library);
    counters.container = what.file->id;
    counters.element_bytes = std::max(counters.element_bytes, what.element_bytes);
    counters.layout =
        static_cast<std::uint64_t>(what.grows ? DataLayout::record_variable : DataLayout::fixed_variable);
    counters.dimensions.merge(what.space.extent);
}

// Elements in a block with such a count along each dimension.
template <class Number>
std::uint64_t elements_of(std::uint64_t rank, const Number* count)
{
    std::uint64_t elements = 1;
    for (std::uint64_t at = 0; count != nullptr && at < rank; ++at)
        elements *= count[at] > 0 ? static_cast<std::uint64_t>(count[at]) : 0;
    return elements;
}

}  // namespace fathom::libraries
