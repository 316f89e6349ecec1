// The table of metrics.
#include "analyzer/compare/metrics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "analyzer/compare/decompose.h"
#include "analyzer/job/whole_seconds.h"

namespace fathom {
namespace {

using report::Measure;
using Value = std::optional<double>;

Value rate_of(const Rate& rate, double value)
{
    return rate.defined ? Value(value) : std::nullopt;
}
Value where_timed(const Run& run, double value)
{
    return run.timed ? Value(value) : std::nullopt;
}
Value where_any(double value)
{
    return value > 0 ? Value(value) : std::nullopt;
}

double variance_of_all(const Run& run)
{
    return run.reads.variance + run.writes.variance + run.syncs.variance + run.metadata.variance;
}

constexpr Metric table[] = {
    {"run_time", "run time", Measure::seconds, Worse::more, "slower", "longer run time",
     [](const Run& run) { return Value(run.run_time); }, variance_of_all},
    {"io_time", "longest time in I/O", Measure::seconds, Worse::more, "io_time",
     "longer time in I/O calls, of the rank that spent most there",
     [](const Run& run) { return run.slowest_known ? Value(run.slowest_io) : std::nullopt; },
     variance_of_all},
    {"read_time", "reads", Measure::seconds, Worse::more, "read_time", "longer time in reads",
     [](const Run& run) { return Value(run.reads.seconds); },
     [](const Run& run) { return run.reads.variance; }},
    {"write_time", "writes", Measure::seconds, Worse::more, "write_time", "longer time in writes",
     [](const Run& run) { return Value(run.writes.seconds); },
     [](const Run& run) { return run.writes.variance; }},
    {"sync_time", "syncs", Measure::seconds, Worse::more, "sync_time", "longer time in syncs",
     [](const Run& run) { return where_timed(run, run.syncs.seconds); },
     [](const Run& run) { return run.syncs.variance; }},
    {"metadata_time", "metadata calls", Measure::seconds, Worse::more, "metadata_time",
     "longer time in all other calls", [](const Run& run) { return Value(run.metadata.seconds); },
     [](const Run& run) { return run.metadata.variance; }},

    {"rate", "in transfer", Measure::rate, Worse::less, "rate", "lower rate while data was transferred",
     [](const Run& run) {
         const Rate& transfer = run.rates.transfer;
         return transfer.has_total ? Value(transfer.total) : std::nullopt;
     }},
    {"rate_window", "by the clock", Measure::rate, Worse::less, "", "",
     [](const Run& run) {
         const Rate& window = run.rates.window;
         return window.has_total ? Value(window.total) : std::nullopt;
     }},
    {"rate_per_node", "per node (CN)", Measure::rate, Worse::less, "rate_per_node",
     "lower rate per compute node (MiB/s/CN)",
     [](const Run& run) { return rate_of(run.rates.job, run.rates.job.per_node); }},
    {"rate_by_slowest", "by slowest", Measure::rate, Worse::less, "", "",
     [](const Run& run) {
         return run.rates.slowest && run.rates.job.has_total ? Value(run.rates.job.total) : std::nullopt;
     }},

    {"bytes", "moved", Measure::bytes, Worse::more, "bytes", "more bytes read and written",
     [](const Run& run) { return Value(run.bytes_read + run.bytes_written); }},
    {"bytes_read", "read", Measure::bytes, Worse::more, "bytes_read", "more bytes read",
     [](const Run& run) { return Value(run.bytes_read); }},
    {"bytes_written", "written", Measure::bytes, Worse::more, "bytes_written", "more bytes written",
     [](const Run& run) { return Value(run.bytes_written); }},
    {"read_size", "mean read", Measure::bytes, Worse::neither, "", "",
     [](const Run& run) { return where_any(run.mean_size(Direction::read)); }},
    {"write_size", "mean write", Measure::bytes, Worse::neither, "", "",
     [](const Run& run) { return where_any(run.mean_size(Direction::write)); }},

    {"reads", "reads", Measure::count, Worse::neither, "reads", "more reads",
     [](const Run& run) { return Value(run.reads.operations); }},
    {"writes", "writes", Measure::count, Worse::neither, "writes", "more writes",
     [](const Run& run) { return Value(run.writes.operations); }},
    {"syncs", "syncs", Measure::count, Worse::more, "syncs", "more syncs",
     [](const Run& run) { return where_timed(run, run.syncs.operations); }},
    {"metadata", "metadata calls", Measure::count, Worse::more, "metadata",
     "more calls that are no reads, writes or syncs",
     [](const Run& run) { return where_timed(run, run.metadata.operations); }},
    {"opens", "opens", Measure::count, Worse::more, "opens", "more opens",
     [](const Run& run) { return Value(run.opens); }},
    {"files", "files", Measure::count, Worse::neither, "files", "more files",
     [](const Run& run) { return Value(run.files); }},
    {"ranks", "ranks or processes", Measure::count, Worse::neither, "", "",
     [](const Run& run) { return Value(static_cast<double>(run.job->ranks.size())); }},
    {"nodes", "nodes", Measure::count, Worse::neither, "", "",
     [](const Run& run) { return where_any(static_cast<double>(run.job->nodes())); }},
};

Compared compare(const Metric& metric, std::span<const Run> earlier, const Run& later,
                 std::optional<double> noise)
{
    Compared result{&metric, {}, {}, metric.value(later)};
    std::vector<double> values;
    for (const Run& run : earlier)
        if (const Value value = metric.value(run)) values.push_back(*value);
    const bool whole_seconds = in_whole_seconds(*later.job) ||
                               std::any_of(earlier.begin(), earlier.end(),
                                           [](const Run& run) { return in_whole_seconds(*run.job); });
    const double least = metric.measure != Measure::seconds         ? 0
                         : metric.id == "run_time" && whole_seconds ? 1.0
                                                                    : least_seconds;
    result.before = baseline_of(values, {noise, least});
    if (!values.empty() && values.size() == earlier.size()) result.mean_before = result.before.mean;
    return result;
}

}  // namespace

std::span<const Metric> metrics()
{
    return table;
}

Change Compared::change() const
{
    return mean_before && after ? change_of(before, *after) : Change::same;
}

std::optional<double> Compared::relative() const
{
    return mean_before && after ? relative_change(*mean_before, *after) : std::nullopt;
}

std::vector<Compared> compare_metrics(std::span<const Run> earlier, const Run& later,
                                      std::optional<double> noise)
{
    std::vector<Compared> all;
    for (const Metric& metric : table) all.push_back(compare(metric, earlier, later, noise));
    return all;
}

const Compared& compared(std::span<const Compared> all, std::string_view id)
{
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Compared& one) { return one.metric->id == id; });
    if (found == all.end()) throw std::logic_error("no metric of that name");
    return *found;
}

}  // namespace fathom
