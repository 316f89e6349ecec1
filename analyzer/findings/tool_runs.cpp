#include "analyzer/findings/tool_runs.h"

#include <algorithm>
#include <map>

#include "analyzer/findings/language.h"

namespace fathom {

namespace {

void sort_by_start(std::vector<const Member*>& members)
{
    std::sort(members.begin(), members.end(),
              [](const Member* a, const Member* b) { return a->process.start < b->process.start; });
}

}  // namespace

std::vector<ToolRuns> runs_of_tools(const Job& job)
{
    std::map<std::string_view, ToolRuns> by_path;
    if (!job.mpi)
        for (const Member& member : job.ranks) {
            const std::string_view path = run_by(member.process);
            if (!is_packaged_tool(path)) continue;
            ToolRuns& runs = by_path[path];
            runs.path = path;
            runs.members.push_back(&member);
        }
    std::vector<ToolRuns> all;
    for (auto& [path, runs] : by_path) {
        sort_by_start(runs.members);
        all.push_back(std::move(runs));
    }
    return all;
}

RunsByProcess runs_of_tools(const Job& job, std::span<const std::string_view> names)
{
    RunsByProcess all;
    for (const ToolRuns& runs : runs_of_tools(job))
        if (std::find(names.begin(), names.end(), runs.name()) != names.end())
            for (const Member* const member : runs.members) all[member->process.process] = member;
    return all;
}

void add_once(std::vector<const Member*>& members, const Member* one)
{
    if (std::find(members.begin(), members.end(), one) == members.end()) members.push_back(one);
}

double seconds_of(std::vector<const Member*> members)
{
    sort_by_start(members);
    double sum = 0;
    std::uint64_t until = 0;
    for (const Member* const member : members) {
        const std::uint64_t start = std::max(member->process.start, until);
        if (member->process.end > start) sum += static_cast<double>(member->process.end - start);
        until = std::max(until, member->process.end);
    }
    return sum / 1e9;
}

}  // namespace fathom
