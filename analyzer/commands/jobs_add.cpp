// `fathom jobs add`: brings logs and accounting into the job database.
#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/accounting/accounting.h"
#include "analyzer/jobs/add/add_logs.h"
#include "analyzer/jobs/add/projects.h"
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
  that cannot be read is named once; --again reads it, and all others, anew, as
  after an update of Fathom that finds more in them.

  Accounting of the batch system that is named comes in too: what sacct -P or
  sacct --json printed, sacct as pytokio keeps it, and a file of SQLite with a table
  summary(stepid, hostname, start, completion, numnodes). Each job of the batch
  system becomes an allocation, each of its steps a job, with a log or without one;
  logs that come before or after find their allocation. The same file again, or a
  later one that overlaps, brings jobs up to date. A line that cannot be used is
  named and left out. What sacct -P prints is local time: set TZ where the cluster
  is in another time zone, or run it with SLURM_TIME_FORMAT=%s, which sacct --json
  does not take.

  The project of a job is its account. For jobs without one --projects names a file
  of rules, of which the first that fits counts:
    user  anna                climate
    path  /scratch/energy/*   energy     (of the program, or of one of the largest files)
  They hold for all jobs of the database, also for those that were there.

  Any number of these may run at once, on any nodes. What is stored stays where one
  is killed: run it again, it goes on from there.

EXAMPLES
  fathom jobs add /logs/2026/11                 new ones only, at each run
  fathom jobs add job.fathom --db here.db
  fathom jobs add /darshan-logs --db postgresql://db.site.org/jobs
  sacct -aP -S now-2days -E now -o JobID,JobIDRaw,User,Account,Cluster,State,\
Start,End,ElapsedRaw,AllocNodes,AllocCPUS,NTasks,Partition,JobName >accounting.txt
  fathom jobs add accounting.txt

EXIT STATUS
  0 done, 1 a log or a line of accounting could not be read or the database not be
  written, 2 bad usage)";

struct AddOptions {
    std::vector<std::string> named;
    std::string url, list, projects;
    unsigned threads = 0;
    bool again = false;
};

// What was added, part by part; the first is there in any case.
class Words {
  public:
    Words& always(std::size_t number, std::string_view one, std::string_view many)
    {
        text_ += (text_.empty() ? "" : ", ") + report::counted(number, one, many);
        return *this;
    }
    Words& add(std::size_t number, std::string_view one, std::string_view many)
    {
        return number > 0 ? always(number, one, many) : *this;
    }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

std::string words_of(const jobs::AddCount& count)
{
    return Words()
        .always(count.jobs, "new job", "new jobs")
        .add(count.logs, "log of a job that was there", "logs of jobs that were there")
        .add(count.changed, "log that had changed", "logs that had changed")
        .add(count.copies - count.renewed, "copy", "copies")
        .add(count.renewed, "read again", "read again")
        .add(count.unchanged, "log as before", "logs as before")
        .add(count.broken, "that cannot be read", "that cannot be read")
        .add(count.still_broken, "as broken as before (--again reads them)",
             "as broken as before (--again reads them)")
        .text();
}

std::string words_of(const jobs::AccountingCount& count)
{
    return Words()
        .always(count.allocations, "new allocation", "new allocations")
        .always(count.steps, "new step without a log", "new steps without a log")
        .add(count.logs, "log that found its allocation", "logs that found their allocations")
        .add(count.changed, "allocation brought up to date", "allocations brought up to date")
        .add(count.unstarted, "line of what never started", "lines of what never started")
        .add(count.broken, "line that cannot be used", "lines that cannot be used")
        .text();
}

// Takes those of the named files that are accounting out of them.
std::vector<std::string> take_accounting(std::vector<std::string>& named)
{
    const auto others = std::stable_partition(named.begin(), named.end(), jobs::is_accounting);
    std::vector<std::string> accounting(named.begin(), others);
    named.erase(named.begin(), others);
    return accounting;
}

int add(const AddOptions& options)
{
    std::vector<std::string> named = options.named;
    if (!options.list.empty())
        for (std::string& line : read_list(options.list)) named.push_back(std::move(line));
    const auto rules =
        options.projects.empty() ? std::vector<ProjectRule>() : read_project_rules(options.projects);
    const auto database = jobs::open_jobs(database_url(options.url),
                                          named.empty() ? jobs::Access::change : jobs::Access::write);
    const StopSignals signals;
    Progress progress;
    const auto say = [&](const std::string& line) {
        progress.clear();
        tell(line);
    };
    const std::vector<std::string> accounting = take_accounting(named);
    jobs::AccountingCount accounted;
    for (const std::string& file : accounting)
        if (!signals.came())
            accounted.add(jobs::add_accounting(
                *database, file, {say}, progress.stage("adding accounting", work_in_bytes), signals.came()));
    if (!accounting.empty()) say(fmt::format("{}: {}", database->name(), words_of(accounted)));
    jobs::AddCount count;
    if (!named.empty() && !signals.came()) {
        const jobs::AddPlan plan{options.threads == 0 ? usable_processors() : options.threads, options.again,
                                 say};
        count = jobs::add_logs(*database, named, plan, progress.stage("adding logs", {false, "logs"}),
                               signals.came());
        say(fmt::format("{}: {}", database->name(), words_of(count)));
    }
    if (!options.projects.empty() && !signals.came())
        say(fmt::format("{}: {}", database->name(),
                        report::counted(jobs::apply_project_rules(*database, rules),
                                        "job has another project", "jobs have another project")));
    if (signals.came()) {
        say("interrupted: run it again for the rest");
        signals.end_by_it();
    }
    return count.broken + accounted.broken > 0 ? exit_failed : exit_done;
}

}  // namespace

CommandLine jobs_add_line()
{
    const auto options = std::make_shared<AddOptions>();
    return {{
                {"log", "LOG|FOLDER|ACCOUNTING", "logs, folders of them, and accounting", &options->named},
                {"--list", "FILE", "also what this file names, a line each; '-' for standard input",
                 &options->list},
                database_option(options->url),
                {"-j,--jobs",
                 "N",
                 "read so many logs at once (default: one a processor)",
                 &options->threads,
                 {.bounds = Bounds{1, 1024}}},
                {"--again", "", "read logs that are there too, and make their numbers anew", &options->again},
                {"--projects", "FILE", "which projects jobs without an account are of (see below)",
                 &options->projects},
            },
            std::string(help_on_databases) + add_help,
            [options] {
                if (options->named.empty() && options->list.empty() && options->projects.empty())
                    throw BadUsage(
                        "jobs add: name logs, folders of them or accounting; see fathom jobs add --help");
                return add(*options);
            }};
}

}  // namespace fathom
