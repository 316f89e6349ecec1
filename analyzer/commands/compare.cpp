// `fathom compare`: what changed between runs, and whether it is too much.
#include <deque>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/compare/comparison.h"
#include "analyzer/compare/conditions.h"
#include "analyzer/document/units.h"
#include "analyzer/job/recorded.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* what_compare_does = R"(
WHAT IT DOES
  Lays the last LOG beside those before it and says whether it was slower, faster
  or the same; where the difference comes from, in seconds (more data, smaller
  requests, more calls, slower ones, a slower rank, time outside of I/O) and what
  probably caused it; and which files changed. Files are matched by role: numbers
  of ranks, steps, dates and runs in their paths do not count.

  Noise   One earlier LOG: 5 % of each number, or what --noise says. Several: their
          own spread gives what one more run may differ by (95 % prediction
          interval); three or more make it useful.
)";

constexpr const char* on_conditions = R"(
CONDITIONS
  --fail-if NAME=N% ends with status 3 if NAME has become worse by more than N
  percent of the mean of the earlier runs, within noise or not. NAME is one of
)";

constexpr const char* compare_examples = R"(
EXAMPLES
  fathom compare monday.fathom tuesday.fathom
  fathom compare good1.fathom good2.fathom good3.fathom new.fathom -o change.html
  fathom compare base.fathom new.fathom --format json | jq '.values["verdict.verdict"]'
  In CI, with the log of a good run kept as base.fathom:
    fathom record -o new.fathom -- ./simulate small.in
    fathom compare base.fathom new.fathom --fail-if slower=10% --fail-if bytes=1%

EXIT STATUS
  0 done, 1 a log could not be read or a report not written, 2 bad usage,
  3 a condition of --fail-if holds, or the new run ended before its time)";

struct CompareOptions {
    std::vector<std::string> logs, conditions;
    OutputOptions output;
    double noise_percent = 0;
    bool has_noise = false;
    ComparisonChoice choice;
};

std::string without_percent(std::string text)
{
    if (text.ends_with('%')) text.pop_back();
    return text;
}

// It is in every range.
std::string no_nan(const std::string& text)
{
    return text == "nan" ? "not a number" : std::string();
}

std::vector<Condition> conditions_of(const CompareOptions& options)
{
    std::vector<Condition> conditions;
    for (const std::string& text : options.conditions) {
        try {
            conditions.push_back(parse_condition(text));
        } catch (const std::invalid_argument& error) {
            throw BadUsage(error.what());
        }
    }
    return conditions;
}

int run_compare(CompareOptions& options)
{
    if (options.has_noise) options.choice.noise = options.noise_percent / 100;
    if (options.logs.size() < 2) throw BadUsage("compare: name at least two logs, the new one last");
    const std::vector<OutputTarget> targets = targets_of(options.output, options.logs);
    const std::vector<Condition> conditions = conditions_of(options);
    Progress progress;
    std::deque<Log> logs;
    std::deque<Job> jobs;
    std::vector<Run> runs;
    for (const std::string& path : options.logs) {
        const std::string what = fmt::format("reading log {} of {}", jobs.size() + 1, options.logs.size());
        logs.push_back(open_packed(path, progress.stage(what, work_in_bytes)));
        jobs.emplace_back(logs.back());
    }
    const bool by_totals =
        std::any_of(logs.begin(), logs.end(), [](const Log& log) { return source_of(log).timed_in_part; });
    for (std::size_t at = 0; at < jobs.size(); ++at) runs.emplace_back(jobs[at], options.logs[at], by_totals);
    const std::span<const Run> earlier = std::span<const Run>(runs).first(runs.size() - 1);
    const auto numbers = compare_metrics(earlier, runs.back(), options.choice.noise);
    deliver(make_comparison(earlier, runs.back(), numbers, options.choice), targets, options.output.width,
            progress);
    int status = exit_done;
    if (const std::string why = not_to_be_judged(earlier, runs.back()); !conditions.empty() && !why.empty()) {
        tell(fmt::format("compare: the new run {}: it keeps no condition of --fail-if", why));
        status = exit_condition_holds;
    }
    for (const Condition& condition : conditions) {
        const std::string sentence = holds(condition, numbers);
        if (sentence.empty()) continue;
        tell("compare: " + sentence);
        status = exit_condition_holds;
    }
    return status;
}

}  // namespace

CommandLine compare_line()
{
    const auto options = std::make_shared<CompareOptions>();
    CommandLine line;
    line.options = {
        {"LOG", "TEXT", "logs of earlier runs, and that of the new one last", &options->logs, required}};
    line.add(output_options(options->output));
    line.add({
        {"--noise",
         "PERCENT",
         "what is no change, in percent of each number",
         &options->noise_percent,
         {.given = &options->has_noise,
          .bounds = Bounds{0, 1000},
          .rewrite = without_percent,
          .complaint = no_nan}},
        {"--fail-if", "NAME=N%",
         "end with status 3 if this became worse by more than so much (again for several)",
         &options->conditions},
        {"--files", "N", "files to list in a table (default 10)", &options->choice.files},
    });
    line.help = what_compare_does + std::string(on_conditions) + help_on_conditions() +
                std::string(help_on_forms) + compare_examples;
    line.action = [options] { return run_compare(*options); };
    return line;
}

}  // namespace fathom
