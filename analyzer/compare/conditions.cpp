// Names and limits of conditions.
#include "analyzer/compare/conditions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

#include "analyzer/document/units.h"
#include "analyzer/job/endings.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

std::string names()
{
    std::string all;
    for (const Metric& metric : metrics())
        if (!metric.condition.empty()) add_to_list(all, metric.condition);
    return all;
}

}  // namespace

Condition parse_condition(std::string_view text)
{
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    std::string_view number = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    const auto all = metrics();
    const auto metric =
        std::find_if(all.begin(), all.end(), [&](const Metric& one) { return one.condition == name; });
    if (name.empty() || metric == all.end())
        throw std::invalid_argument(
            fmt::format("--fail-if {}: no such condition; there are: {}", text, names()));
    if (number.ends_with('%')) number.remove_suffix(1);
    while (number.ends_with(' ')) number.remove_suffix(1);
    double percent = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
    if (error != std::errc{} || end != number.data() + number.size() || !std::isfinite(percent) ||
        percent < 0)
        throw std::invalid_argument(fmt::format(
            "--fail-if {}: say by how many percent, as in --fail-if {}=10%", text, metric->condition));
    return {&*metric, percent / 100};
}

std::string holds(const Condition& condition, std::span<const Compared> all)
{
    const Compared& one = compared(all, condition.metric->id);
    if (!one.mean_before) return {};
    if (!one.after)
        return fmt::format("{}={:g}% holds: {}: not known of the new run", condition.metric->condition,
                           condition.limit * 100, condition.metric->condition_meaning);
    const bool less = condition.metric->worse == Worse::less;
    const double before = *one.mean_before, after = *one.after;
    const double allowed = before * (less ? 1 - condition.limit : 1 + condition.limit);
    if (less ? after >= allowed : after <= allowed) return {};
    const auto shown = [&](double value) {
        return report::format(report::cell_of(condition.metric->measure, value));
    };
    const auto relative = one.relative();
    return fmt::format("{}={:g}% holds: {}: {}, before {}{}", condition.metric->condition,
                       condition.limit * 100, condition.metric->condition_meaning, shown(after),
                       shown(before), relative ? fmt::format(" ({:+.1f} %)", *relative * 100) : "");
}

std::string not_to_be_judged(std::span<const Run> earlier, const Run& later)
{
    std::size_t before = 0;
    for (const Run& one : earlier) before = std::max(before, early_endings_of(*one.job));
    if (early_endings_of(*later.job) > before)
        return fmt::format("ended before its time ({})", endings_of(*later.job));
    return later.job->log.problems.empty() ? "" : "has a damaged log";
}

std::string help_on_conditions()
{
    std::string lines;
    for (const Metric& metric : metrics())
        if (!metric.condition.empty())
            lines += fmt::format("    {:<14} {}\n", metric.condition, metric.condition_meaning);
    return lines;
}

}  // namespace fathom
