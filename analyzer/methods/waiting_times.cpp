// One pass over the path.
#include "analyzer/methods/waiting_times.h"

#include <cmath>

namespace fathom {

std::optional<std::vector<Stays>> stays_of(std::span<const double> times, std::span<const std::size_t> path,
                                           std::size_t states, std::span<const std::size_t> stretches)
{
    if (times.size() != path.size()) return std::nullopt;
    std::vector<bool> begins(times.size());
    for (const std::size_t at : stretches) {
        if (at >= times.size()) return std::nullopt;
        begins[at] = true;
    }
    std::vector<Stays> stays(states);
    bool seen = false;  // whether the present visit began where one looked
    double since = 0;   // when it did
    for (std::size_t at = 0; at < path.size(); ++at) {
        if (path[at] >= states || !std::isfinite(times[at]) || (at > 0 && !(times[at] >= times[at - 1])))
            return std::nullopt;
        Stays& here = stays[path[at]];
        ++here.samples;
        if (at == 0 || begins[at]) {
            ++here.visits;
            seen = false;
        } else if (path[at] != path[at - 1]) {
            const double change = times[at - 1] + (times[at] - times[at - 1]) / 2;
            if (seen) stays[path[at - 1]].whole.push_back(change - since);
            since = change;
            seen = true;
            ++here.visits;
        }
    }
    return stays;
}

}  // namespace fathom
