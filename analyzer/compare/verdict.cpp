// Slower, faster or the same: in sentences, and as values for programs.
#include <cmath>
#include <fmt/format.h>

#include "analyzer/compare/causes.h"
#include "analyzer/compare/circumstances.h"
#include "analyzer/compare/comparison.h"
#include "analyzer/document/units.h"
#include "analyzer/job/endings.h"
#include "analyzer/job/recorded.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

std::string shown(const Compared& one, std::optional<double> value)
{
    return value ? format(cell_of(one.metric->measure, *value)) : "unknown";
}

std::string percent(double relative)
{
    return format_share(std::fabs(relative));
}

std::string noise_of(const Compared& one, std::span<const Run> earlier, const ComparisonChoice& choice)
{
    const std::string size = format_seconds(one.before.noise);
    const std::string taken = fmt::format("differences up to {} are taken for noise: ", size);
    switch (one.before.basis) {
        case NoiseBasis::spread:
            return fmt::format("of {} earlier runs one more would differ by up to {}, 95 times in 100",
                               earlier.size(), size);
        case NoiseBasis::chance:
            return taken + "the times of single operations vary so much that their sums do too";
        case NoiseBasis::named_share:
            return taken + fmt::format("{}, as --noise says", format_share(choice.noise.value_or(0)));
        case NoiseBasis::least:
            return taken + (one.before.noise >= 1 ? "some of the logs have the run time in whole seconds"
                                                  : "starting and ending a process vary as much");
        case NoiseBasis::standard_share:
            break;
    }
    return taken + fmt::format("{}; several earlier runs would give a better estimate",
                               format_share(noise_of_one_run));
}

std::string run_sentence(const Compared& run, std::span<const Run> earlier, const ComparisonChoice& choice)
{
    const std::string times =
        fmt::format("it ran {}, and {} before", shown(run, run.after), shown(run, run.mean_before));
    const std::string noise = noise_of(run, earlier, choice);
    if (run.change() == Change::same) return fmt::format("The same within noise: {} ({}).", times, noise);
    if (run.change() == Change::inconclusive) {
        // No less than what is worth naming: to see the smallest differences takes runs without end.
        const double difference =
            std::max(std::fabs(run.after.value_or(0) - run.before.mean), run.before.worth);
        return fmt::format(
            "Inconclusive: {} ({}). {} runs of each would show a difference of {}, {} of the run time.",
            times, noise, format_count(runs_to_see(run.before, difference).value_or(0)),
            format_seconds(difference), format_share(difference / run.before.mean));
    }
    const bool slower = run.change() == Change::more;
    const auto relative = run.relative();
    return fmt::format("{}{}: {} ({}).", slower ? "Slower" : "Faster",
                       relative ? fmt::format(" by {}", percent(*relative)) : "", times, noise);
}

std::string io_sentence(const Compared& io, const Run& later)
{
    const bool several = later.job->ranks.size() > 1;
    const std::string who =
        several ? fmt::format("The {} with most I/O", later.job->mpi ? "rank" : "process") : "It";
    const std::string times = fmt::format("{} spent {} in I/O calls, before {}", who, shown(io, io.after),
                                          shown(io, io.mean_before));
    const auto relative = io.relative();
    if (!io.after || !io.mean_before)
        return several ? "How long the rank with most I/O spent in it is not known of both." : "";
    if (io.change() == Change::same) return times + ": the same within noise.";
    if (io.change() == Change::inconclusive)
        return fmt::format("{}: inconclusive, since it may differ by {} by chance alone.", times,
                           format_seconds(io.before.noise));
    return fmt::format(
        "{}{}.", times,
        relative ? fmt::format(": {} {}", percent(*relative), io.change() == Change::more ? "more" : "less")
                 : "");
}

std::string rate_sentence(const Compared& rate, const Compared& per_node)
{
    if (!rate.after && !rate.mean_before) return {};
    std::string sentence = fmt::format("Data was transferred at {}, before at {}", shown(rate, rate.after),
                                       shown(rate, rate.mean_before));
    if (per_node.after || per_node.mean_before)
        sentence += fmt::format("; per compute node, by the slowest one's time, at {}, before at {}",
                                shown(per_node, per_node.after), shown(per_node, per_node.mean_before));
    return sentence + ".";
}

void warn_of_ends(const Run& run, std::vector<Block>& blocks)
{
    if (const std::size_t early = early_endings_of(*run.job); early > 0)
        blocks.push_back(Note{
            Weight::warning, fmt::format("{}: {} ended before {} time ({}): a run that does less is quicker.",
                                         run.path, counted(early, "process", "processes"),
                                         early == 1 ? "its" : "their", endings_of(*run.job))});
    if (!run.job->log.problems.empty())
        blocks.push_back(Note{
            Weight::warning,
            fmt::format("{} is damaged or incomplete: its numbers cover what could be read.", run.path)});
}

