// Haar's transform, its details drawn towards zero, and back.
#include "analyzer/methods/wavelet.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace fathom {
namespace {

constexpr double gaussian_median = 0.6744897501960817;  // of |x| where x is normal with sd 1

double drawn_to_zero(double detail, double by)
{
    if (std::fabs(detail) <= by) return 0;
    return detail > 0 ? detail - by : detail + by;
}

std::vector<double> padded(std::span<const double> series)
{
    std::vector<double> values;
    values.reserve(std::bit_ceil(series.size()));
    for (const double value : series) values.push_back(std::isfinite(value) ? value : 0);
    // At most as many are missing as there are.
    for (std::size_t back = series.size(); !std::has_single_bit(values.size()); --back)
        values.push_back(values[back - 1]);
    return values;
}

}  // namespace

void haar_transform(std::span<double> values)
{
    std::vector<double> pairs(values.size());
    for (std::size_t size = values.size(); size > 1; size /= 2) {
        for (std::size_t at = 0; at < size / 2; ++at) {
            pairs[at] = (values[2 * at] + values[2 * at + 1]) / std::numbers::sqrt2;
            pairs[size / 2 + at] = (values[2 * at] - values[2 * at + 1]) / std::numbers::sqrt2;
        }
        std::copy_n(pairs.begin(), size, values.begin());
    }
}

void haar_inverse(std::span<double> values)
{
    std::vector<double> pairs(values.size());
    for (std::size_t size = 2; size <= values.size(); size *= 2) {
        for (std::size_t at = 0; at < size / 2; ++at) {
            pairs[2 * at] = (values[at] + values[size / 2 + at]) / std::numbers::sqrt2;
            pairs[2 * at + 1] = (values[at] - values[size / 2 + at]) / std::numbers::sqrt2;
        }
        std::copy_n(pairs.begin(), size, values.begin());
    }
}

double noise_of(std::span<const double> series)
{
    std::vector<double> details;
    for (std::size_t at = 1; at < series.size(); ++at)
        if ((series[at] == 0) == (series[at - 1] == 0))
            details.push_back(std::fabs(series[at] - series[at - 1]) / std::numbers::sqrt2);
    if (details.empty()) return 0;
    // Of an even number the lower one in the middle: half of the neighbours equal is no noise.
    const auto middle = details.begin() + static_cast<std::ptrdiff_t>((details.size() - 1) / 2);
    std::nth_element(details.begin(), middle, details.end());
    return *middle / gaussian_median;
}

std::vector<double> without_noise(std::span<const double> series)
{
    if (series.empty()) return {};
    std::vector<double> values = padded(series);
    const double noise = noise_of(std::span<const double>(values).first(series.size()));
    if (noise > 0 && values.size() > 1) {
        const double threshold = noise * std::sqrt(2 * std::log(static_cast<double>(values.size())));
        haar_transform(values);
        for (std::size_t at = 1; at < values.size(); ++at) values[at] = drawn_to_zero(values[at], threshold);
        haar_inverse(values);
    }
    values.resize(series.size());
    return values;
}

}  // namespace fathom
