// Lists in a line of text.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// Adds an item: "a, b".
inline void add_to_list(std::string& list, std::string_view item, std::string_view between = ", ")
{
    if (!list.empty()) list += between;
    list += item;
}

}  // namespace fathom
