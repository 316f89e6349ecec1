// Numbers as they lie in a log, in its writer's byte order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace fathom::darshan {

template <class Number>
Number load_number(const std::byte* from, bool swapped)
{
    static_assert(sizeof(Number) == 4 || sizeof(Number) == 8 || sizeof(Number) == 1);
    if constexpr (sizeof(Number) == 8) {
        std::uint64_t bits;
        std::memcpy(&bits, from, sizeof bits);
        return std::bit_cast<Number>(swapped ? __builtin_bswap64(bits) : bits);
    } else if constexpr (sizeof(Number) == 4) {
        std::uint32_t bits;
        std::memcpy(&bits, from, sizeof bits);
        return std::bit_cast<Number>(swapped ? __builtin_bswap32(bits) : bits);
    } else {
        return std::bit_cast<Number>(*from);
    }
}

}  // namespace fathom::darshan
