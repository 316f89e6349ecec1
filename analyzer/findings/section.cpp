// In order of cost, with what could not be looked for.
#include "analyzer/findings/section.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"
#include "analyzer/job/recorded.h"
#include "logformat/log/words.h"

namespace fathom {

using namespace report;

namespace {

// The rules that a log of another tool has no numbers for.
std::string rules_without_numbers(const Job& job)
{
    std::string words;
    for (const FindingRule& rule : finding_rules())
        if (rule.needs.has != nullptr && !rule.needs.has(job)) add_to_list(words, rule.needs.without);
    return fmt::format("Not looked for, since this log has no numbers for it: {}.", words);
}

}  // namespace

Blocks findings_section(const Job& job)
{
    std::vector<Finding> found = findings_of(job);
    Entries entries;
    entries.entries = {
        {"count", "findings", count(found.size()),
         found.empty()
             ? (job.log.problems.empty()
                    ? "nothing that is known to slow programs down cost this run 2 % of its time and 50 ms"
                    : "in what could be read of the log; the rest may tell of some")
             : "the costliest first; what they cost overlaps and does not add up"}};
    Blocks blocks = {std::move(entries)};
    for (Finding& finding : found) blocks.push_back(std::move(finding));
    if (job.log.rows<OperationTimes>().empty() && !job.records.empty())
        blocks.push_back(
            Note{Weight::information,
                 "The log does not tell how long operations of each size took: what small requests cost "
                 "is told by their number."});
    if (!source_of(job.log).own) blocks.push_back(Note{Weight::information, rules_without_numbers(job)});
    return blocks;
}

}  // namespace fathom
