// The id by which Darshan's logs name a file: a 64-bit hash of its path.
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom::darshan {

// Bob Jenkins' hash "lookup8" of 1997 (https://burtleburtle.net/bob/c/lookup8.c), with an initial value of 0.
std::uint64_t record_id(std::string_view path);

}  // namespace fathom::darshan
