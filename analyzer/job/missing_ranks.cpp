// Counts how often each rank was recorded.
#include "analyzer/job/missing_ranks.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"

namespace fathom {

using report::counted, report::format_count;

MissingRanks missing_ranks_of(const Job& job)
{
    constexpr std::uint64_t most_ranks = std::uint64_t{1} << 26;  // a damaged log may say any number
    if (!job.mpi || !job.log.recorded(&Process::ranks)) return {};
    const std::uint64_t size = job.ranks.front().process.ranks;
    if (size == 0 || size > most_ranks) return {};
    std::vector<std::uint64_t> times(size);
    for (const Member& member : job.ranks) {
        const Process& process = member.process;
        if (process.ranks != size || process.rank < 0 || static_cast<std::uint64_t>(process.rank) >= size)
            return {};
        ++times[static_cast<std::size_t>(process.rank)];
    }
    const std::uint64_t launches = *std::max_element(times.begin(), times.end());
    MissingRanks all;
    all.started = size * launches;
    for (std::size_t rank = 0; rank < times.size(); ++rank)
        all.missing.insert(all.missing.end(), launches - times[rank], static_cast<std::int64_t>(rank));
    return all;
}

std::string ranks_in_words(const Job& job)
{
    const MissingRanks all = missing_ranks_of(job);
    if (!all.any()) return counted(job.ranks.size(), "MPI rank", "MPI ranks");
    return fmt::format("{} of {} MPI ranks", format_count(all.recorded()), format_count(all.started));
}

std::string names_of_ranks(const std::vector<std::int64_t>& ranks)
{
    constexpr std::size_t most_named = 6;
    std::string names = ranks.size() == 1 ? "rank " : "ranks ";
    std::size_t at = 0;
    for (std::size_t named = 0; at < ranks.size() && named < most_named; ++named) {
        const std::size_t first = at++;
        while (at < ranks.size() && ranks[at] == ranks[at - 1] + 1) ++at;
        names += fmt::format("{}{}", named == 0 ? "" : ", ", ranks[first]);
        if (at - first > 1) names += fmt::format("{}{}", at - first == 2 ? ", " : "-", ranks[at - 1]);
    }
    if (at < ranks.size()) names += fmt::format(" and {} more", format_count(ranks.size() - at));
    return names;
}

}  // namespace fathom
