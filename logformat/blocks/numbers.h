// Columns of numbers on their way into a block: how many bits they will take there, and their bytes.
#pragma once

#include <cstdint>
#include <span>

#include "logformat/blocks/bytes.h"

namespace fathom {

// About how many bits these numbers take once they are packed: the entropy of each of their eight bytes, and
// the tables that go with it. Of many numbers a few thousand speak for all.
std::uint64_t packed_bits(std::span<const std::uint64_t> numbers);

// Which of the eight bytes are anything but 0 somewhere, a bit for each, the lowest first. `some`: where all
// are 0, the lowest is said to be there nevertheless.
unsigned planes_of(std::span<const std::uint64_t> numbers, bool some);

// Appends one of the eight bytes of each number.
void append_plane(Bytes& to, std::span<const std::uint64_t> numbers, unsigned plane);

}  // namespace fathom
