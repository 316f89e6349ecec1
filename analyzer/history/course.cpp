// Levels are medians between changes; what is drawn is laid on no level.
#include "analyzer/history/course.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyzer/methods/not_finite.h"

namespace fathom::history {
namespace {

constexpr double shortest_time = 1e-9, day = 86400e9, hour = 3600e9, days_of_month = 30;

std::vector<double> logs_of(std::span<const double> seconds)
{
    std::vector<double> logs;
    for (const double time : seconds) logs.push_back(std::log(std::max(time, shortest_time)));
    return logs;
}

double median_between(const std::vector<double>& values, std::size_t from, std::size_t to)
{
    return five_numbers_of({values.begin() + static_cast<std::ptrdiff_t>(from),
                            values.begin() + static_cast<std::ptrdiff_t>(to)})
        ->median;
}

// Seconds without what changed between levels: each laid on the median of the last one.
std::vector<double> on_one_level(const Course& course)
{
    std::vector<double> all;
    const double last = course.levels.back().median;
    for (const Level& level : course.levels)
        for (std::size_t at = level.from; at < level.to; ++at)
            all.push_back(level.median > 0 ? course.seconds[at] / level.median * last : course.seconds[at]);
    return all;
}

// A level that is less above the one before is nothing to tell of, however sure the change is.
constexpr double least_share = 0.01;

// How often the longest of so many runs, which may be the newest, would be called slow beside the others.
double slowest_is_slow(const std::vector<double>& seconds, double share)
{
    constexpr std::size_t rounds = 50, most = 2000;
    const std::size_t n = std::min(seconds.size(), most);
    const auto numbers = five_numbers_of(seconds);
    if (numbers->most < numbers->q1 * (1 + share)) return 0;
    Drawings random(n);
    std::size_t slow = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<double> drawn;
        for (std::size_t at = 0; at < n; ++at) drawn.push_back(seconds[random.below(seconds.size())]);
        std::iter_swap(std::max_element(drawn.begin(), drawn.end()), drawn.end() - 1);
        const double longest = drawn.back();
        drawn.pop_back();
        // Drawn twice, it would be no longer than all others.
        std::erase_if(drawn, [&](double one) { return one >= longest; });
        const auto found = judge(longest, drawn);
        slow += found && found->slow && found->ratio >= 1 + share;
    }
    return static_cast<double>(slow) / static_cast<double>(rounds);
}

// How often a level would newly be called slower while as many runs come as there are.
double slow_levels_in(const std::vector<double>& seconds, double share)
{
    constexpr std::size_t most_steps = 40, runs_in_all = 1000, most_rounds = 20, fewest_rounds = 5;
    const std::vector<double> logs = logs_of(seconds), ranks = change_ranks(logs);
    const std::size_t n = logs.size(), stride = (n + most_steps - 1) / most_steps,
                      rounds = std::clamp(runs_in_all / n, fewest_rounds, most_rounds);
    // The median of three or more is no more than the second largest, and no less than the second smallest.
    std::vector<double> sorted = logs;
    std::sort(sorted.begin(), sorted.end());
    if (sorted[n - 2] - sorted[1] < std::log1p(share)) return 0;
    const double threshold = change_threshold(ranks);
    if (!std::isfinite(threshold)) return 0;
    Drawings random(n);
    std::size_t begun = 0;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> ranks_in_line(2 * n), logs_in_line(2 * n);
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t at = 0; at < 2 * n; ++at) {
            if (at % n == 0) random.shuffle(order);
            ranks_in_line[at] = ranks[order[at % n]];
            logs_in_line[at] = logs[order[at % n]];
        }
        bool before = true;  // what is there at the beginning is not new
        for (std::size_t from = 0; from <= n; from += stride) {
            const ChangeStatistic found =
                change_statistic(std::span<const double>(ranks_in_line.data() + from, n));
            const bool slower =
                found.largest > threshold && median_between(logs_in_line, from + found.at, from + n) -
                                                     median_between(logs_in_line, from, from + found.at) >=
                                                 std::log1p(share);
            begun += slower && !before;
            before = slower;
        }
    }
    return static_cast<double>(begun) / static_cast<double>(rounds);
}

}  // namespace

const Level& Course::level_of(std::size_t run) const
{
    return *std::find_if(levels.begin(), levels.end(), [&](const Level& level) { return run < level.to; });
}

