// In order of cost, with what could not be looked for.
#include "analyzer/findings/section.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/largest_part.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/recorded.h"
#include "logformat/log/words.h"

namespace fathom {

using namespace report;

namespace {

// The rules that a log of another tool has no numbers for.
std::string rules_without_numbers(const Job& job)
{
    std::string words;
    std::string_view last;  // several rules one after the other lack the same
    for (const FindingRule& rule : finding_rules()) {
        if (rule.needs.has == nullptr || rule.needs.has(job) || rule.needs.without == last) continue;
        last = rule.needs.without;
        add_to_list(words, last);
    }
    return fmt::format("Not looked for, since this log has no numbers for it: {}.", words);
}

// Where I/O matters and what was found is less than half of it, the reader at least learns where it went.
void add_largest_part(const Scene& scene, const std::vector<Finding>& found, Entries& entries)
{
    constexpr double matters = 0.1;
    double explained = 0;
    for (const Finding& one : found) explained = std::max(explained, std::get<double>(one.cost.value));
    if (scene.io < matters * scene.run || explained >= scene.io / 2) return;
    if (auto part = largest_part(scene)) entries.entries.push_back(std::move(*part));
}

}  // namespace

Blocks findings_section(const Job& job)
{
    const Scene scene(job);
    std::vector<Finding> found = findings_of(scene);
    const auto below = found.empty() ? costliest_below(scene) : std::nullopt;
    Entries entries;
    entries.entries = {
        {"count", "findings", count(found.size()),
         found.empty()
             ? (job.log.problems.empty()
                    ? fmt::format("no known problem cost {} or more{}", least_worthy_in_words(scene.run),
                                  below ? fmt::format("; the largest cost was {}: {}", format(below->cost),
                                                      below->title)
                                        : "")
                    : "in what could be read of the log; the rest may have some")
             : "the costliest first; what they cost overlaps and does not add up"}};
    add_largest_part(scene, found, entries);
    Blocks blocks = {std::move(entries)};
    for (Finding& finding : found) blocks.push_back(std::move(finding));
    if (job.log.rows<OperationTimes>().empty() && !job.records.empty())
        blocks.push_back(
            Note{Weight::information,
                 "The log does not have the times of operations by size: the cost of small requests "
                 "is estimated from their number."});
    if (!source_of(job.log).own) blocks.push_back(Note{Weight::information, rules_without_numbers(job)});
    return blocks;
}

}  // namespace fathom
