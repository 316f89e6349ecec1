// Rules as people name them.
#pragma once

#include <string>

namespace fathom {

// "small_*,stragglers" as the names of rules, with commas. Throws std::invalid_argument for what is none.
std::string rules_named(const std::string& said);

}  // namespace fathom
