// Findings that came up or went away: what they say of the later run, and what they cost before.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/compare/comparison.h"
#include "analyzer/findings/finding.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

const Finding* find(const std::vector<Finding>& findings, std::string_view id)
{
    const auto found =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& one) { return one.id == id; });
    return found == findings.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Block> finding_blocks(const Run& earlier, const Run& later)
{
    const std::vector<Finding> before = findings_of(*earlier.job), after = findings_of(*later.job);
    if (before.empty() && after.empty()) return {};
    DataTable table{.id = "findings", .title = "Findings of both runs"};
    table.columns = {{"finding", "finding", Measure::text},
                     {"state", "it", Measure::text},
                     {"before", "cost before", Measure::seconds},
                     {"after", "after", Measure::seconds}};
    std::vector<Block> blocks;
    for (const Finding& one : after) {
        const Finding* const known = find(before, one.id);
        table.rows.push_back({text(one.title), text(known != nullptr ? "stays" : "is new"),
                              known != nullptr ? known->cost : unknown(Measure::seconds), one.cost});
        if (known == nullptr) blocks.push_back(one);
    }
    for (const Finding& one : before)
        if (find(after, one.id) == nullptr)
            table.rows.push_back({text(one.title), text("is gone"), one.cost, unknown(Measure::seconds)});
    table.remark = fmt::format(
        "Each cost rests on one run, before on {} alone: how much it varies from run to run is not known. "
        "`fathom report` on a log says what to do about each of its findings.",
        earlier.path);
    const Source &of_earlier = source_of(earlier.job->log), &of_later = source_of(later.job->log);
    if (&of_earlier != &of_later) {
        const Source& other = of_later.own ? of_earlier : of_later;
        table.remark += fmt::format(
            " The logs are of different tools: what {} does not record, such as {}, makes findings new, or "
            "gone, that are in both runs.",
            other.name, other.not_in_findings);
    }
    blocks.insert(blocks.begin(), std::move(table));
    return blocks;
}

}  // namespace fathom
