// What an administrator asks first: how busy, how full, who lags, when nothing was known.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_systems = 20, most_warned = 5, most_paragraphs = 2,
                      most_for_programs_of_systems = 10'000;
constexpr double uneven = 1.5, nearly_full = 0.9;
constexpr std::size_t few_members = 2;

std::string load_sentences(const Part& part, const Choice& choice)
{
    const Load& load = part.load;
    const std::string bin = time_words(load.grid.length);
    std::string words =
        fmt::format("{} read {} and wrote {}, {}.", name_of(*part.pool), bytes_words(load.bytes_read),
                    bytes_words(load.bytes_written), from_to_words(load.grid.begin, load.grid.end()));
    if (!(load.peak > 0)) return words;
    return words + fmt::format(
                       " The rate is {} in the mean and {} at its peak, in the {} from {}: {} of the time is "
                       "below {} of the peak, and {} is idle, below {}.",
                       rate_words(load.mean), rate_words(load.peak), bin,
                       moment_words(load.grid.begin_of(load.peak_bin)),
                       percent_words(part.of_known(part.low)), percent_words(choice.low),
                       percent_words(part.of_known(bins_of(part.idle))), percent_words(choice.idle));
}

std::string gap_sentence(const Part& part)
{
    const Grid& grid = part.load.grid;
    if (part.gaps == 0) return " All of the time is known.";
    return fmt::format(" Of {} of the time not all is known, in {}; the longest: {}.",
                       percent_words(1 - part.known_share()), counted(part.gaps, "gap", "gaps"),
                       from_to_words(grid.begin_of(part.longest_gap.first),
                                     grid.begin_of(part.longest_gap.first + part.longest_gap.bins)));
}

std::string balance_sentence(const Part& part, const Pools& pools)
{
    const ServerLoads& loads = part.servers;
    if (loads.servers.size() < few_members || !(loads.largest_to_mean > 0)) return {};
    const auto most = std::ranges::max_element(loads.servers, {}, &ServerLoad::bytes);
    const Component& component = pools.table().components[most->component];
    return fmt::format(
        " {}: {} moved most, {:.2f} times the mean of the {}.",
        loads.largest_to_mean < uneven ? "Load is even" : "Load is uneven", name_of(*part.pool, component),
        loads.largest_to_mean,
        counted(loads.servers.size(), word_for(part.pool->type, false), word_for(part.pool->type, true)));
}

void add_warnings(const Facts& facts, Blocks& blocks)
{
    std::size_t lagging = 0;
    for (const Part& part : facts.parts)
        for (const Lag& lag : part.servers.lagging) {
            if (++lagging > most_warned) continue;
            const ServerLoad& server = part.servers.servers[lag.server];
            blocks.push_back(Note{
                Weight::warning,
                fmt::format("{} of {} lags: {} it moved {} at most, {} of a server's peak, while the others "
                            "reached {} or more of it for {} and moved {} each in the mean.",
                            name_of(*part.pool, facts.pools.table().components[server.component]),
                            part.pool->place, from_to_words(lag.begin, lag.end), rate_words(lag.highest),
                            percent_words(lag.highest / part.servers.peak),
                            percent_words(facts.choice.lag_below), format_seconds(lag.served),
                            rate_words(lag.others))});
        }
    if (lagging > most_warned)
        blocks.push_back(Note{Weight::warning, fmt::format("{} more such times are in \"Servers that lag\".",
                                                           format_count(lagging - most_warned))});
    if (!facts.spaces.empty()) {
        const Space& fullest = facts.spaces.front();
        const Component& component = facts.pools.table().components[fullest.component];
        blocks.push_back(
            Note{fullest.full() >= nearly_full ? Weight::warning : Weight::information,
                 fmt::format("{}{}{} is the fullest of {}: {} of its space is in use, {} are free.",
                             fullest.pool->place, fullest.pool->place.empty() ? "" : ", ",
                             name_of(*fullest.pool, component), format_count(facts.spaces.size()),
                             percent_words(fullest.full()), bytes_words(fullest.free))});
    }
}

DataTable table_of_systems(const Facts& facts)
{
    DataTable table{.id = "busy", .title = "What moved data"};
    table.columns = {{"name", "of", Measure::text},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"mean_rate", "mean", Measure::rate},
                     {"peak_rate", "peak", Measure::rate},
                     {"idle", "idle", Measure::share},
                     {"known", "known", Measure::share}};
    for (const Part& part : facts.parts) {
        if (table.rows.size() == most_systems) break;
        const bool known = part.load.known > 0;
        table.rows.push_back({text(name_of(*part.pool)), bytes_cell(part.load.bytes_read),
                              bytes_cell(part.load.bytes_written),
                              known ? rate_cell(part.load.mean) : unknown(Measure::rate),
                              known ? rate_cell(part.load.peak) : unknown(Measure::rate),
                              known ? share(part.of_known(bins_of(part.idle))) : unknown(Measure::share),
                              share(part.known_share())});
    }
    if (facts.parts.size() > most_systems)
        table.remark = fmt::format("{} more moved less.", format_count(facts.parts.size() - most_systems));
    if (facts.parts.size() > 1)
        table.remark += fmt::format(
            "{}Rows are not to be added up: clients, servers and the devices below them see the same bytes.",
            table.remark.empty() ? "" : " ");
    return table;
}

// The same of all, and what programs want beside it.
DataTable table_for_programs(const Facts& facts)
{
    DataTable table{.id = "systems", .for_programs = true};
    table.columns = {{"name", "of", Measure::text},
                     {"type", "type", Measure::text},
                     {"members", "members", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"bytes_in_gaps", "of these in gaps", Measure::bytes},
                     {"bin", "bin", Measure::seconds},
                     {"mean_rate", "mean", Measure::rate},
                     {"peak_rate", "peak", Measure::rate},
                     {"low", "below " + percent_words(facts.choice.low), Measure::share},
                     {"idle", "idle", Measure::share},
                     {"known", "known", Measure::share},
                     {"gaps", "gaps", Measure::count},
                     {"lags", "times that one lags", Measure::count}};
    for (const Part& part :
         std::span(facts.parts).first(std::min(facts.parts.size(), most_for_programs_of_systems)))
        table.rows.push_back({text(part.pool->place), text(word_for(part.pool->type, true)),
                              count(part.pool->members.size()), bytes_cell(part.load.bytes_read),
                              bytes_cell(part.load.bytes_written), bytes_cell(part.load.untimed),
                              seconds(seconds_in(part.load.grid.length)), rate_cell(part.load.mean),
                              rate_cell(part.load.peak), share(part.of_known(part.low)),
                              share(part.of_known(bins_of(part.idle))), share(part.known_share()),
                              count(part.gaps), count(part.servers.lagging.size())});
    return table;
}

}  // namespace

Blocks overview_blocks(const Facts& facts)
{
    Blocks blocks;
    for (std::size_t at = 0; at < std::min(facts.shown, most_paragraphs); ++at) {
        const Part& part = facts.parts[at];
        if (part.load.grid.count == 0) continue;
        blocks.push_back(Paragraph{load_sentences(part, facts.choice) + balance_sentence(part, facts.pools) +
                                   gap_sentence(part)});
    }
    if (facts.parts.empty() && !facts.pools.table().components.empty())
        blocks.push_back(Paragraph{"No series here has bytes that were read or written."});
    add_warnings(facts, blocks);
    if (facts.parts.empty()) return blocks;
    blocks.push_back(table_of_systems(facts));
    blocks.push_back(table_for_programs(facts));
    return blocks;
}

}  // namespace fathom::series
