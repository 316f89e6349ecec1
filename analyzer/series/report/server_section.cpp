// How evenly servers are used, and how close to their peak (figure 5 of Yang et al.).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_listed = 24, most_for_programs = 10'000;
constexpr std::array<std::string_view, load_classes.size()> class_names = {"idle", "low", "mid", "high"};

std::string server_name(const Facts& facts, const Part& part, std::size_t server)
{
    return name_of(*part.pool, facts.pools.table().components[part.servers.servers[server].component]);
}

DataTable table_of_servers(const Facts& facts, const Part& part, std::size_t number,
                           const std::vector<std::size_t>& which)
{
    const ServerLoads& loads = part.servers;
    const std::string word(word_for(part.pool->type, false));
    DataTable table{.id = fmt::format("servers_{}", number),
                    .title = fmt::format("Bytes of each {} of {}", word, name_of(*part.pool))};
    table.columns = {{"name", word, Measure::text},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"share", "of all", Measure::share},
                     {"times_mean", "/ mean", Measure::number},
                     {"highest_rate", "highest", Measure::rate},
                     {"of_peak", "of peak", Measure::share}};
    const auto all_bytes = part.load.bytes();
    const double mean = all_bytes / static_cast<double>(loads.servers.size());
    for (const std::size_t at : which) {
        const ServerLoad& server = loads.servers[at];
        table.rows.push_back(
            {text(server_name(facts, part, at)), bytes_cell(server.bytes_read),
             bytes_cell(server.bytes_written), share_of(server.bytes(), all_bytes),
             mean > 0 ? with_decimals(report::number(server.bytes() / mean), 2) : unknown(Measure::number),
             rate_cell(server.peak), share_of(server.peak, loads.peak)});
    }
    return table;
}

// Those with most, and of many those with least too.
void add_servers(const Facts& facts, const Part& part, std::size_t number, Blocks& blocks)
{
    const auto& servers = part.servers.servers;
    std::vector<std::size_t> order(servers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t at) { return servers[at].bytes(); });
    if (order.size() <= most_listed) {
        blocks.push_back(table_of_servers(facts, part, number, order));
        return;
    }
    // Of those that moved something.
    const auto none = std::ranges::find_if(order, [&](std::size_t at) { return servers[at].bytes() == 0; });
    const auto moved = static_cast<std::size_t>(none - order.begin()), half = most_listed / 2;
    std::vector<std::size_t> ends(order.begin(),
                                  order.begin() + static_cast<std::ptrdiff_t>(std::min(moved, half)));
    if (moved > half)
        ends.insert(ends.end(), none - static_cast<std::ptrdiff_t>(std::min(moved - half, half)), none);
    DataTable table = table_of_servers(facts, part, number, ends);
    table.id += "_most";
    if (moved > ends.size())
        table.remark = fmt::format("The {} with most and the {} with least of {} that moved something.", half,
                                   half, format_count(moved));
    blocks.push_back(std::move(table));
    order.resize(std::min(order.size(), most_for_programs));
    DataTable all = table_of_servers(facts, part, number, order);
    all.for_programs = true;
    blocks.push_back(std::move(all));
}

// Where several targets are on a host.
void add_hosts(const Facts& facts, const Part& part, std::size_t number, Blocks& blocks)
{
    if (part.pool->hosts < 2 || part.pool->hosts >= part.pool->members.size()) return;
    struct Host {
        std::uint64_t members = 0;
        double bytes = 0;
    };
    std::map<std::string, Host> hosts;
    for (const ServerLoad& server : part.servers.servers) {
        Host& host = hosts[facts.pools.table().components[server.component].host];
        ++host.members;
        host.bytes += server.bytes();
    }
    std::vector<std::pair<std::string, Host>> order(hosts.begin(), hosts.end());
    std::ranges::stable_sort(order, std::ranges::greater{}, [](const auto& one) { return one.second.bytes; });
    const double mean = part.load.bytes() / static_cast<double>(order.size());
    DataTable table{.id = fmt::format("hosts_{}", number),
                    .title = "Bytes by host of " + name_of(*part.pool)};
    table.columns = {{"host", "host", Measure::text},
                     {"members", std::string(word_for(part.pool->type, true)), Measure::count},
                     {"bytes", "read and written", Measure::bytes},
                     {"times_mean", "times the mean", Measure::number}};
    for (const auto& [name, host] : order) {
        if (table.rows.size() == most_listed) break;
        table.rows.push_back(
            {text(name), count(host.members), bytes_cell(host.bytes),
             mean > 0 ? with_decimals(report::number(host.bytes / mean), 2) : unknown(Measure::number)});
    }
    if (order.size() > most_listed)
        table.remark = fmt::format("The {} with most of {}.", most_listed, format_count(order.size()));
    blocks.push_back(std::move(table));
}

