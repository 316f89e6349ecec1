// A script that runs sync in each turn of a loop: it waits for all that any program wrote.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {

using namespace report;

MaybeFinding synced_by_tool(const Scene& scene)
{
    constexpr std::array<std::string_view, 1> names = {"sync"};
    constexpr std::size_t few_syncs_of_all = 8;
    std::vector<const Member*> members;
    double longest = 0;
    for (const auto& [process, member] : runs_of_tools(scene.job, names)) {
        members.push_back(member);
        longest = std::max(longest, static_cast<double>(member->run_time()) / 1e9);
    }
    if (members.size() < few_syncs_of_all) return {};
    const double all = seconds_of(members);
    Finding finding;
    finding.title = fmt::format("{} runs of sync", format_count(members.size()));
    finding.cost = seconds(std::min(all - longest, scene.run));
    finding.cost_basis = "the time in which any of them ran, but the longest one";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"runs", "runs of sync", count(members.size()),
                         fmt::format("took {}, {} each", format_seconds(all),
                                     format_seconds(all / static_cast<double>(members.size())))}};
    finding.why =
        "Without a file, sync waits until the devices have all data that any program wrote; with one, until "
        "they have that file.";
    finding.doubt = "Steps of which each must be safe before the next one begins.";
    finding.advice = {{"Run it once, after the last step, for the folder alone:", {"sync -f FOLDER"}}};
    return Found(std::move(finding));
}

}  // namespace fathom
