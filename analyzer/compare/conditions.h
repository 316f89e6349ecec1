// What `fathom compare --fail-if` may ask for: that a number has become worse by more than so much.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/compare/metrics.h"

namespace fathom {

struct Condition {
    const Metric* metric;
    double limit = 0;  // as a share of what was before
};

// "slower=10%": the name of a metric and a number, in percent. Throws std::invalid_argument, whose text names
// those that there are.
Condition parse_condition(std::string_view text);

// A sentence where it holds, else nothing. A number that was 0 before and is not now is worse by more than
// any share, and so is one that was known and is not now. One that never was known holds no condition.
std::string holds(const Condition& condition, std::span<const Compared> all);

// Why no condition can be asked of this run, in words that follow "the new run": it ended before its time, as
// no earlier one did, or its log is damaged. Empty where it can.
std::string not_to_be_judged(std::span<const Run> earlier, const Run& later);

// The names with their meanings, a line each, for the help.
std::string help_on_conditions();

}  // namespace fathom
