// The ten slowest of the servers with files.
#include "analyzer/sections/files/servers.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "analyzer/document/units.h"
#include "analyzer/job/servers.h"

namespace fathom {

using namespace report;

namespace {

Cell rate_of(double ns_per_byte)
{
    return ns_per_byte > 0 ? rate(1e9 / ns_per_byte / mebibyte) : unknown(Measure::rate);
}

}  // namespace

DataTable server_table(const Job& job)
{
    constexpr std::size_t most_rows = 10;
    const ServerStudy study = servers_of(job);
    std::vector<std::size_t> order(study.numbers.size());
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](std::size_t at) { return study.rates[at].bytes <= 0; });
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
        "files on these tell. At least, at most: for 95 of 100 drawings of the files.",
        all > most_rows ? fmt::format("{} of {} servers. ", most_rows, all) : "");
    return table;
}

}  // namespace fathom
