// How full targets are, and how fast they fill.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_targets = 16, most_for_programs_too = 10'000, most_systems_listed = 20;
constexpr double gibibyte = 1 << 30, day_seconds = 86'400;

const Series* level_of(const Pools& pools, std::uint32_t component, std::string_view quantity)
{
    for (const Series* const series : pools.series_of(component))
        if (series->kind == Kind::level && series->quantity == quantity && !series->samples.empty())
            return series;
    return nullptr;
}

std::optional<double> last_of(const Series* series)
{
    if (series == nullptr) return {};
    return series->samples.back().value;
}

// Targets' spaces add up; what clients and hosts see may be the same file system many times.
bool adds_up(ComponentType type)
{
    return type == ComponentType::ost || type == ComponentType::mdt || type == ComponentType::brick;
}

// Of less than a day that would be a guess.
std::optional<double> growth_a_day(const Space& space)
{
    const double days = seconds_in(space.end - space.begin) / day_seconds;
    if (days < 1) return {};
    return space.grown / days;
}

std::vector<Cell> space_row(const Facts& facts, const Space& space)
{
    const auto growth = growth_a_day(space);
    const Cell none = unknown(Measure::number);
    return {text(name_of(*space.pool, facts.pools.table().components[space.component])),
            text(space.pool->place),
            share(space.full()),
            bytes_cell(space.used),
            bytes_cell(space.free),
            space.inodes ? share(*space.inodes) : unknown(Measure::share),
            growth ? with_decimals(report::number(*growth / gibibyte), 1) : none,
            growth && *growth > 0 ? with_decimals(report::number(space.free / *growth), 0) : none};
}

DataTable table_of_spaces(const Facts& facts, std::size_t most)
{
    DataTable table{.id = "space", .title = "The fullest"};
    table.columns = {{"name", "target", Measure::text},          {"of", "of", Measure::text},
                     {"full", "full", Measure::share},           {"used", "used", Measure::bytes},
                     {"free", "free", Measure::bytes},           {"inodes", "inodes", Measure::share},
                     {"growth_gib", "GiB/day", Measure::number}, {"days_left", "days left", Measure::number}};
    for (const Space& space : facts.spaces) {
        if (table.rows.size() == most) break;
        table.rows.push_back(space_row(facts, space));
    }
    return table;
}

// Columns that have no value say nothing to people.
void drop_empty_columns(DataTable& table)
{
    for (std::size_t at = table.columns.size(); at-- > 0;) {
        if (std::ranges::any_of(table.rows, [at](const auto& row) { return row[at].known(); })) continue;
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(at));
        for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

DataTable table_of_pools(const Facts& facts)
{
    struct Sum {
        std::uint64_t targets = 0;
        double used = 0, free = 0, fullest = 0, emptiest = 1, grown = 0;
    };
    std::map<const Pool*, Sum> sums;
    for (const Space& space : facts.spaces) {
        if (!adds_up(space.pool->type)) continue;
        Sum& sum = sums[space.pool];
        ++sum.targets;
        sum.used += space.used;
        sum.free += space.free;
        sum.fullest = std::max(sum.fullest, space.full());
        sum.emptiest = std::min(sum.emptiest, space.full());
        sum.grown += space.grown;
    }
    DataTable table{.id = "space_of_systems", .title = "Targets of a system together"};
    table.columns = {{"name", "of", Measure::text},          {"targets", "targets", Measure::text},
                     {"full", "full", Measure::share},       {"used", "used", Measure::bytes},
                     {"free", "free", Measure::bytes},       {"emptiest", "emptiest", Measure::share},
                     {"fullest", "fullest", Measure::share}, {"grown_gib", "grew, GiB", Measure::number}};
    for (const auto& [pool, sum] : sums) {
        if (table.rows.size() == most_systems_listed) break;
        table.rows.push_back(
            {text(pool->place),
             text(counted(sum.targets, word_for(pool->type, false), word_for(pool->type, true))),
             share_of(sum.used, sum.used + sum.free), bytes_cell(sum.used), bytes_cell(sum.free),
             share(sum.emptiest), share(sum.fullest),
             with_decimals(report::number(sum.grown / gibibyte), 1)});
    }
    return table;
}

}  // namespace

std::vector<Space> spaces_of(const Pools& pools)
{
    std::vector<Space> spaces;
    for (const Pool& pool : pools.pools())
        for (const std::uint32_t member : pool.members) {
            const Series* const used = level_of(pools, member, "bytes_used");
            if (used == nullptr) continue;
            Space space;
            space.component = member;
            space.pool = &pool;
            space.used = used->samples.back().value;
            space.begin = used->samples.front().end;
            space.end = used->samples.back().end;
            space.grown = space.used - used->samples.front().value;
            if (const auto free = last_of(level_of(pools, member, "bytes_free")))
                space.free = *free;
            else if (const auto total = last_of(level_of(pools, member, "bytes_total")))
                space.free = std::max(*total - space.used, 0.0);
            else
                continue;
            const auto inodes = last_of(level_of(pools, member, "inodes_used")),
                       inodes_free = last_of(level_of(pools, member, "inodes_free"));
            if (inodes && inodes_free && *inodes + *inodes_free > 0)
                space.inodes = *inodes / (*inodes + *inodes_free);
            spaces.push_back(space);
        }
    std::ranges::stable_sort(spaces, std::ranges::greater{}, &Space::full);
    return spaces;
}

Blocks space_blocks(const Facts& facts)
{
    Blocks blocks;
    if (facts.spaces.empty()) return blocks;
    if (DataTable table = table_of_pools(facts); !table.rows.empty()) blocks.push_back(std::move(table));
    DataTable fullest = table_of_spaces(facts, most_targets);
    if (facts.spaces.size() > most_targets) {
        fullest.id += "_most";
        fullest.remark = fmt::format("{} of {}.", most_targets, format_count(facts.spaces.size()));
        DataTable all = table_of_spaces(facts, most_for_programs_too);
        all.for_programs = true;
        blocks.push_back(std::move(all));
    }
    drop_empty_columns(fullest);
    blocks.push_back(std::move(fullest));
    return blocks;
}

}  // namespace fathom::series
