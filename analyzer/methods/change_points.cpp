// Values become ranks, and these are drawn in other orders.
#include "analyzer/methods/change_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analyzer/methods/not_finite.h"
#include "analyzer/methods/special_functions.h"

namespace fathom {
namespace {

constexpr std::uint64_t drawing_seed = 20261123;

double middle_of(std::vector<double> values)
{
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    if (values.size() % 2 == 1) return *half;
    return (*half + *std::max_element(values.begin(), half)) / 2;
}

// Of a difference between the two sides of a point within one stretch.
void look_into(std::size_t from, std::size_t to, std::size_t shortest, const std::vector<double>& sums,
               ChangeStatistic& found)
{
    const auto n = static_cast<double>(to - from);
    const double mean = (sums[to] - sums[from]) / n;
    for (std::size_t at = from + shortest; at + shortest <= to; ++at) {
        const auto before = static_cast<double>(at - from);
        const double difference =
            std::abs(sums[at] - sums[from] - before * mean) / std::sqrt(before * (n - before) / n);
        if (difference > found.largest) found = {difference, at};
    }
}

// Over all of it, and over stretches of it that are shorter by the root of two each, half of one after the
// other: so that a level that comes and goes is not hidden by what is around it.
ChangeStatistic largest_of(std::span<const double> scores, std::size_t shortest)
{
    std::vector<double> sums(scores.size() + 1, 0.0);
    for (std::size_t at = 0; at < scores.size(); ++at) sums[at + 1] = sums[at] + scores[at];
    ChangeStatistic found;
    for (auto length = static_cast<double>(scores.size());
         length >= static_cast<double>(4 * shortest) || length == static_cast<double>(scores.size());
         length /= std::sqrt(2.0)) {
        const auto whole = static_cast<std::size_t>(length);
        const std::size_t step = std::max<std::size_t>(whole / 2, 1);
        for (std::size_t from = 0; from < scores.size(); from += step) {
            const std::size_t to = std::min(from + whole, scores.size());
            if (to - from < 2 * shortest) break;
            look_into(from, to, shortest, sums, found);
            if (to == scores.size()) break;
        }
    }
    return found;
}

// Where the values are least far from the medians of both sides, in the mean: single ones far away do not
// move it.
std::size_t sharpened(std::span<const double> values, std::size_t at, std::size_t shortest)
{
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
        const double before = middle_of({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at)}),
                     after = middle_of({values.begin() + static_cast<std::ptrdiff_t>(at), values.end()});
        double gain = 0, least = 0;
        std::size_t best = at;
        bool any = false;
        for (std::size_t to = 0; to + shortest <= values.size(); ++to) {
            if (to >= shortest && (!any || gain < least)) {
                least = gain;
                best = to;
                any = true;
            }
            gain += std::abs(values[to] - before) - std::abs(values[to] - after);
        }
        if (best == at) break;
        at = best;
    }
    return at;
}

std::size_t drawings_for(std::size_t values, const ChangePointChoice& choice)
{
    constexpr std::size_t work = 40'000'000;
    const auto least = static_cast<std::size_t>(std::ceil(2 / choice.chance));
    return std::min(choice.drawings, std::max(least, work / values));
}

// Differences that are the same but for rounding count as reached.
constexpr double rounding = 1e-9;

// The largest differences of these scores in drawn orders, ascending.
std::vector<double> drawn_from(std::vector<double> scores, const ChangePointChoice& choice)
{
    std::vector<double> drawn;
    const std::size_t drawings = drawings_for(scores.size(), choice);
    Drawings random(drawing_seed);
    for (std::size_t drawing = 0; drawing < drawings; ++drawing) {
        random.shuffle(scores);
        drawn.push_back(largest_of(scores, choice.shortest).largest);
    }
    std::sort(drawn.begin(), drawn.end());
    return drawn;
}

// Ranks without ties are the same whatever the values: what was drawn of as many is kept.
std::vector<double> drawings_of(std::vector<double> scores, const ChangePointChoice& choice)
{
    std::sort(scores.begin(), scores.end());
    if (std::adjacent_find(scores.begin(), scores.end()) != scores.end()) return drawn_from(scores, choice);
    using Key = std::tuple<std::size_t, std::size_t, std::size_t>;
    thread_local std::map<Key, std::vector<double>> kept;
    constexpr std::size_t most_kept = 500;
    if (kept.size() >= most_kept) kept.clear();
    std::vector<double>& drawn = kept[{scores.size(), choice.shortest, drawings_for(scores.size(), choice)}];
    if (drawn.empty()) drawn = drawn_from(scores, choice);
    return drawn;
}

// The largest difference is no smaller than that at the middle, which is about normal: what has that chance
// there, and a tenth less, is likelier anywhere. It spares the drawings.
double certainly_usual(const std::vector<double>& scores, double chance)
{
    double mean = 0, squares = 0;
    for (const double score : scores) mean += score / static_cast<double>(scores.size());
    for (const double score : scores) squares += (score - mean) * (score - mean);
    return 0.9 * normal_quantile(1 - chance / 2) * std::sqrt(squares / static_cast<double>(scores.size()));
}

