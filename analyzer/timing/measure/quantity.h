// Sizes as people type them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fathom::measure {

// "64", "4K", "16M", "1G", "1T", "4KiB", "4k": K is 1024 bytes. Nothing where it is something else, is 0, or
// has no place in 63 bits.
std::optional<std::uint64_t> bytes_of(std::string_view text);

// The shortest way to type it: "4K", "4097".
std::string typed(std::uint64_t bytes);

}  // namespace fathom::measure
