// Sorts logs by the MPI job that they are of, and settles whose ranks keep their numbers.
#include "analyzer/record/merge_logs.h"

#include <algorithm>
#include <fmt/format.h>

namespace fathom {
namespace {

constexpr std::string_view merged_fact = "merged";

std::vector<std::string> take_merged_facts(Log& log)
{
    std::vector<std::string> values;
    std::erase_if(log.rows<Fact>(), [&](const Fact& fact) {
        if (fact.name != merged_fact) return false;
        values.emplace_back(fact.value);
        return true;
    });
    return values;
}

}  // namespace

void LogMerger::add(Log&& log, const std::string& path)
{
    note_processes(log, path);
    Source source{.path = path,
                  .command = std::string(log.fact("command").value_or("")),
                  .processes = log.rows<Process>().size(),
                  .job = mpi_job_of(log),
                  .merged = take_merged_facts(log)};
    for (const Process& process : log.rows<Process>()) {
        if (process.rank < 0) continue;
        source.first_rank = source.first_rank < 0 ? process.rank : std::min(source.first_rank, process.rank);
        source.last_rank = std::max(source.last_rank, process.rank);
    }
    for (const auto& [there, here] : merger_.add(std::move(log))) job_of_[here] = source.job;
    sources_.push_back(std::move(source));
}

// A process that wrote its log at MPI_Finalize and went on is in two logs, with a later start in the second.
void LogMerger::note_processes(const Log& log, const std::string& path)
{
    for (const Process& process : log.rows<Process>()) {
        const auto known = seen_.find({process.start, process.pid, std::string(process.host)});
        if (process.start != 0 && known != seen_.end())
            throw LogError(
                fmt::format("{}: process {} of {} is in {} as well, and all that it did would be counted "
                            "twice; leave one "
                            "of the two out",
                            path, process.pid, process.host, sources_[known->second].path));
    }
    for (const Process& process : log.rows<Process>())
        seen_[{process.start, process.pid, std::string(process.host)}] = sources_.size();
}

std::size_t LogMerger::mpi_job_of(const Log& log)
{
    const std::string key(log.fact("job").value_or(""));
    std::map<std::int64_t, Owner> ranks;
    for (const Process& process : log.rows<Process>())
        if (process.rank >= 0) ranks.try_emplace(process.rank, process.pid, process.host);
    const auto fits = [&](const MpiJob& job) {
        return !key.empty() && job.key == key &&
               std::all_of(ranks.begin(), ranks.end(), [&](const auto& one) {
                   const auto known = job.ranks.find(one.first);
                   return known == job.ranks.end() || known->second == one.second;
               });
    };
    auto job = std::find_if(jobs_.begin(), jobs_.end(), fits);
    if (job == jobs_.end()) job = jobs_.insert(jobs_.end(), {key, {}, 0});
    job->ranks.merge(ranks);
    return static_cast<std::size_t>(job - jobs_.begin());
}

// Nothing where no rank is in two jobs.
void LogMerger::shift_ranks()
{
    std::map<std::int64_t, std::size_t> jobs_with;
    for (const MpiJob& job : jobs_)
        for (const auto& [rank, owner] : job.ranks) ++jobs_with[rank];
    if (std::all_of(jobs_with.begin(), jobs_with.end(), [](const auto& one) { return one.second == 1; }))
        return;
    std::int64_t next = 0;
    for (MpiJob& job : jobs_) {
        if (job.ranks.empty()) continue;
        job.shift = next;
        next += job.ranks.rbegin()->first + 1;
    }
    for (Process& process : merger_.processes())
        if (process.rank >= 0) process.rank += jobs_[job_of_[process.process]].shift;
}

std::string LogMerger::sentence_on(const Source& source) const
{
    std::string text =
        fmt::format("{}: {}", source.path,
                    source.processes == 1 ? "1 process" : fmt::format("{} processes", source.processes));
    if (source.first_rank >= 0) {
        const std::int64_t shift = jobs_[source.job].shift;
        const auto range = [](std::int64_t first, std::int64_t last) {
            return first == last ? fmt::format("rank {}", first) : fmt::format("ranks {} to {}", first, last);
        };
        text += ", " + range(source.first_rank + shift, source.last_rank + shift);
        if (shift != 0) text += fmt::format(" (in it {})", range(source.first_rank, source.last_rank));
    }
    if (!source.command.empty()) text += ": " + source.command;
    return text;
}

Log LogMerger::finish()
{
    shift_ranks();
    Log log = merger_.pause();
    for (const Source& source : sources_) {
        if (sources_.size() > 1 && source.merged.empty()) log.add_fact(merged_fact, sentence_on(source));
        for (const std::string& earlier : source.merged)
            log.add_fact(merged_fact, sources_.size() > 1 ? source.path + ": " + earlier : earlier);
    }
    return log;
}

}  // namespace fathom
