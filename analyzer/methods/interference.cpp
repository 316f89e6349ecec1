// The model is a simulation that steps from one start or end of a job to the next.
#include "analyzer/methods/interference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analyzer/methods/not_finite.h"

namespace fathom {
namespace {

constexpr std::uint64_t nanoseconds_a_second = 1'000'000'000;
constexpr double negligible = 0.05;

bool is_time(double seconds)
{
    return std::isfinite(seconds) && seconds > 0;
}
bool is_pair(PairSeconds times, double large_processes, double small_processes)
{
    return is_time(times.large) && is_time(times.small) && std::isfinite(large_processes) &&
           small_processes >= 1 && large_processes >= small_processes;
}

bool is_active(const ActiveBin& bin)
{
    return bin.bytes > 0 || bin.processes > 0;
}

double seconds_of(std::uint64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e9;
}

// The first bin that ends behind this moment.
auto first_behind(const ActiveBins& bins, std::uint64_t moment)
{
    return std::ranges::lower_bound(bins.bins, moment / bins.length, {}, &ActiveBin::number);
}

}  // namespace

PairSeconds seconds_together(PairSeconds alone, double large_processes, double small_processes)
{
    if (!is_pair(alone, large_processes, small_processes)) return {nan, nan};
    return {alone.large * (large_processes + small_processes) / large_processes, alone.small + alone.large};
}

PairSeconds seconds_alone(PairSeconds together, double large_processes, double small_processes)
{
    if (!is_pair(together, large_processes, small_processes)) return {nan, nan};
    const double large = together.large * large_processes / (large_processes + small_processes);
    return {large, together.small - large};
}

std::vector<double> seconds_side_by_side(std::span<const Contender> jobs)
{
    std::vector<double> left(jobs.size(), 0), taken(jobs.size(), nan);
    double now = infinity;
    std::size_t open = 0;
    for (std::size_t at = 0; at < jobs.size(); ++at) {
        const Contender& job = jobs[at];
        if (!is_time(job.seconds) || !is_time(job.processes) || !std::isfinite(job.start)) continue;
        left[at] = job.seconds;
        now = std::min(now, job.start);
        ++open;
    }
    while (open > 0) {
        double processes = 0, next = infinity;
        for (std::size_t at = 0; at < jobs.size(); ++at) {
            if (!(left[at] > 0)) continue;
            if (jobs[at].start <= now)
                processes += jobs[at].processes;
            else
                next = std::min(next, jobs[at].start);
        }
        std::size_t ends = jobs.size();
        for (std::size_t at = 0; at < jobs.size(); ++at) {
            if (!(left[at] > 0) || jobs[at].start > now) continue;
            if (const double end = now + left[at] * processes / jobs[at].processes; end <= next) {
                next = end;
                ends = at;
            }
        }
        for (std::size_t at = 0; at < jobs.size(); ++at)
            if (at != ends && left[at] > 0 && jobs[at].start <= now)
                left[at] = std::max(left[at] - (next - now) * jobs[at].processes / processes,
                                    std::numeric_limits<double>::min());
        now = next;
        if (ends == jobs.size()) continue;
        left[ends] = 0;
        taken[ends] = now - jobs[ends].start;
        --open;
    }
    return taken;
}

double seconds_alone(double apart, double together, double processes, double others)
{
    const bool known = processes >= 1 && others >= 0 && apart >= 0 && together >= 0;
    return known ? apart + together * processes / (processes + others) : nan;
}

double relative_error(double predicted, double observed)
{
    return is_time(observed) && std::isfinite(predicted) ? (predicted - observed) / observed : nan;
}

ActiveBins on_grid(const ActiveBins& bins, std::uint64_t length)
{
    if (length == bins.length || bins.length == 0 || length == 0) return bins;
    ActiveBins result{length, {}};
    for (const ActiveBin& bin : bins.bins) {
        const std::uint64_t begin = bin.number * bins.length, end = begin + bins.length;
        for (std::uint64_t number = begin / length; number * length < end; ++number) {
            const std::uint64_t from = std::max(begin, number * length),
                                to = std::min(end, (number + 1) * length);
            if (result.bins.empty() || result.bins.back().number != number)
                result.bins.push_back({.number = number});
            ActiveBin& into = result.bins.back();
            into.bytes += bin.bytes * static_cast<double>(to - from) / static_cast<double>(bins.length);
            into.processes = std::max(into.processes, bin.processes);
        }
    }
    return result;
}

double most_active(const ActiveBins& bins)
{
    double most = 0;
    for (const ActiveBin& bin : bins.bins) most = std::max(most, bin.processes);
    return most;
}

double Moved::rate() const
{
    return seconds > 0 ? bytes / seconds : nan;
}

void Moved::add(double more_bytes, double more_seconds)
{
    bytes += more_bytes;
    seconds += more_seconds;
}

PairOverlap overlap_of(const ActiveBins& first, const ActiveBins& second)
{
    PairOverlap pair;
    pair.length = std::max(first.length, second.length);
    pair.first.processes = most_active(first);
    pair.second.processes = most_active(second);
    const ActiveBins a = on_grid(first, pair.length), b = on_grid(second, pair.length);
    const double seconds = seconds_of(pair.length);
    struct Both {
        std::uint64_t number;
        double first_bytes, second_bytes;
        bool all;
    };
    std::vector<Both> both;
    auto of_b = b.bins.begin();
    for (const ActiveBin& bin : a.bins) {
        for (; of_b != b.bins.end() && of_b->number < bin.number; ++of_b)
            if (is_active(*of_b)) pair.second.apart.add(of_b->bytes, seconds);
        const bool met = of_b != b.bins.end() && of_b->number == bin.number && is_active(*of_b);
        if (met && is_active(bin))
            both.push_back(
                {bin.number, bin.bytes, of_b->bytes,
                 bin.processes >= pair.first.processes && of_b->processes >= pair.second.processes});
        else if (is_active(bin))
            pair.first.apart.add(bin.bytes, seconds);
        else if (met)
            pair.second.apart.add(of_b->bytes, seconds);
        if (met) ++of_b;
    }
    for (; of_b != b.bins.end(); ++of_b)
        if (is_active(*of_b)) pair.second.apart.add(of_b->bytes, seconds);
    if (both.empty()) return pair;
    pair.together = static_cast<double>(both.size()) * seconds;
    pair.first_to_last = BinStretch{both.front().number, both.back().number + 1};
    for (auto from = both.begin(); from != both.end();) {
        auto to = from;
        BinStretch stretch{from->number, from->number};
        while (to != both.end() && to->all && to->number == stretch.to) {
            ++stretch.to;
            ++to;
        }
        if (stretch.length() > 0 &&
            (!pair.active_overlap || stretch.length() > pair.active_overlap->length()))
            pair.active_overlap = stretch;
        from = to == from ? from + 1 : to;
    }
    for (const Both& bin : both) {
        pair.first.together.add(bin.first_bytes, seconds);
        pair.second.together.add(bin.second_bytes, seconds);
        if (!pair.active_overlap || bin.number < pair.active_overlap->from ||
            bin.number >= pair.active_overlap->to)
            continue;
        pair.first.overlap.add(bin.first_bytes, seconds);
        pair.second.overlap.add(bin.second_bytes, seconds);
    }
    return pair;
}

Disturbance disturbance_of(const ActiveBins& job, std::span<const ActiveBins* const> neighbours, double usual)
{
    Disturbance result;
    if (job.length == 0 || job.bins.empty()) return result;
    const std::uint64_t window_bins = std::max<std::uint64_t>(nanoseconds_a_second / job.length, 1),
                        begin = job.bins.front().number * job.length,
                        end = (job.bins.back().number + 1) * job.length;
    std::vector<bool> beside(job.bins.size(), false);
    // What a neighbour did in a window: they come by neighbour, and by window.
    struct Did {
        std::size_t neighbour;
        std::uint64_t window;
        double bytes, seconds;
    };
    std::vector<Did> did;
    for (std::size_t at = 0; at < neighbours.size(); ++at) {
        const ActiveBins& other = *neighbours[at];
        if (other.length == 0) continue;
        auto own = job.bins.begin();
        for (auto bin = first_behind(other, begin); bin != other.bins.end(); ++bin) {
            const std::uint64_t from = bin->number * other.length, to = from + other.length;
            if (from >= end) break;
            if (!is_active(*bin)) continue;
            while (own != job.bins.end() && (own->number + 1) * job.length <= from) ++own;
            for (auto one = own; one != job.bins.end() && one->number * job.length < to; ++one) {
                if (!is_active(*one)) continue;
                beside[static_cast<std::size_t>(one - job.bins.begin())] = true;
                const std::uint64_t window = one->number / window_bins,
                                    met = std::min(to, (one->number + 1) * job.length) -
                                          std::max(from, one->number * job.length);
                if (did.empty() || did.back().neighbour != at || did.back().window != window)
                    did.push_back({at, window, 0, 0});
                did.back().bytes += bin->bytes * static_cast<double>(met) / static_cast<double>(other.length);
                did.back().seconds += seconds_of(met);
            }
        }
    }
    struct Window {
        double own = 0;                 // bytes of the job in bins beside others
        Moved moved;                    // the same, where the others moved enough to count
        double bytes = 0, seconds = 0;  // of all neighbours
        bool counts() const { return bytes >= negligible * own; }
    };
    std::map<std::uint64_t, Window> windows;
    for (std::size_t at = 0; at < job.bins.size(); ++at)
        if (beside[at]) windows[job.bins[at].number / window_bins].own += job.bins[at].bytes;
    for (const Did& one : did) {
        Window& window = windows[one.window];
        window.bytes += one.bytes;
        window.seconds += one.seconds;
    }
    for (std::size_t at = 0; at < job.bins.size(); ++at) {
        if (!is_active(job.bins[at])) continue;
        const double seconds = seconds_of(job.length);
        Window* const window = beside[at] ? &windows[job.bins[at].number / window_bins] : nullptr;
        const bool counts = window != nullptr && window->counts();
        (counts ? result.beside : result.alone).add(job.bins[at].bytes, seconds);
        if (counts) window->moved.add(job.bins[at].bytes, seconds);
    }
    const bool known = is_time(usual);
    result.lost = known ? result.beside.seconds - result.beside.bytes / usual : nan;
    for (const Did& one : did) {
        const Window& window = windows[one.window];
        if (!window.counts()) continue;
        if (result.parts.empty() || result.parts.back().neighbour != one.neighbour)
            result.parts.push_back({.neighbour = one.neighbour});
        NeighbourPart& part = result.parts.back();
        part.bytes += one.bytes;
        part.seconds += one.seconds;
        const double share = window.bytes > 0 ? one.bytes / window.bytes : one.seconds / window.seconds;
        part.own.add(share * window.moved.bytes, share * window.moved.seconds);
    }
    for (NeighbourPart& part : result.parts)
        part.lost = known ? part.own.seconds - part.own.bytes / usual : nan;
    return result;
}

}  // namespace fathom
