// Ranks of one node share its clock: the moment lies where the intervals of all of them overlap.
#include "analyzer/job/node_clocks.h"

#include <algorithm>
#include <map>

namespace fathom {
namespace {

struct MeetingTime {
    std::uint64_t from = 0, to = UINT64_MAX;

    std::uint64_t middle() const { return from + (to - from) / 2; }
    std::uint64_t error() const { return (to - from + 1) / 2; }
};

// By node; empty where the log does not say.
std::map<std::string_view, MeetingTime> meeting_times(const Job& job)
{
    if (!job.mpi || !job.log.recorded(&Process::met) || job.log.fact("merged")) return {};
    std::map<std::string_view, MeetingTime> nodes;
    for (const Member& member : job.ranks) {
        const Process& rank = member.process;
        if (rank.host.empty() || rank.met == 0 || rank.met_error > rank.met) continue;
        MeetingTime& node = nodes[rank.host];
        node.from = std::max(node.from, rank.met - rank.met_error);
        node.to = std::min(node.to, rank.met + rank.met_error);
        if (node.to < node.from) return {};  // ranks of several launches, or a clock that was set meanwhile
    }
    return nodes;
}

}  // namespace

NodeClocks node_clocks_of(const Job& job)
{
    const std::map<std::string_view, MeetingTime> nodes = meeting_times(job);
    if (nodes.size() < 2) return {};
    const auto [behind, ahead] = std::minmax_element(
        nodes.begin(), nodes.end(),
        [](const auto& one, const auto& other) { return one.second.middle() < other.second.middle(); });
    return {nodes.size(), ahead->first, behind->first, ahead->second.middle() - behind->second.middle(),
            ahead->second.error() + behind->second.error()};
}

std::map<std::string_view, std::int64_t> clock_leads_of(const Job& job)
{
    std::map<std::string_view, std::int64_t> leads;
    const std::map<std::string_view, MeetingTime> nodes = meeting_times(job);
    for (const auto& [host, met] : nodes)
        leads[host] = static_cast<std::int64_t>(met.to - nodes.begin()->second.to);
    if (leads.empty() && job.nodes() == 1)
        for (const Member& member : job.ranks) leads[member.process.host] = 0;
    return leads;
}

bool NodeClocks::mix_up_slices(const Job& job) const
{
    const auto slices = job.log.rows<Slice>();
    return !slices.empty() && surely() >= slices.front().length;
}

}  // namespace fathom
