// Calls, bytes and time of each layer.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/layer_sums.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/requests/layer_charts.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

struct LayerRow {
    std::string_view title;
    Layer layer;
    Scope scope;
};

// In the order from the program down.
constexpr LayerRow layer_rows[] = {
    {"MPI-IO", Layer::mpiio, Scope::direct},
    {"POSIX", Layer::posix, Scope::direct},
    {"POSIX beneath MPI-IO", Layer::posix, Scope::beneath_mpiio},
    {"stdio", Layer::stdio, Scope::direct},
    {"stdio beneath MPI-IO", Layer::stdio, Scope::beneath_mpiio},
    {"streams, by POSIX", Layer::posix, Scope::streams},
    {"streams, by stdio", Layer::stdio, Scope::streams},
    {"devices, by MPI-IO", Layer::mpiio, Scope::streams},
};

Totals sum_of(const Job& job, const LayerRow& row)
{
    Totals sum;
    job.each_share([&](const Member& member) { merge(sum, member.in(row.layer, row.scope)); });
    return sum;
}

void add_totals(const Job& job, Blocks& blocks)
{
    DataTable calls{.id = "calls", .title = "Calls"};
    calls.columns = {{"layer", "layer", Measure::text},  {"opens", "opens", Measure::count},
                     {"reads", "reads", Measure::count}, {"writes", "writes", Measure::count},
                     {"syncs", "syncs", Measure::count}, {"failed", "failed", Measure::count}};
    DataTable data{.id = "bytes_and_time", .title = "Bytes and time, summed over all of them"};
    data.columns = {{"layer", "layer", Measure::text},
                    {"bytes_read", "read", Measure::bytes},
                    {"bytes_written", "written", Measure::bytes},
                    {"read_time", "in reads", Measure::seconds},
                    {"write_time", "in writes", Measure::seconds},
                    {"metadata_time", "in metadata", Measure::seconds}};
    for (const LayerRow& row : layer_rows) {
        const Totals sum = sum_of(job, row);
        if (!any_counted(sum)) continue;
        const auto known = [&](std::uint64_t Totals::*number, std::uint64_t Transfers::*counter) {
            return cell_if(job.log.recorded(number) && tells(job.log, row.layer, counter),
                           count(sum.*number));
        };
        calls.rows.push_back(
            {text(row.title), known(&Totals::opens, &Transfers::opens),
             known(&Totals::reads, &Transfers::reads), known(&Totals::writes, &Transfers::writes),
             known(&Totals::syncs, &Transfers::syncs), known(&Totals::failed, &Transfers::failed)});
        data.rows.push_back({text(row.title), bytes(sum.bytes_read), bytes(sum.bytes_written),
                             nanoseconds(sum.read_time), nanoseconds(sum.write_time),
                             nanoseconds(sum.metadata_time)});
    }
    if (calls.rows.empty()) return;
    drop_unknown_columns(job.log, calls);
    data.remark =
        "Streams are standard input, output and error, terminals, pipes and devices: they count for no rate "
        "and no "
        "mode. What lies beneath MPI-IO is also in the row of MPI-IO.";
    blocks.push_back(std::move(calls));
    blocks.push_back(std::move(data));
}

}  // namespace

Blocks layer_tables(const Job& job, const SectionChoice&)
{
    Blocks blocks;
    if (auto chart = calls_by_layer(job)) blocks.push_back(std::move(*chart));
    if (auto chart = time_by_layer(job)) blocks.push_back(std::move(*chart));
    add_totals(job, blocks);
    const MpiioCounters& mpiio = layer_sums_of(job).mpiio;
    if (mpiio.reads + mpiio.writes > 0) {
        Entries entries;
        entries.entries = {
            {"collective_reads", "collective reads", count(mpiio.collective_reads + mpiio.split_reads),
             "of " + format_count(mpiio.reads) + " through MPI-IO"},
            {"collective_writes", "collective writes", count(mpiio.collective_writes + mpiio.split_writes),
             "of " + format_count(mpiio.writes) + " through MPI-IO"},
            {"nonblocking", "nonblocking reads and writes",
             count(mpiio.nonblocking_reads + mpiio.nonblocking_writes), ""}};
        blocks.push_back(std::move(entries));
    }
    return blocks;
}

}  // namespace fathom