std::vector<std::size_t> Course::others_beside(std::size_t run) const
{
    const Level& level = level_of(run);
    const auto between = [&](std::size_t from, std::size_t to) {
        return std::vector<double>(seconds.begin() + static_cast<std::ptrdiff_t>(from),
                                   seconds.begin() + static_cast<std::ptrdiff_t>(to));
    };
    // Slow ones in a row, the first of them beside what was before; three would be a level.
    std::size_t end = run;
    for (std::size_t first = run - std::min<std::size_t>(run - level.from, 2); first < run; ++first) {
        const auto found = judge(seconds[first], between(level.from, first));
        if (!found || !found->slow) continue;
        const auto usual = usual_of(between(level.from, first));
        if (std::all_of(seconds.begin() + static_cast<std::ptrdiff_t>(first),
                        seconds.begin() + static_cast<std::ptrdiff_t>(run),
                        [&](double one) { return one > usual->limit; })) {
            end = first;
            break;
        }
    }
    const bool enough = end - level.from >= fewest_to_judge;
    std::vector<std::size_t> others;
    for (std::size_t at = level.from; at < (enough ? end : level.to); ++at)
        if (at != run) others.push_back(at);
    return others;
}

std::vector<double> Course::others_of(std::size_t run) const
{
    std::vector<double> times;
    for (const std::size_t at : others_beside(run)) times.push_back(seconds[at]);
    return times;
}

std::optional<double> Course::runs_a_month() const
{
    if (runs.size() < 2) return {};
    const auto span = static_cast<double>(runs.back()->start - runs.front()->start);
    if (!(span >= hour)) return {};
    return static_cast<double>(runs.size() - 1) / span * day * days_of_month;
}

Course course_of(const Kind& kind)
{
    Course course;
    for (const KindRun& run : kind.runs) {
        if (!run.io_time) continue;
        course.runs.push_back(&run);
        course.seconds.push_back(static_cast<double>(*run.io_time) / 1e9);
    }
    if (course.runs.empty()) return course;
    const std::vector<double> logs = logs_of(course.seconds);
    course.changes = change_points_of(logs);
    std::size_t from = 0;
    for (std::size_t at = 0; at <= course.changes.size(); ++at) {
        const std::size_t to = at < course.changes.size() ? course.changes[at].at : logs.size();
        course.levels.push_back({from, to, median_between(course.seconds, from, to)});
        from = to;
    }
    if (course.runs.size() >= fewest_to_judge) {
        std::vector<double> days;
        for (const KindRun* const run : course.runs)
            days.push_back(static_cast<double>(run->start - course.runs.front()->start) / day);
        course.trend = trend_of(days, logs);
    }
    return course;
}

bool is_sure(const Trend& trend)
{
    return trend.chance <= ChangePointChoice().chance;
}

std::vector<Slower> what_is_slower(const Course& course, const SlowerRule& rule)
{
    std::vector<Slower> all;
    if (course.runs.size() < fewest_to_judge) return all;
    const double now = course.levels.back().median;
    for (std::size_t at = 0; at < course.changes.size(); ++at) {
        const double before = course.levels[at].median, after = course.levels[at + 1].median;
        const std::size_t first = course.changes[at].at;
        const double least = before * (1 + std::max(rule.share, least_share));
        if (course.runs[first]->start >= rule.since && before > 0 && after >= least && now >= least)
            all.push_back({Slower::What::level, first, before, after, course.changes[at].chance});
    }
    for (std::size_t at = 0; at < course.runs.size(); ++at) {
        const KindRun& run = *course.runs[at];
        const bool meant = rule.since > 0 ? run.start >= rule.since
                           : rule.job > 0 ? run.id == rule.job
                                          : at + 1 == course.runs.size();
        if (!meant) continue;
        const std::vector<double> others = course.others_of(at);
        const auto found = judge(course.seconds[at], others);
        if (found && found->slow && found->ratio >= 1 + rule.share)
            all.push_back({Slower::What::run, at, five_numbers_of(others)->median, course.seconds[at],
                           found->chance()});
    }
    return all;
}

std::optional<double> false_alarms_a_month(const Course& course, const SlowerRule& rule)
{
    const auto a_month = course.runs_a_month();
    if (!a_month || course.runs.size() < fewest_to_judge) return {};
    const std::vector<double> quiet = on_one_level(course);
    const auto n = static_cast<double>(quiet.size());
    return (slowest_is_slow(quiet, rule.share) + slow_levels_in(quiet, rule.share)) / n * *a_month;
}

}  // namespace fathom::history
