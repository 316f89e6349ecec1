// `fathom jobs show` and `report`: one job, from the database or from its log.
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "analyzer/book/book.h"
#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_choice.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/list/page.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/store/paths.h"
#include "analyzer/output/message.h"
#include "analyzer/slowdown/slowdown.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* show_help = R"(
WHAT IT SAYS
  The page of one job, from what the database keeps of it: verdict, times, rate over
  time, findings, layers, files. ID is what `fathom jobs list` has in its first column;
  filters will do where one job alone fits them.

EXAMPLES
  fathom jobs show 17
  fathom jobs show --job 4711 -o 4711.pdf

EXIT STATUS
  0 done, 1 there is no such job, or there are several; 2 bad usage)";

constexpr const char* report_one_help = R"(
WHAT IT SAYS
  The report of the job's log, as `fathom report LOG` has it; where the log is gone, the
  page that `fathom jobs show` gives. ID is what `fathom jobs list` has in its first
  column; filters will do where one job alone fits them.

EXAMPLES
  fathom jobs report 17 -o 17.html
  fathom jobs report --job 4711

EXIT STATUS
  0 done, 1 there is no such job, or there are several; 2 bad usage)";

struct OneOptions : ChoiceOptions {
    OutputOptions output;
};

// The job that is meant.
jobs::Number the_one(const jobs::Choice& choice, jobs::Database& database)
{
    const std::vector<jobs::Number> ids = jobs::ids_of(database, choice);
    if (ids.empty())
        throw std::runtime_error(
            fmt::format("{}: no job fits; `fathom jobs list` has them all", database.name()));
    if (ids.size() == 1) return ids[0];
    std::string some;
    for (std::size_t at = 0; at < std::min<std::size_t>(ids.size(), 10); ++at)
        some += fmt::format(" {}", ids[at]);
    throw std::runtime_error(fmt::format("{} jobs fit: name one by its id, of{}{}",
                                         report::format_count(ids.size()), some,
                                         ids.size() > 10 ? " ..." : ""));
}

jobs::Choice choice_of_one(const OneOptions& options)
{
    jobs::Choice choice = choice_of(options);
    if (choice.empty()) throw BadUsage("jobs: name a job by its id, or by filters such as --job 4711");
    return choice;
}

int show(OneOptions& options)
{
    const jobs::Choice choice = choice_of_one(options);
    const std::vector<OutputTarget> targets = targets_of(options.output, files_of_database(options.url));
    const auto database = jobs::open_jobs(database_url(options.url), jobs::Access::read);
    Progress progress;
    deliver(jobs::page_of(*database, the_one(choice, *database)), targets, options.output.width, progress);
    return exit_done;
}

int report_one(OneOptions& options)
{
    const jobs::Choice choice = choice_of_one(options);
    const std::vector<OutputTarget> targets = targets_of(options.output, files_of_database(options.url));
    const auto database = jobs::open_jobs(database_url(options.url), jobs::Access::read);
    const jobs::Number id = the_one(choice, *database);
    Progress progress;
    for (const std::string& stored : jobs::logs_of(*database, id)) {
        const std::string path = jobs::path_of_stored(stored);
        refuse_outputs_over({path}, options.output.outputs);
        std::error_code unknown;
        if (!std::filesystem::exists(path, unknown)) continue;
        const Log log = open_packed(path, progress.stage("reading the log", work_in_bytes));
        Job job(log);
        const Slowdown slowdown = slowdown::slowdown_of(*database, id);
        job.slowdown = &slowdown;
        deliver(make_report(job, {}), targets, options.output.width, progress);
        return exit_done;
    }
    tell("its log is gone: this is what the database keeps of it");
    deliver(jobs::page_of(*database, id), targets, options.output.width, progress);
    return exit_done;
}

}  // namespace

CommandLine jobs_show_line()
{
    const auto options = std::make_shared<OneOptions>();
    CommandLine line = choice_line(*options, "id", "the job");
    line.add(output_options(options->output));
    line.help = help_on_choices() + show_help;
    line.action = [options] { return show(*options); };
    return line;
}

CommandLine jobs_report_line()
{
    const auto options = std::make_shared<OneOptions>();
    CommandLine line = choice_line(*options, "id", "the job");
    line.add(output_options(options->output));
    line.help = help_on_choices() + report_one_help;
    line.action = [options] { return report_one(*options); };
    return line;
}

}  // namespace fathom
