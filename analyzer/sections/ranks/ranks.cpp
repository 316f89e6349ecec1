// How evenly the ranks shared the I/O, and what the slow one cost.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>

#include "analyzer/document/units.h"
#include "analyzer/job/recorded.h"
#include "analyzer/methods/rate.h"
#include "analyzer/sections/ranks/rank_balance.h"
#include "analyzer/sections/ranks/shared_balance.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t slowest_shown = 5, most_hosts = 12;
// Below this part of its time nobody is called slow.
constexpr double telling_excess = 0.05;

struct View {
    const Job& job;
    std::vector<std::size_t> compared;  // indices of ranks

    const Member& rank(std::size_t at) const { return job.ranks[compared[at]]; }
    std::string name(std::size_t at) const { return job.rank_name(compared[at]); }
    std::string member() const { return job.mpi ? "rank" : "process"; }
    std::string members() const { return job.mpi ? "ranks" : "processes"; }
};

using Value = std::uint64_t (*)(const Member&);

struct Quantity {
    const char* id;
    const char* name;
    Value of;
};
constexpr Quantity byte_quantities[] = {
    {"read", "read", [](const Member& rank) { return rank.application_bytes(Direction::read); }},
    {"written", "written", [](const Member& rank) { return rank.application_bytes(Direction::write); }}};
constexpr Quantity time_quantities[] = {
    {"reads", "reads", [](const Member& rank) { return rank.time().read; }},
    {"writes", "writes and syncs", [](const Member& rank) { return rank.time().write; }},
    {"metadata", "metadata", [](const Member& rank) { return rank.time().metadata; }},
    {"all", "all I/O", [](const Member& rank) { return rank.time().total(); }}};

Balance balance_in(const View& view, Value value)
{
    std::vector<std::uint64_t> values;
    for (const std::size_t at : view.compared) values.push_back(value(view.job.ranks[at]));
    return balance_of(values);
}

Cell ratio(double value)
{
    return value > 0 ? Cell{Measure::count, value} : unknown(Measure::count);
}

// More digits than three would mean nothing.
Cell gini(const Balance& balance)
{
    return {Measure::count, std::round(balance.gini * 1000) / 1000};
}

DataTable bytes_table(const View& view)
{
    DataTable table{.id = "rank_bytes", .title = fmt::format("Bytes per {}", view.member())};
    table.columns = {{"kind", "bytes", Measure::text},     {"mean", "mean", Measure::bytes},
                     {"median", "median", Measure::bytes}, {"max", "max", Measure::bytes},
                     {"where", "at", Measure::text},       {"ratio", "max/mean", Measure::count},
                     {"gini", "Gini", Measure::count}};
    for (const Quantity& one : byte_quantities) {
        const Balance balance = balance_in(view, one.of);
        if (balance.spread.largest == 0) continue;
        table.rows.push_back({text(one.name), cell_of(Measure::bytes, balance.spread.mean),
                              bytes(balance.median), bytes(balance.spread.largest),
                              text(view.name(balance.spread.where)), ratio(balance.over_mean()),
                              gini(balance)});
    }
    return table;
}

// Means and longest times are in "Where the time went".
DataTable time_table(const View& view)
{
    DataTable table{.id = "rank_time", .title = fmt::format("Time in I/O per {}", view.member())};
    table.columns = {{"kind", "time in", Measure::text},
                     {"median", "median", Measure::seconds},
                     {"ratio", "max/mean", Measure::count},
                     {"gini", "Gini", Measure::count}};
    for (const Quantity& one : time_quantities) {
        const Balance balance = balance_in(view, one.of);
        if (balance.spread.largest == 0) continue;
        table.rows.push_back(
            {text(one.name), nanoseconds(balance.median), ratio(balance.over_mean()), gini(balance)});
    }
    table.remark =
        fmt::format("Gini: 0 where all {0} have as much, close to 1 where one has all.", view.members());
    return table;
}

std::string times_the_mean(double value, double mean)
{
    return mean > 0 ? fmt::format("{:.1f} times the mean", value / mean) : "the mean is 0";
}

// Which part of the excess is the largest, in words.
std::string reason(const SlowRank& slow)
{
    const double largest = std::max({slow.by_bytes, slow.by_rate, slow.by_metadata});
    if (largest <= 0) return {};
    if (largest == slow.by_bytes)
        return fmt::format(" It moved more: {}, {}, which makes {} of it.",
                           format(cell_of(Measure::bytes, slow.bytes)),
                           times_the_mean(slow.bytes, slow.mean_bytes), format_seconds(slow.by_bytes));
    if (largest == slow.by_metadata)
        return fmt::format(" It spent longer in metadata calls, which makes {} of it.",
                           format_seconds(slow.by_metadata));
    if (slow.bytes <= 0) return " It moved nothing in that time.";
    return fmt::format(
        " It was slower: {} while it read or wrote, where all together come to {}; that makes {} "
        "of it. It moved {} ({}).",
        format_rate(slow.rate / mebibyte), format_rate(slow.mean_rate / mebibyte),
        format_seconds(slow.by_rate), format(cell_of(Measure::bytes, slow.bytes)),
        times_the_mean(slow.bytes, slow.mean_bytes));
}

