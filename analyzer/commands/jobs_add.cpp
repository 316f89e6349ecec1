// `fathom jobs add`: brings logs and accounting into the job database.
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/add/add_logs.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/many/find_logs.h"
#include "analyzer/many/gather.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/output/stop_signals.h"

namespace fathom {
namespace {

constexpr const char* add_help = R"(
WHAT IT DOES
  Reads logs of Fathom and Darshan, those named and those in folders (.fathom and
  .darshan), and puts what a report would say of each into the database. A log that
  is there already is left alone, also where it was moved, copied or packed anew,
  and logs of both tools of one run become one job, with Fathom's numbers. A log
  that cannot be read is named once; --again reads it, and all others, anew.

  Any number of these may run at once, on any nodes. What is stored stays where one
  is killed: run it again, it goes on from there.

EXAMPLES
  fathom jobs add /logs/2026/11                 new ones only, at each run
  fathom jobs add job.fathom --db here.db
  fathom jobs add /darshan-logs --db postgresql://db.site.org/jobs

EXIT STATUS
  0 done, 1 a log could not be read or the database not be written, 2 bad usage)";

struct AddOptions {
    std::vector<std::string> named;
    std::string url, list;
    unsigned threads = 0;
    bool again = false;
};

std::string words_of(const jobs::AddCount& count)
{
    using report::counted;
    std::string text = counted(count.jobs, "new job", "new jobs");
    const auto add = [&](std::size_t number, std::string_view one, std::string_view many) {
        if (number > 0) text += ", " + counted(number, one, many);
    };
    add(count.logs, "log of a job that was there", "logs of jobs that were there");
    add(count.changed, "log that had changed", "logs that had changed");
    add(count.copies, "copy", "copies");
    add(count.unchanged, "log as before", "logs as before");
    add(count.broken, "that cannot be read", "that cannot be read");
    add(count.still_broken, "as broken as before (--again reads them)",
        "as broken as before (--again reads them)");
    return text;
}

int add(const AddOptions& options)
{
    std::vector<std::string> named = options.named;
    if (!options.list.empty())
        for (std::string& line : read_list(options.list)) named.push_back(std::move(line));
    const auto database = jobs::open_jobs(database_url(options.url), jobs::Access::write);
    const StopSignals signals;
    Progress progress;
    const jobs::AddPlan plan{options.threads == 0 ? usable_processors() : options.threads, options.again,
                             [&](const std::string& line) {
                                 progress.clear();
                                 tell(line);
                             }};
    const jobs::AddCount count = jobs::add_logs(
        *database, named, plan, progress.stage("adding logs", {false, "logs"}), signals.came());
    progress.clear();
    tell(fmt::format("{}: {}", database->name(), words_of(count)));
    if (signals.came()) {
        tell("interrupted: run it again for the rest");
        signals.end_by_it();
    }
    return count.broken > 0 ? exit_failed : exit_done;
}

}  // namespace

CommandLine jobs_add_line()
{
    const auto options = std::make_shared<AddOptions>();
    return {{
                {"log", "LOG|FOLDER", "logs, and folders of them", &options->named},
                {"--list", "FILE", "also what this file names, a line each; '-' for standard input",
                 &options->list},
                database_option(options->url),
                {"-j,--jobs",
                 "N",
                 "read so many logs at once (default: one a processor)",
                 &options->threads,
                 {.bounds = Bounds{1, 1024}}},
                {"--again", "", "read logs that are there too", &options->again},
            },
            std::string(help_on_databases) + add_help,
            [options] {
                if (options->named.empty() && options->list.empty())
                    throw BadUsage("jobs add: name logs, or folders of them; see fathom jobs add --help");
                return add(*options);
            }};
}

}  // namespace fathom
