// The axes of a measurement: in which state the data is, what is done, and where the next piece lies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fathom::measure {

inline constexpr std::uint64_t kib = 1024, mib = kib * kib;

// discard: /dev/zero is read and /dev/null written; cached: the file is in the page cache; uncached: it is
// not.
enum class State : std::uint8_t { discard, cached, uncached };
inline constexpr std::array<std::string_view, 3> state_names = {"discard", "cached", "uncached"};

enum class Operation : std::uint8_t { read, write };
inline constexpr std::array<std::string_view, 2> operation_names = {"read", "write"};

// Where each access lies, in the file as in memory (Kunkel 2015, section 5.2): layouts.h says it exactly.
enum class Layout : std::uint8_t { off0, seq, stride8MiB, reverse, rnd, rnd8MiB };
inline constexpr std::array<std::string_view, 6> layout_names = {"off0",    "seq", "stride8MiB",
                                                                 "reverse", "rnd", "rnd8MiB"};

inline std::string_view name_of(State state)
{
    return state_names[static_cast<std::size_t>(state)];
}
inline std::string_view name_of(Operation operation)
{
    return operation_names[static_cast<std::size_t>(operation)];
}
inline std::string_view name_of(Layout layout)
{
    return layout_names[static_cast<std::size_t>(layout)];
}

// The one of this name, or nothing.
template <class Value>
std::optional<Value> named(std::span<const std::string_view> names, std::string_view name)
{
    for (std::size_t at = 0; at < names.size(); ++at)
        if (names[at] == name) return static_cast<Value>(at);
    return std::nullopt;
}

}  // namespace fathom::measure
