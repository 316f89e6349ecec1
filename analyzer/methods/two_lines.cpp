// Least squares about the weighted mean, and about the point that holds the second line.
#include "analyzer/methods/two_lines.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fathom {
namespace {

struct Point {
    double x, y, weight;
};

bool usable(std::span<const double> sizes, std::span<const double> times)
{
    const auto size = [](double one) { return std::isfinite(one) && one >= 0; };
    const auto time = [](double one) { return std::isfinite(one) && one > 0; };
    return !sizes.empty() && sizes.size() == times.size() && std::all_of(sizes.begin(), sizes.end(), size) &&
           std::all_of(times.begin(), times.end(), time);
}

// The line through (x, y) that is nearest to the points; level where they are all at x.
Line through(double x, double y, std::span<const Point> points)
{
    double products = 0, squares = 0;
    for (const Point& one : points) {
        products += one.weight * (one.x - x) * (one.y - y);
        squares += one.weight * (one.x - x) * (one.x - x);
    }
    const double slope = squares > 0 ? products / squares : 0;
    return {y - slope * x, slope};
}

// The nearest line of all goes through the mean.
Line free_line(std::span<const Point> points)
{
    double weights = 0, x = 0, y = 0;
    for (const Point& one : points) {
        weights += one.weight;
        x += one.weight * one.x;
        y += one.weight * one.y;
    }
    // A mean of equal sizes may differ from them in its last digit, which is no slope.
    const bool equal = std::all_of(points.begin(), points.end(),
                                   [&](const Point& one) { return one.x == points.front().x; });
    return equal ? Line{y / weights, 0} : through(x / weights, y / weights, points);
}

}  // namespace

std::optional<double> TwoLines::at(double size) const
{
    const std::optional<Line>& line = size <= page_bytes ? small : large;
    if (!line || !(size >= 0) || !std::isfinite(size)) return std::nullopt;
    return std::max(line->at(size), 0.0);
}

std::optional<TwoLines> fit_two_lines(std::span<const double> sizes, std::span<const double> times,
                                      Misfit misfit)
{
    if (!usable(sizes, times)) return std::nullopt;
    std::vector<Point> small, large;
    for (std::size_t at = 0; at < sizes.size(); ++at) {
        const double weight = misfit == Misfit::relative ? 1 / (times[at] * times[at]) : 1;
        (sizes[at] <= page_bytes ? small : large).push_back({sizes[at], times[at], weight});
    }
    TwoLines lines;
    if (!small.empty()) lines.small = free_line(small);
    if (!large.empty())
        lines.large =
            lines.small ? through(page_bytes, lines.small->at(page_bytes), large) : free_line(large);
    return lines;
}

std::optional<LineError> error_of(const TwoLines& lines, std::span<const double> sizes,
                                  std::span<const double> times)
{
    if (!usable(sizes, times)) return std::nullopt;
    LineError sum;
    for (std::size_t at = 0; at < sizes.size(); ++at) {
        const auto predicted = lines.at(sizes[at]);
        if (!predicted) return std::nullopt;
        sum.absolute += std::fabs(*predicted - times[at]);
        sum.relative += std::fabs(*predicted - times[at]) / times[at];
    }
    const auto n = static_cast<double>(sizes.size());
    return LineError{sum.absolute / n, sum.relative / n};
}

}  // namespace fathom