Heatmap map_of(const Facts& facts, const Part& part, std::size_t number)
{
    const ServerLoads& loads = part.servers;
    Heatmap map{.id = fmt::format("load_map_{}", number),
                .title = fmt::format("Highest rate within {} of each {}, of the peak",
                                     time_words(loads.slots.length), word_for(part.pool->type, false)),
                .row_heading = std::string(word_for(part.pool->type, false)),
                .measure = Measure::share};
    map.time = {0, seconds_in(loads.slots.length), loads.slots.count,
                seconds_in(loads.slots.end() - loads.slots.begin),
                static_cast<std::uint64_t>(std::max<Nanoseconds>(loads.slots.begin, 0))};
    map.by_row = {"read and written", Measure::bytes, {}};
    map.by_slice = {fmt::format("mean over {}", word_for(part.pool->type, true)), Measure::share,
                    std::vector<double>(loads.slots.count)};
    std::vector<double> known(loads.slots.count);
    for (std::size_t band = 0; band < loads.bands.size(); ++band) {
        const auto [first, members] = loads.bands[band];
        Band row{first, first + members - 1, members, server_name(facts, part, first)};
        if (members > 1) row.name += fmt::format(" + {}", members - 1);
        map.rows.push_back(std::move(row));
        double bytes = 0;
        for (std::size_t at = first; at < first + members; ++at) bytes += loads.servers[at].bytes();
        map.by_row.values.push_back(bytes);
        auto& values = map.values.emplace_back(loads.map[band]);
        for (std::size_t at = 0; at < values.size(); ++at) {
            values[at] /= loads.peak;
            if (!std::isfinite(values[at])) continue;
            map.by_slice.values[at] += values[at];
            ++known[at];
        }
    }
    for (std::size_t at = 0; at < known.size(); ++at)
        if (known[at] > 0) map.by_slice.values[at] /= known[at];
    for (std::size_t at = 0; at < load_classes.size(); ++at)
        map.levels.push_back({load_classes[at], std::string(class_names[at])});
    if (loads.bands.size() < loads.servers.size())
        map.remark = "A row of several is named by the first of them, and has the highest rate of any.";
    return map;
}

std::string map_sentence(const Facts& facts, const Part& part)
{
    const ServerLoads& loads = part.servers;
    const auto all = static_cast<double>(std::accumulate(loads.cells.begin(), loads.cells.end(), 0ULL));
    std::string words = fmt::format("The peak of one {} is taken to be {}, {}.",
                                    word_for(part.pool->type, false), rate_words(loads.peak),
                                    facts.choice.server_peak ? "as --peak says" : "the highest rate of any");
    if (!(all > 0)) return words;
    words += " Of the cells";
    for (std::size_t at = load_classes.size(); at-- > 0;)
        words += fmt::format("{} {} are {}", at + 1 == load_classes.size() ? "" : ",",
                             percent_words(static_cast<double>(loads.cells[at]) / all), class_names[at]);
    return words + ".";
}

}  // namespace

Blocks server_blocks(const Facts& facts)
{
    Blocks blocks;
    for (std::size_t at = 0; at < facts.shown; ++at) {
        const Part& part = facts.parts[at];
        const ServerLoads& loads = part.servers;
        if (loads.servers.size() < 2 || !(part.load.bytes() > 0)) continue;
        const auto still = std::ranges::count_if(
            loads.servers, [](const ServerLoad& server) { return server.bytes() == 0; });
        blocks.push_back(Paragraph{fmt::format(
            "{}: the one with most moved {:.2f} times the mean; the coefficient of variation is {:.2f}.{}",
            name_of(*part.pool), loads.largest_to_mean, loads.variation,
            still > 0 ? fmt::format(" {} moved nothing.", format_count(static_cast<std::uint64_t>(still)))
                      : "")});
        add_servers(facts, part, at, blocks);
        add_hosts(facts, part, at, blocks);
        if (!(loads.peak > 0)) continue;
        blocks.push_back(map_of(facts, part, at));
        blocks.push_back(Paragraph{map_sentence(facts, part)});
    }
    return blocks;
}

}  // namespace fathom::series
