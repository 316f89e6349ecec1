// How long runs of one kind take, how much that differs from run to run, and whether one took longer than is
// usual. Plain numbers: seconds in, seconds out.
//
// Source: METHODS section 17; Carns et al. (ACM TOS 2011), table IV; Hahn, "Factors for calculating two-sided
// prediction intervals" (1969).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "analyzer/methods/quartiles.h"

namespace fathom::history {

// Fewer runs are no history; as many at least are needed to tell a slow run from a usual one.
inline constexpr std::size_t fewest_of_a_history = 3, fewest_to_judge = 8;

// A row of table IV.
struct Variance {
    std::size_t samples = 0;
    double mean = 0, least = 0, most = 0;
    std::optional<double> deviation;  // of a sample: n - 1 in the divisor; nothing of one run

    std::optional<double> coefficient() const  // deviation / mean
    {
        return deviation && mean > 0 ? std::optional(*deviation / mean) : std::nullopt;
    }
};

// What is not finite is passed over; nothing where nothing is left.
std::optional<Variance> variance_of(std::span<const double> seconds);

// What is usual: median and quartiles, and up to which time a run is. Runs are taken to differ by factors, as
// times do: the limit is that of a prediction interval for one more run in their logarithms,
//     median + t(0.995, n - 1) s sqrt(1 + 1/n),    s = 1.4826 times the median absolute deviation,
// and at least 2 %, so that single slow runs among the earlier ones do not widen it.
struct Usual {
    FiveNumbers numbers;
    double spread = 0;  // s, as a factor less 1: 0.05 where runs usually differ by 5 %
    double limit = 0;   // s
};

// Times of 0 count as a nanosecond. Nothing of fewer than `fewest_to_judge`.
std::optional<Usual> usual_of(std::span<const double> seconds);

// One run beside others of its kind.
struct Judgement {
    double ratio = 1;         // to the median of the others
    std::size_t as_slow = 0;  // how many of the others took as long or longer
    std::size_t others = 0;
    // Beyond the limit, and further from the median than all others by a tenth, in logarithms.
    bool slow = false;
    // That a run which is like the others takes longer than all of them, whatever their distribution:
    // 1 / (others + 1), in general (as_slow + 1) / (others + 1).
    double chance() const { return static_cast<double>(as_slow + 1) / static_cast<double>(others + 1); }
};

// Nothing where there are too few others.
std::optional<Judgement> judge(double seconds, std::span<const double> others);

}  // namespace fathom::history
