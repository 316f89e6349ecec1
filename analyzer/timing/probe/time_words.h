// Lengths of time as people write them: 60s, 5min, 12h, 200ms, 0.2s.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom {

// In nanoseconds; a number without a unit is seconds. Nothing where it is no length of time, is 0 or above
// 100 years.
std::optional<std::uint64_t> parse_time(std::string_view words);

}  // namespace fathom
