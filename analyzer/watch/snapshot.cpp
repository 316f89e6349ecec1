#include "analyzer/watch/snapshot.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "analyzer/job/metadata_calls.h"
#include "analyzer/job/node_list.h"
#include "analyzer/job/who.h"
#include "logformat/job_identity.h"

namespace fathom::watch {
namespace {

Amounts amounts_of(const RecordView& record)
{
    Amounts amounts;
    if (record.layer == Layer::mpiio) return amounts;  // arrives in POSIX
    with_counters(record, [&](const auto& counters) {
        amounts = {counters.bytes_read, counters.bytes_written,   counters.reads,
                   counters.writes,     metadata_calls(counters), counters.read_time,
                   counters.write_time, counters.metadata_time};
    });
    return amounts;
}

bool is_running(const Process& process)
{
    return process.ending == static_cast<std::uint64_t>(Ending::running);
}

std::string name_of(const Job& job, std::size_t rank)
{
    const Process& process = job.ranks[rank].process;
    const std::string program = std::filesystem::path(process.program).filename();
    if (job.mpi) return fmt::format("{} {}", job.rank_name(rank), program);
    return fmt::format("{} (pid {})", program.empty() ? "a process" : program, process.pid);
}

const Recording* recording_in(const Snapshot& snapshot, const std::string& spool)
{
    const auto found = std::ranges::find(snapshot.recordings, spool, &Recording::spool);
    return found == snapshot.recordings.end() ? nullptr : &*found;
}

template <class Map, class Key>
Amounts before_of(const Map* map, const Key& key)
{
    if (map == nullptr) return {};
    const auto found = map->find(key);
    if (found == map->end()) return {};
    if constexpr (requires { found->second.amounts; })
        return found->second.amounts;
    else
        return found->second;
}

std::size_t nodes_of(const Log& log)
{
    if (const auto list = log.fact(identity::node_list); list && list->size() < identity::most_bytes)
        if (const std::size_t named = nodes_in(*list).size(); named > 0) return named;
    std::size_t number = 0;
    const std::string words(log.fact(identity::job_nodes).value_or(""));
    std::from_chars(words.data(), words.data() + words.size(), number);
    return number;
}

// "node3 (7 s old): step 0, lmp"
std::string name_of(const Recording& recording)
{
    if (recording.node.empty()) return recording.command;
    return fmt::format("{} ({}): {}{}", recording.node,
                       recording.silent ? fmt::format("no news for {:.0f} s", recording.age)
                                        : fmt::format("{:.0f} s old", recording.age),
                       recording.step.empty() ? "" : fmt::format("step {}, ", recording.step),
                       recording.command);
}

}  // namespace

void Amounts::add(const Amounts& more)
{
    read += more.read;
    written += more.written;
    reads += more.reads;
    writes += more.writes;
    metadata_calls += more.metadata_calls;
    read_time += more.read_time;
    write_time += more.write_time;
    metadata_time += more.metadata_time;
}

Amounts Amounts::since(const Amounts& before) const
{
    const auto more = [](std::uint64_t now, std::uint64_t then) { return now > then ? now - then : 0; };
    return {more(read, before.read),
            more(written, before.written),
            more(reads, before.reads),
            more(writes, before.writes),
            more(metadata_calls, before.metadata_calls),
            more(read_time, before.read_time),
            more(write_time, before.write_time),
            more(metadata_time, before.metadata_time)};
}

std::size_t Recording::processes_running() const
{
    return elsewhere + static_cast<std::size_t>(std::ranges::count_if(
                           processes, [](const auto& one) { return one.second.running; }));
}

Recording recording_of(const Job& job, std::string spool)
{
    Recording made;
    made.spool = std::move(spool);
    made.command = command_of(job);
    made.program = program_name_of(job);
    made.job = job.log.fact(identity::job_id).value_or("");
    made.step = job.log.fact(identity::job_step).value_or("");
    made.project = job.log.fact(identity::account).value_or("");
    made.nodes = nodes_of(job.log);
    made.start = job.start;
    made.running = false;
    std::map<std::int64_t, std::uint64_t> pids;  // by number, which another process may have in the next log
    for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
        const Process& process = job.ranks[rank].process;
        pids[process.process] = process.pid;
        made.processes[process.pid] = {name_of(job, rank), is_running(process), {}};
        made.running = made.running || is_running(process);
    }
    for (const Member& helper : job.helpers) made.running = made.running || is_running(helper.process);
    job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (!is_of_files(use.kind)) return;
        Amounts of_file;
        for (const RecordView& record : records) {
            const Amounts amounts = amounts_of(record);
            of_file.add(amounts);
            if (const auto pid = pids.find(record.process); pid != pids.end())
                made.processes[pid->second].amounts.add(amounts);
        }
        made.files[std::string(use.path)].add(of_file);
        made.amounts.add(of_file);
    });
    return made;
}

std::vector<Row> rows_of(const Snapshot& before, const Snapshot& now, View view)
{
    std::vector<Row> rows;
    for (const Recording& recording : now.recordings) {
        const Recording* const then = recording_in(before, recording.spool);
        if (view == View::recordings)
            rows.push_back({name_of(recording), recording.amounts,
                            recording.amounts.since(then == nullptr ? Amounts{} : then->amounts),
                            recording.processes_running(), recording.running});
        if (view == View::processes)
            for (const auto& [pid, process] : recording.processes)
                rows.push_back(
                    {process.name, process.amounts,
                     process.amounts.since(before_of(then == nullptr ? nullptr : &then->processes, pid)),
                     std::size_t{process.running}, process.running});
        if (view == View::files)
            for (const auto& [path, amounts] : recording.files)
                rows.push_back({path, amounts,
                                amounts.since(before_of(then == nullptr ? nullptr : &then->files, path)),
                                recording.processes_running(), recording.running});
    }
    return rows;
}

Row sum_of(const Snapshot& before, const Snapshot& now)
{
    Row sum;
    sum.running = false;
    for (const Row& row : rows_of(before, now, View::recordings)) {
        sum.all.add(row.all);
        sum.lately.add(row.lately);
        sum.processes += row.processes;
        sum.running = sum.running || row.running;
    }
    return sum;
}

std::size_t nodes_at_work(const Snapshot& snapshot)
{
    std::set<std::string_view> nodes;
    for (const Recording& recording : snapshot.recordings)
        if (recording.running && !recording.silent) nodes.insert(recording.node);
    return nodes.size();
}

}  // namespace fathom::watch
