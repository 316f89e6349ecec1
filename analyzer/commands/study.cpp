// `fathom study`: one document on all jobs of a database.
#include "analyzer/jobs/study/study.h"

#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/jobs/list/when.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/output/progress.h"

namespace fathom {
namespace {

constexpr const char* what_study_does = R"(
WHAT IT DOES
  Says in one document what all jobs of a database do with the storage of their
  site: who moves how much, through which interfaces, in accesses of what size,
  how fast, and what findings cost. It has the tables and figures of two studies
  of such sites, each with its definition: Carns et al. 2011 (Intrepid), and Yang
  et al. 2019 (Beacon, on TaihuLight); so numbers can be laid beside theirs.

  Coverage   Which jobs of the batch system have a log; that takes its accounting
             in the database.
  Large      Performance is that of large runs alone, of 1,024 processes and 500
             MiB or more; --large-processes and --large-bytes set both.
  Chosen     Runs by performance are of the project whose runs differ most, and
             performance by job size is of the program that ran on most sizes;
             --project and --program name others.
)";

constexpr const char* study_examples = R"(
EXAMPLES
  fathom study                                  all of the database, on the screen
  fathom study --since 2026-10-01 --until 2026-12-31 -o quarter.html -o quarter.pdf
  fathom study --by user --large-processes 64 --large-bytes 1GiB
  fathom study --project climate --program wrf.exe --without benchmarks
  fathom study --anonymize -o for-others.pdf    project1, user1, no paths
  fathom study --format json | jq '.sections[] | select(.id == "large_jobs")'

EXIT STATUS
  0 done, 1 the database could not be read or the document not be written, 2 bad
  usage)";

struct StudyOptions {
    std::string url, since, until, by = "project";
    std::uint64_t large_processes = 1024, large_bytes = std::uint64_t{500} << 20;
    unsigned top = 10;
    jobs::StudyChoice choice;
    OutputOptions output;
};

jobs::Known moment(const std::string& words, const char* option,
                   std::int64_t (*of)(const std::string&, std::int64_t))
{
    if (words.empty()) return {};
    try {
        return of(words, unix_now());
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("study: {} {}", option, error.what()));
    }
}

int study(StudyOptions& options)
{
    jobs::StudyChoice& choice = options.choice;
    choice.since = moment(options.since, "--since", jobs::moment_of);
    choice.before = moment(options.until, "--until", jobs::end_of_moment);
    choice.by = options.by == "user"      ? jobs::By::user
                : options.by == "program" ? jobs::By::program
                                          : jobs::By::project;
    choice.large_processes = static_cast<jobs::Number>(options.large_processes);
    choice.large_bytes = static_cast<jobs::Number>(options.large_bytes);
    choice.top = options.top;
    if (options.large_bytes > std::uint64_t{1} << 62)
        throw BadUsage("study: --large-bytes is too large, or below 0");
    const auto targets = targets_of(options.output, files_of_database(options.url));
    const auto database = jobs::open_jobs(database_url(options.url), jobs::Access::read);
    Progress progress;
    const report::Document document =
        jobs::make_study(*database, choice, progress.stage("asking the database", {false, "sections"}));
    deliver(document, targets, options.output.width, progress);
    return exit_done;
}

}  // namespace

CommandLine study_line()
{
    const auto options = std::make_shared<StudyOptions>();
    CommandLine line{
        {
            database_option(options->url),
            {"--since", "DATE",
             "only jobs that began then or later, UTC: 2026-11-23, yesterday, '30 days ago'",
             &options->since},
            {"--until", "DATE", "only jobs that began before its end", &options->until},
            {"--by",
             "GROUP",
             "group runs by project, user or program (default: project)",
             &options->by,
             {.choices = {"project", "user", "program"}}},
            {"--large-processes",
             "N",
             "processes from which on a run is large (default: 1024)",
             &options->large_processes,
             {.bounds = Bounds{1, 1e9}}},
            {"--large-bytes",
             "SIZE",
             "bytes from which on a run is large (default: 500MiB)",
             &options->large_bytes,
             {.size = true}},
            {"--top", "N", "rows of a table (default: 10)", &options->top, {.bounds = Bounds{1, 1000}}},
            {"--project", "NAME", "the project whose runs are listed by performance",
             &options->choice.project},
            {"--program", "NAME", "the program whose rate is shown by job size", &options->choice.program},
            {"--without", "NAME", "whom to leave out of the access sizes (again for several)",
             &options->choice.without},
            {"--anonymize", "", "project1, user1, program1 in place of names; no ids of jobs",
             &options->choice.anonymize},
        },
        std::string(help_on_databases) + what_study_does + std::string(help_on_forms) + study_examples,
        [options] { return study(*options); }};
    line.add(output_options(options->output));
    return line;
}

}  // namespace fathom
