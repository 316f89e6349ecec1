#include "analyzer/series/write.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/csv_text.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"

namespace fathom::series {
namespace {

bool is_like(std::string_view pattern, std::string_view name)
{
    if (!pattern.ends_with('*')) return pattern == name;
    pattern.remove_suffix(1);
    return name.starts_with(pattern);
}

bool is_one_of(const std::vector<std::string>& patterns, std::string_view name)
{
    return patterns.empty() ||
           std::ranges::any_of(patterns, [&](const std::string& pattern) { return is_like(pattern, name); });
}

template <class Visit>
void each_wanted(const Table& table, const Wanted& wanted, const Visit& visit)
{
    for (const Series& series : table.series)
        if (is_wanted(wanted, table, series)) visit(table.components[series.component], series);
}

std::string unix_seconds(Nanoseconds time)
{
    return fmt::format("{}.{:09}", time / one_second, time % one_second);
}

std::string in_words(const Series& series)
{
    double sum = 0;
    for (const Sample& sample : series.samples) sum += sample.value;
    const Unit unit = unit_of(series);
    const double count = static_cast<double>(series.samples.size());
    const double value = series.kind == Kind::amount ? sum : sum / std::max(count, 1.0);
    const char* const what = series.kind == Kind::amount ? "total" : "mean";
    constexpr double most_whole = 9e18;
    std::string text;
    if (unit == Unit::bytes && value < most_whole)
        text = report::format_bytes(static_cast<std::uint64_t>(std::llround(value)));
    else if (unit == Unit::seconds)
        text = report::format_seconds(value);
    else if (unit == Unit::share)
        text = report::format_share(value);
    else if (series.kind == Kind::amount && value < most_whole && value == std::floor(value))
        text = report::format_count(static_cast<std::uint64_t>(value));
    else
        text = fmt::format("{:.4g}", value);
    return fmt::format("{} {}", what, text);
}

std::string full_name(const Component& component)
{
    std::string name;
    const auto add = [&](std::string_view part) {
        if (part.empty()) return;
        if (!name.empty()) name += ' ';
        name += report::printable(part);
    };
    add(component.system);
    add(component.host);
    if (component.name != component.host) add(component.name);
    if (!component.on.empty()) add("on " + component.on);
    return name.empty() ? std::string(name_of(component.type)) : name;
}

}  // namespace

bool is_wanted(const Wanted& wanted, const Table& table, const Series& series)
{
    return is_one_of(wanted.quantities, series.quantity) &&
           is_one_of(wanted.components, table.components[series.component].name);
}

void write_csv(const Table& table, const Wanted& wanted, const Write& write)
{
    write("system,host,type,component,on,quantity,unit,begin,end,value\n");
    each_wanted(table, wanted, [&](const Component& component, const Series& series) {
        const auto field = [](std::string_view words) { return report::csv_text(report::escaped(words)); };
        const std::string front = fmt::format(
            "{},{},{},{},{},{},{},", field(component.system), field(component.host), name_of(component.type),
            field(component.name), field(component.on), field(series.quantity), name_of(unit_of(series)));
        for (const Sample& sample : series.samples)
            write(fmt::format("{}{},{},{}\n", front, unix_seconds(sample.begin), unix_seconds(sample.end),
                              sample.value));
    });
}

void write_summary(const Table& table, const Wanted& wanted, const Write& write)
{
    // Where each component's series are, in the order of the components.
    std::vector<const Series*> all;
    each_wanted(table, wanted, [&](const Component&, const Series& series) { all.push_back(&series); });
    std::ranges::stable_sort(all, {}, &Series::component);
    std::uint32_t before = std::numeric_limits<std::uint32_t>::max();
    for (const Series* const series : all) {
        if (series->component != before) {
            const Component& component = table.components[series->component];
            write(fmt::format("{} ({})\n", full_name(component), name_of(component.type)));
            before = series->component;
        }
        const std::size_t gaps = gaps_of(*series);
        write(fmt::format("  {:<24} {}{}, {} to {}, {}\n", report::printable(series->quantity),
                          report::counted(series->samples.size(), "sample", "samples"),
                          gaps == 0 ? std::string() : ", " + report::counted(gaps, "gap", "gaps"),
                          utc_text(series->samples.front().begin), utc_text(series->samples.back().end),
                          in_words(*series)));
    }
    std::vector<bool> has_series(table.components.size());
    for (const Series& series : table.series) has_series[series.component] = true;
    for (std::size_t at = 0; at < table.components.size(); ++at)
        if (const Component& component = table.components[at];
            !has_series[at] && wanted.quantities.empty() && is_one_of(wanted.components, component.name))
            write(fmt::format("{} ({}): no samples\n", full_name(component), name_of(component.type)));
}

std::string quantities_in_markdown()
{
    std::string text = "| quantity | kind | unit | of | meaning |\n|---|---|---|---|---|\n";
    for (const Quantity& quantity : quantities())
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", quantity.name,
                            quantity.kind == Kind::amount ? "amount" : "level", name_of(quantity.unit),
                            name_of(quantity.subject), quantity.meaning);
    return text;
}

std::size_t gaps_of(const Series& series)
{
    std::size_t gaps = 0;
    for (std::size_t at = 1; at < series.samples.size(); ++at) {
        const Sample &one = series.samples[at - 1], &next = series.samples[at];
        const bool apart = next.end - one.end > series.usual_interval + series.usual_interval / 2;
        gaps += (series.kind == Kind::amount ? next.begin > one.end : apart && next.begin > one.end) ? 1 : 0;
    }
    return gaps;
}

}  // namespace fathom::series
