// `fathom jobs`: the job database.
#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"

namespace fathom {
namespace {

constexpr const char* jobs_help = R"(
  fathom jobs add /logs/2026/11                 brings logs into the database

docs/DATABASE.md has its tables, for SQL of your own.)";

constexpr Command job_commands[] = {
    {"add", "Bring logs into the job database", jobs_add_line},
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
