// The ten slowest of the servers with files, and bars for all of them.
#include "analyzer/sections/files/servers.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "analyzer/document/units.h"
#include "analyzer/sections/slowest_neighbours.h"

namespace fathom {

using namespace report;

namespace {

Cell rate_of(double ns_per_byte)
{
    return ns_per_byte > 0 ? rate(1e9 / ns_per_byte / mebibyte) : unknown(Measure::rate);
}

// Those with bytes, by number.
std::vector<std::size_t> used_servers(const ServerStudy& study)
{
    std::vector<std::size_t> used(study.numbers.size());
    std::iota(used.begin(), used.end(), 0);
    std::erase_if(used, [&](std::size_t at) { return study.rates[at].bytes <= 0; });
    return used;
}

}  // namespace

DataTable server_table(const ServerStudy& study)
{
    constexpr std::size_t most_rows = 10;
    std::vector<std::size_t> order = used_servers(study);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return study.rates[a].ns_per_byte > study.rates[b].ns_per_byte;
    });
    const std::size_t all = order.size();
    DataTable table{.id = "servers", .title = "Servers, the slowest first"};
    table.columns = {{"server", "server (OST)", Measure::count}, {"files", "files", Measure::count},
                     {"bytes", "bytes", Measure::bytes},         {"rate", "rate", Measure::rate},
                     {"at_least", "at least", Measure::rate},    {"at_most", "at most", Measure::rate}};
    if (all < 2) return table;
    order.resize(std::min(all, most_rows));
    for (const std::size_t at : order) {
        const ServerRate& one = study.rates[at];
        table.rows.push_back({count(study.numbers[at]), count(one.files),
                              bytes(static_cast<std::uint64_t>(one.bytes)), rate_of(one.ns_per_byte),
                              rate_of(one.high), rate_of(one.low)});
    }
    table.remark = fmt::format(
        "{}Rate: as its files' reads and writes had it, one process at a time; of files on several servers "
        "as the other "
        "files on these are known. At least, at most: for 95 of 100 drawings of the files.",
        all > most_rows ? fmt::format("{} of {} servers. ", most_rows, all) : "");
    return table;
}

Chart server_chart(const ServerStudy& study)
{
    constexpr std::size_t most_bars = 48;
    Chart chart{.id = "server_rates",
                .title = "Rate by server",
                .shape = Shape::grouped,
                .category_heading = "server (OST)",
                .measure = Measure::rate,
                .series = {{"rate", {}}}};
    std::vector<std::size_t> used = used_servers(study);
    std::erase_if(used, [&](std::size_t at) { return study.rates[at].ns_per_byte <= 0; });
    if (used.size() < 2) return chart;
    const auto shown = slowest_neighbours(used.size(), most_bars,
                                          [&](std::size_t at) { return study.rates[used[at]].ns_per_byte; });
    for (const std::size_t at : shown) {
        chart.categories.push_back(std::to_string(study.numbers[used[at]]));
        chart.series[0].values.push_back(1e9 / study.rates[used[at]].ns_per_byte / mebibyte);
    }
    chart.remark = neighbours_remark(shown.size(), used.size());
    return chart;
}

}  // namespace fathom
