// What devices, networks and servers count or measure, a row each: the names under which every source's
// columns come together.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fathom::series {

// An amount belongs to an interval and can be added up over time (bytes, operations, seconds of being busy).
// A level is how something stood in an interval or at an instant (bytes free, a share, a queue's length).
enum class Kind : std::uint8_t { amount, level };

enum class Unit : std::uint8_t { number, bytes, operations, seconds, share };

// Whose load it is part of.
enum class Subject : std::uint8_t { data, metadata, requests, network, processor, memory, space, state };

// "bytes"; of plain numbers nothing.
std::string_view name_of(Unit unit);
std::string_view name_of(Subject subject);

struct Quantity {
    std::string_view name;
    Kind kind;
    Unit unit;
    Subject subject;
    std::string_view meaning;
};

// All that have a meaning to reports. Columns of sources that none of them fits keep their own name.
std::span<const Quantity> quantities();

// Null: no row has this name.
const Quantity* quantity_named(std::string_view name);

}  // namespace fathom::series
