// The version of Fathom that wrote a log or prints a report.
#pragma once

#include <string_view>

namespace fathom {

inline constexpr std::string_view fathom_version = "0.1.0";

}
