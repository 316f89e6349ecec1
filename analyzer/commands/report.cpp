// `fathom report`: of one log a document, of many a table, in as many forms as are asked for.
#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>
#include <memory>

#include "analyzer/book/book.h"
#include "analyzer/commands/commands.h"
#include "analyzer/commands/installed.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/commands/report_many.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/job/slowdown.h"
#include "analyzer/job/system_load.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/many/find_logs.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/series/read.h"
#include "analyzer/slowdown/slowdown.h"
#include "analyzer/system/load.h"
#include "analyzer/timing/models/rates.h"
#include "analyzer/timing/models/sections.h"
#include "analyzer/watch/find.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* what_report_says = R"(
WHAT IT SAYS
  First a page that most readers need: who ran what, a verdict, what to change by
  the seconds it saves, bytes and rates, where the run time went (--brief: that
  page alone). Then findings in full, time and rates, ranks, phases, access modes,
  files, counters of each layer, requests, how long operations took, and last how
  the log was recorded and whether its numbers agree.
)";

constexpr const char* report_help = R"(
  JSON: "fathom_report" is 1, the version of the form; "values" holds the main
  numbers by name (rate.rate, modes.application_writes ...); "first_page" that
  page; "sections" everything: entries, tables, charts, notes, each number exact
  with its unit. What is not known is null.

EXAMPLES
  fathom report                                  of the newest log in this folder
  fathom report job.fathom
  ssh cluster cat job.fathom | fathom report -
  fathom report job.fathom -o report.pdf -o report.html
  fathom report job.fathom --brief
  fathom report job.fathom --format json | jq '.values["rate.rate"]'
  fathom report *.darshan                        a table: what cost most comes first
  fathom report logs/ --sort run_time --top 20 -o longest.html
  fathom report logs/ -o pages/                  with a report of each, linked
  find logs -name '*.darshan' | fathom report --list - --csv > logs.csv
  fathom report job.fathom --model here.json     also what served its operations
  fathom report job.fathom --system sar-*.json   also what its servers did
  fathom report job.fathom --db jobs.db          also why it was slower than others
  fathom report /dev/shm/fathom-1000-Ab3xYz      what a running job did so far (fathom recover lists them)
  fathom report trace.txt                        what strace -f -ttt -T -y -o trace.txt wrote

EXIT STATUS
  0 done, also where some of several logs could not be read, 1 the log could not be
  read, or none of them, or a report not written, 2 bad usage)";

struct ReportOptions {
    std::vector<std::string> logs;
    OutputOptions output;
    SectionChoice choice;
    ManyOptions many;
    bool files_chosen = false, brief = false;
    std::string model;  // empty: none
    std::vector<std::string> system;
    std::string time_zone, database;
    double peak = 0;  // MiB/s
};

// What the servers did in the time of the job, of a day around it at most.
SystemLoad system_load_of(const Job& job, const ReportOptions& options,
                          std::vector<std::vector<series::Window>> earlier, Progress& progress)
{
    constexpr std::uint64_t day = 86'400'000'000'000;
    series::ReadOptions reading;
    reading.time_zone = options.time_zone;
    reading.window = {static_cast<series::Nanoseconds>(job.start - std::min(job.start, day)),
                      static_cast<series::Nanoseconds>(job.end + day)};
    for (const std::vector<series::Window>& run : earlier)
        if (!run.empty()) reading.window.begin = std::min(reading.window.begin, run.front().begin);
    reading.tick = progress.stage("reading series", work_in_bytes);
    return load_of(job, series::read_series(options.system, reading),
                   {std::move(earlier), options.peak * mebibyte});
}

int report_one(const ReportOptions& options)
{
    for (const std::string& path : options.output.outputs)
        if (path.ends_with('/'))
            throw BadUsage(
                fmt::format("report: -o {} is a folder, for the reports of several logs; of one log name a "
                            "file, such as {}report.html",
                            path, path));
    std::vector<std::string> inputs = options.logs;
    if (!options.database.empty())
        for (std::string& file : files_of_database(options.database)) inputs.push_back(std::move(file));
    const std::vector<OutputTarget> targets = targets_of(options.output, inputs);
    const ModelFile model = options.model.empty() ? ModelFile{} : read_model_file(model_path(options.model));
    Progress progress;
    const std::string& path = options.logs.front();
    const Log log = watch::is_spool(path)
                        ? watch::log_so_far(path)
                        : open_packed(path, progress.stage("reading the log", work_in_bytes));
    const Tick tick = progress.stage("making the report", {false, "steps"});
    tick(0, 1 + targets.size());
    Job job(log);
    std::unique_ptr<jobs::Database> database;
    std::optional<jobs::Number> id;
    if (!options.database.empty()) {
        database = jobs::open_jobs(database_url(options.database), jobs::Access::read);
        id = slowdown::job_of_log(*database, job);
    }
    SystemLoad load;
    if (!options.system.empty()) {
        load = system_load_of(
            job, options,
            id ? slowdown::earlier_io(*database, *id) : std::vector<std::vector<series::Window>>(), progress);
        job.system = &load;
    }
    Slowdown slowdown;
    if (id)
        slowdown = slowdown::slowdown_of(*database, *id, {}, job.system);
    else if (database)
        slowdown.why_not =
            fmt::format("{} does not have this log; `fathom jobs add` puts it there.", database->name());
    if (database) job.slowdown = &slowdown;
    const bool by_model = !options.model.empty();
    const std::string model_name = std::filesystem::path(options.model).filename().string();
    const MeasuredRates rates = rates_of(model, model_name);
    if (by_model) job.rates = &rates;
    const report::Document document = make_report(job, {.sections = options.choice,
                                                        .model = by_model ? &model : nullptr,
                                                        .model_name = model_name,
                                                        .brief = options.brief});
    deliver(document, targets, options.output.width, progress);
    return exit_done;
}

