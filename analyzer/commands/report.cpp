// `fathom report`: of one log a document, of many a table, in as many forms as are asked for.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/report_many.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/models/sections.h"
#include "analyzer/output/progress.h"
#include "analyzer/studies/study.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* what_it_says = R"(
WHAT IT SAYS
  How fast the I/O was, with what each rate was computed from; how processes
  shared files (N-N, N-1, N-M, 1-1); where the time went, by rank; when data
  was moved, and by which ranks; what each layer did; how long operations took
  and how large they were; which files took most bytes and time.
)";

constexpr const char* more_help = R"(
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

EXIT STATUS
  0 done, also where some of several logs could not be read, 1 the log could not be
  read, or none of them, or a report not written, 2 bad usage)";

struct Options {
    std::vector<std::string> logs;
    OutputOptions output;
    StudyChoice choice;
    ManyOptions many;
    std::string model;  // empty: none
};

// After how long operations took, whose cause it tells.
void add_served(report::Document& document, const Log& log, const ModelFile& file, const std::string& model)
{
    Judge judge(file, usual_rule(file));
    const Served served = served_of(timed_operations(log), judge, {});
    const std::string name = std::filesystem::path(model).filename().string();
    const auto after =
        std::find_if(document.sections.begin(), document.sections.end(),
                     [](const report::Section& one) { return one.id == "operation_clusters"; });
    document.sections.insert(after == document.sections.end() ? after : after + 1,
                             {std::string(served_section_id), std::string(served_section_title),
                              served_blocks(served, file, name, judge.rule())});
}

int report_one(const Options& options)
{
    const std::vector<OutputTarget> targets = targets_of(options.output);
    const ModelFile model = options.model.empty() ? ModelFile{} : read_model_file(options.model);
    Progress progress;
    const Log log = open_dataset(options.logs.front(), progress.stage("reading the log", work_in_bytes));
    const Tick tick = progress.stage("making the report", {false, "steps"});
    tick(0, 1 + targets.size());
    const Job job(log);
    report::Document document = make_report(job, options.choice);
    if (!options.model.empty()) add_served(document, log, model, options.model);
    deliver(document, targets, options.output.width, progress);
    return exit_done;
}

int run(const Options& options, bool files_chosen)
{
    if (options.logs.empty() && options.many.list.empty())
        throw BadUsage("report: LOG is missing: name the log to report on, or several, or a folder of them");
    if (!asks_for_table(options.logs, options.many, options.output)) return report_one(options);
    if (files_chosen) throw BadUsage("report: --files is for the report of one log; a table has no files");
    if (!options.model.empty())
        throw BadUsage("report: --model is for the report of one log; a table has no operations");
    return report_many(options.logs, options.many, options.output);
}

}  // namespace

Action declare_report(CLI::App& app)
{
    const auto options = std::make_shared<Options>();
    app.add_option("LOG", options->logs, "the log to report on; several, or a folder of them: a table");
    declare_output_options(app, options->output);
    app.add_option("--files", options->choice.files, "files to list in a table (default 10)")->type_name("N");
    app.add_option("--model", options->model,
                   "say what served its operations, by this model of fathom model train")
        ->type_name("FILE");
    declare_many_options(app, options->many);
    app.footer(what_it_says + help_on_tables() + std::string(help_on_forms) + more_help);
    return [options, &app] { return run(*options, app.count("--files") > 0); };
}

}  // namespace fathom
