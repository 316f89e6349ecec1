#include "analyzer/series/report/idle.h"

namespace fathom::series {

std::vector<Run> idle_periods(std::span<const double> rates, double limit)
{
    return runs_where(rates, [limit](double rate) { return rate < limit; });
}

std::vector<Run> still_periods(std::span<const double> rates)
{
    return runs_where(rates, [](double rate) { return rate == 0; });
}

IdleClasses classes_of(std::span<const Run> periods, Nanoseconds bin)
{
    IdleClasses classes{};
    for (const Run& period : periods) {
        std::size_t at = 0;
        while (at < idle_class_minutes.size() &&
               static_cast<Nanoseconds>(period.bins) * bin > idle_class_minutes[at] * 60 * one_second)
            ++at;
        ++classes[at].periods;
        classes[at].bins += period.bins;
    }
    return classes;
}

}  // namespace fathom::series
