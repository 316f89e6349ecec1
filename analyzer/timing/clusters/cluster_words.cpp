// The numbers of a group as cells, and sentences on slow and quick ones.
#include "analyzer/timing/clusters/cluster_words.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/methods/rate.h"

namespace fathom {
namespace {

using namespace report;

// What is worth a sentence: the slow ones take this many times as long, and this part of the time.
constexpr double much_slower = 3, much_time = 0.1, much_quicker = 10;

std::string times_as_long(double times)
{
    return times < 10 ? fmt::format("{:.1f} times as long", times)
                      : format_count(static_cast<std::uint64_t>(times + 0.5)) + " times as long";
}

// "3 % of the writes of 1 MiB (30 of 1,000)"
std::string part_of(std::uint64_t operations, const ClusteredClass& of)
{
    const std::uint64_t all = of.groups.all.operations;
    return fmt::format("{}{}{} of the {} ({} of {})", of.whose, of.whose.empty() ? "" : ": ",
                       format(share_of(static_cast<double>(operations), static_cast<double>(all))), of.plural,
                       format_count(operations), format_count(all));
}

std::string sentence_on_slow(const ClusteredClass& of)
{
    const DurationGroup &slow = of.groups.slow, &usual = of.groups.usual;
    if (slow.operations == 0 || usual.mean() <= 0 || slow.mean() < much_slower * usual.mean() ||
        slow.time < much_time * of.groups.all.time)
        return {};
    return fmt::format(
        "{} took {} as the others, {} rather than {} on average. They took {} of the time of all, "
        "{}; at the pace of the others it would have been {}.",
        part_of(slow.operations, of), times_as_long(slow.mean() / usual.mean()), format_seconds(slow.mean()),
        format_seconds(usual.mean()), format(share_of(slow.time, of.groups.all.time)),
        format_seconds(slow.time), format_seconds(usual.mean() * static_cast<double>(slow.operations)));
}

// Where most are slow, what some could do says more.
std::string sentence_on_quick(const ClusteredClass& of)
{
    const DurationGroup& quick = of.groups.quick;
    const std::uint64_t others = of.groups.all.operations - quick.operations;
    if (quick.operations == 0 || others == 0 || quick.mean() <= 0) return {};
    const double mean = (of.groups.all.time - quick.time) / static_cast<double>(others);
    if (mean < much_quicker * quick.mean()) return {};
    return fmt::format("{} took only {} on average; the others took {}, {}.", part_of(quick.operations, of),
                       format_seconds(quick.mean()), format_seconds(mean),
                       times_as_long(mean / quick.mean()));
}

}  // namespace

std::vector<DataColumn> columns_of_groups()
{
    return {{"operations", "count", Measure::count},
            {"mean", "mean", Measure::seconds},
            {"median", "median", Measure::seconds},
            {"share", "of time", Measure::share},
            {"rate", "rate", Measure::rate}};
}

Cell rate_of_group(const ClusteredClass& of, const DurationGroup& part)
{
    if (!of.mean_bytes || part.time <= 0) return unknown(Measure::rate);
    return rate(*of.mean_bytes * static_cast<double>(part.operations) / mebibyte / part.time);
}

std::vector<Cell> cells_of(const ClusteredClass& of, const DurationGroup& part)
{
    const bool any = part.operations > 0;
    return {count(part.operations), any ? seconds(part.mean()) : unknown(Measure::seconds),
            any ? seconds(part.median) : unknown(Measure::seconds), share_of(part.time, of.groups.all.time),
            rate_of_group(of, part)};
}

std::vector<std::string> sentences_on(const ClusteredClass& of)
{
    std::vector<std::string> all;
    for (std::string sentence : {sentence_on_slow(of), sentence_on_quick(of)})
        if (!sentence.empty()) all.push_back(std::move(sentence));
    return all;
}

const std::string_view words_on_groups =
    "Groups: clusters, each a hill of the distribution of durations on a logarithmic scale (kernel density; "
    "hills of less than 5 % of the highest count with their neighbour). Outliers took longer than the slope "
    "of "
    "the last one reaches.";

}  // namespace fathom
