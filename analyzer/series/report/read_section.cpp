// What was read, what is missing in it, and what could not be read.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_gaps = 10, most_problems = 10, most_names = 3;

struct TypeFacts {
    std::uint64_t components = 0, series = 0, samples = 0;
    std::set<std::string_view> hosts;
    std::vector<Nanoseconds> intervals;
    Window window{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
};

DataTable table_of_types(const Pools& pools)
{
    const Table& all = pools.table();
    std::map<ComponentType, TypeFacts> types;
    for (std::uint32_t at = 0; at < all.components.size(); ++at) {
        const Component& component = all.components[at];
        TypeFacts& of = types[component.type];
        ++of.components;
        if (!component.host.empty()) of.hosts.insert(component.host);
        for (const Series* const series : pools.series_of(at)) {
            ++of.series;
            of.samples += series->samples.size();
            if (series->usual_interval > 0) of.intervals.push_back(series->usual_interval);
            if (series->samples.empty()) continue;
            of.window.begin = std::min(of.window.begin, series->samples.front().begin);
            of.window.end = std::max(of.window.end, series->samples.back().end);
        }
    }
    DataTable table{.id = "read", .title = "By type"};
    table.columns = {{"type", "type", Measure::text},        {"components", "number", Measure::count},
                     {"hosts", "hosts", Measure::count},     {"series", "series", Measure::count},
                     {"samples", "samples", Measure::count}, {"interval", "every", Measure::seconds},
                     {"begin", "from", Measure::instant},    {"end", "to", Measure::instant}};
    for (auto& [type, of] : types) {
        Cell interval = unknown(Measure::seconds);
        if (!of.intervals.empty()) {
            const auto middle = of.intervals.begin() + static_cast<std::ptrdiff_t>(of.intervals.size() / 2);
            std::ranges::nth_element(of.intervals, middle);
            interval = seconds(seconds_in(*middle));
        }
        const bool timed = of.samples > 0;
        table.rows.push_back({text(name_of(type)), count(of.components), count(of.hosts.size()),
                              count(of.series), count(of.samples), interval,
                              timed ? moment_cell(of.window.begin) : unknown(Measure::instant),
                              timed ? moment_cell(of.window.end) : unknown(Measure::instant)});
    }
    return table;
}

// Of which members samples cover less than half of a stretch of time between their first and last.
std::string who_lacks(const Pools& pools, const Pool& pool, const Window& window, Nanoseconds bin)
{
    std::string names;
    std::size_t lacking = 0;
    for (const std::uint32_t member : pool.members) {
        bool lacks = false;
        for (const Series* const series : pools.series_of(member)) {
            if (series->kind != Kind::amount || series->samples.empty() ||
                (series->quantity != "bytes_read" && series->quantity != "bytes_written") ||
                series->samples.front().begin >= window.end || series->samples.back().end <= window.begin)
                continue;
            std::vector<Bin> whole(1);
            add_to_bins(*series, {window.begin, window.end - window.begin, 1}, whole, bin);
            lacks = lacks || whole[0].covered < seconds_in(window.end - window.begin) * least_covered;
        }
        if (!lacks || ++lacking > most_names) continue;
        names += (names.empty() ? "" : ", ") + name_of(pool, pools.table().components[member]);
    }
    if (lacking == pool.members.size()) return lacking == 1 ? names : "all";
    if (lacking == 0) return "by turns";
    return lacking > most_names ? fmt::format("{} and {} more", names, format_count(lacking - most_names))
                                : names;
}

DataTable table_of_gaps(const Facts& facts, std::size_t& left_out)
{
    struct GapOf {
        const Part* part;
        Run run;
        Nanoseconds length;
    };
    std::vector<GapOf> gaps;
    for (std::size_t at = 0; at < facts.shown; ++at) {
        const Part& part = facts.parts[at];
        for (const Run& run : runs_where(part.load.both, [](double rate) { return !std::isfinite(rate); }))
            gaps.push_back({&part, run, static_cast<Nanoseconds>(run.bins) * part.load.grid.length});
    }
    std::ranges::stable_sort(gaps, std::ranges::greater{}, &GapOf::length);
    DataTable table{.id = "gaps", .title = "When not all was known: the longest gaps"};
    table.columns = {{"of", "of", Measure::text},
                     {"begin", "from", Measure::instant},
                     {"end", "to", Measure::instant},
                     {"duration", "for", Measure::seconds},
                     {"lacking", "nothing known of", Measure::text}};
    for (const auto& [part, run, length] : gaps) {
        if (table.rows.size() == most_gaps) break;
        const Window window{part->load.grid.begin_of(run.first),
                            part->load.grid.begin_of(run.first + run.bins)};
        table.rows.push_back({text(name_of(*part->pool)), moment_cell(window.begin), moment_cell(window.end),
                              seconds(seconds_in(length)),
                              text(who_lacks(facts.pools, *part->pool, window, part->load.grid.length))});
    }
    left_out = gaps.size() - table.rows.size();
    if (left_out > 0) table.remark = fmt::format("{} more are no longer.", format_count(left_out));
    return table;
}

}  // namespace

Blocks read_blocks(const Facts& facts)
{
    Blocks blocks;
    const Table& all = facts.pools.table();
    if (!all.components.empty()) blocks.push_back(table_of_types(facts.pools));
    std::size_t left_out = 0;
    if (DataTable gaps = table_of_gaps(facts, left_out); !gaps.rows.empty())
        blocks.push_back(std::move(gaps));
    if (facts.parts.size() > facts.shown)
        blocks.push_back(
            Paragraph{fmt::format("{} more in the first table have no sections of their own. --system NAME "
                                  "adds up hosts whose files "
                                  "name no system.",
                                  format_count(facts.parts.size() - facts.shown))});
    for (std::size_t at = 0; at < std::min(all.problems.size(), most_problems); ++at)
        blocks.push_back(Note{Weight::warning, all.problems[at]});
    if (all.problems.size() > most_problems)
        blocks.push_back(Note{
            Weight::warning,
            fmt::format("{} more could not be read.", format_count(all.problems.size() - most_problems))});
    return blocks;
}

}  // namespace fathom::series
