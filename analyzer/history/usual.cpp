// Logarithms within, seconds outside.
#include "analyzer/history/usual.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/methods/special_functions.h"

namespace fathom::history {
namespace {

constexpr double shortest = 1e-9, least_spread = 0.02, level = 0.995, spread_of_deviation = 1.4826;

}  // namespace

std::optional<Variance> variance_of(std::span<const double> seconds)
{
    Variance found;
    double sum = 0;
    for (const double time : seconds) {
        if (!std::isfinite(time)) continue;
        found.least = found.samples == 0 ? time : std::min(found.least, time);
        found.most = found.samples == 0 ? time : std::max(found.most, time);
        sum += time;
        ++found.samples;
    }
    if (found.samples == 0) return {};
    const auto n = static_cast<double>(found.samples);
    found.mean = sum / n;
    double squares = 0;
    for (const double time : seconds)
        if (std::isfinite(time)) squares += (time - found.mean) * (time - found.mean);
    if (found.samples > 1) found.deviation = std::sqrt(squares / (n - 1));
    return found;
}

std::optional<Usual> usual_of(std::span<const double> seconds)
{
    std::vector<double> logs;
    for (const double time : seconds)
        if (std::isfinite(time)) logs.push_back(std::log(std::max(time, shortest)));
    if (logs.size() < fewest_to_judge) return {};
    const double middle = five_numbers_of(logs)->median;
    std::vector<double> distances;
    for (const double one : logs) distances.push_back(std::abs(one - middle));
    const double spread =
        std::max(spread_of_deviation * five_numbers_of(distances)->median, std::log1p(least_spread));
    const auto n = static_cast<double>(logs.size());
    return Usual{*five_numbers_of({seconds.begin(), seconds.end()}), std::expm1(spread),
                 std::exp(middle + student_quantile(n - 1, level) * spread * std::sqrt(1 + 1 / n))};
}

std::optional<Judgement> judge(double seconds, std::span<const double> others)
{
    const auto usual = usual_of(others);
    if (!usual || !std::isfinite(seconds)) return {};
    Judgement found;
    found.others = usual->numbers.values;
    found.ratio = std::max(seconds, shortest) / std::max(usual->numbers.median, shortest);
    found.as_slow = static_cast<std::size_t>(
        std::count_if(others.begin(), others.end(), [&](double other) { return other >= seconds; }));
    // The logarithm of the ratio, by so much more than that of the slowest of the others.
    constexpr double further = 1.1;
    const double slowest =
        std::max(usual->numbers.most, shortest) / std::max(usual->numbers.median, shortest);
    found.slow = seconds > usual->limit && std::log(found.ratio) > further * std::log(slowest);
    return found;
}

}  // namespace fathom::history
