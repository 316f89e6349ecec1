// From the facts and the processes of the log.
#include "analyzer/sections/overview/circumstances.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/missing_ranks.h"
#include "analyzer/job/who.h"

namespace fathom {
namespace {

constexpr std::size_t most_named = 2;

using report::counted;

std::string place_of(const Job& job)
{
    if (job.nodes() == 0) return {};
    if (job.hosts.size() == 1) return fmt::format(" on {}", job.hosts[0]);
    const std::string nodes = counted(job.hosts.size(), "node", "nodes");
    if (job.hosts.size() > most_named) return " on " + nodes;
    return fmt::format(" on {}: {} and {}", nodes, job.hosts[0], job.hosts[1]);
}

}  // namespace

std::vector<std::string> circumstances_of(const Job& job)
{
    std::vector<std::string> parts;
    const auto add = [&](std::string part) {
        if (!part.empty()) parts.push_back(std::move(part));
    };
    const std::string user = user_of(job);
    add(user.empty() ? "" : "user " + user);
    add(batch_job_of(job));
    if (job.start > 0) add(report::format_instant(job.start));
    if (job.run_time() > 0) add(report::format_seconds(static_cast<double>(job.run_time()) / 1e9));
    if (!job.ranks.empty()) add(ranks_in_words(job) + place_of(job));
    return parts;
}

}  // namespace fathom
