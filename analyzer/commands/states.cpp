// `fathom states`: when storage was idle, busy or between, by how long a probe's operations took.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/output/progress.h"
#include "analyzer/timing/probe/time_words.h"
#include "analyzer/timing/states/document.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr const char* what_states_does = R"(
WHAT IT DOES
  Storage that others share is now idle, now busy, and nobody says when; the times
  of operations show it. From latencies over time, as `fathom probe` writes
  them, this finds the states, how long they last and how often one follows the
  other, by a hidden Markov model in continuous time with log-normal latencies:
  samples need not be regular, and a probe may have been away for a while.

  States   Three are called idle, transitional and busy, by their latency. The
           search starts from the minima of the density of the latencies.
  Stays    How long each state lasted, and which of five distributions that is
           like: the model holds as far as it is the exponential.
  --train  The model is made of the first part alone, and latencies that it
           simulates are compared with those that were measured later.

COLUMNS
  time_s and latency_s of a probe; also t_min, t_s, start_s or time, and
  duration_s. Others are named by --time and --latency; their ending gives the
  unit: _ns, _us, _ms, _s, _min, _h, and seconds without any. The columns target
  and operation set apart what has a model of its own; rows with a text in the
  column error, or without a latency, are left out and counted.
)";

constexpr const char* states_examples = R"(
EXAMPLES
  fathom probe /scratch --every 60s --for 24h -o scratch.csv
  fathom states scratch.csv
  fathom states scratch.csv --operation write --train 12h -o states.html
  fathom states times.csv --time t_min --latency ms --states 2
  fathom states scratch.csv --format json | jq '.sections[].blocks[] | select(.id == "rates").rows'
  fathom states trial.csv --true-state set_state

EXIT STATUS
  0 done, 1 the CSV could not be read, nothing in it has enough samples, or the
  result could not be written, 2 bad usage)";

struct StatesOptions {
    std::string csv, train, gap, waiting = "path";
    SampleChoice samples;
    StatesChoice choice;
    OutputOptions output;
};

double seconds_of(const std::string& words, const char* option)
{
    const auto time = parse_time(words);
    if (!time) throw BadUsage(fmt::format("{} {}: no length of time; say 90s, 5min or 12h", option, words));
    return static_cast<double>(*time) / 1e9;
}

// "12h", "50%" or "0.5".
void set_train(StatesChoice& choice, const std::string& words)
{
    std::string number = words;
    const bool percent = number.ends_with('%');
    if (percent) number.pop_back();
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size()) {
        choice.train_seconds = seconds_of(words, "--train");
        return;
    }
    choice.train_share = percent ? value / 100 : value;
    if (!(choice.train_share > 0 && choice.train_share < 1))
        throw BadUsage(
            fmt::format("--train {}: a part is above 0 and below 1 (or 100 %); a length of time has a unit, "
                        "as 12h",
                        words));
}

std::string group_name(const SampleGroup& group)
{
    return group.target.empty() && group.operation.empty()
               ? std::string("the samples")
               : fmt::format("{}{}{}", group.target,
                             group.operation.empty() || group.target.empty() ? "" : ", ", group.operation);
}

std::vector<GroupStates> analyse(const StatesOptions& options, Samples samples, Progress& progress)
{
    std::vector<GroupStates> groups;
    const Tick tick = progress.stage("finding states", {false, "targets"});
    std::uint64_t found = 0;
    for (SampleGroup& group : samples.groups) {
        tick(groups.size(), samples.groups.size());
        GroupStates one{.group = std::move(group), .result = {}, .why_not = {}};
        try {
            one.result = find_states(one.group, options.choice);
            ++found;
        } catch (const std::invalid_argument& error) {
            one.why_not = error.what();
        }
        groups.push_back(std::move(one));
    }
    if (found == 0) {
        if (groups.empty())
            throw std::runtime_error(fmt::format(
                "{}: no row of what was asked for; see its columns target and operation", options.csv));
        throw std::runtime_error(
            fmt::format("{}: {}: {}", options.csv, group_name(groups[0].group), groups[0].why_not));
    }
    return groups;
}

int run_states(StatesOptions options)
{
    const std::vector<OutputTarget> targets = targets_of(options.output, {options.csv});
    if (const std::string_view kind = kind_of_log(options.csv); !kind.empty())
        throw BadUsage(fmt::format(
            "states: {}: this is a {}; name latencies over time as CSV, which fathom probe writes: "
            "fathom probe /scratch -o scratch.csv",
            options.csv, kind));
    if (!options.train.empty()) set_train(options.choice, options.train);
    if (!options.gap.empty()) options.choice.gap = seconds_of(options.gap, "--gap");
    if (options.waiting == "labels") options.choice.waiting_from = WaitingFrom::labels;
    Progress progress;
    const std::vector<GroupStates> groups =
        analyse(options, read_samples(options.csv, options.samples, progress.stage("reading", work_in_bytes)),
                progress);
    // Programs get the path sample by sample, which is no reading for people.
    for (const bool json : {true, false}) {
        std::vector<OutputTarget> some;
        std::copy_if(targets.begin(), targets.end(), std::back_inserter(some),
                     [&](const OutputTarget& target) {
                         return (target.renderer == report::renderer_of_format("json")) == json;
                     });
        if (some.empty()) continue;
        const StatesDetail detail = json ? StatesDetail::whole : StatesDetail::for_people;
        deliver(states_document(options.csv, groups, options.choice, detail), some, options.output.width,
                progress);
    }
    return exit_done;
}

}  // namespace

CommandLine states_line()
{
    const auto options = std::make_shared<StatesOptions>();
    CommandLine line;
    line.options = {
        {"CSV", "TEXT", "latencies over time, as `fathom probe` writes them", &options->csv, required}};
    line.add(output_options(options->output));
    line.add({
        {"--states",
         "N",
         "how many states to look for (default 3)",
         &options->choice.states,
         {.bounds = Bounds{2, 9}}},
        {"--target", "NAME", "only rows of this target", &options->samples.target},
        {"--operation", "NAME", "only rows of this operation: write or read", &options->samples.operation},
        {"--time", "COLUMN", "column of the times", &options->samples.time},
        {"--latency", "COLUMN", "column of the latencies", &options->samples.latency},
        {"--train", "PART", "make the model of the first part, 12h or 50%, and compare it with the rest",
         &options->train},
        {"--gap", "TIME", "so long without a sample breaks the chain (default: 30 times the usual interval)",
         &options->gap},
        {"--waiting",
         "path|labels",
         "what stays are counted by: the model's likeliest path, or the labels it started from",
         &options->waiting,
         {.choices = {"path", "labels"}}},
        {"--seed", "N", "of simulated latencies (default 1)", &options->choice.seed},
        {"--true-state", "COLUMN",
         "column of the state that was set, where that is known: says how often it was found",
         &options->samples.truth},
    });
    line.help = what_states_does + std::string(help_on_forms) + states_examples;
    line.action = [options] { return run_states(*options); };
    return line;
}

}  // namespace fathom
