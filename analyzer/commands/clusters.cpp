// `fathom clusters`: which groups the durations of operations fall into.
#include "analyzer/timing/clusters/clusters.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <set>

#include "analyzer/commands/column_options.h"
#include "analyzer/commands/commands.h"
#include "analyzer/commands/report_output.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* what_clusters_says = R"(
WHAT IT SAYS
  Operations of one kind and size that took very different times went different
  ways: from a cache or a device, alone or waiting for others. For each class of
  operations it finds the clusters of their durations (the hills of a Gaussian
  kernel density on a logarithmic scale), where to split them, and the outliers
  beyond the last one; and says of each how many there were, how long they took,
  which share of the time and at which rate, and the rate without outliers. A chart
  shows the density, another one when the operations of each cluster were.

  Of a log it takes the trace (fathom record --trace), and without one the
  histograms that every log has: the same clusters, but no times of day.

A CSV
  needs a line of names and a column of durations in seconds. By these names it
  knows the columns of fathom measure, fathom probe and fathom dump --trace:
    duration_s, latency_s, duration   how long it took (or --duration COLUMN)
    start_s, time_s, start            when it began, in seconds (or --start)
    operation, kind                   read, write ... (or --kind)
    size                              bytes (or --size-column)
    state, memory, file, threads, target, mode
                                      rows that differ in them are different
                                      classes (or --by COLUMN, again for several)
  Rows with a text in a column `error` are left out, as are durations below 0; a
  duration of 0 counts as 1 ns; what is no number is an error.
)";

constexpr const char* clusters_help = R"(
EXAMPLES
  fathom clusters job.fathom
  fathom clusters job.fathom --operation read --top 3 -o reads.html
  fathom clusters measurement.csv --operation write --size 1MiB
  fathom clusters latencies.csv --duration seconds --least 20 --format json

EXIT STATUS
  0 done, 1 the file could not be read or has no such operations, 2 bad usage)";

struct ClustersOptions {
    std::string source, from = "best";
    OperationChoice operations;
    ClustersChoice clusters;
    OutputOptions output;
};

TimedFrom from_of(const std::string& name)
{
    if (name == "trace") return TimedFrom::trace;
    return name == "histograms" ? TimedFrom::histograms : TimedFrom::best;
}

TimedOperations read_operations(const ClustersOptions& options, Progress& progress)
{
    OperationChoice choice = options.operations;
    choice.from = from_of(options.from);
    if (is_csv_file(options.source))
        return timed_operations(options.source, choice, progress.stage("reading", work_in_bytes));
    const Log log = open_dataset(options.source, progress.stage("reading the log", work_in_bytes));
    return timed_operations(log, choice, progress.stage("reading the trace", {false, "operations"}));
}

// Nothing is there, or nothing of what was asked for.
[[noreturn]] void complain_of_none(const ClustersOptions& options, Progress& progress)
{
    ClustersOptions all = options;
    all.operations.layer.clear();
    all.operations.operation.clear();
    all.operations.size.reset();
    std::set<std::string> names;
    for (const TimedClass& one : read_operations(all, progress).classes) names.insert(one.name());
    if (names.empty() && from_of(options.from) == TimedFrom::trace)
        throw std::runtime_error(options.source +
                                 ": has no trace; leave --from away, or record with --trace");
    if (names.empty())
        throw std::runtime_error(
            is_csv_file(options.source)
                ? options.source + ": has no rows to look at"
                : options.source +
                      ": has no times of operations; record the program without "
                      "--no-timings or with --trace, and with Darshan with its traces, DXT");
    std::string some;
    for (const std::string& name : names) {
        if (some.size() > 200) {
            some += ", ...";
            break;
        }
        some += (some.empty() ? "" : ", ") + name;
    }
    throw std::runtime_error(fmt::format("{}: has no such operations; there are: {}", options.source, some));
}

int run_clusters(const ClustersOptions& options)
{
    const std::vector<OutputTarget> targets = targets_of(options.output, {options.source});
    Progress progress;
    const TimedOperations operations = read_operations(options, progress);
    if (operations.classes.empty()) complain_of_none(options, progress);
    const report::Document document =
        cluster_document(operations, std::filesystem::path(options.source).filename().string(),
                         options.clusters, progress.stage("finding clusters", {false, "classes"}));
    deliver(document, targets, options.output.width, progress);
    return exit_done;
}

}  // namespace

CommandLine clusters_line()
{
    const auto options = std::make_shared<ClustersOptions>();
    OperationChoice& choice = options->operations;
    CommandLine line;
    line.options = {
        {"LOG|CSV", "TEXT", "a log, or a CSV of operations and their durations", &options->source, required},
        {"--layer", "LAYER", "only of this layer: posix, stdio, mpi-io", &choice.layer},
        {"--operation", "KIND", "only of this kind: read, write, open ...", &choice.operation},
        {"--size",
         "BYTES",
         "only of this size (4096, 64K, 1MiB), or the class that it lies in",
         &choice.size,
         {.size = true}},
        {"--top", "N",
         "classes with a section of their own (default 6; beyond 24 the overview lists more, too)",
         &options->clusters.classes},
        {"--least",
         "N",
         "operations that a class must have to be looked at (default 50)",
         &options->clusters.least,
         {.positive = true}},
        {"--from",
         "WHAT",
         "of a log: trace, histograms, or the best that there is",
         &options->from,
         {.choices = {"best", "trace", "histograms"}}},
    };
    line.add(column_options(choice));
    line.add(
        {{"--by", "COLUMN", "a column that separates classes (again for several)", &choice.group_columns}});
    line.add(output_options(options->output));
    line.help = what_clusters_says + std::string(help_on_forms) + clusters_help;
    line.action = [options] { return run_clusters(*options); };
    return line;
}

}  // namespace fathom
