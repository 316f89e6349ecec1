// What somebody may have meant who wrote a word that there is not.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fathom {

// How many letters must be put in, taken out, replaced, or swapped with the next, to make one of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The known word that is most like this one, by edits or as the only one that begins so; empty where none is.
std::string nearest(std::string_view word, std::span<const std::string> known);

}  // namespace fathom
