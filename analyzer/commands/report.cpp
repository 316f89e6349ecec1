// `fathom report`: of one log a document, of many a table, in as many forms as are asked for.
#include <filesystem>
#include <memory>

#include "analyzer/book/book.h"
#include "analyzer/commands/commands.h"
#include "analyzer/commands/report_many.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/output/progress.h"
#include "analyzer/timing/models/sections.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* what_report_says = R"(
WHAT IT SAYS
  How fast the I/O was, with what each rate was computed from; how processes
  shared files (N-N, N-1, N-M, 1-1); where the time went, by rank; when data
  was moved, and by which ranks; what each layer did; how long operations took
  and how large they were; which files took most bytes and time.
)";

constexpr const char* report_help = R"(
  JSON: "fathom_report" is 1, the version of the form; "values" holds the main
  numbers by name (rate.rate_per_node, modes.application_writes ...); "sections"
  holds everything: entries, tables, charts, notes, each number exact with its
  unit. What is not known is null.

EXAMPLES
  fathom report job.fathom
  fathom report job.fathom -o report.pdf -o report.html
  fathom report job.fathom --format json | jq '.values["rate.rate_per_node"]'
  fathom report *.darshan                        a table: what cost most comes first
  fathom report logs/ --sort run_time --top 20 -o longest.html
  find logs -name '*.darshan' | fathom report --list - --csv > logs.csv
  fathom report job.fathom --model here.json     also what served its operations
  fathom report trace.txt                        what strace -f -ttt -T -y -o trace.txt wrote

EXIT STATUS
  0 done, also where some of several logs could not be read, 1 the log could not be
  read, or none of them, or a report not written, 2 bad usage)";

struct ReportOptions {
    std::vector<std::string> logs;
    OutputOptions output;
    SectionChoice choice;
    ManyOptions many;
    bool files_chosen = false;
    std::string model;  // empty: none
};

int report_one(const ReportOptions& options)
{
    const std::vector<OutputTarget> targets = targets_of(options.output);
    const ModelFile model = options.model.empty() ? ModelFile{} : read_model_file(options.model);
    Progress progress;
    const Log log = open_dataset(options.logs.front(), progress.stage("reading the log", work_in_bytes));
    const Tick tick = progress.stage("making the report", {false, "steps"});
    tick(0, 1 + targets.size());
    const Job job(log);
    const bool by_model = !options.model.empty();
    const report::Document document =
        make_report(job, {.sections = options.choice,
                          .model = by_model ? &model : nullptr,
                          .model_name = std::filesystem::path(options.model).filename().string()});
    deliver(document, targets, options.output.width, progress);
    return exit_done;
}

int run_report(const ReportOptions& options)
{
    if (options.logs.empty() && options.many.list.empty())
        throw BadUsage("report: LOG is missing: name the log to report on, or several, or a folder of them");
    if (!asks_for_table(options.logs, options.many, options.output)) return report_one(options);
    if (options.files_chosen)
        throw BadUsage("report: --files is for the report of one log; a table has no files");
    if (!options.model.empty())
        throw BadUsage("report: --model is for the report of one log; a table has no operations");
    return report_many(options.logs, options.many, options.output);
}

}  // namespace

CommandLine report_line()
{
    const auto options = std::make_shared<ReportOptions>();
    CommandLine line;
    line.options = {
        {"LOG", "TEXT", "the log to report on; several, or a folder of them: a table", &options->logs}};
    line.add(output_options(options->output));
    line.add({
        {"--files",
         "N",
         "files to list in a table (default 10)",
         &options->choice.files,
         {.given = &options->files_chosen}},
        {"--model", "FILE", "say what served its operations, by this model of fathom model train",
         &options->model},
    });
    line.add(many_options(options->many));
    line.help = what_report_says + help_on_tables() + std::string(help_on_forms) + report_help;
    line.action = [options] { return run_report(*options); };
    return line;
}

}  // namespace fathom
