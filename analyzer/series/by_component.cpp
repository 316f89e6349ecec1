// Sorted by counting.
#include "analyzer/series/by_component.h"

namespace fathom::series {

ByComponent::ByComponent(const Table& table) : table_(table)
{
    const std::size_t components = table.components.size();
    from_.assign(components + 1, 0);
    for (const Series& series : table.series) ++from_[series.component + 1];
    for (std::size_t at = 0; at < components; ++at) from_[at + 1] += from_[at];
    series_.resize(table.series.size());
    std::vector<std::size_t> next(from_.begin(), from_.end());
    for (const Series& series : table.series) series_[next[series.component]++] = &series;
}

std::span<const Series* const> ByComponent::of(std::uint32_t component) const
{
    return std::span(series_).subspan(from_[component], from_[component + 1] - from_[component]);
}

std::vector<const Series*> ByComponent::of(std::span<const std::uint32_t> components,
                                           std::string_view quantity, Kind kind) const
{
    std::vector<const Series*> all;
    for (const std::uint32_t component : components)
        for (const Series* const series : of(component))
            if (series->kind == kind && series->quantity == quantity && !series->samples.empty())
                all.push_back(series);
    return all;
}

}  // namespace fathom::series
