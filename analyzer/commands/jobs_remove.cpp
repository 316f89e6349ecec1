// `fathom jobs remove`: takes jobs out of the database.
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_choice.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/store/store.h"
#include "analyzer/output/message.h"

namespace fathom {
namespace {

constexpr const char* remove_help = R"(
WHAT IT DOES
  Takes jobs out of the database: those with these ids, or those that the filters
  choose, which needs --yes. Logs stay where they are, and adding them brings their
  jobs back.

EXAMPLES
  fathom jobs remove 17 18
  fathom jobs remove --until 2024-12-31         says how many these are
  fathom jobs remove --until 2024-12-31 --yes

EXIT STATUS
  0 done, 1 nothing was removed, 2 bad usage)";

struct RemoveOptions : ChoiceOptions {
    bool yes = false;
};

int remove(const RemoveOptions& options)
{
    const jobs::Choice choice = choice_of(options);
    if (choice.empty()) throw BadUsage("jobs remove: name jobs by their ids, or by filters; see --help");
    const auto database = jobs::open_jobs(database_url(options.url), jobs::Access::change);
    const std::vector<jobs::Number> ids = jobs::ids_of(*database, choice);
    const std::string many = report::counted(ids.size(), "job", "jobs");
    if (ids.empty()) {
        tell(fmt::format("{}: no job fits, nothing was removed", database->name()));
        return exit_failed;
    }
    if (!filters_in_words(options).empty() && !options.yes) {
        tell(fmt::format("{}: {} would be removed; say --yes to do it", database->name(), many));
        return exit_failed;
    }
    jobs::remove_jobs(*database, ids);
    tell(fmt::format("{}: {} removed", database->name(), many));
    return exit_done;
}

}  // namespace

CommandLine jobs_remove_line()
{
    const auto options = std::make_shared<RemoveOptions>();
    CommandLine line = choice_line(*options, "id", "jobs");
    line.add({{"--yes", "", "remove what the filters choose", &options->yes}});
    line.help = help_on_choices() + remove_help;
    line.action = [options] { return remove(*options); };
    return line;
}

}  // namespace fathom
