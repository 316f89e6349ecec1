// Why operations of two runs took longer together: more of them, of other sizes, or slower ones.
//
// With n operations of m seconds each in every class of size c, and r times as many bytes as before,
//     after - before =   before * (r - 1)                      volume: more of the same
//                      + sum_c (n_c' - r n_c) m_c              mix: more operations for as many bytes
//                      + sum_c n_c' (m_c' - m_c)               speed: each takes longer
// which is exact. A class that one run lacks has the cost of the other's.
#pragma once

#include <span>

namespace fathom {

inline constexpr double two_sided_95 = 1.96;  // quantile of the normal distribution

// All operations of one class in one run; `operations` and `time` may be shares of what was counted.
// `variance` is of the durations of the `counted` ones, in seconds squared.
struct ClassSum {
    double operations = 0, time = 0, variance = 0, counted = 0;

    double mean() const { return operations > 0 ? time / operations : 0; }
    // Takes the operations of another class in; the variance becomes that of all of them.
    void add(const ClassSum& other);
};

// A class in both runs.
struct ClassPair {
    ClassSum before, after;
};

// Seconds. `speed_noise`: a speed effect is beyond the chance of single operations where it is larger than
// this, 1.96 standard errors: sqrt(sum_c n_c'^2 (variance_c / counted_c + variance_c' / counted_c')).
struct TimeEffects {
    double volume = 0, mix = 0, speed = 0, speed_noise = 0;

    double sum() const { return volume + mix + speed; }
};

// `bytes_ratio`: bytes after / bytes before; with 0 or infinity all is volume. Where requests changed their
// size within a class, mix and speed cannot be separated (smaller ones are more and each is quicker): with
// `sizes_differ`, effects of opposite signs become one, that of the mix.
TimeEffects transfer_effects(std::span<const ClassPair> classes, double bytes_ratio, bool sizes_differ);

// Calls that move no bytes: more calls (volume), or slower ones (speed), kind by kind.
TimeEffects call_effects(std::span<const ClassPair> kinds);

}  // namespace fathom
