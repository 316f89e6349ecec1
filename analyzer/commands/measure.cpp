// `fathom measure`: how long reads and writes take here, when nothing, the page cache or a device is behind
// them.
#include <csignal>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/measure_options.h"
#include "analyzer/document/units.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/output/stop_signals.h"
#include "analyzer/timing/measure/clock.h"
#include "analyzer/timing/measure/plan.h"
#include "analyzer/timing/measure/read_back.h"
#include "analyzer/timing/measure/refusal.h"
#include "analyzer/timing/measure/results.h"
#include "analyzer/timing/measure/room.h"
#include "analyzer/timing/measure/samples_csv.h"
#include "analyzer/timing/measure/summary.h"

namespace fathom {
namespace {

constexpr const char* what_measure_does = R"(
WHAT IT DOES
  Times reads and writes, each by itself, in a file without a name that it makes in
  FOLDER, with the data in a known state:

  discard    /dev/zero is read and /dev/null written: no data is anywhere
  cached     the file is in the page cache
  uncached   it is not. --uncached direct: O_DIRECT goes past the page cache where
             the size allows; smaller pieces are dropped from it before each
             operation. dropped: that for all. once: the file is dropped before
             each run alone, and what is read ahead or again comes from the cache

  in all sizes, and in all pairs of layouts in memory and in the file:

  off0       always the start            reverse   from back to front
  seq        one after the other         rnd       anywhere
  stride8MiB 8 MiB left out in between   rnd8MiB   about 8 MiB further each time

  The kernel's counts show whether the data was where it should be: the page cache
  before and after, bytes fetched and written.

WHAT IT LEAVES
  CSV               a row for each operation:
                    state,operation,memory,file,size,threads,thread,repeat,number,
                    offset,start_s,duration_s
  NAME.checks.csv   a row for each run: how the state was had, and if it was
  and on the terminal, and in each --report FILE, a summary: throughput by layout
  and size, without operations that were unusually slow. Train models with
  `fathom model train`. Ctrl-C ends it early and keeps what was measured.

WHAT IT TAKES
  At most half of what is free on the disk (--most-of-disk), and 256 MiB stay free;
  a quarter of the free memory, or half where files are to be cached. The file has
  no name and is gone when the command ends, however it does. --drop-caches slows
  down all else that runs on the machine.
)";

constexpr const char* measure_examples = R"(
EXAMPLES
  fathom measure                          in this folder, in one to three minutes
  fathom measure /scratch -o scratch.csv --report scratch.html
  fathom measure /scratch --sizes 4K,1M --file seq,rnd --count 10000 --time-limit 0
  fathom measure /scratch --full --dry-run     how long the paper's grid would take
  fathom measure --summary scratch.csv    the summary again

EXIT STATUS
  0 done, 1 it could not be measured, 2 bad usage; after a signal, that of the signal)";

// Where it goes, and the terminal, if it is not among that.
std::vector<OutputTarget> targets_for(const MeasureOptions& options)
{
    std::vector<OutputTarget> targets = targets_of(options.report, {});
    bool on_screen = false;
    for (const OutputTarget& target : targets) on_screen = on_screen || target.path.empty();
    if (!on_screen) targets.push_back(targets_of({}, {}).front());
    return targets;
}

report::Document document_of(const std::string& subtitle, std::vector<report::Section> sections)
{
    return {"Measured times of reads and writes", subtitle, std::move(sections)};
}

int summarize_again(const MeasureOptions& options)
{
    const std::vector<OutputTarget> targets = targets_for(options);
    Progress progress;
    measure::Summary summary;
    measure::read_samples(
        options.summary_of, [&](const measure::Configuration& one, double time) { summary.add(one, time); },
        progress.stage("reading the samples", work_in_bytes));
    std::vector<report::Section> sections = {summary.throughput_section(), summary.durations_section()};
    const std::string checks = measure::checks_beside(options.summary_of);
    if (access(checks.c_str(), F_OK) == 0)
        sections.push_back(measure::checks_section(measure::read_checks(checks)));
    deliver(document_of(options.summary_of, std::move(sections)), targets, options.report.width, progress);
    return exit_done;
}

void tell_of_interruption(const std::string& output, std::uint64_t operations)
{
    if (operations == 0)
        tell("measure: interrupted before anything was measured");
    else
        tell(fmt::format("measure: interrupted; {} holds the {} until then", output,
                         report::counted(operations, "operation", "operations")));
}

report::Section facts_section(const measure::Settings& settings, const measure::ClockCost& clock)
{
    using namespace report;
    return {
        "measurement",
        "What was measured",
        {Entries{{{"folder", "in folder", path(settings.folder), ""},
                  {"file_size", "size of all files", bytes(settings.file_size), ""},
                  {"buffer_size", "buffer in memory", bytes(settings.buffer_size), ""},
                  {"seed", "seed", count(settings.seed), "of what is random"},
                  {"clock", "the clock's part", nanoseconds(clock.median),
                   fmt::format("of each duration: {} at most in 99 of 100",
                               format_seconds(static_cast<double>(clock.longest_of_99_percent) / 1e9))}}}}};
}

int run_measure(const MeasureOptions& options)
{
    if (!options.summary_of.empty()) return summarize_again(options);
    const std::vector<OutputTarget> targets = targets_for(options);
    const measure::Settings settings =
        settings_of(options, measure::disk_room(options.folder).free, measure::free_memory());
    Progress progress;
    if (options.dry_run) {
        deliver(document_of("in " + settings.folder,
                            {measure::plan_section(settings.grid, settings.file_size, settings.buffer_size)}),
                targets, options.report.width, progress);
        return exit_done;
    }
    measure::refuse_too_much(settings, options.output, allowances_of(options));
    // A limit on the size of files (ulimit -f) is to be an error with a name, as any other.
    std::signal(SIGXFSZ, SIG_IGN);
    const StopSignals signals;
    {
        measure::ResultFiles files(options.output, options.overwrite);
        measure::measure(settings, files.taking(), signals.came(), progress);
        progress.clear();
        if (!signals.came()) {
            deliver(document_of(
                        fmt::format("{}, {}", options.output, measure::checks_beside(options.output)),
                        {facts_section(settings, measure::clock_cost()), files.summary().throughput_section(),
                         files.summary().durations_section(), measure::checks_section(files.checks())}),
                    targets, options.report.width, progress);
            return exit_done;
        }
        tell_of_interruption(options.output, files.summary().operations());
    }
    signals.end_by_it();
    return exit_failed;
}

}  // namespace

CommandLine measure_line()
{
    const auto options = std::make_shared<MeasureOptions>();
    return {.options = measure_options(*options),
            .help = what_measure_does + std::string(help_on_forms) + measure_examples,
            .action = [options] { return run_measure(*options); }};
}

}  // namespace fathom
