// The sums of the header, term by term.
#include "analyzer/compare/decompose.h"

#include <cmath>

namespace fathom {
namespace {

// Seconds an operation took before; where there were none, after.
double cost_before(const ClassPair& one)
{
    return one.before.operations > 0 ? one.before.mean() : one.after.mean();
}
double cost_after(const ClassPair& one)
{
    return one.after.operations > 0 ? one.after.mean() : one.before.mean();
}

double variance_of_mean(const ClassSum& sum)
{
    return sum.counted > 0 ? sum.variance / sum.counted : 0;
}

void add_speed(const ClassPair& one, TimeEffects& effects, double& squares)
{
    if (one.before.operations <= 0 || one.after.operations <= 0) return;
    effects.speed += one.after.operations * (cost_after(one) - cost_before(one));
    squares += one.after.operations * one.after.operations *
               (variance_of_mean(one.before) + variance_of_mean(one.after));
}

}  // namespace

void ClassSum::add(const ClassSum& other)
{
    const double all = counted + other.counted;
    if (all > 0) {
        const double center = (counted * mean() + other.counted * other.mean()) / all;
        const auto squares = [&](const ClassSum& one) {
            const double apart = one.mean() - center;
            return one.counted * (one.variance + apart * apart);
        };
        variance = (squares(*this) + squares(other)) / all;
    }
    counted = all;
    operations += other.operations;
    time += other.time;
}

TimeEffects transfer_effects(std::span<const ClassPair> classes, double bytes_ratio, bool sizes_differ)
{
    TimeEffects effects;
    const bool comparable = bytes_ratio > 0 && std::isfinite(bytes_ratio);
    double squares = 0;
    for (const ClassPair& one : classes) {
        if (!comparable) {
            effects.volume += one.after.time - one.before.time;
            continue;
        }
        effects.volume += one.before.time * (bytes_ratio - 1);
        effects.mix += (one.after.operations - bytes_ratio * one.before.operations) * cost_before(one);
        add_speed(one, effects, squares);
    }
    effects.speed_noise = two_sided_95 * std::sqrt(squares);
    if (sizes_differ && effects.mix * effects.speed < 0) {
        effects.mix += effects.speed;
        effects.speed = 0;
    }
    return effects;
}

TimeEffects call_effects(std::span<const ClassPair> kinds)
{
    TimeEffects effects;
    double squares = 0;
    for (const ClassPair& one : kinds) {
        effects.volume += (one.after.operations - one.before.operations) * cost_before(one);
        add_speed(one, effects, squares);
    }
    effects.speed_noise = two_sided_95 * std::sqrt(squares);
    return effects;
}

}  // namespace fathom
