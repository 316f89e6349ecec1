// What the rules find in a log, for tests: whether, what it costs, and the whole of it in words.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"

namespace fathom::testing {

inline std::vector<report::Finding> found_in(const Log& log)
{
    return findings_of(Job(log));
}

inline const report::Finding* of_rule(const std::vector<report::Finding>& found, std::string_view id)
{
    const auto at =
        std::find_if(found.begin(), found.end(), [&](const report::Finding& one) { return one.id == id; });
    return at == found.end() ? nullptr : &*at;
}

inline bool finds(const Log& log, std::string_view id)
{
    const auto found = found_in(log);
    return of_rule(found, id) != nullptr;
}

inline report::Finding finding_of(const Log& log, std::string_view id)
{
    const auto found = found_in(log);
    const report::Finding* const one = of_rule(found, id);
    INFO(id);
    REQUIRE(one != nullptr);
    return *one;
}

using report::cost_of;

inline double cost_of(const Log& log, std::string_view id)
{
    return cost_of(finding_of(log, id));
}

// The numbers of a finding as a reader sees them, a line each.
inline std::string numbers_of(const report::Finding& finding)
{
    std::string all = finding.title + "\n" + report::format(finding.cost) + ", " +
                      report::format(finding.share) + ", " +
                      std::string(report::confidence_names[static_cast<std::size_t>(finding.confidence)]);
    for (const report::Entry& entry : finding.evidence)
        all += "\n" + entry.label + ": " + report::format(entry.value) +
               (entry.remark.empty() ? "" : " (" + entry.remark + ")");
    return all;
}

// What there is to copy, a line each.
inline std::string lines_of(const report::Finding& finding)
{
    std::string all;
    for (const report::Advice& advice : finding.advice)
        for (const std::string& line : advice.lines) all += line + "\n";
    return all;
}

}  // namespace fathom::testing
