// The table of sections, and what all of them need.
#include "analyzer/series/report/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_shown = 4;

struct SeriesSection {
    std::string_view id, title;
    Blocks (*make)(const Facts& facts);
    // What the numbers are, and where they come from; empty: the section has no numbers of its own.
    std::string_view definition, source;
};

constexpr SeriesSection series_sections[] = {
    {"overview", "In brief", overview_blocks, "", ""},
    {"throughput", "Rates over time", throughput_blocks,
     "The sum over all members, in bins of wall-clock time. Where less than half of a bin is known of any "
     "member, "
     "the bin is left open.",
     "Carns et al. 2011, figure 6"},
    {"lags", "Servers that lag", lag_blocks,
     "A server lags while it stays below a share of the peak although at least half of the others of its "
     "kind "
     "on its system, two or more, reach that share, for so long in all, and while it moved at least 1 % of "
     "the "
     "peak in half of that time or more. An idle server does not lag: it moves nothing. --lag-below, "
     "--lag-for "
     "and --peak set what counts.",
     "Yang et al. 2019 (Beacon), section 4.2 and table 2, who take 30 %, 60 minutes and a known peak"},
    {"distribution", "How often which rate", distribution_blocks,
     "The known bins of the rates above, read and written together; the peak is the highest of them.",
     "Carns et al. 2011, section 4 and figure 7"},
    {"idle", "Idle periods", idle_blocks,
     "Known bins in a row below a share of the peak (--idle). A gap ends a period. Shares are of the time "
     "that is known.",
     "Carns et al. 2011, table III"},
    {"days", "Totals a day", day_blocks,
     "Days of UTC. Bytes of a gap within a day count there. Known is the share of the day whose bins are "
     "known.",
     "Carns et al. 2011, section 4"},
    {"servers", "Load across servers", server_blocks,
     "The coefficient of variation is the standard deviation over the mean, of the bytes of each. A cell of "
     "the map is the highest rate of one server within that time: idle below 10 % of a server's peak, low "
     "below 50 %, mid below 90 %, else high.",
     "Yang et al. 2019 (Beacon), figure 5"},
    {"metadata", "Metadata operations", metadata_blocks,
     "All operations but reads and writes, as the servers or clients count them.", "Fathom's own"},
    {"space", "Space", space_blocks,
     "Full is used / (used + free), as df has it: what is kept for root is neither. Growth is from the first "
     "sample to the last.",
     "Fathom's own"},
    {"read", "What was read", read_blocks, "", ""},
};

Part part_of(const Pools& pools, const Pool& pool, const Choice& choice)
{
    Part part;
    part.pool = &pool;
    part.load = load_of(pools, pool, choice);
    const Load& load = part.load;
    part.servers = server_loads(pools, pool, load, choice);
    const auto longest = [](const std::vector<Run>& runs) {
        return runs.empty() ? Run{} : *std::ranges::max_element(runs, {}, &Run::bins);
    };
    const auto gaps = runs_where(load.both, [](double rate) { return !std::isfinite(rate); });
    part.gaps = gaps.size();
    part.longest_gap = longest(gaps);
    if (!(load.peak > 0)) return part;
    part.low = static_cast<std::size_t>(
        std::ranges::count_if(load.both, [&](double rate) { return rate < choice.low * load.peak; }));
    const auto idle = idle_periods(load.both, choice.idle * load.peak);
    part.longest_idle = longest(idle);
    part.idle = classes_of(idle, load.grid.length);
    part.still = classes_of(still_periods(load.both), load.grid.length);
    return part;
}

// What moved data. Pools come by type; of one type those that moved most first.
std::vector<Pool> by_bytes(const Pools& pools)
{
    constexpr std::string_view moved[] = {"bytes_read", "bytes_written"};
    std::vector<std::pair<double, Pool>> order;
    for (const Pool& pool : pools.pools()) {
        double bytes = 0;
        for (const std::string_view quantity : moved)
            for (const Series* const series : pools.series_of(pool, quantity, Kind::amount))
                for (const Sample& sample : series->samples) bytes += sample.value;
        if (Pool part = pools.with_amounts(pool, moved); !part.members.empty())
            order.emplace_back(bytes, std::move(part));
    }
    std::vector<Pool> sorted;
    for (auto from = order.begin(); from != order.end();) {
        const auto to = std::find_if(from, order.end(),
                                     [&](const auto& one) { return one.second.type != from->second.type; });
        std::stable_sort(from, to, [](const auto& a, const auto& b) { return a.first > b.first; });
        for (; from != to; ++from) sorted.push_back(std::move(from->second));
    }
    return sorted;
}

std::string subtitle_of(const Table& table)
{
    std::set<std::string_view> systems, hosts;
    Window window{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
    for (const Component& component : table.components) {
        if (!component.system.empty()) systems.insert(component.system);
        if (!component.host.empty()) hosts.insert(component.host);
    }
    for (const Series& series : table.series) {
        if (series.samples.empty()) continue;
        window.begin = std::min(window.begin, series.samples.front().begin);
        window.end = std::max(window.end, series.samples.back().end);
    }
    std::string words;
    if (!systems.empty()) words = counted(systems.size(), "system", "systems") + ", ";
    if (!hosts.empty()) words += counted(hosts.size(), "host", "hosts") + ", ";
    words += counted(table.series.size(), "series", "series");
    return window.begin <= window.end ? words + ", " + from_to_words(window.begin, window.end) : words;
}

}  // namespace

Document make_report(const Table& table, const Choice& choice, const Tick& tick)
{
    const Pools pools(table);
    Facts facts(pools, choice);
    std::uint64_t done = 0;
    const std::vector<Pool> order = by_bytes(pools);
    const std::uint64_t steps = order.size() + std::size(series_sections);
    for (const Pool& pool : order) {
        tell_progress(tick, done++, steps);
        Part part = part_of(pools, pool, choice);
        if (part.load.both.empty()) continue;
        if (facts.parts.size() >= most_shown) part.load.read = part.load.written = part.load.both = {};
        facts.parts.push_back(std::move(part));
    }
    facts.shown = std::min(facts.parts.size(), most_shown);
    facts.spaces = spaces_of(pools);

    Document document;
    document.title = "What devices and servers did";
    document.subtitle = subtitle_of(table);
    for (const SeriesSection& row : series_sections) {
        tell_progress(tick, done++, steps);
        Section section{std::string(row.id), std::string(row.title), row.make(facts)};
        if (section.blocks.empty()) continue;
        if (!row.definition.empty())
            section.blocks.push_back(
                Paragraph{fmt::format("Definition: {} Source: {}.", row.definition, row.source)});
        document.sections.push_back(std::move(section));
    }
    return document;
}

}  // namespace fathom::series
