// In order of cost, with what could not be looked for.
#include "analyzer/findings/section.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"
#include "analyzer/job/recorded.h"

namespace fathom {

using namespace report;

namespace {

// The rules that a log of another tool has no numbers for.
std::string rules_without_numbers(const Job& job)
{
    const Log& log = job.log;
    const struct {
        bool lacks;
        std::string_view what;
    } all[] = {{!tells(log, Layer::posix, "sync_time"), "frequent syncs"},
               {!tells(log, Layer::posix, "lock_time"), "waiting for locks"},
               {log.rows<Slice>().empty() || !log.recorded("slices.write_time"), "bursts of writes"},
               {!tells(log, Layer::mpiio, "opens"), "how MPI-IO was used"},
               {job.nodes() == 0, "too few aggregators for the nodes"},
               {log.rows<Layout>().empty(), "unequal servers"}};
    std::string words;
    for (const auto& one : all)
        if (one.lacks) words += fmt::format("{}{}", words.empty() ? "" : ", ", one.what);
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
