// Byte planes and their entropy.
#include "logformat/blocks/numbers.h"

#include <algorithm>
#include <bit>

namespace fathom {
namespace {

constexpr unsigned planes = 8;
constexpr std::size_t sample = 4096, sample_run = 64;  // numbers that are looked at, and in runs of how many

std::uint64_t bits_in_use(std::span<const std::uint64_t> numbers)
{
    std::uint64_t all = 0;
    for (const std::uint64_t number : numbers) all |= number;
    return all;
}

// The logarithm to base 2 in 256ths, at most 22 too low; the library has no libm.
constexpr std::uint64_t log2_256ths(std::uint64_t value)
{
    const auto whole = static_cast<unsigned>(std::bit_width(value)) - 1;
    const std::uint64_t fraction = whole >= 8 ? (value >> (whole - 8)) & 0xff : (value << (8 - whole)) & 0xff;
    return whole * 256 + fraction;
}

}  // namespace

std::uint64_t packed_bits(std::span<const std::uint64_t> numbers)
{
    const std::uint64_t in_use = bits_in_use(numbers);
    const std::size_t step = numbers.size() <= sample ? sample_run : numbers.size() / sample * sample_run;
    std::uint64_t bits = 0;
    for (unsigned plane = 0; plane < planes; ++plane) {
        if ((in_use >> 8 * plane & 0xff) == 0) continue;
        std::uint32_t count[256] = {};
        std::uint64_t looked_at = 0;
        for (std::size_t from = 0; from < numbers.size(); from += step) {
            const auto run = numbers.subspan(from, std::min(sample_run, numbers.size() - from));
            for (const std::uint64_t number : run) ++count[number >> 8 * plane & 0xff];
            looked_at += run.size();
        }
        std::uint64_t saved = 0, kinds = 0;
        for (const std::uint32_t times : count) {
            if (times == 0) continue;
            saved += times * log2_256ths(times);
            ++kinds;
        }
        constexpr std::uint64_t bits_of_a_kind = 4;  // in the table of codes
        const std::uint64_t spent = looked_at * log2_256ths(looked_at);
        if (spent > saved) bits += (spent - saved) / 256 * numbers.size() / looked_at;
        bits += kinds * bits_of_a_kind;
    }
    return bits;
}

unsigned planes_of(std::span<const std::uint64_t> numbers, bool some)
{
    const std::uint64_t in_use = bits_in_use(numbers) | (some ? 1 : 0);
    unsigned mask = 0;
    for (unsigned plane = 0; plane < planes; ++plane)
        if ((in_use >> 8 * plane & 0xff) != 0) mask |= 1u << plane;
    return mask;
}

void append_plane(Bytes& to, std::span<const std::uint64_t> numbers, unsigned plane)
{
    std::byte* const at = to.room(numbers.size());
    if (at == nullptr) return;
    for (std::size_t row = 0; row < numbers.size(); ++row)
        at[row] = static_cast<std::byte>(numbers[row] >> 8 * plane);
    to.grow(numbers.size());
}

}  // namespace fathom
