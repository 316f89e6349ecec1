// `fathom jobs`: the job database.
#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/output/output.h"

namespace fathom {
namespace {

constexpr const char* jobs_help = R"(
  fathom jobs add /logs/2026/11                 brings logs into the database
  fathom jobs list --since yesterday            which of today's jobs to look at
  fathom jobs show 17                           the page of one of them

docs/DATABASE.md has its tables, for SQL of your own.)";

CommandLine schema_line()
{
    CommandLine line;
    line.help = "\n  Tables, columns and units as Markdown: the end of docs/DATABASE.md.";
    line.action = [] {
        StandardOutput out;
        out.write(jobs::tables_as_markdown());
        out.flush();
        return exit_done;
    };
    return line;
}

constexpr Command job_commands[] = {
    {"add", "Bring logs into the job database", jobs_add_line},
    {"list", "List jobs, what cost most first", jobs_list_line},
    {"show", "Say what the database keeps of a job", jobs_show_line},
    {"report", "Report a job's log, wherever it is", jobs_report_line},
    {"remove", "Take jobs out of the database", jobs_remove_line},
    {"schema", "Print the tables of the database, for SQL of your own", schema_line},
};

}  // namespace

CommandLine jobs_line()
{
    CommandLine line;
    line.help = std::string(help_on_databases) + jobs_help;
    line.commands = job_commands;
    return line;
}

}  // namespace fathom
