// One pass over the models.
#include "analyzer/methods/explain.h"

#include <cmath>

namespace fathom {
namespace {

bool is_duration(double seconds)
{
    return std::isfinite(seconds) && seconds >= 0;
}

}  // namespace

std::optional<std::size_t> nearest_model(std::span<const std::optional<double>> predicted, double duration)
{
    if (!is_duration(duration)) return std::nullopt;
    std::optional<std::size_t> nearest;
    double least = 0;
    for (std::size_t model = 0; model < predicted.size(); ++model) {
        if (!predicted[model] || !(*predicted[model] > 0)) continue;
        const double time = *predicted[model];
        const double away = duration == 0 ? time : duration > time ? duration / time : time / duration;
        if (nearest && away >= least) continue;
        nearest = model;
        least = away;
    }
    return nearest;
}

std::optional<std::size_t> first_limit(std::span<const std::optional<double>> predicted, double duration)
{
    if (!is_duration(duration)) return std::nullopt;
    std::optional<std::size_t> found;
    bool any = false;
    for (std::size_t model = 0; model < predicted.size(); ++model) {
        if (!predicted[model]) continue;
        any = true;
        if (duration <= *predicted[model] && (!found || *predicted[model] < *predicted[*found]))
            found = model;
    }
    if (found || !any) return found;
    return predicted.size();
}

}  // namespace fathom
