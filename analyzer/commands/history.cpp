// `fathom history`: runs of one kind over time, and what became slower.
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/history/read.h"
#include "analyzer/history/report/report.h"
#include "analyzer/jobs/list/choice.h"
#include "analyzer/jobs/list/when.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/slowdown/slowdown.h"

namespace fathom {
namespace {

constexpr const char* what_history_does = R"(
WHAT IT DOES
  Lays a run beside the earlier and later runs of its kind in the job database: how
  much their time in I/O differs, whether and when it changed for good and what
  else changed then, whether this run is beyond what is usual, and whether one of
  its phases is like none before.

  PROGRAM   its newest run, and the kinds of runs that it has; * stands for any
            letters. A number is the id of a job, as `fathom jobs list` has it.
  Kind      runs agree in program, user, processes, files, and in bytes read and
            written within 1 %; --match and --within set that.
  Few runs  Two are no history. Three show how much runs differ; what is slow, and
            what a change, takes eight.

NIGHTLY
  fathom history --all --fail-if slower=20% --since '7 days ago'
  ends with status 3 where a program became slower by 20 % or more in that time: for
  good, or in a single run beyond what is usual. It says how sure each is, and how
  many false alarms a month this setting gives (docs/HISTORY.md).
)";

constexpr const char* history_examples = R"(
EXAMPLES
  fathom history 8812                           this run against those like it
  fathom history wrf.exe -o wrf.html
  fathom history wrf.exe --match program,processes --within 10%
  fathom history --all                          all kinds: how much each differs
  fathom history --all --format json | jq '.sections[] | select(.id == "slower")'

EXIT STATUS
  0 done; 1 the database cannot be read or has no such run; 3 with --fail-if:
  something became slower, and lines on standard error that begin with `history:
  slower` say what; 2 bad usage)";

struct HistoryOptions {
    std::string url, what, match, since, until, user, fail_if;
    bool all = false;
    std::string within = "1%";
    unsigned top = 20;
    OutputOptions output;
};

// "20%" or "20" as 0.2; nothing where it is no such number.
std::optional<double> share_of_percent(std::string_view words)
{
    if (words.ends_with('%')) words.remove_suffix(1);
    while (words.ends_with(' ')) words.remove_suffix(1);
    double percent = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), percent);
    if (error != std::errc{} || end != words.data() + words.size() || !std::isfinite(percent) || percent < 0)
        return {};
    return percent / 100;
}

history::SlowerRule rule_of(const std::string& said, history::Number since)
{
    constexpr std::string_view name = "slower=";
    const auto share =
        said.starts_with(name) ? share_of_percent(std::string_view(said).substr(name.size())) : std::nullopt;
    if (!share)
        throw BadUsage(
            fmt::format("history: --fail-if {}: say by how many percent, as in --fail-if slower=20%", said));
    return {.share = *share, .since = since};
}

void add_said(const char* name, const std::string& said, jobs::Choice& choice)
{
    if (said.empty()) return;
    for (const jobs::Filter& filter : jobs::filters())
        if (std::string_view(filter.name) == name) jobs::add_filter(filter, said, unix_now(), choice);
}

history::HistoryChoice choice_of_history(const HistoryOptions& options)
{
    history::HistoryChoice choice;
    choice.top = options.top;
    try {
        if (!options.match.empty()) choice.match = history::parse_match(options.match);
        if (!options.since.empty()) choice.since = jobs::moment_of(options.since, unix_now());
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("history: {}{}", options.since.empty() ? "" : "--since ", error.what()));
    }
    const auto within = share_of_percent(options.within);
    if (!within || *within >= 1)
        throw BadUsage(fmt::format(
            "history: --within {}: say by how many percent bytes may differ, below 100", options.within));
    choice.match.within = *within;
    try {
        add_said("--user", options.user, choice.only);
        add_said("--until", options.until, choice.only);
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("history: {}", error.what()));
    }
    if (!options.fail_if.empty()) choice.rule = rule_of(options.fail_if, choice.since);
    return choice;
}

bool is_id(const std::string& word)
{
    return !word.empty() && word.find_first_not_of("0123456789,") == std::string::npos;
}

