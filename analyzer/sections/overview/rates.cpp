// The I/O rate of the job and of each layer, with what it was computed from beside every number.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/source.h"
#include "analyzer/sections/overview/imported_rates.h"
#include "analyzer/sections/sections.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

std::string nodes_of(const Rate& rate)
{
    return fmt::format("{} {}", format_count(rate.nodes), rate.nodes == 1 ? "node" : "nodes");
}

// Which pauses the bursts of the ranks bridge, where that can matter.
std::string pauses_of(const Job& job)
{
    constexpr double no_matter = 1e-3;
    std::uint64_t gap = 0;
    for (const Member& member : job.ranks) gap = std::max(gap, member.process.burst_gap);
    const double bridged = static_cast<double>(gap) / 1e9;
    return bridged < no_matter
               ? ""
               : fmt::format("; pauses of up to {} between them count too", format_seconds(bridged));
}

Entries headline(const Job& job, const JobRates& rates)
{
    const auto of = [](const Rate& rate, double value) {
        return rate.defined ? report::rate(value) : unknown(Measure::rate);
    };
    const auto of_time = [](const Rate& rate) {
        return rate.has_total ? report::rate(rate.total) : unknown(Measure::rate);
    };
    const std::string data = format_bytes(rates.job.bytes) + " counted at " + layers_of(job, rates);
    const std::string slowest = rates.job.defined
                                    ? fmt::format("= {} / {} in I/O of the slowest, {} / {}", data,
                                                  format_seconds(static_cast<double>(rates.job.time) / 1e9),
                                                  job.rank_name(rates.job.slowest), nodes_of(rates.job))
                                    : "no rate: no file data was moved, or no time in I/O was seen";
    const std::string window = rates.window.defined
                                   ? fmt::format("= the same bytes / {} in which any {} was moving them{}",
                                                 format_seconds(static_cast<double>(rates.window.time) / 1e9),
                                                 job.mpi ? "rank" : "process", pauses_of(job))
                                   : "no rate: no file data was moved, or the log has no bursts";
    Entries entries;
    entries.entries = {
        {"rate", "while data was transferred", of_time(rates.transfer),
         rates.transfer.has_total
             ? fmt::format("= {} / {} in which any {} was inside a read, a write or a sync{}", data,
                           format_seconds(static_cast<double>(rates.transfer.time) / 1e9),
                           job.mpi ? "rank" : "process",
                           rates.transfer_estimated ? "; how far their calls overlap is an estimate" : "")
             : "no rate: no file data was moved, or the log has no times"},
        {"rate_written", "writes and syncs alone", of_time(rates.direction[1]), ""},
        {"rate_read", "reads alone", of_time(rates.direction[0]), ""},
        {"rate_per_node", "per compute node (MiB/s/CN)", of(rates.job, rates.job.per_node), slowest},
        {"rate_window", "by the clock, pauses included", of(rates.window, rates.window.total), window},
        {"rate_window_per_node", "the same per compute node", of(rates.window, rates.window.per_node),
         rates.window.defined ? "/ " + nodes_of(rates.window) : ""},
        {"bytes", "bytes moved", bytes(rates.job.bytes),
         rates.job.bytes > 0 ? "each counted once, at the lowest layer" : ""},
        {"slowest_time", "slowest time in I/O", nanoseconds(rates.job.time),
         job.rank_name(rates.job.slowest)},
        {"window_time", "time with I/O under way", nanoseconds(rates.window.time), "union over all of them"},
        {"nodes", "compute nodes", count(rates.job.nodes), ""},
    };
    return entries;
}

DataTable by_layer(const Job& job, const JobRates& rates)
{
    DataTable table{.id = "rate_by_layer", .title = "The rate of each layer on its own"};
    table.columns = {
        {"layer", "layer", Measure::text},          {"bytes", "bytes", Measure::bytes},
        {"time", "slowest time", Measure::seconds}, {"slowest", "slowest", Measure::text},
        {"rate", "MiB/s", Measure::rate},           {"rate_per_node", "per node", Measure::rate}};
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const Rate& one = rates.layer[layer];
        if (one.bytes == 0 && one.time == 0) continue;
        table.rows.push_back({text(layer_titles[layer]), bytes(one.bytes), nanoseconds(one.time),
                              one.time > 0 ? text(job.rank_name(one.slowest)) : unknown(),
                              one.defined ? report::rate(one.total) : unknown(Measure::rate),
                              one.defined ? report::rate(one.per_node) : unknown(Measure::rate)});
    }
    table.remark =
        "Rate = bytes / I/O time of the slowest / nodes. Layers overlap: POSIX moves again what MPI-IO "
        "moves, "
        "so these rows do not add up. Standard streams and devices are left out.";
    return table;
}

}  // namespace

std::string layers_of(const Job& job, const JobRates& rates)
{
    std::string names;
    const auto add = [&](std::string_view name) { add_to_list(names, std::string(name), " and "); };
    for (const Layer layer : {Layer::posix, Layer::stdio}) {
        std::uint64_t bytes = 0;
        job.each_share([&](const Member& member) {
            const Totals totals = member.on_files(layer);
            bytes += totals.bytes_read + totals.bytes_written;
        });
        if (bytes > 0) add(layer_titles[static_cast<std::size_t>(layer)]);
    }
    if (rates.mpiio_unseen_beneath) add("MPI-IO (nothing was seen beneath it)");
    if (names.empty() && job.used(Layer::mpiio)) add("MPI-IO");
    return names;
}

Blocks rates(const Job& job, const SectionChoice&)
{
    const JobRates rates = rates_of(job);
    if (rates.slowest) return imported_rates(job, rates);
    Blocks blocks;
    if (!job.has_totals() && !job.records.empty())
        blocks.push_back(
            Note{Weight::warning, "The log holds no totals per process, so that no rate can be given."});
    blocks.push_back(headline(job, rates));
    if (rates.job.defined)
        blocks.push_back(Paragraph{
            "The first rate divides by the time inside reads, writes and syncs; opens, stats and unlinks are "
            "metadata. The rate per compute node divides by all time in I/O calls of the slowest one: "
            "compare "
            "jobs, sites and published studies by it (MiB/s/CN). The rate by the clock includes the pauses "
            "between calls, as a benchmark's own clock does."});
    const bool merged = job.log.fact("merged").has_value();
    if ((!job.mpi || merged) && job.ranks.size() > 1 && rates.job.defined)
        blocks.push_back(Note{
            Weight::information,
            fmt::format("{} Where they ran one after another, the rate per compute node is "
                        "too high, since it takes them "
                        "to have run side by side: go by the first rate.",
                        merged                         ? "These are the processes of several logs."
                        : source_of(job.log).knows_mpi ? "These processes are no MPI ranks."
                                                       : "Which processes are MPI ranks is not known.")});
    if (rates.layer[0].time + rates.layer[1].time + rates.layer[2].time > 0)
        blocks.push_back(by_layer(job, rates));
    return blocks;
}

}  // namespace fathom
