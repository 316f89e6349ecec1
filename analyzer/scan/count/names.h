// Users and groups by name.
#pragma once

#include <cstdint>
#include <string>

namespace fathom::scan {

// The number as text where nobody knows a name.
std::string user_name(std::uint32_t user);
std::string group_name(std::uint32_t group);

}  // namespace fathom::scan