Entries cost_entries(const View& view, const SlowRank& slow)
{
    Entries entries;
    entries.entries = {
        {"slowest", "longest in I/O", text(view.job.rank_name(slow.rank)),
         std::string(view.job.ranks[slow.rank].process.host)},
        {"over_mean", "longer than the mean", seconds(slow.over_mean),
         fmt::format("of its {} in I/O", format_seconds(slow.time))},
        {"over_median", "longer than the median", seconds(slow.over_median), ""},
    };
    return entries;
}

std::string verdict(const View& view, const SlowRank& slow)
{
    if (slow.over_mean < telling_excess * slow.time)
        return fmt::format("All {} spent about as long in I/O.", view.members());
    return fmt::format(
        "The slowest, {}, spent {} longer in I/O than the mean of all {}{}.{}", view.job.rank_name(slow.rank),
        format_seconds(slow.over_mean), view.members(),
        view.job.mpi ? ": so long the others may have waited for it wherever all of them meet" : "",
        reason(slow));
}

std::vector<std::size_t> slowest_of(const View& view)
{
    std::vector<std::size_t> order(view.compared.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::uint64_t> time;
    for (std::size_t at = 0; at < order.size(); ++at) time.push_back(view.rank(at).time().total());
    const std::size_t shown = std::min(slowest_shown, order.size());
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
        [&](std::size_t a, std::size_t b) { return time[a] != time[b] ? time[a] > time[b] : a < b; });
    order.resize(shown);
    return order;
}

Cell rate_while(std::uint64_t moved, std::uint64_t time)
{
    if (moved == 0 || time == 0) return unknown(Measure::rate);
    return rate(static_cast<double>(moved) / mebibyte / (static_cast<double>(time) / 1e9));
}

DataTable slowest_table(const View& view)
{
    DataTable table{.id = "slowest_ranks", .title = "Longest in I/O"};
    table.columns = {{"rank", view.member(), Measure::text}, {"host", "host", Measure::text},
                     {"time", "in I/O", Measure::seconds},   {"metadata", "metadata", Measure::seconds},
                     {"bytes", "moved", Measure::bytes},     {"rate", "rate", Measure::rate}};
    for (const std::size_t at : slowest_of(view)) {
        const Member& rank = view.rank(at);
        const TimeSplit split = rank.time();
        table.rows.push_back({text(view.name(at)),
                              rank.process.host.empty() ? unknown() : text(rank.process.host),
                              nanoseconds(split.total()), nanoseconds(split.metadata), bytes(bytes_of(rank)),
                              rate_while(bytes_of(rank), split.read + split.write)});
    }
    table.remark = "Rate: while it read or wrote.";
    drop_unknown_columns(view.job.log, table);
    return table;
}

struct Host {
    std::string_view name;
    std::uint64_t ranks = 0, bytes = 0, time = 0, longest = 0, transferring = 0;
};

DataTable host_table(const View& view)
{
    std::map<std::string_view, Host> by_name;
    for (const std::size_t at : view.compared) {
        const Member& rank = view.job.ranks[at];
        Host& host = by_name[rank.process.host];
        const TimeSplit split = rank.time();
        host.name = rank.process.host;
        ++host.ranks;
        host.bytes += bytes_of(rank);
        host.time += split.total();
        host.longest = std::max(host.longest, split.total());
        host.transferring += split.read + split.write;
    }
    std::vector<Host> hosts;
    for (const auto& [name, host] : by_name) hosts.push_back(host);
    std::stable_sort(hosts.begin(), hosts.end(),
                     [](const Host& a, const Host& b) { return a.longest > b.longest; });
    DataTable table{.id = "hosts", .title = "By node, the one with the slowest first"};
    table.columns = {{"host", "node", Measure::text},      {"ranks", view.members(), Measure::count},
                     {"bytes", "moved", Measure::bytes},   {"mean_time", "mean in I/O", Measure::seconds},
                     {"longest", "max", Measure::seconds}, {"rate", "rate of one", Measure::rate}};
    for (std::size_t at = 0; at < std::min(hosts.size(), most_hosts); ++at) {
        const Host& host = hosts[at];
        table.rows.push_back({text(host.name), count(host.ranks), bytes(host.bytes),
                              seconds(static_cast<double>(host.time) / 1e9 / static_cast<double>(host.ranks)),
                              nanoseconds(host.longest), rate_while(host.bytes, host.transferring)});
    }
    if (hosts.size() > most_hosts)
        table.remark = fmt::format("{} more nodes are not shown.", format_count(hosts.size() - most_hosts));
    return table;
}

}  // namespace

Blocks ranks(const Job& job, const SectionChoice& choice)
{
    if (!job.told_apart()) return shared_balance(job, choice);
    const View view{job, compared_ranks(job)};
    const SlowRank slow = slow_rank_of(job, view.compared);
    if (view.compared.size() < 2 || slow.time <= 0) return {};
    Blocks blocks = {Paragraph{verdict(view, slow)}, cost_entries(view, slow)};
    if (DataTable table = bytes_table(view); !table.rows.empty()) blocks.push_back(std::move(table));
    blocks.push_back(time_table(view));
    blocks.push_back(slowest_table(view));
    if (job.nodes() > 1) blocks.push_back(host_table(view));
    if (view.compared.size() < job.ranks.size())
        blocks.push_back(
            Paragraph{fmt::format("Of {} processes these are the {} that moved data of files.",
                                  format_count(job.ranks.size()), format_count(view.compared.size()))});
    return blocks;
}

}  // namespace fathom
