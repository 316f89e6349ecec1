// The I/O phases of the job: how regularly they come, how long they last, how fast they are and who is slow.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/job_phases.h"
#include "analyzer/job/recorded.h"
#include "analyzer/methods/rate.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_phases = 12;
// Fewer slices do not show phases.
constexpr std::size_t least_for_phases = 4;

struct View {
    const Job& job;
    JobPhases found;
    std::vector<std::size_t> shown;  // those with most bytes, in the order of time

    double since_start(const Phase& phase) const
    {
        return phase.start > job.start ? static_cast<double>(phase.start - job.start) / 1e9 : 0;
    }
};

double rate_in(double bytes, double seconds)
{
    return seconds > 0 ? bytes / mebibyte / seconds : 0;
}

// A phase may be shorter than the distance between its instants; then there is no rate.
Cell per_second(double amount, double seconds)
{
    return seconds > 0 ? cell_of(Measure::count, amount / seconds) : unknown(Measure::count);
}

// Of a slice. A phase that crosses a boundary may be shorter than its slices: then its own rate is higher.
double peak_of(const View& view, const Phase& phase)
{
    return std::max(rate_in(phase.peak, view.found.slice_seconds),
                    rate_in(phase.done.bytes(), phase.seconds()));
}

// The middle one; of an even number the upper.
template <class Value>
double median_of(const std::vector<Phase>& phases, Value value)
{
    std::vector<double> values;
    for (const Phase& phase : phases) values.push_back(value(phase));
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void add_period(const JobPhases& found, Entries& entries)
{
    if (!found.period) return;
    const Period& period = *found.period;
    entries.entries.push_back(
        {"period", "they come one every", seconds(period.median),
         fmt::format("{}half of the distances between starts are {} to {}",
                     period.bursts == found.phases.size()
                         ? std::string()
                         : format_count(period.bursts) + " of them, which moved about as much; ",
                     format_seconds(period.low), format_seconds(period.high))});
}

// What ranks waited for the slowest one in all phases that are shown in detail.
void add_wait(const View& view, Entries& entries)
{
    double waited = 0, slowest = 0;
    for (const std::size_t at : view.shown) {
        const PhaseRanks& ranks = *view.found.phases[at].ranks;
        if (ranks.active < 2) continue;
        waited += static_cast<double>(ranks.slowest_time) - ranks.mean_time;
        slowest += static_cast<double>(ranks.slowest_time);
    }
    if (slowest <= 0) return;
    entries.entries.push_back(
        {"over_mean", fmt::format("slowest {} over the mean", view.job.mpi ? "rank" : "process"),
         seconds(waited / 1e9),
         fmt::format("{} of its time in I/O, {}", format_share(waited / slowest),
                     view.shown.size() < view.found.phases.size() ? "in the phases below together"
                                                                  : "in all phases together")});
}

Entries overview(const View& view)
{
    const std::vector<Phase>& phases = view.found.phases;
    double moved = 0, lasted = 0;
    for (const Phase& phase : phases) {
        moved += phase.done.bytes();
        lasted += phase.seconds();
    }
    const double run = static_cast<double>(view.job.run_time()) / 1e9;
    Entries entries;
    entries.entries = {
        {"count", "phases", count(phases.size()),
         fmt::format("with {} of the bytes", format(share_of(moved, view.found.bytes)))},
        {"share", "share of the run time", share_of(std::min(lasted, run), run), ""},
        {"duration", "median duration",
         seconds(median_of(phases, [](const Phase& phase) { return phase.seconds(); })), ""},
        {"bytes", "median of bytes",
         cell_of(Measure::bytes, median_of(phases, [](const Phase& phase) { return phase.done.bytes(); })),
         ""}};
    add_period(view.found, entries);
    add_wait(view, entries);
    return entries;
}

DataTable what_table(const View& view)
{
    const bool nodes = view.job.nodes() > 1;
    DataTable table{.id = "phases", .title = "What was done in each phase"};
    table.columns = {{"phase", "phase", Measure::count},           {"start", "at", Measure::seconds},
                     {"duration", "duration", Measure::seconds},   {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes}, {"mean_rate", "mean", Measure::rate},
                     {"peak_rate", "peak", Measure::rate}};
    if (nodes) table.columns.push_back({"rate_per_node", "mean per node", Measure::rate});
    for (const std::size_t at : view.shown) {
        const Phase& phase = view.found.phases[at];
        const double length = phase.seconds();
        const auto mean = [&](double parts) {
            return length > 0 ? rate(rate_in(phase.done.bytes(), length) / parts) : unknown(Measure::rate);
        };
        auto& row = table.rows.emplace_back();
        row = {count(at + 1),
               seconds(view.since_start(phase)),
               seconds(length),
               cell_of(Measure::bytes, phase.done.bytes_read),
               cell_of(Measure::bytes, phase.done.bytes_written),
               mean(1),
               rate(peak_of(view, phase))};
        if (nodes) row.push_back(mean(static_cast<double>(view.job.nodes())));
    }
    if (view.shown.size() < view.found.phases.size())
        table.remark = fmt::format("The {} with most bytes of {}. ", format_count(view.shown.size()),
                                   format_count(view.found.phases.size()));
    table.remark += fmt::format("Peak: of a time bin of {}, or of the phase where that is higher.",
                                format_seconds(static_cast<double>(view.found.grid.length) / 1e9));
    return table;
}

DataTable who_table(const View& view)
{
    DataTable table{.id = "phases_ranks",
                    .title = view.job.mpi ? "Which ranks did it" : "Which processes did it"};
    table.columns = {{"phase", "phase", Measure::count},
                     {"ranks", view.job.mpi ? "ranks" : "processes", Measure::count},
                     {"mode", "mode", Measure::text},
                     {"slowest", "slowest", Measure::text},
                     {"slowest_time", "its I/O", Measure::seconds},
                     {"wait", "over mean", Measure::seconds},
                     {"iops", "calls/s", Measure::count},
                     {"metadata_rate", "meta/s", Measure::count}};
    const Log& log = view.job.log;
    const bool times = log.recorded(&Slice::read_time), calls = log.recorded(&Slice::reads),
               metadata = log.recorded(&Slice::metadata);
    bool doubtful = false;
    for (const std::size_t at : view.shown) {
        const Phase& phase = view.found.phases[at];
        const PhaseRanks& ranks = *phase.ranks;
        std::string mode(mode_names[static_cast<std::size_t>(ranks.mode)]);
        const bool known = ranks.mode != Mode::none;
        if (known && !ranks.mode_exact) mode += "?";
        doubtful = doubtful || (known && !ranks.mode_exact);
        table.rows.push_back({count(at + 1), count(ranks.active), known ? text(mode) : unknown(),
                              ranks.slowest_time > 0 ? text(view.job.rank_name(ranks.slowest)) : unknown(),
                              cell_if(times, nanoseconds(ranks.slowest_time)),
                              ranks.active > 1 && times
                                  ? seconds((static_cast<double>(ranks.slowest_time) - ranks.mean_time) / 1e9)
                                  : unknown(Measure::seconds),
                              cell_if(calls, per_second(phase.done.transfers, phase.seconds())),
                              cell_if(metadata, per_second(phase.done.metadata, phase.seconds()))});
    }
    drop_unknown_columns(log, table);
    table.remark = fmt::format(
        "Mode: of what was read, or of what was written, whichever is more.{}{}{}",
        times ? " Slowest: longest in I/O; over mean: so much longer than the mean of those that took part, "
                "which they may have waited."
              : " How long the ranks took is not recorded.",
        calls ? metadata ? " Calls: reads, writes and syncs; meta: all others." : " Calls: reads and writes."
              : "",
        doubtful
            ? " With a question mark: the files of the phase were used in others too, and the log does not "
              "have what of them in which."
            : "");
    return table;
}

}  // namespace

Blocks phases(const Job& job, const SectionChoice&)
{
    View view{job, phases_of(job, most_phases), {}};
    if (view.found.grid.slices < least_for_phases || view.found.phases.empty()) return {};
    for (std::size_t at = 0; at < view.found.phases.size(); ++at)
        if (view.found.phases[at].ranks) view.shown.push_back(at);
    Blocks blocks = {overview(view)};
    blocks.push_back(what_table(view));
    blocks.push_back(who_table(view));
    blocks.push_back(
        Paragraph{"A phase is a stretch in which the job's bytes per time bin are well above what they are "
                  "in between, after noise has been removed (wavelet transform); pauses of one time bin are "
                  "bridged."});
    return blocks;
}

}  // namespace fathom
