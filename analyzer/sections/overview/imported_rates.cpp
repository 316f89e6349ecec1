// The rate by the slowest rank where a log has shared files in sum, its bounds and where they come from.
#include "analyzer/sections/overview/imported_rates.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/source.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

std::string time_text(double nanoseconds)
{
    return format_seconds(nanoseconds / 1e9);
}
std::string time_text(std::uint64_t nanoseconds)
{
    return time_text(static_cast<double>(nanoseconds));
}

// What the most that a rank can have spent consists of.
std::string parts_of(const Job& job, const SlowestTime& slowest)
{
    std::string parts;
    if (slowest.unique > 0)
        parts = fmt::format("{} of {} in files of its own", time_text(slowest.unique),
                            job.process_name(slowest.unique_rank));
    if (slowest.shared > 0)
        add_to_list(
            parts,
            fmt::format("{} of the slowest rank of each shared file, added up", time_text(slowest.shared)),
            " + ");
    return parts;
}

std::string least_of(const Job& job, const SlowestTime& slowest)
{
    return slowest.least_rank < 0 ? fmt::format("the mean of all {}", job.mpi ? "ranks" : "processes")
                                  : fmt::format("{}, for certain", job.process_name(slowest.least_rank));
}

Entry window_entry(const Job& job, const JobRates& rates)
{
    const Rate& window = rates.window;
    if (!window.has_total)
        return {"rate_window", "by the clock, pauses included", unknown(Measure::rate),
                "not known: the log has no start and end of operations"};
    const bool all = window.bytes == rates.job.bytes;
    return {"rate_window", "by the clock, pauses included", rate(window.total),
            fmt::format("= {} / {} in which any {} was moving {}",
                        all ? "the same bytes" : format_bytes(window.bytes) + " that were traced",
                        time_text(window.time), job.mpi ? "rank" : "process", all ? "them" : "data")};
}

Entries imported_headline(const Job& job, const JobRates& rates)
{
    const SlowestTime& slowest = *rates.slowest;
    const Rate& one = rates.job;
    Entries entries;
    const auto add = [&](std::string id, std::string label, Cell value, std::string remark) {
        entries.entries.push_back({std::move(id), std::move(label), std::move(value), std::move(remark)});
    };
    const std::string data = format_bytes(one.bytes) + " counted at " + layers_of(job, rates);
    add("rate_by_slowest",
        slowest.exact() ? "by the slowest's time in I/O" : "by the slowest's time, at least",
        one.has_total ? report::rate(one.total) : unknown(Measure::rate),
        one.has_total ? fmt::format("= {} / {}", data, time_text(one.time))
                      : "no rate: no file data was moved, or no time in I/O was seen");
    if (one.has_total && !slowest.exact())
        add("rate_at_most", "at most", report::rate(rates.fastest.total),
            fmt::format("= the same bytes / {}", time_text(rates.fastest.time)));
    add("rate_per_node", "per compute node (MiB/s/CN)",
        one.defined ? report::rate(one.per_node) : unknown(Measure::rate),
        one.nodes > 0 ? fmt::format("/ {}", counted(one.nodes, "node", "nodes"))
                      : "not known: the log has no compute nodes");
    entries.entries.push_back(window_entry(job, rates));
    add("bytes", "bytes moved", bytes(one.bytes),
        one.bytes > 0 ? "each counted once, at the lowest layer" : "");
    add("slowest_time", slowest.exact() ? "slowest time in I/O" : "slowest time in I/O, at most",
        nanoseconds(slowest.most()), parts_of(job, slowest));
    if (!slowest.exact())
        add("slowest_least", "and at least", nanoseconds(slowest.least), least_of(job, slowest));
    return entries;
}

DataTable imported_by_layer(const Job& job, const JobRates& rates)
{
    DataTable table{.id = "rate_by_layer", .title = "The rate of each layer on its own"};
    table.columns = {{"layer", "layer", Measure::text},         {"bytes", "bytes", Measure::bytes},
                     {"unique", "own files", Measure::seconds}, {"slowest", "of", Measure::text},
                     {"shared", "shared", Measure::seconds},    {"time", "together", Measure::seconds},
                     {"rate", "MiB/s", Measure::rate}};
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const SlowestTime& slowest = rates.slowest_in[layer];
        if (slowest.records == 0 || slowest.bytes + slowest.most() == 0) continue;
        const Rate& one = rates.layer[layer];
        table.rows.push_back(
            {text(layer_titles[layer]), bytes(slowest.bytes), nanoseconds(slowest.unique),
             slowest.unique_rank < 0 ? unknown() : text(job.process_name(slowest.unique_rank)),
             nanoseconds(slowest.shared), nanoseconds(slowest.most()),
             one.has_total ? report::rate(one.total) : unknown(Measure::rate)});
    }
    const Source& source = source_of(job.log);
    table.remark = fmt::format(
        "{} / (the longest that one rank took for files of its "
        "own + what the slowest rank of each shared file took). Standard streams are in it. Layers stand "
        "upon "
        "one another: what MPI-IO moves, POSIX moves again, so these rows do not add up.",
        source.rate_formula.empty()
            ? "Bytes"
            : fmt::format("As {} computes it ({}): bytes", source.name, source.rate_formula));
    return table;
}

}  // namespace

Blocks imported_rates(const Job& job, const JobRates& rates)
{
    Blocks blocks = {imported_headline(job, rates)};
    if (rates.job.has_total)
        blocks.push_back(Paragraph{
            rates.slowest->exact()
                ? fmt::format("The rate divides by the time that the slowest one spent inside I/O calls. {}",
                              rates.window.has_total ? "The rate by the clock divides by the time "
                                                       "that passed on the clock."
                                                     : "")
                : fmt::format("{} does not record what each rank spent on files that all share. Of each such "
                              "file it has the slowest rank's time: added up they are the most that one "
                              "rank can have spent, hence a rate that is no higher than the true one.",
                              source_of(job.log).name)});
    if (DataTable table = imported_by_layer(job, rates); !table.rows.empty())
        blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom
