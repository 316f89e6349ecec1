// The time in I/O is divided into reads, writes and metadata calls. What of each is more than usual is then
// given to causes, one after the other, each no more than what those before have left.
#include "analyzer/slowdown/explain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyzer/history/usual.h"
#include "analyzer/methods/quartiles.h"

namespace fathom::slowdown {
namespace {

constexpr std::size_t metadata = 2;
// What differs by less is the same.
constexpr double same_bytes = 0.02, same_calls = 0.1, same_requests = 0.25, same_order = 0.2;
// Parts below this of the difference are left to the rest.
constexpr double worth_naming = 0.02;

using Channels = std::array<double, 3>;

// Of the slowest rank, as reads, writes and metadata calls share the time of all processes.
Channels channels_of(const RunNumbers& run)
{
    const Channels all{run.data[0].seconds, run.data[1].seconds, run.metadata_seconds};
    const double sum = all[0] + all[1] + all[2];
    Channels own{};
    for (std::size_t at = 0; at < own.size(); ++at) own[at] = sum > 0 ? run.io * all[at] / sum : 0;
    return own;
}

template <class Of>
std::vector<double> values_of(std::span<const RunNumbers> runs, Of of)
{
    std::vector<double> values;
    for (const RunNumbers& run : runs)
        if (const double value = of(run); std::isfinite(value)) values.push_back(value);
    return values;
}

template <class Of>
double median_of(std::span<const RunNumbers> runs, Of of)
{
    const auto numbers = five_numbers_of(values_of(runs, of));
    return numbers ? numbers->median : RunNumbers::not_known;
}

double outside_of(const RunNumbers& run)
{
    return run.run - run.io;
}

// How far from the median one more run usually is; nothing of too few.
std::optional<double> margin_of(const std::vector<double>& values)
{
    const auto usual = history::usual_of(values);
    return usual ? std::optional(usual->limit - usual->numbers.median) : std::nullopt;
}

double all_seconds(const RunNumbers& run)
{
    return run.data[0].seconds + run.data[1].seconds + run.metadata_seconds;
}

// Ranks that wait for the I/O of another one, at a barrier, are not in I/O: then the time in which some rank
// is counts. It does where I/O took longer by a factor that explains most of what that time grew by; else the
// ranks may just have been apart.
bool counts_by_window(const RunNumbers& run, std::span<const RunNumbers> others)
{
    const auto windows = values_of(others, [](const RunNumbers& one) { return one.window; });
    if (!std::isfinite(run.window) || windows.size() < others.size()) return false;
    const double usual = five_numbers_of(windows)->median;
    const double growth = std::max(
        run.io / median_of(others, [](const RunNumbers& one) { return one.io; }),
        all_seconds(run) / median_of(others, [](const RunNumbers& one) { return all_seconds(one); }));
    constexpr double most = 0.5;
    return run.window > usual && usual * (growth - 1) >= most * (run.window - usual);
}

class Search {
  public:
    Search(const RunNumbers& run, std::span<const RunNumbers> others) : run_(run), others_(others)
    {
        const Channels own = channels_of(run);
        for (std::size_t at = 0; at < own.size(); ++at) {
            usual_[at] = median_of(others, [&](const RunNumbers& one) { return channels_of(one)[at]; });
            left_[at] = own[at] - usual_[at];
        }
    }

