// `fathom clusters`: which groups the durations of operations fall into.
#include "analyzer/timing/clusters/clusters.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <set>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/report_output.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* what_it_says = R"(
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

constexpr const char* more_help = R"(
EXAMPLES
  fathom clusters job.fathom
  fathom clusters job.fathom --operation read --top 3 -o reads.html
  fathom clusters measurement.csv --operation write --size 1MiB
  fathom clusters latencies.csv --duration seconds --least 20 --format json

EXIT STATUS
  0 done, 1 the file could not be read or has no such operations, 2 bad usage)";

struct Options {
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

TimedOperations read(const Options& options, Progress& progress)
{
    OperationChoice choice = options.operations;
    choice.from = from_of(options.from);
    if (is_csv_file(options.source))
        return timed_operations(options.source, choice, progress.stage("reading", work_in_bytes));
    const Log log = open_dataset(options.source, progress.stage("reading the log", work_in_bytes));
    return timed_operations(log, choice, progress.stage("reading the trace", {false, "operations"}));
}

// Nothing is there, or nothing of what was asked for.
[[noreturn]] void complain(const Options& options, Progress& progress)
{
    Options all = options;
    all.operations.layer.clear();
    all.operations.operation.clear();
    all.operations.size.reset();
    std::set<std::string> names;
    for (const TimedClass& one : read(all, progress).classes) names.insert(one.name());
    if (names.empty() && from_of(options.from) == TimedFrom::trace)
        throw std::runtime_error(options.source +
                                 ": has no trace; leave --from away, or record with --trace");
    if (names.empty())
        throw std::runtime_error(
            is_csv_file(options.source)
                ? options.source + ": has no rows to look at"
                : options.source +
                      ": does not tell how long operations took; record the program without "
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

int run(const Options& options)
{
    const std::vector<OutputTarget> targets = targets_of(options.output);
    Progress progress;
    const TimedOperations operations = read(options, progress);
    if (operations.classes.empty()) complain(options, progress);
    const report::Document document =
        cluster_document(operations, std::filesystem::path(options.source).filename().string(),
                         options.clusters, progress.stage("finding clusters", {false, "classes"}));
    deliver(document, targets, options.output.width, progress);
    return exit_done;
}

}  // namespace

Action declare_clusters(CLI::App& app)
{
    const auto options = std::make_shared<Options>();
    OperationChoice& choice = options->operations;
    app.add_option("LOG|CSV", options->source, "a log, or a CSV of operations and their durations")
        ->required();
    app.add_option("--layer", choice.layer, "only of this layer: posix, stdio, mpi-io")->type_name("LAYER");
    app.add_option("--operation", choice.operation, "only of this kind: read, write, open ...")
        ->type_name("KIND");
    app.add_option("--size", choice.size, "only of this size (4096, 64K, 1MiB), or the class that it lies in")
        ->type_name("BYTES")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--top", options->clusters.classes,
                   "classes with a section of their own (default 6; beyond 24 the overview lists more, too)")
        ->type_name("N");
    app.add_option("--least", options->clusters.least,
                   "operations that a class must have to be looked at (default 50)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--from", options->from, "of a log: trace, histograms, or the best that there is")
        ->type_name("WHAT")
        ->check(CLI::IsMember({"best", "trace", "histograms"}));
    app.add_option("--duration", choice.duration_column, "of a CSV: the column of durations")
        ->type_name("COLUMN");
    app.add_option("--start", choice.start_column, "that of starts")->type_name("COLUMN");
    app.add_option("--kind", choice.operation_column, "that of kinds")->type_name("COLUMN");
    app.add_option("--size-column", choice.size_column, "that of sizes")->type_name("COLUMN");
    app.add_option("--by", choice.group_columns, "a column that tells classes apart (again for several)")
        ->type_name("COLUMN")
        ->allow_extra_args(false);
    declare_output_options(app, options->output);
    app.footer(what_it_says + std::string(help_on_forms) + more_help);
    return [options] { return run(*options); };
}

}  // namespace fathom