// A number is a job first; a program may be called like one.
std::optional<history::KindRun> run_by_id(jobs::Database& database, std::string word)
{
    if (!is_id(word)) return {};
    std::erase(word, ',');
    history::Number id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc{}) return {};
    return history::run_in(database, id);
}

// Where runs are left out of the history, the others of the run are not all there either.
history::HistoryReport report_on_run(jobs::Database& database, const history::KindRun& run,
                                     std::vector<history::Kind> kinds, const HistoryOptions& options,
                                     const history::HistoryChoice& choice)
{
    if (!choice.only.empty()) return history::report_on(database, run, std::move(kinds), choice);
    const bool chosen = !options.match.empty() || choice.match.within != history::Match{}.within;
    const Slowdown why =
        slowdown::slowdown_of(database, run.id, chosen ? std::optional(choice.match) : std::nullopt);
    return history::report_on(database, run, std::move(kinds), choice, &why);
}

history::HistoryReport of_one(jobs::Database& database, const HistoryOptions& options,
                              const history::HistoryChoice& choice)
{
    if (const auto run = run_by_id(database, options.what)) {
        if (run->start <= 0)
            throw std::runtime_error(
                fmt::format("{}: when job {} ran is not known, so it has no place in a history",
                            database.name(), run->id));
        return report_on_run(database, *run, {}, options, choice);
    }
    jobs::Choice program = choice.only;
    add_said("--program", options.what, program);
    std::vector<history::KindRun> runs = history::runs_in(database, program);
    if (runs.empty())
        throw std::runtime_error(fmt::format("{}: no run of {}{} with a log; `fathom jobs list` has all",
                                             database.name(), options.what,
                                             options.user.empty() ? "" : " by " + options.user));
    std::vector<history::Kind> kinds = history::kinds_of(std::move(runs), choice.match);
    const history::KindRun newest = kinds.front().newest();
    kinds.erase(kinds.begin());
    std::stable_sort(kinds.begin(), kinds.end(), [](const history::Kind& a, const history::Kind& b) {
        return a.runs.size() > b.runs.size();
    });
    return report_on_run(database, newest, std::move(kinds), options, choice);
}

int show_history(HistoryOptions& options)
{
    if (options.all == !options.what.empty())
        throw BadUsage("history: name a program or the id of a job, or say --all");
    const history::HistoryChoice choice = choice_of_history(options);
    const std::vector<OutputTarget> targets = targets_of(options.output, files_of_database(options.url));
    const auto database = jobs::open_jobs(database_url(options.url), jobs::Access::read);
    Progress progress;
    history::HistoryReport made =
        options.all ? history::report_on_all(*database, choice,
                                             progress.stage("looking at kinds of runs", {false, "kinds"}))
                    : of_one(*database, options, choice);
    deliver(made.document, targets, options.output.width, progress);
    for (const std::string& alarm : made.alarms) tell("history: slower: " + alarm);
    return made.alarms.empty() ? exit_done : exit_condition_holds;
}

}  // namespace

CommandLine history_line()
{
    const auto options = std::make_shared<HistoryOptions>();
    CommandLine line{
        {
            {"PROGRAM|JOB", "TEXT", "the program, or the id of a job", &options->what},
            database_option(options->url),
            {"--all", "", "all kinds of runs in the database", &options->all},
            {"--match", "A,B,...",
             "in what runs of a kind agree: program, user, processes, files, bytes (default: all)",
             &options->match},
            {"--within", "PERCENT", "by how much their bytes may differ (default: 1%)", &options->within},
            {"--user", "NAME", "only runs of this user", &options->user},
            {"--since", "DATE",
             "tell of what became slower since then alone, UTC: 2026-11-23, yesterday, '7 days ago'; earlier "
             "runs are still compared with",
             &options->since},
            {"--until", "DATE", "as if only runs until its end were there", &options->until},
            {"--fail-if", "slower=N%", "end with status 3 if a kind of run became slower by this or more",
             &options->fail_if},
            {"--top", "N", "rows of a table (default: 20)", &options->top, {.bounds = Bounds{1, 100000}}},
        },
        std::string(help_on_databases) + what_history_does + std::string(help_on_forms) + history_examples,
        [options] { return show_history(*options); }};
    line.add(output_options(options->output));
    return line;
}

}  // namespace fathom
