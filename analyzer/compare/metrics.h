// The numbers by which runs are compared, a row each: what it is called, what it measures, whether more of it
// is worse, and the name by which --fail-if knows it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/compare/noise.h"
#include "analyzer/compare/run.h"
#include "analyzer/document/document.h"

namespace fathom {

enum class Worse { neither, more, less };

struct Metric {
    std::string_view id, label;
    report::Measure measure;
    Worse worse;
    std::string_view condition;  // its name for --fail-if; empty where it has none
    std::string_view condition_meaning;
    std::optional<double> (*value)(const Run& run);  // nothing: not known
    double (*variance)(const Run& run) = nullptr;    // of a time, by the chance of operations
};
std::span<const Metric> metrics();

// One metric of the earlier runs and the later one.
struct Compared {
    const Metric* metric;
    Baseline before;
    std::optional<double> mean_before, after;  // nothing where it is not known of all of those

    Change change() const;                   // same where one is not known
    std::optional<double> relative() const;  // as a share of what was before
};

// `noise` as the user chose it. Differences of times below `least_seconds` are noise: as long as starting and
// ending a process takes.
inline constexpr double least_seconds = 0.02;
std::vector<Compared> compare_metrics(std::span<const Run> earlier, const Run& later,
                                      std::optional<double> noise);

const Compared& compared(std::span<const Compared> all, std::string_view id);  // which must be there

}  // namespace fathom
