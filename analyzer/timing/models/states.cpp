// Names in their order.
#include "analyzer/timing/models/states.h"

#include <algorithm>

namespace fathom {
namespace {

constexpr std::string_view layouts[] = {"off0", "seq", "stride8MiB", "reverse", "rnd", "rnd8MiB"};

}  // namespace

std::size_t rank_of_state(std::string_view state)
{
    return state == discard_state ? 0 : state == cached_state ? 1 : state == uncached_state ? 3 : 2;
}

std::size_t rank_of_layout(std::string_view layout)
{
    return static_cast<std::size_t>(std::find(std::begin(layouts), std::end(layouts), layout) -
                                    std::begin(layouts));
}

std::vector<ServedClass> classes_of(const std::vector<IoModel>& models)
{
    std::vector<ServedClass> classes;
    for (const IoModel& model : models) {
        if (model.state == uncached_state) continue;
        ServedClass one{model.state, model.memory};
        if (std::find(classes.begin(), classes.end(), one) == classes.end())
            classes.push_back(std::move(one));
    }
    const auto order = [](const ServedClass& one) {
        return std::pair(rank_of_state(one.state), rank_of_layout(one.memory));
    };
    std::stable_sort(classes.begin(), classes.end(),
                     [&](const ServedClass& a, const ServedClass& b) { return order(a) < order(b); });
    classes.push_back({std::string(uncached_state), ""});
    return classes;
}

}  // namespace fathom
