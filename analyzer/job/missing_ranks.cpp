// Counts how often each rank was recorded.
#include "analyzer/job/missing_ranks.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"

namespace fathom {

using report::counted, report::format_count;

MissingRanks missing_ranks_of(const Job& job)
{
    constexpr std::uint64_t most_ranks = std::uint64_t{1} << 26;  // a damaged log may say any number
    if (!job.mpi || !job.log.recorded(&Process::ranks)) return {};
    const std::uint64_t size = job.ranks.front().process.ranks;
    if (size == 0 || size > most_ranks) return {};
    std::map<std::int64_t, std::uint64_t> times;
    std::uint64_t launches = 0;
    for (const Member& member : job.ranks) {
        const Process& process = member.process;
        if (process.ranks != size || process.rank < 0 || static_cast<std::uint64_t>(process.rank) >= size)
            return {};
        launches = std::max(launches, ++times[process.rank]);
    }
    MissingRanks all;
    all.started = size * launches;
    const auto add = [&](std::int64_t first, std::int64_t last, std::uint64_t of_launches) {
        if (first > last || of_launches == 0) return;
        all.ranges.push_back({first, last, of_launches});
        all.missing += static_cast<std::uint64_t>(last - first + 1) * of_launches;
    };
    std::int64_t next = 0;
    for (const auto& [rank, recorded] : times) {
        add(next, rank - 1, launches);
        add(rank, rank, launches - recorded);
        next = rank + 1;
    }
    add(next, static_cast<std::int64_t>(size) - 1, launches);
    return all;
}

std::string ranks_in_words(const Job& job)
{
    const MissingRanks all = missing_ranks_of(job);
    if (!all.any()) return counted(job.ranks.size(), "MPI rank", "MPI ranks");
    return fmt::format("{} of {} MPI ranks", format_count(all.recorded()), format_count(all.started));
}

std::string MissingRanks::names() const
{
    constexpr std::size_t most_named = 6;
    std::string all = missing == 1 ? "rank " : "ranks ";
    std::uint64_t named = 0;
    for (std::size_t at = 0; at < std::min(ranges.size(), most_named); ++at) {
        const Range& range = ranges[at];
        all += fmt::format("{}{}", at == 0 ? "" : ", ", range.first);
        if (range.last > range.first)
            all += fmt::format("{}{}", range.last == range.first + 1 ? ", " : "-", range.last);
        named += static_cast<std::uint64_t>(range.last - range.first + 1) * range.times;
    }
    if (named < missing) all += fmt::format(" and {} more", format_count(missing - named));
    return all;
}

}  // namespace fathom
