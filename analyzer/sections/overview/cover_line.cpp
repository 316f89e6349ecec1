// Puts the line together from what the processes tell.
#include "analyzer/sections/overview/cover_line.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/missing_ranks.h"

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

std::string cover_line(const Job& job)
{
    std::string line;
    const auto add = [&](const std::string& part) {
        if (!line.empty()) line += ", ";
        line += part;
    };
    if (job.start > 0) add(report::format_instant(job.start));
    if (job.run_time() > 0) add("for " + report::format_seconds(static_cast<double>(job.run_time()) / 1e9));
    if (!job.ranks.empty()) add(ranks_in_words(job) + place_of(job));
    return line;
}

}  // namespace fathom
