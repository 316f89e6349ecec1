// Table 2 of Yang et al.: how long servers stayed below their peak while others reached it.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_lags = 20;

// Hours: [0,1), [1,4), [4,12), [12,96), from 96 on.
constexpr std::array<Nanoseconds, 4> lag_class_hours = {1, 4, 12, 96};
using LagCounts = std::array<std::uint64_t, lag_class_hours.size() + 1>;

LagCounts counts_of(const std::vector<Lag>& lags)
{
    LagCounts counts{};
    for (const Lag& lag : lags) {
        std::size_t at = 0;
        while (at < lag_class_hours.size() && lag.end - lag.begin >= lag_class_hours[at] * 3600 * one_second)
            ++at;
        ++counts[at];
    }
    return counts;
}

std::string hours_words(std::size_t at)
{
    if (at == 0) return fmt::format("under {}", lag_class_hours[0]);
    if (at == lag_class_hours.size()) return fmt::format("{} or more", lag_class_hours[at - 1]);
    return fmt::format("{} to {}", lag_class_hours[at - 1], lag_class_hours[at]);
}

DataTable table_by_duration(const Facts& facts)
{
    DataTable table{.id = "lag_durations", .title = "How often, by how long"};
    table.columns = {{"hours", "hours", Measure::text}};
    std::vector<LagCounts> counts;
    for (const Part& part : facts.parts) {
        if (part.servers.lagging.empty()) continue;
        table.columns.push_back(
            {fmt::format("times_{}", counts.size()), name_of(*part.pool), Measure::count});
        counts.push_back(counts_of(part.servers.lagging));
        if (counts.size() == most_lags) break;
    }
    for (std::size_t at = 0; at <= lag_class_hours.size(); ++at) {
        auto& row = table.rows.emplace_back();
        row.push_back(text(hours_words(at)));
        for (const LagCounts& one : counts) row.push_back(report::count(one[at]));
    }
    return table;
}

struct LagOf {
    const Part* part;
    const Lag* lag;
};

DataTable table_of_lags(const Facts& facts, std::vector<LagOf> lags)
{
    std::ranges::stable_sort(lags, std::ranges::greater{},
                             [](const LagOf& one) { return one.lag->end - one.lag->begin; });
    DataTable table{.id = "lags", .title = "The longest"};
    table.columns = {{"name", "server", Measure::text},
                     {"of", "of", Measure::text},
                     {"begin", "from", Measure::instant},
                     {"duration", "for", Measure::seconds},
                     {"served", "others reached it for", Measure::seconds},
                     {"highest", "its highest rate", Measure::rate},
                     {"of_peak", "of the peak", Measure::share},
                     {"others", "the others, mean", Measure::rate}};
    for (const auto& [part, lag] : lags) {
        if (table.rows.size() == most_lags) {
            table.remark = fmt::format("{} more were shorter.", format_count(lags.size() - most_lags));
            break;
        }
        const ServerLoad& server = part->servers.servers[lag->server];
        table.rows.push_back({text(name_of(*part->pool, facts.pools.table().components[server.component])),
                              text(part->pool->place), moment_cell(lag->begin),
                              seconds(seconds_in(lag->end - lag->begin)), seconds(lag->served),
                              rate_cell(lag->highest), share(lag->highest / part->servers.peak),
                              rate_cell(lag->others)});
    }
    return table;
}

}  // namespace

Blocks lag_blocks(const Facts& facts)
{
    Blocks blocks;
    std::vector<LagOf> lags;
    std::vector<std::string> quiet;
    std::size_t screened = 0, quiet_times = 0;
    for (const Part& part : facts.parts) {
        const Nanoseconds time = part.load.grid.end() - part.load.grid.begin;
        if (part.servers.servers.size() < least_servers || !(part.servers.peak > 0) ||
            time < facts.choice.lag_for)
            continue;
        screened += part.servers.servers.size();
        for (const Lag& lag : part.servers.lagging) lags.push_back({&part, &lag});
        for (const Lag& lag : part.servers.quiet) {
            ++quiet_times;
            if (quiet.size() == most_lags) continue;
            const ServerLoad& server = part.servers.servers[lag.server];
            quiet.push_back(name_of(*part.pool, facts.pools.table().components[server.component]));
            if (std::ranges::count(quiet, quiet.back()) > 1) quiet.pop_back();
        }
    }
    if (screened == 0) return blocks;
    const std::string rule =
        fmt::format("stayed below {} of its peak while the others reached that for {}",
                    percent_words(facts.choice.lag_below), time_words(facts.choice.lag_for));
    const std::string compared =
        lags.empty() ? fmt::format("None of {} servers {}.", format_count(screened), rule)
                     : fmt::format("{} servers were compared. {} one of them {} or more.",
                                   format_count(screened), counted(lags.size(), "time", "times"), rule);
    blocks.push_back(Paragraph{compared});
    if (!lags.empty()) {
        blocks.push_back(table_of_lags(facts, lags));
        blocks.push_back(table_by_duration(facts));
    }
    if (quiet_times > 0) {
        std::string names;
        for (const std::string& name : quiet) names += (names.empty() ? "" : ", ") + name;
        blocks.push_back(Paragraph{fmt::format(
            "{} moved next to nothing meanwhile ({}): nothing to do, or standing still; these numbers do not "
            "tell which.",
            names, counted(quiet_times, "time", "times"))});
    }
    return blocks;
}

}  // namespace fathom::series