// Where no log is named, the newest one here.
std::string newest_log_here()
{
    const std::string newest = newest_log(".");
    if (newest.empty())
        throw BadUsage(
            "report: LOG is missing, and none is here: name the log to report on, or several, or a folder of "
            "them");
    tell(fmt::format("report: of {}, the newest log here", newest));
    return newest;
}

// Of `--system *.json` a shell gives the option its first word alone: what else is named and is no log is of
// series, too.
void take_series_from_logs(ReportOptions& options)
{
    if (options.system.empty() || options.logs.size() < 2) return;
    const auto series = std::ranges::stable_partition(options.logs, [](const std::string& path) {
        return path == "-" || watch::is_spool(path) || !kind_of_log(path).empty();
    });
    if (const auto logs = options.logs.size() - series.size(); logs != 1)
        throw BadUsage(fmt::format("report: --system is for the report of one log, and {}: {}",
                                   logs == 0 ? "none of these is one" : "these are several",
                                   logs == 0 ? fmt::join(series.begin(), series.end(), ", ")
                                             : fmt::join(options.logs.begin(), series.begin(), ", ")));
    options.system.insert(options.system.end(), series.begin(), series.end());
    options.logs.erase(series.begin(), series.end());
}

int run_report(ReportOptions& options)
{
    take_series_from_logs(options);
    if (options.logs.empty() && !asks_for_table(options.logs, options.many, options.output))
        options.logs.push_back(newest_log_here());
    if (options.logs.empty() && options.many.list.empty())
        throw BadUsage("report: LOG is missing: name the logs of the table, or a folder of them");
    const bool running = options.logs.size() == 1 && watch::is_spool(options.logs.front());
    if (running || !asks_for_table(options.logs, options.many, options.output)) return report_one(options);
    if (options.files_chosen)
        throw BadUsage("report: --files is for the report of one log; a table has no files");
    if (options.brief)
        throw BadUsage("report: --brief is for the report of one log; a table is brief already");
    if (!options.system.empty())
        throw BadUsage("report: --system is for the report of one log; a table has no servers");
    if (!options.database.empty())
        throw BadUsage("report: --db is for the report of one log; `fathom history --all` compares many");
    if (!options.model.empty())
        throw BadUsage("report: --model is for the report of one log; a table has no operations");
    return report_many(options.logs, options.many, options.output);
}

}  // namespace

CommandLine report_line()
{
    const auto options = std::make_shared<ReportOptions>();
    CommandLine line;
    line.options = {{"LOG", "TEXT",
                     "the log to report on; several, or a folder of them: a table; '-' is standard input "
                     "(default: the newest here)",
                     &options->logs}};
    line.add(output_options(options->output));
    line.add({
        {"--files",
         "N",
         "files to list in a table (default 10)",
         &options->choice.files,
         {.given = &options->files_chosen}},
        {"--brief", "", "the first page alone: verdict, findings, main numbers", &options->brief},
        {"--model", "FILE", "say what served its operations, by this model of fathom model train",
         &options->model},
        {"--system", "FILE|FOLDER",
         "put what servers and devices did beside it: files of fathom monitor, LMT, iostat and others "
         "(several, or again for several)",
         &options->system},
        {"--db", "URL",
         "lay it beside the other runs of its kind in this job database: why it was slower (docs/HISTORY.md)",
         &options->database},
        {"--peak",
         "MiB/s",
         "what its servers can do at most together (default: the highest rate in --system)",
         &options->peak,
         {.positive = true}},
        {"--time-zone", "NAME", "of local times in --system's files (default: this machine's)",
         &options->time_zone},
    });
    line.add(many_options(options->many));
    line.help = what_report_says + help_on_tables() + std::string(help_on_forms) + report_help;
    line.action = [options] { return run_report(*options); };
    return line;
}

}  // namespace fathom