    // Time in proportion to the amount, no more than is there.
    void by_amount(Cause cause, std::size_t channel, double own, double usual, double same)
    {
        if (!std::isfinite(own) || !(usual > 0) || std::abs(own / usual - 1) < same) return;
        const double seconds = usual_[channel] * (own / usual - 1);
        const double most = left_[channel];
        if (seconds * most <= 0) return;
        take(cause, channel, channel, std::abs(seconds) < std::abs(most) ? seconds : most, own, usual);
    }
    // All of what is left of a channel.
    void all_of(Cause cause, std::size_t channel, double own, double usual)
    {
        if (left_[channel] > 0) take(cause, channel, channel, left_[channel], own, usual);
    }
    // Of channels of which more than that is left, together.
    void rest_above(double margin)
    {
        Part part{Cause::slower};
        for (std::size_t at = 0; at < left_.size(); ++at) {
            if (left_[at] <= margin) continue;
            part.which |= std::size_t{1} << at;
            part.seconds += left_[at];
            part.own += usual_[at] + left_[at];
            part.others += usual_[at];
            left_[at] = 0;
        }
        if (part.seconds > 0) parts.push_back(part);
    }
    // So many seconds in all, of the channels as they have time left.
    void from_all(Cause cause, std::size_t which, double seconds)
    {
        const double there = positive_left();
        const double given = std::min(seconds, there);
        if (!(given > 0)) return;
        for (double& left : left_)
            if (left > 0) left -= given * left / there;
        for (Part& part : parts)
            if (part.cause == cause && part.which == which) {
                part.seconds += given;
                return;
            }
        parts.push_back({cause, which, given});
    }
    double positive_left() const
    {
        return std::accumulate(left_.begin(), left_.end(), 0.0,
                               [](double sum, double one) { return sum + std::max(one, 0.0); });
    }
    double left() const { return std::accumulate(left_.begin(), left_.end(), 0.0); }

    void bytes_and_calls()
    {
        for (std::size_t at = 0; at < metadata; ++at)
            by_amount(Cause::bytes, at, run_.data[at].bytes,
                      median_of(others_, [&](const RunNumbers& one) { return one.data[at].bytes; }),
                      same_bytes);
        by_amount(Cause::metadata_calls, metadata, run_.metadata_calls,
                  median_of(others_, [](const RunNumbers& one) { return one.metadata_calls; }), same_calls);
    }
    // Their cost cannot be known from runs that all have the same: what is left is theirs.
    bool requests()
    {
        const std::size_t before = parts.size();
        for (std::size_t at = 0; at < metadata; ++at) {
            const auto size = [&](const RunNumbers& one) {
                return one.data[at].requests > 0 ? one.data[at].bytes / one.data[at].requests
                                                 : RunNumbers::not_known;
            };
            const double own = size(run_), usual = median_of(others_, size);
            if (own < usual * (1 - same_requests)) all_of(Cause::requests, at, own, usual);
        }
        const double syncs = median_of(others_, [](const RunNumbers& one) { return one.syncs; });
        if (run_.syncs > syncs * (1 + same_requests) && run_.syncs >= syncs + 2)
            all_of(Cause::syncs, 1, run_.syncs, syncs);
        const double order = median_of(others_, [](const RunNumbers& one) { return one.sequential; });
        if (run_.sequential < order - same_order)
            for (std::size_t at = 0; at < metadata; ++at) all_of(Cause::order, at, run_.sequential, order);
        return parts.size() > before;
    }

    std::vector<Part> parts;

  private:
    void take(Cause cause, std::size_t channel, std::size_t which, double seconds, double own, double usual)
    {
        left_[channel] -= seconds;
        parts.push_back({cause, which, seconds, own, usual});
    }

