// Shared files by what their slowest rank took beyond the mean, and bytes of ranks where slices have them.
#include "analyzer/sections/ranks/shared_balance.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/rank_bytes.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/ranks/rank_balance.h"

namespace fathom {
namespace {

using namespace report;

struct Shared {
    const RecordView* record = nullptr;
    std::string_view path{};
    double mean = 0, mean_bytes = 0;  // of one rank: ns, bytes

    Sharing by() const { return record->as<Sharing>(); }
    double excess() const { return static_cast<double>(by().slowest.time) - mean; }
};

std::vector<Shared> shared_records(const Job& job)
{
    std::vector<Shared> all;
    std::size_t file = 0;
    for (const RecordView& record : job.records) {
        while (job.files[file].file != record.file) ++file;
        const FileUse& use = job.files[file];
        const bool counts = record.layer == Layer::mpiio || !use.by_mpiio;  // each second once
        if (record.process != reduced || record[&Sharing::processes] == 0 || !counts) continue;
        const auto ranks = static_cast<double>(record[&Sharing::processes]);
        all.push_back({&record, use.path, static_cast<double>(record.time()) / ranks,
                       static_cast<double>(record.bytes()) / ranks});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Shared& a, const Shared& b) { return a.excess() > b.excess(); });
    return all;
}

// Of moments over the ranks; unknown where the log has none.
Cell deviation(Measure measure, const Moments& moments)
{
    if (moments.n < 2) return unknown(measure);
    const double value = std::sqrt(std::max(moments.variance(), 0.0));
    return measure == Measure::seconds ? seconds(value / 1e9) : cell_of(measure, value);
}

DataTable time_table(const Job& job, const std::vector<Shared>& shown)
{
    DataTable table{.id = "shared_time", .title = "Shared files: time in I/O of one rank"};
    table.columns = {{"file", "file", Measure::path},
                     {"layer", "layer", Measure::text},
                     {"mean", "mean", Measure::seconds},
                     {"deviation", "+-", Measure::seconds},
                     {"slowest", "slowest", Measure::text},
                     {"slowest_time", "took", Measure::seconds},
                     {"fastest_time", "fastest", Measure::seconds}};
    for (const Shared& one : shown)
        table.rows.push_back(
            {path(one.path), text(layer_titles[static_cast<std::size_t>(one.record->layer)]),
             seconds(one.mean / 1e9), deviation(Measure::seconds, one.by().time),
             one.by().slowest.process < 0 ? unknown() : text(job.process_name(one.by().slowest.process)),
             cell_if(one.by().slowest.process >= 0, nanoseconds(one.by().slowest.time)),
             cell_if(one.by().fastest.process >= 0, nanoseconds(one.by().fastest.time))});
    table.remark = "+-: the standard deviation over all ranks.";
    drop_unknown_columns(job.log, table);
    return table;
}

DataTable bytes_table(const Job& job, const std::vector<Shared>& shown)
{
    DataTable table{.id = "shared_bytes", .title = "Shared files: bytes moved by one rank"};
    table.columns = {{"file", "file", Measure::path},        {"layer", "layer", Measure::text},
                     {"mean", "mean", Measure::bytes},       {"deviation", "+-", Measure::bytes},
                     {"slowest", "slowest", Measure::bytes}, {"fastest", "fastest", Measure::bytes}};
    for (const Shared& one : shown)
        if (one.mean_bytes > 0)
            table.rows.push_back(
                {path(one.path), text(layer_titles[static_cast<std::size_t>(one.record->layer)]),
                 cell_of(Measure::bytes, one.mean_bytes), deviation(Measure::bytes, one.by().bytes),
                 cell_if(one.by().slowest.process >= 0, bytes(one.by().slowest.bytes)),
                 cell_if(one.by().fastest.process >= 0, bytes(one.by().fastest.bytes))});
    drop_unknown_columns(job.log, table);
    return table;
}

DataTable rank_table(const Job& job, const std::array<std::vector<std::uint64_t>, 2>& by_rank)
{
    DataTable table{.id = "rank_bytes", .title = "Bytes per rank"};
    table.columns = {{"kind", "bytes", Measure::text},     {"mean", "mean", Measure::bytes},
                     {"median", "median", Measure::bytes}, {"max", "max", Measure::bytes},
                     {"where", "at", Measure::text},       {"ratio", "max/mean", Measure::count},
                     {"gini", "Gini", Measure::count}};
    for (const Direction direction : directions) {
        const Balance balance = balance_of(by_rank[static_cast<std::size_t>(direction)]);
        if (balance.spread.largest == 0) continue;
        table.rows.push_back({text(direction == Direction::read ? "read" : "written"),
                              cell_of(Measure::bytes, balance.spread.mean), bytes(balance.median),
                              bytes(balance.spread.largest), text(job.rank_name(balance.spread.where)),
                              Cell{Measure::count, balance.over_mean()},
                              Cell{Measure::count, std::round(balance.gini * 1000) / 1000}});
    }
    table.remark = "By the bytes of each time bin, which are all that were moved.";
    return table;
}

std::string verdict(const Job& job, const SlowestTime& slowest)
{
    std::string words = fmt::format(
        "Of files that all ranks share {} does not record what each rank did: only their sum, and who was "
        "slowest "
        "and fastest.",
        source_of(job.log).name);
    const double certain = static_cast<double>(slowest.least);
    if (slowest.least_rank >= 0 && certain > slowest.mean)
        words +=
            fmt::format(" It is certain that {} spent {} in I/O or more, {} longer than the mean of all.",
                        job.process_name(slowest.least_rank), format_seconds(certain / 1e9),
                        format_seconds((certain - slowest.mean) / 1e9));
    return words;
}

}  // namespace

Blocks shared_balance(const Job& job, const SectionChoice& choice)
{
    std::vector<Shared> shared = shared_records(job);
    Blocks blocks = {Paragraph{verdict(job, slowest_of(job))}};
    if (const auto by_rank = rank_bytes_of(job)) {
        if (DataTable table = rank_table(job, *by_rank); !table.rows.empty())
            blocks.push_back(std::move(table));
    }
    if (shared.empty()) return blocks;
    const std::size_t all = shared.size();
    shared.resize(std::min(all, choice.files));
    DataTable times = time_table(job, shared);
    if (shared.size() < all)
        times.remark += fmt::format(
            " Those whose slowest rank took longest beyond the mean; {} more are not "
            "shown.",
            format_count(all - shared.size()));
    blocks.push_back(std::move(times));
    if (DataTable table = bytes_table(job, shared); !table.rows.empty()) blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom
