// By bursts as they were: where a process had many, only its first ones are not put together.
#include "analyzer/findings/turns.h"

#include <limits>
#include <unordered_map>
#include <utility>

#include "analyzer/methods/intervals.h"

namespace fathom {
namespace {

struct Turn {
    std::uint64_t start = 0, end = 0;
    std::size_t rank = 0;
    std::uint64_t length = end - start;  // of its last burst
};

// In the order of time.
std::vector<Turn> all_turns(const Job& job)
{
    std::vector<Turn> turns;
    for (const Burst& burst : job.log.rows<Burst>())
        if (const std::int64_t rank = job.rank_index(burst.process); rank >= 0)
            turns.push_back({burst.start, burst.end, static_cast<std::size_t>(rank)});
    std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.start < b.start; });
    return turns;
}

// Those from before any rank's bursts may have been put together.
std::vector<Turn> turns_as_they_were(const Job& job, const std::vector<Turn>& all)
{
    constexpr std::uint64_t as_they_were = 4'000'000;  // ns: pauses that end a burst until there are too many
    std::uint64_t until = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint32_t> of_rank(job.ranks.size());
    for (const Turn& turn : all) {
        if (turn.start >= until) break;
        if (job.ranks[turn.rank].process.burst_gap > as_they_were && ++of_rank[turn.rank] == first_bursts)
            until = turn.end;
    }
    std::vector<Turn> turns;
    for (const Turn& turn : all)
        if (turn.start < until) turns.push_back(turn);
    return turns;
}

// Of the turns that another rank's follows, the share that is followed by the same rank as most of that
// rank's are.
double share_in_order(const std::vector<Turn>& turns, std::size_t ranks)
{
    std::vector<std::unordered_map<std::size_t, std::size_t>> next(ranks);
    for (std::size_t at = 1; at < turns.size(); ++at) ++next[turns[at - 1].rank][turns[at].rank];
    std::size_t in_order = 0;
    for (const auto& of_rank : next) {
        std::size_t most = 0;
        for (const auto& [rank, times] : of_rank) most = std::max(most, times);
        in_order += most;
    }
    return static_cast<double>(in_order) / static_cast<double>(turns.size() - 1);
}

// One of several bursts.
std::vector<Turn> whole_turns(const std::vector<Turn>& bursts)
{
    std::vector<Turn> turns;
    for (const Turn& burst : bursts)
        if (!turns.empty() && turns.back().rank == burst.rank)
            turns.back().end = std::max(turns.back().end, burst.end), turns.back().length = burst.length;
        else
            turns.push_back(burst);
    return turns;
}

// Whether most turns begin as soon as another rank's has ended; or nearly all but those of the rank with the
// first, before which ranks compute.
bool hand_over(const std::vector<Turn>& turns)
{
    constexpr double most = 0.75, nearly_all = 0.9;
    constexpr std::uint64_t at_once = 1'000'000;  // ns
    constexpr std::size_t several = 4;
    std::size_t handed = 0, handed_on = 0, in_rounds = 0;
    for (std::size_t at = 1; at < turns.size(); ++at) {
        const bool soon = turns[at].start <= turns[at - 1].end + std::max(at_once, turns[at - 1].length / 20);
        const Turn& last = turns[at - 1];
        const bool in_round = turns[at].rank != turns[0].rank;
        handed += soon;
        in_rounds += in_round;
        handed_on += in_round && turns[at].start <= last.end + std::max(at_once, (last.end - last.start) / 5);
    }
    return turns.size() > 1 && (static_cast<double>(handed) >= most * static_cast<double>(turns.size() - 1) ||
                                (in_rounds >= several && static_cast<double>(handed_on) >=
                                                             nearly_all * static_cast<double>(in_rounds)));
}

// Whether ranks do their I/O one after the other: most turns begin when another rank's has ended, and about
// half of them right after it; or nearly all are in the same order of ranks, however long the pauses.
struct Succession {
    bool by_turns = false, taken_over = false, in_rounds = false;
};
Succession take_turns(const std::vector<Turn>& turns, std::size_t ranks)
{
    constexpr std::size_t few = 8, several_rounds = 6;
    constexpr double nearly_all = 0.9, about_half = 0.4, always = 0.97;
    if (turns.size() < few) return {};
    std::size_t alone = 0, taken_over = 0;
    for (std::size_t at = 1; at < turns.size(); ++at) {
        const Turn &last = turns[at - 1], &one = turns[at];
        if (one.start + last.length / 10 < last.end) continue;
        ++alone;
        taken_over += one.start <= last.end + last.length;
    }
    const auto all = static_cast<double>(turns.size() - 1);
    if (static_cast<double>(alone) < nearly_all * all) return {};
    const bool soon = static_cast<double>(taken_over) >= about_half * all;
    const double in_order = ranks > 2 ? share_in_order(turns, ranks) : 0;
    return {soon || in_order >= nearly_all, soon,
            in_order >= always && turns.size() >= several_rounds * ranks};
}

// Those that are a good part of the run, if they are one of each of several ranks, and each begins when the
// last has ended: so does the chain of ranks that each wait for a word of the one before. Else none.
std::vector<Turn> long_turns(const std::vector<Turn>& turns, const Job& job)
{
    constexpr std::size_t few = 3;
    constexpr double good_part = 0.03, much_in_all = 0.2, apart = 0.1;
    std::uint64_t run = 0;
    for (const Member& member : job.ranks) run = std::max(run, member.run_time());
    std::vector<Turn> chain;
    std::vector<bool> had(job.ranks.size());
    double in_all = 0;
    for (const Turn& turn : turns) {
        const auto length = static_cast<double>(turn.end - turn.start);
        if (length < good_part * static_cast<double>(run)) continue;
        if (had[turn.rank]) return {};
        had[turn.rank] = true;
        in_all += length;
        if (!chain.empty()) {
            const double pause = static_cast<double>(turn.start) - static_cast<double>(chain.back().end),
                         last = static_cast<double>(chain.back().end - chain.back().start);
            if (pause < -apart * last || pause > apart * last) return {};
        }
        chain.push_back(turn);
    }
    return chain.size() >= few && in_all >= much_in_all * static_cast<double>(run) ? chain
                                                                                   : std::vector<Turn>{};
}

// ns from a point of each turn to the start of the next, by the lesser median: where a round of turns ends
// there may be computing.
double time_to_next(const std::vector<Turn>& turns, std::uint64_t Turn::*from)
{
    std::vector<double> times;
    for (std::size_t at = 1; at < turns.size(); ++at)
        times.push_back(turns[at].start > turns[at - 1].*from
                            ? static_cast<double>(turns[at].start - turns[at - 1].*from)
                            : 0);
    if (times.empty()) return 0;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

double pause_between(const std::vector<Turn>& turns)
{
    return time_to_next(turns, &Turn::end);
}

// ns of all bursts, by those of the beginning where later ones were put together.
double time_in(const std::vector<Turn>& turns, const std::vector<Turn>& all)
{
    double time = 0;
    std::uint64_t end = 0, end_of_all = 0;
    for (const Turn& turn : turns) {
        time += static_cast<double>(turn.end - turn.start);
        end = std::max(end, turn.end);
    }
    for (const Turn& turn : all) end_of_all = std::max(end_of_all, turn.end);
    const std::uint64_t start = turns.front().start;
    return end > start ? time * static_cast<double>(end_of_all - start) / static_cast<double>(end - start)
                       : time;
}

// Whether ranks are in I/O at the same time for less than a third of what chance would have, which is what
// ranks do that wait for each other; by how long each was in I/O of the time from the first burst to the
// last.
bool keep_out_of_the_way(const std::vector<Turn>& turns, std::size_t ranks)
{
    constexpr std::size_t few = 16;
    constexpr double telling = 0.05, third = 1.0 / 3;
    if (turns.size() < few) return false;
    std::vector<Interval> intervals;
    std::vector<double> of_rank(ranks);
    std::uint64_t end = 0;
    double sum = 0;
    for (const Turn& turn : turns) {
        intervals.push_back({turn.start, turn.end});
        of_rank[turn.rank] += static_cast<double>(turn.end - turn.start);
        sum += static_cast<double>(turn.end - turn.start);
        end = std::max(end, turn.end);
    }
    const auto span = static_cast<double>(end - turns.front().start);
    if (span <= 0 || sum <= 0) return false;
    double none_by_chance = 1;
    for (const double time : of_rank) none_by_chance *= 1 - std::min(time / span, 1.0);
    const double by_chance = sum - span * (1 - none_by_chance),
                 overlap = sum - static_cast<double>(union_length(std::move(intervals)));
    return by_chance >= telling * sum && overlap <= third * by_chance;
}

// Stretches between which no rank has I/O under way for longer than a burst bridges.
std::vector<Turns::Phase> phases_in(const std::vector<Turn>& turns, std::size_t& bursts)
{
    constexpr std::uint64_t pause = 2'000'000;  // ns
    std::vector<Turns::Phase> phases;
    std::unordered_map<std::size_t, std::size_t> place;  // by rank: in the last phase
    bursts = 0;
    for (const Turn& turn : turns) {
        if (phases.empty() || turn.start > phases.back().end + pause) {
            phases.push_back({turn.start, turn.end, {}});
            place.clear();
        }
        Turns::Phase& phase = phases.back();
        phase.end = std::max(phase.end, turn.end);
        const auto [at, is_new] = place.emplace(turn.rank, phase.parts.size());
        if (is_new) phase.parts.push_back({turn.rank, 0});
        phase.parts[at->second].time += static_cast<double>(turn.end - turn.start);
        ++bursts;
    }
    return phases;
}

// Ranks that meet at no barrier come together in few stretches, or stay in one for many bursts.
bool are_of_all(const std::vector<Turns::Phase>& phases, std::size_t bursts, std::size_t ranks)
{
    constexpr std::size_t few = 6, most_bursts = 3;
    constexpr double nearly_all = 0.8;
    if (phases.size() < few || ranks < 2) return false;
    std::size_t of_all = 0, parts = 0;
    for (const Turns::Phase& phase : phases) {
        of_all += static_cast<double>(phase.parts.size()) >= nearly_all * static_cast<double>(ranks);
        parts += phase.parts.size();
    }
    return static_cast<double>(of_all) >= nearly_all * static_cast<double>(phases.size()) &&
           bursts <= most_bursts * parts;
}

}  // namespace