    const RunNumbers& run_;
    std::span<const RunNumbers> others_;
    Channels usual_{}, left_{};
};

// Chooses which time the difference is of: the run time, where that is slow too or most of the difference in
// I/O shows in it.
void choose_time(const RunNumbers& run, std::span<const RunNumbers> others, Explanation& made)
{
    const std::vector<double> io = values_of(others, [](const RunNumbers&one) { return one.io; }),
                              runs = values_of(others, [](const RunNumbers&one) { return one.run; });
    const auto set = [&](bool of_run_time, double seconds, const std::vector<double>& values) {
        made.of_run_time = of_run_time;
        made.seconds = seconds;
        made.median = five_numbers_of(values)->median;
        const auto usual = history::usual_of(values);
        made.limit = usual ? std::optional(usual->limit) : std::nullopt;
    };
    set(false, run.io, io);
    const auto judged_io = history::judge(run.io, io), judged_run = history::judge(run.run, runs);
    made.slow = judged_io && judged_io->slow;
    if (!std::isfinite(run.run) || runs.size() < io.size()) return;
    const bool slow_run = judged_run && judged_run->slow;
    constexpr double most = 0.5;
    if (made.slow && !slow_run && run.run - five_numbers_of(runs)->median < most * made.difference()) return;
    set(true, run.run, runs);
    made.slow = made.slow || slow_run;
}

// Of what the difference is made up.
void add_parts(const RunNumbers& run, std::span<const RunNumbers> others, const Outside& outside,
               Explanation& made)
{
    Search search(run, others);
    search.bytes_and_calls();
    const double scale = outside.active > 0 ? std::min(1.0, run.io / outside.active) : 1;
    double to_neighbours = 0;
    for (const double lost : outside.neighbours) to_neighbours += std::max(lost, 0.0) * scale;
    const double there = search.positive_left();
    for (std::size_t at = 0; at < outside.neighbours.size() && to_neighbours > 0; ++at)
        if (const double lost = outside.neighbours[at] * scale; lost > 0)
            search.from_all(Cause::neighbour, at, lost * std::min(1.0, there / to_neighbours));
    search.from_all(Cause::server, 0, outside.servers);

    const auto margin = margin_of(values_of(others, [](const RunNumbers& one) { return one.io; }));
    // What is usual anyway has no cause of its own.
    if (!margin || search.left() > *margin) {
        // Smaller requests make storage move less, too. Costs of servers are of their bytes alone, without
        // metadata calls; intervals in which a run is active for a part alone make its usual rate look lower
        // than it is.
        constexpr double more_than_seen = 0.5;
        if (!search.requests()) {
            search.from_all(Cause::server, 0, more_than_seen * outside.servers);
            search.from_all(Cause::storage, 0, (1 + more_than_seen) * run.io * (1 - outside.storage));
        }
        if (outside.circumstance) search.from_all(Cause::circumstance, 0, search.left());
        if (margin) search.rest_above(*margin / 2);
    }
    if (made.of_run_time) {
        const std::vector<double> beside = values_of(others, outside_of);
        double more = outside_of(run) - five_numbers_of(beside)->median;
        const auto usual = margin_of(beside);
        if (!usual || std::abs(more) > *usual) {
            const double waited = median_of(others, [](const RunNumbers& one) { return one.core_wait; });
            if (const double longer = std::min(run.core_wait - waited, more); longer > 0) {
                search.parts.push_back({Cause::cores, 0, longer, run.core_wait, waited});
                more -= longer;
            }
            search.parts.push_back({Cause::outside_io, 0, more, outside_of(run), outside_of(run) - more});
        }
    }
    double named = 0;
    for (const Part& part : search.parts) {
        if (std::abs(part.seconds) < worth_naming * std::abs(made.difference())) continue;
        named += part.seconds;
        made.parts.push_back(part);
    }
    std::ranges::stable_sort(made.parts, {}, [](const Part& part) { return -part.seconds; });
    made.parts.push_back({made.limit ? Cause::usual : Cause::few_runs, 0, made.difference() - named});
}

}  // namespace

std::optional<Explanation> explain(const RunNumbers& run, std::span<const RunNumbers> others,
                                   const Outside& outside)
{
    if (!std::isfinite(run.io) || values_of(others, [](const RunNumbers& one) { return one.io; }).empty())
        return {};
    Explanation made;
    choose_time(run, others, made);
    if (made.of_run_time && counts_by_window(run, others)) {
        std::vector<RunNumbers> by_window(others.begin(), others.end());
        for (RunNumbers& one : by_window) one.io = one.window;
        RunNumbers own = run;
        own.io = run.window;
        add_parts(own, by_window, outside, made);
    } else {
        add_parts(run, others, outside, made);
    }
    return made;
}

}  // namespace fathom::slowdown
