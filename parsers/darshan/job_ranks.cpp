// Chooses processes by what the log says of MPI, of launchers and of the I/O of each.
#include "parsers/darshan/job_ranks.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

#include "logformat/log/words.h"

namespace fathom::darshan {
namespace {

enum class Work : std::uint8_t { none, some, on_files };

// The most that each process did. To look at a file is no I/O on it: shells do so with every program they
// start.
std::unordered_map<std::int64_t, Work> work_of(const Log& log)
{
    std::unordered_map<std::uint64_t, std::uint64_t> kinds;
    for (const FileName& name : log.rows<FileName>()) kinds.emplace(name.file, name.kind);
    const auto is_of = [&](std::uint64_t file, NameKind kind) {
        const auto known = kinds.find(file);
        return (known == kinds.end() ? 0 : known->second) == static_cast<std::uint64_t>(kind);
    };
    std::unordered_map<std::int64_t, Work> work;
    const auto add = [&](const auto& records) {
        for (const auto& record : records) {
            if (is_of(record.file, NameKind::unopened)) continue;
            const bool on_file = is_of(record.file, NameKind::file) ||
                                 is_of(record.file, NameKind::overflow) ||
                                 is_of(record.file, NameKind::by_path);
            const bool moved = record.opens > 0 || record.reads > 0 || record.writes > 0;
            Work& most = work[record.process];
            most = std::max(most, on_file && moved ? Work::on_files : Work::some);
        }
    };
    add(log.rows<PosixRecord>());
    add(log.rows<StdioRecord>());
    add(log.rows<MpiioRecord>());
    // Of files whose records are of several processes.
    for (const Totals& totals : log.rows<Totals>())
        if (totals.scope != static_cast<std::uint64_t>(Scope::streams) && totals.reads + totals.writes > 0)
            work[totals.process] = Work::on_files;
    return work;
}

using OnHost = std::pair<std::string_view, std::uint64_t>;  // a process id there

// mpirun and its kin: parents of what they numbered.
std::set<OnHost> launchers_in(const Log& log)
{
    std::set<OnHost> launchers;
    for (const Process& process : log.rows<Process>())
        if (process.task >= 0 && process.parent != 0) launchers.insert({process.host, process.parent});
    for (const Process& process : log.rows<Process>())
        if (process.task >= 0) launchers.erase({process.host, process.pid});
    return launchers;
}

// By process, the one that it was at first: exec makes another row of it.
std::unordered_map<std::int64_t, std::int64_t> first_programs(const std::vector<const Process*>& processes)
{
    std::vector<const Process*> order = processes;
    std::stable_sort(order.begin(), order.end(), [](const Process* a, const Process* b) {
        return std::tie(a->host, a->pid, a->start) < std::tie(b->host, b->pid, b->start);
    });
    std::unordered_map<std::int64_t, std::int64_t> first;
    const Process* before = nullptr;
    for (const Process* const one : order) {
        const bool goes_on = before != nullptr && before->pid != 0 && before->pid == one->pid &&
                             before->host == one->host &&
                             before->ending == static_cast<std::uint64_t>(Ending::replaced);
        first[one->process] = goes_on ? first.at(before->process) : one->process;
        before = one;
    }
    return first;
}

std::string_view last_component(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

JobRanks::JobRanks(const Log& log) : log_(log)
{
    take_mpi_ranks();
    if (!mpi_) take_workers();
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Process* a, const Process* b) {
        return ranks_.at(a->process) < ranks_.at(b->process);
    });
}

// Where several jobs of MPI are in the log, the ranks of all of them are numbered through.
void JobRanks::take_mpi_ranks()
{
    constexpr std::int64_t most_ranks = std::int64_t{1} << 31;  // damaged logs have more
    std::set<std::int64_t> known;
    std::uint64_t world = 0;
    for (const Process& process : log_.rows<Process>()) {
        if (process.rank < 0) continue;
        rows_.push_back(&process);
        known.insert(process.rank);
        if (process.ranks <= most_ranks) world = std::max(world, process.ranks);
    }
    mpi_ = !rows_.empty();
    const bool of_one_job = mpi_ && known.size() == rows_.size() && *known.rbegin() < most_ranks;
    if (of_one_job) count_ = std::max(*known.rbegin() + 1, static_cast<std::int64_t>(world));
    for (const Process* const process : rows_)
        ranks_.emplace(process->process, of_one_job ? process->rank : count_++);
}

void JobRanks::take_workers()
{
    const std::set<OnHost> launchers = launchers_in(log_);
    std::vector<const Process*> candidates;
    for (const Process& process : log_.rows<Process>())
        if (!launchers.contains({process.host, process.pid})) candidates.push_back(&process);

    const auto first = first_programs(candidates);
    std::unordered_map<std::int64_t, Work> of_all_programs;
    Work most = Work::none;
    const auto work = work_of(log_);
    for (const Process* const process : candidates) {
        const auto known = work.find(process->process);
        if (known == work.end()) continue;
        Work& all = of_all_programs[first.at(process->process)];
        all = std::max(all, known->second);
        most = std::max(most, all);
    }
    std::unordered_map<std::int64_t, std::int64_t> rank_of_first;
    for (const Process* const process : candidates) {
        const std::int64_t original = first.at(process->process);
        if (of_all_programs[original] < most) continue;
        rows_.push_back(process);
        const auto [rank, is_new] = rank_of_first.try_emplace(original, count_);
        count_ += is_new ? 1 : 0;
        ranks_.emplace(process->process, rank->second);
    }
}

std::vector<std::string> JobRanks::losses() const
{
    std::size_t processes = 0;
    std::set<std::string_view> programs;
    for (const Process& process : log_.rows<Process>()) {
        if (of(process.process)) continue;
        ++processes;
        programs.insert(last_component(process.program));
    }
    if (processes == 0) return {};
    std::size_t records = 0;
    std::uint64_t read = 0, written = 0;
    const auto add = [&](const auto& rows, bool bytes) {
        for (const auto& record : rows) {
            if (record.process < 0 || of(record.process)) continue;
            ++records;
            read += bytes ? record.bytes_read : 0;
            written += bytes ? record.bytes_written : 0;
        }
    };
    add(log_.rows<PosixRecord>(), true);
    add(log_.rows<StdioRecord>(), true);
    add(log_.rows<MpiioRecord>(), false);  // POSIX has these bytes

    constexpr std::size_t most_named = 4;
    std::string named;
    for (const std::string_view program : programs)
        if (!program.empty() && programs.size() <= most_named) add_to_list(named, program);
    const bool one = processes == 1;
    return {fmt::format("{} {} that {}{}, with {} {} of files: {} bytes read, {} bytes written", processes,
                        one ? "process" : "processes",
                        mpi_  ? (one ? "is no MPI rank" : "are no MPI ranks")
                        : one ? "is a launcher or did no I/O on files"
                              : "are launchers or did no I/O on files",
                        named.empty() ? "" : fmt::format(" ({})", named), records,
                        records == 1 ? "record" : "records", read, written)};
}

}  // namespace fathom::darshan
