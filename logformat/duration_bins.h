// Bins for durations: each power of two is cut into 32 bins of one width, so that a bin is 1.6 % to 3.1 % as
// wide as its durations are long. Below 32 each duration is a bin of its own. The unit is the caller's: ticks
// in a running process, nanoseconds in a log.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace fathom::bins {

inline constexpr unsigned digits = 5;
inline constexpr std::size_t per_octave = std::size_t{1} << digits;
// Octave 0 is durations below 32, octave n those from 32 * 2^(n-1) to below 32 * 2^n.
inline constexpr std::size_t octaves = 64 - digits + 1;
inline constexpr std::size_t count = octaves * per_octave;

struct Bin {
    std::size_t octave, within;

    constexpr std::size_t number() const { return octave * per_octave + within; }
};

constexpr Bin bin_of(std::uint64_t duration)
{
    const auto octave = static_cast<unsigned>(std::bit_width(duration | (per_octave - 1))) - digits;
    const unsigned shift = octave == 0 ? 0 : octave - 1;
    return {octave, static_cast<std::size_t>(duration >> shift) & (per_octave - 1)};
}

// The shortest duration in a bin, and how many fall into it.
constexpr std::uint64_t at_least(std::size_t number)
{
    const std::size_t octave = number / per_octave, within = number % per_octave;
    return octave == 0 ? within : (per_octave + within) << (octave - 1);
}
constexpr std::uint64_t width(std::size_t number)
{
    const std::size_t octave = number / per_octave;
    return octave == 0 ? 1 : std::uint64_t{1} << (octave - 1);
}

// The duration that stands for all of a bin: at most 1.6 % from each.
constexpr std::uint64_t middle(std::size_t number)
{
    return at_least(number) + (width(number) - 1) / 2;
}

static_assert(bin_of(31).number() == 31 && bin_of(32).number() == 32 && bin_of(63).number() == 63);
static_assert(bin_of(64).number() == 64 && bin_of(65).number() == 64 && bin_of(127).number() == 95);
static_assert(at_least(64) == 64 && width(64) == 2 && at_least(95) == 126 && at_least(96) == 128);
static_assert(bin_of(~std::uint64_t{0}).number() == count - 1);

}  // namespace fathom::bins
