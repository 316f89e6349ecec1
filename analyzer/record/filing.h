// Where a site files its logs: one folder a day.
#pragma once

#include <cstdint>
#include <string>

namespace fathom {

// FOLDER/2026/11/22/NAME.fathom, by the day, in local time, of an instant of UNIX time; where the day before
// or after has a log of that name, that one: what nodes recorded of one step may have begun on two sides of
// midnight. The folders are made, with the permissions of FOLDER. Throws std::filesystem::filesystem_error.
std::string path_for_day(const std::string& folder, const std::string& name, std::uint64_t instant_ns);

}  // namespace fathom
