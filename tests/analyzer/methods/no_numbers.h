// What methods must have an answer for and is no finite number.
#pragma once

#include <limits>

namespace fathom::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace fathom::testing