void add_notes(const Run& earlier, const Run& later, std::vector<Block>& blocks)
{
    if (of_other_programs(earlier, later))
        blocks.push_back(
            Note{Weight::warning,
                 "These are runs of different programs, see \"What was different about the runs\": what is "
                 "said here compares them, but neither is the norm of the other."});
    const std::size_t ranks = later.job->ranks.size(), before = earlier.job->ranks.size();
    const std::uint64_t nodes = later.job->nodes(), nodes_before = earlier.job->nodes();
    const bool nodes_known = nodes > 0 && nodes_before > 0;
    if (ranks != before || (nodes_known && nodes != nodes_before))
        blocks.push_back(Note{
            Weight::warning,
            fmt::format("The runs are of different size: {} {}{}, before {}{}. Less time is expected of more "
                        "of them for the same work.",
                        format_count(ranks), later.job->mpi ? "ranks" : "processes",
                        nodes_known ? fmt::format(" on {}", counted(nodes, "node", "nodes")) : "",
                        format_count(before),
                        nodes_known ? fmt::format(" on {}", format_count(nodes_before)) : "")});
}

// What both logs do not record cannot be compared.
void note_on_makers(std::span<const Run> earlier, const Run& later, std::span<const Compared> numbers,
                    std::vector<Block>& blocks)
{
    const Source& newest = source_of(later.job->log);
    const Source* maker = newest.own ? nullptr : &newest;
    bool all = true;
    for (const Run& run : earlier) {
        const Source& source = source_of(run.job->log);
        all = all && &source == &newest;
        if (!source.own && maker == nullptr) maker = &source;
    }
    if (maker == nullptr) return;
    std::string missing;
    for (const std::string_view id :
         {"io_time", "sync_time", "rate", "rate_window", "rate_per_node", "syncs", "metadata", "nodes"}) {
        const Compared& one = compared(numbers, id);
        if (one.mean_before && one.after) continue;
        add_to_list(missing, fmt::format("{}{}", one.metric->measure == Measure::rate ? "rate " : "",
                                         one.metric->label));
        if (id == "sync_time") missing += " (time)";
    }
    std::string words =
        fmt::format("{} of {}.", all ? "These are logs" : "One or more of the logs are", maker->name);
    if (!all) words += fmt::format(" {}", maker->beside_others);
    if (!missing.empty())
        words += fmt::format(" Not compared, since not all of the logs have it: {}.", missing);
    blocks.push_back(Note{Weight::information, std::move(words)});
}

}  // namespace

std::vector<Block> verdict_blocks(std::span<const Run> earlier, const Run& later,
                                  std::span<const Compared> numbers, const ComparisonChoice& choice)
{
    const Compared &run = compared(numbers, "run_time"), &io = compared(numbers, "io_time"),
                   &rate = compared(numbers, "rate"), &per_node = compared(numbers, "rate_per_node");
    std::vector<Block> blocks;
    for (const Run& one : earlier) warn_of_ends(one, blocks);
    warn_of_ends(later, blocks);
    add_notes(middle_run(earlier), later, blocks);
    note_on_makers(earlier, later, numbers, blocks);
    std::string sentences = run_sentence(run, earlier, choice) + " " + io_sentence(io, later);
    if (const std::string rates = rate_sentence(rate, per_node); !rates.empty()) sentences += " " + rates;
    blocks.push_back(Paragraph{sentences});

    constexpr std::string_view verdicts[] = {"same", "slower", "faster", "inconclusive"};
    const auto share_cell = [](const Compared& one) {
        const auto relative = one.relative();
        return relative ? share(*relative) : unknown(Measure::share);
    };
    Entries entries;
    entries.entries = {
        {"verdict", "run time", text(verdicts[static_cast<std::size_t>(run.change())]), ""},
        {"io_verdict", "time in I/O",
         cell_if(io.mean_before && io.after, text(verdicts[static_cast<std::size_t>(io.change())])), ""},
        {"run_time_change", "change of run time", share_cell(run), "of what it was before"},
        {"io_time_change", "change of time in I/O", share_cell(io), "of the slowest"},
    };
    if (is_beyond_noise(run.change()) || is_beyond_noise(io.change())) {
        const auto causes = causes_of(middle_run(earlier), later);
        // Where the run is as long as before, what its I/O took is in question.
        const Compared& changed = is_beyond_noise(run.change()) ? run : io;
        const bool longer = changed.after.value_or(0) > changed.mean_before.value_or(0);
        for (const Cause& cause : causes)
            if (cause.certain && (cause.seconds > 0) == longer) {
                entries.entries.push_back({"main_cause", "most of it", text(cause.what), cause.from_to});
                break;
            }
    }
    blocks.push_back(std::move(entries));
    return blocks;
}

}  // namespace fathom