Turns turns_of(const Job& job)
{
    const std::vector<Turn> all = all_turns(job), turns = turns_as_they_were(job, all);
    Turns found;
    const std::vector<Turn> whole = whole_turns(turns);
    std::vector<Turn> chain = long_turns(whole, job);
    if (chain.empty()) chain = long_turns(whole_turns(all), job);
    if (!chain.empty()) {
        found.one_by_one = found.handed_over = true;
        found.time = time_in(chain, chain);
        found.pause = pause_between(chain);
        return found;
    }
    const Succession of_first = take_turns(whole, job.ranks.size());
    found.one_by_one = take_turns(whole_turns(all), job.ranks.size()).by_turns || of_first.by_turns ||
                       keep_out_of_the_way(turns, job.ranks.size());
    if (found.one_by_one) {
        found.handed_over = hand_over(whole);
        found.taken_over = of_first.taken_over;
        found.in_rounds = of_first.in_rounds;
        found.time = time_in(turns, all);
        found.pause = pause_between(whole);
        found.spacing = time_to_next(whole, &Turn::start);
        return found;
    }
    std::size_t bursts = 0;
    std::vector<Turns::Phase> phases = phases_in(turns, bursts);
    std::vector<double> in_bursts(job.ranks.size());
    for (const Turns::Phase& phase : phases)
        for (const Turns::Part& part : phase.parts) in_bursts[part.rank] += part.time;
    const auto ranks = static_cast<std::size_t>(
        std::count_if(in_bursts.begin(), in_bursts.end(), [](double time) { return time > 0; }));
    if (!are_of_all(phases, bursts, ranks)) return found;
    // Bursts have pauses in them, and calls that move no data are in none of their own: in each phase a rank
    // has its part of its time in I/O.
    double in_phases = 0, in_io = 0;
    std::vector<double> in_all(job.ranks.size());
    for (const Turn& turn : all) in_all[turn.rank] += static_cast<double>(turn.end - turn.start);
    for (Turns::Phase& phase : phases)
        for (Turns::Part& part : phase.parts) {
            const auto time = static_cast<double>(job.ranks[part.rank].time().total());
            if (in_all[part.rank] > 0) part.time *= std::min(time / in_all[part.rank], 1.0);
            in_phases += part.time;
        }
    for (std::size_t rank = 0; rank < job.ranks.size(); ++rank)
        if (in_bursts[rank] > 0)
            in_io += std::min(static_cast<double>(job.ranks[rank].time().total()), in_all[rank]);
    found.scale = in_phases > 0 ? std::max(in_io / in_phases, 1.0) : 1;
    found.phases = std::move(phases);
    return found;
}

}  // namespace fathom
