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

// A duration less its lowest `shift` bits, as many as leave at most six: `within` is 0 to 63 where the shift
// is 0, and else 32 to 63.
struct Bin {
    unsigned shift;
    std::uint64_t within;

    constexpr std::size_t number() const { return shift * per_octave + static_cast<std::size_t>(within); }
};
inline constexpr std::size_t shifts = 64 - digits;
inline constexpr std::size_t count = (shifts + 1) * per_octave;

constexpr Bin bin_of(std::uint64_t duration)
{
    const auto shift = static_cast<unsigned>(std::bit_width(duration | per_octave)) - digits - 1;
    return {shift, duration >> shift};
}
constexpr Bin bin_of_number(std::size_t number)
{
    const std::size_t octave = number / per_octave;
    const auto shift = static_cast<unsigned>(octave == 0 ? 0 : octave - 1);
    return {shift, number - shift * per_octave};
}

// The shortest duration in a bin, and how many fall into it.
constexpr std::uint64_t at_least(std::size_t number)
{
    const Bin bin = bin_of_number(number);
    return bin.within << bin.shift;
}
constexpr std::uint64_t width(std::size_t number)
{
    return std::uint64_t{1} << bin_of_number(number).shift;
}

// The duration that stands for all of a bin: at most 1.6 % from each.
constexpr std::uint64_t middle(std::size_t number)
{
    return at_least(number) + (width(number) - 1) / 2;
}

static_assert(bin_of(0).number() == 0 && bin_of(31).number() == 31 && bin_of(32).number() == 32 &&
              bin_of(63).number() == 63);
static_assert(bin_of(64).number() == 64 && bin_of(65).number() == 64 && bin_of(127).number() == 95);
static_assert(at_least(64) == 64 && width(64) == 2 && at_least(95) == 126 && at_least(96) == 128);
static_assert(bin_of(~std::uint64_t{0}).number() == count - 1);

}  // namespace fathom::bins
