// Counts how often each rank was recorded.
#include "analyzer/job/missing_ranks.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/job/who.h"

namespace fathom {

using report::counted, report::format_count;

namespace {

using Ranges = std::vector<MissingRanks::Range>;

// A damaged log may say any number. That so many are missing is said of larger ones too.
constexpr std::uint64_t most_ranks = std::uint64_t{1} << 40;

void add(Ranges& ranges, std::int64_t first, std::int64_t last, std::uint64_t times)
{
    if (first <= last && times > 0) ranges.push_back({first, last, times});
}

std::uint64_t number_of(const Ranges& ranges)
{
    std::uint64_t all = 0;
    for (const MissingRanks::Range& range : ranges)
        all += static_cast<std::uint64_t>(range.last - range.first + 1) * range.times;
    return all;
}

// `times`: how often each number was recorded of so many launches.
MissingRanks missing_of(const std::map<std::int64_t, std::uint64_t>& times, std::uint64_t size,
                        std::uint64_t launches)
{
    MissingRanks all;
    all.started = size * launches;
    std::int64_t next = 0;
    for (const auto& [number, recorded] : times) {
        add(all.ranges, next, number - 1, launches);
        add(all.ranges, number, number, launches - recorded);
        next = number + 1;
    }
    add(all.ranges, next, static_cast<std::int64_t>(size) - 1, launches);
    all.missing = number_of(all.ranges);
    return all;
}

MissingRanks missing_of_mpi(const Job& job)
{
    if (!job.mpi || !job.log.recorded(&Process::ranks)) return {};
    const std::uint64_t said = job.ranks.front().process.ranks, size = std::min(said, most_ranks);
    if (size == 0) return {};
    std::map<std::int64_t, std::uint64_t> times;
    std::uint64_t launches = 0;
    for (const Member& member : job.ranks) {
        const Process& process = member.process;
        if (process.ranks != said || process.rank < 0 || static_cast<std::uint64_t>(process.rank) >= size)
            return {};
        launches = std::max(launches, ++times[process.rank]);
    }
    return missing_of(times, size, launches);
}

// The numbers of the tasks that were recorded, by the size of their launch.
std::map<std::uint64_t, std::map<std::int64_t, std::uint64_t>> tasks_of(const Job& job)
{
    std::map<std::uint64_t, std::map<std::int64_t, std::uint64_t>> all;
    for (const Process& process : job.log.rows<Process>())
        if (process.task >= 0 && process.tasks <= most_ranks) all[process.tasks][process.task] = 1;
    return all;
}

std::string names_of(const Ranges& ranges, std::string_view noun)
{
    constexpr std::size_t most_ranges = 6;
    const std::uint64_t number = number_of(ranges);
    std::string all = fmt::format("{}{}", noun, number == 1 ? " " : "s ");
    std::uint64_t named = 0;
    for (std::size_t at = 0; at < std::min(ranges.size(), most_ranges); ++at) {
        const MissingRanks::Range& range = ranges[at];
        all += fmt::format("{}{}", at == 0 ? "" : ", ", range.first);
        if (range.last > range.first)
            all += fmt::format("{}{}", range.last == range.first + 1 ? ", " : "-", range.last);
        named += static_cast<std::uint64_t>(range.last - range.first + 1) * range.times;
    }
    if (named < number) all += fmt::format(" and {} more", format_count(number - named));
    return all;
}

}  // namespace

MissingRanks missing_ranks_of(const Job& job)
{
    MissingRanks all = missing_of_mpi(job);
    for (const auto& [size, tasks] : tasks_of(job)) {
        if (static_cast<std::uint64_t>(tasks.rbegin()->first) >= size) continue;
        if (all.any() && !all.tasks && size == all.started) {
            for (const MissingRanks::Range& range : all.ranges)
                for (auto task = tasks.lower_bound(range.first); task != tasks.upper_bound(range.last);
                     ++task)
                    add(all.without_mpi, task->first, task->first, 1);
        } else if (!all.any() && tasks.size() < size) {
            all = missing_of(tasks, size, 1);
            all.tasks = true;
        }
    }
    return all;
}

std::string ranks_in_words(const Job& job)
{
    const MissingRanks all = missing_ranks_of(job);
    const std::string processes = job.mpi ? counted(job.ranks.size(), "MPI rank", "MPI ranks")
                                          : counted(processes_of(job), "process", "processes");
    if (!all.any()) return processes;
    return all.tasks ? fmt::format("{} of {}", processes, all.in_words()) : all.in_words();
}

std::string MissingRanks::names() const
{
    return names_of(ranges, tasks ? "task" : "rank");
}

std::string MissingRanks::in_words() const
{
    return fmt::format("{} of {} {}", format_count(recorded()), format_count(started),
                       tasks ? "tasks" : "MPI ranks");
}

std::string MissingRanks::remark() const
{
    if (without_mpi.empty()) return "";
    return fmt::format("; of {} processes were recorded, but none that called MPI_Init",
                       names_of(without_mpi, "rank"));
}

}  // namespace fathom
