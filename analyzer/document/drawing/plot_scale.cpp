// Ends that leave a little room; ticks at 1, 2 and 5 times powers of ten, of bytes at powers of two, of
// minutes and hours as people count them.
#include "analyzer/document/drawing/plot_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/document/drawing/time_axis.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double room = 0.03;  // of the length, beyond either end

struct Ends {
    double from = std::numeric_limits<double>::infinity(), to = -std::numeric_limits<double>::infinity();

    void take(double value, bool logarithmic)
    {
        if (!std::isfinite(value) || (logarithmic && value <= 0)) return;
        from = std::min(from, value);
        to = std::max(to, value);
    }
};

// `amount` times 1, 2 or 5, or, for bytes, powers of two.
double round_step(double rough, bool binary)
{
    if (binary) return std::exp2(std::ceil(std::log2(rough) - 1e-9));
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * 0.999) return factor * power;
    return 10 * power;
}

}  // namespace

PlotScale::PlotScale(const PlotAxis& axis, double from, double to)
    : measure_(axis.measure), logarithmic_(axis.scale == Scale::logarithmic), from_(from), to_(to)
{
    if (!(from_ <= to_)) {
        from_ = logarithmic_ ? 1 : 0;
        to_ = logarithmic_ ? 10 : 1;
    }
    if (logarithmic_) {
        from_ = std::log10(from_);
        to_ = std::log10(to_);
    }
    if (to_ - from_ < 1e-9 * std::max(std::fabs(from_), std::fabs(to_)) || to_ == from_) {
        const double around = logarithmic_ ? 0.5 : from_ == 0 ? 1 : std::fabs(from_) / 2;
        const bool is_part = measure_ == Measure::share && !logarithmic_ && from_ >= 0 && to_ <= 1;
        // What is 0 alone may well be of a kind that is never below.
        if (logarithmic_ || from_ != 0) from_ -= around;
        to_ += around;
        if (is_part) {  // of a whole, which is never more
            from_ = 0;
            to_ = 1;
        }
    }
}

PlotScale PlotScale::along_x(const Plot& plot)
{
    const bool logarithmic = plot.x.scale == Scale::logarithmic;
    Ends ends;
    for (const PlotSeries& one : plot.series)
        for (const double x : one.x) ends.take(x, logarithmic);
    for (const PlotMark& one : plot.marks) ends.take(one.x, logarithmic);
    return {plot.x, ends.from, ends.to};
}

PlotScale PlotScale::along_y(const Plot& plot)
{
    const bool logarithmic = plot.y.scale == Scale::logarithmic;
    Ends ends;
    bool from_zero = false;
    for (const PlotSeries& one : plot.series) {
        for (const double y : one.y) ends.take(y, logarithmic);
        from_zero = from_zero || (one.mark == Mark::area && !logarithmic);
    }
    if (from_zero) ends.take(0, false);
    PlotScale scale(plot.y, ends.from, ends.to);
    const double more = room * (scale.to_ - scale.from_);
    scale.to_ += more;
    if (!from_zero || ends.from < 0) scale.from_ -= more;
    return scale;
}

bool PlotScale::has(double value) const
{
    return std::isfinite(value) && (!logarithmic_ || value > 0);
}

double PlotScale::place(double value) const
{
    return ((logarithmic_ ? std::log10(value) : value) - from_) / (to_ - from_);
}

std::vector<double> PlotScale::round_numbers(std::size_t most) const
{
    const bool binary = measure_ == Measure::bytes;
    const auto room_for = static_cast<double>(std::max<std::size_t>(most, 2));
    std::vector<double> numbers;
    if (!logarithmic_) {
        const double step = round_step((to_ - from_) / room_for, binary);
        for (double at = std::ceil(from_ / step - 1e-9); at * step <= to_ + 1e-9 * step; ++at)
            numbers.push_back(at * step);
        return numbers;
    }
    const double base = binary ? std::log10(2.0) : 1;
    const double powers = (to_ - from_) / base;
    // 1, 2, 5 of each power where there is room for them; else each, or every so many, of the powers.
    if (!binary && powers * 3 <= room_for) {
        for (double power = std::floor(from_); power <= to_; ++power)
            for (const double factor : {1.0, 2.0, 5.0}) numbers.push_back(factor * std::pow(10, power));
    } else {
        const double step = std::max(1.0, std::ceil(powers / room_for));
        for (double power = std::ceil(from_ / base / step - 1e-9) * step; power * base <= to_ + 1e-9;
             power += step)
            numbers.push_back(binary ? std::exp2(power) : std::pow(10, power));
    }
    std::erase_if(numbers, [&](double value) { return place(value) < -1e-9 || place(value) > 1 + 1e-9; });
    return numbers;
}

std::vector<PlotTick> PlotScale::ticks(std::size_t most) const
{
    std::vector<PlotTick> ticks;
    constexpr double minute = 60;
    if (measure_ == Measure::seconds && !logarithmic_ && to_ >= 2 * minute && from_ <= to_ / 2) {
        for (const Tick& tick : time_ticks({.end = to_}, most))
            if (tick.at >= from_) ticks.push_back({place(tick.at), tick.label});
        return ticks;
    }
    for (const double value : round_numbers(most))
        ticks.push_back({place(value), format_tick(measure_, value)});
    return ticks;
}

}  // namespace fathom::report