void split(std::span<const double> values, std::size_t from, std::size_t to, const ChangePointChoice& choice,
           std::vector<ChangePoint>& found)
{
    const std::span<const double> part = values.subspan(from, to - from);
    if (part.size() < std::max(choice.fewest, 2 * choice.shortest)) return;
    std::vector<double> scores = change_ranks(part);
    if (scores.empty()) return;
    const ChangeStatistic one = largest_of(scores, choice.shortest);
    if (one.largest < certainly_usual(scores, choice.chance)) return;
    const std::vector<double> drawn = drawings_of(std::move(scores), choice);
    const auto place = std::lower_bound(drawn.begin(), drawn.end(), one.largest * (1 - rounding));
    const double chance =
        static_cast<double>(drawn.end() - place + 1) / static_cast<double>(drawn.size() + 1);
    if (chance > choice.chance) return;
    split(values, from, from + one.at, choice, found);
    found.push_back({from + one.at, 0, 0, chance});
    split(values, from + one.at, to, choice, found);
}

}  // namespace

// From -1 to 1; those that are the same have their mean.
std::vector<double> change_ranks(std::span<const double> values)
{
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty() || sorted.front() == sorted.back()) return {};
    const auto n = static_cast<double>(values.size());
    std::vector<double> scores;
    for (const double value : values) {
        const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
        const auto below = static_cast<double>(first - sorted.begin()),
                   same = static_cast<double>(last - first);
        scores.push_back((2 * below + same) / n - 1);
    }
    return scores;
}

std::vector<ChangePoint> change_points_of(std::span<const double> values, const ChangePointChoice& choice)
{
    std::vector<ChangePoint> found;
    if (values.empty()) return found;
    split(values, 0, values.size(), choice, found);
    // Each between its neighbours, now that all are known.
    for (std::size_t at = 0; at < found.size(); ++at) {
        const std::size_t from = at == 0 ? 0 : found[at - 1].at,
                          to = at + 1 == found.size() ? values.size() : found[at + 1].at;
        found[at].at =
            from + sharpened(values.subspan(from, to - from), found[at].at - from, choice.shortest);
    }
    for (std::size_t at = 0; at < found.size(); ++at) {
        const std::size_t from = at == 0 ? 0 : found[at - 1].at,
                          to = at + 1 == found.size() ? values.size() : found[at + 1].at;
        const auto level = [&](std::size_t first, std::size_t last) {
            const auto part = values.subspan(first, last - first);
            return middle_of({part.begin(), part.end()});
        };
        found[at].before = level(from, found[at].at);
        found[at].after = level(found[at].at, to);
    }
    return found;
}

double change_threshold(const std::vector<double>& ranks, const ChangePointChoice& choice)
{
    if (ranks.size() < std::max(choice.fewest, 2 * choice.shortest)) return infinity;
    const std::vector<double> drawn = drawings_of(ranks, choice);
    // The one that is reached by one drawing too many.
    const auto allowed =
        static_cast<std::size_t>(choice.chance * static_cast<double>(drawn.size() + 1) + rounding);
    return drawn[drawn.size() - std::max<std::size_t>(allowed, 1)] * (1 + rounding);
}

ChangeStatistic change_statistic(std::span<const double> ranks, const ChangePointChoice& choice)
{
    return ranks.size() < 2 * choice.shortest ? ChangeStatistic() : largest_of(ranks, choice.shortest);
}

std::optional<Trend> trend_of(std::span<const double> x, std::span<const double> y)
{
    constexpr std::size_t most = 2000, fewest = 3;
    if (x.size() != y.size() || x.size() < fewest) return {};
    const std::size_t taken = std::min(x.size(), most);
    const auto place = [&](std::size_t at) { return at * (x.size() - 1) / (taken - 1); };
    std::vector<double> slopes, sorted;
    double rises = 0;
    for (std::size_t one = 0; one < taken; ++one) {
        sorted.push_back(y[place(one)]);
        for (std::size_t other = one + 1; other < taken; ++other) {
            const double across = x[place(other)] - x[place(one)], up = y[place(other)] - y[place(one)];
            if (!(across > 0)) continue;
            slopes.push_back(up / across);
            rises += up > 0 ? 1 : up < 0 ? -1 : 0;
        }
    }
    if (slopes.empty()) return {};
    // The variance of the sum of signs, less what ties take from it (Kendall 1975).
    const auto pairs = [](double n) { return n * (n - 1) * (2 * n + 5); };
    double variance = pairs(static_cast<double>(taken));
    std::sort(sorted.begin(), sorted.end());
    for (auto at = sorted.begin(); at != sorted.end();) {
        const auto next = std::upper_bound(at, sorted.end(), *at);
        variance -= pairs(static_cast<double>(next - at));
        at = next;
    }
    Trend trend{middle_of(std::move(slopes)), 1};
    if (variance > 0 && rises != 0)
        trend.chance = 2 * normal_share(-(std::abs(rises) - 1) / std::sqrt(variance / 18));
    return trend;
}

}  // namespace fathom
