// Words for endings.
#include "analyzer/job/endings.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "analyzer/document/units.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_named = 5;

std::string signal_name(std::int64_t number)
{
    const char* const name = sigabbrev_np(static_cast<int>(number));
    return name == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{} ({})", name, number);
}

std::string exit_with(std::int64_t status)
{
    return status == no_status ? "exit" : fmt::format("exit {}", status);
}

// A rank whose exit was seen, and MPI_Finalize was not.
bool skipped_finalize(const Process& process)
{
    return process.rank >= 0 && process.finalized == 0 && process.status != no_status &&
           process.ending == static_cast<std::uint64_t>(Ending::exited);
}

bool ended_early(const Process& process)
{
    const auto ending = static_cast<Ending>(process.ending);
    return ending == Ending::killed || ending == Ending::aborted || skipped_finalize(process);
}

bool succeeded(const Process& process)
{
    const auto ending = static_cast<Ending>(process.ending);
    return (ending == Ending::exited || ending == Ending::finalized) && process.status <= 0 &&
           (process.status == 0 || process.finalized != 0);
}

// The parents whose end was a success, by node and pid: pools of workers end their workers so.
using Parents = std::set<std::pair<std::string_view, std::uint64_t>>;

bool was_ended_by_parent(const Process& process, const Parents& succeeded)
{
    return process.rank < 0 && process.ending == static_cast<std::uint64_t>(Ending::killed) &&
           process.status == SIGTERM && succeeded.contains({process.host, process.parent});
}

bool was_not_seen(const Process& process)
{
    return process.ending == static_cast<std::uint64_t>(Ending::unknown);
}

bool still_runs(const Process& process)
{
    return process.ending == static_cast<std::uint64_t>(Ending::running);
}

template <class Visit>
void each_member(const Job& job, Visit visit)
{
    for (const std::vector<Member>* const some : {&job.ranks, &job.helpers})
        for (const Member& member : *some) visit(member.process);
}

Parents parents_that_succeeded(const Job& job)
{
    Parents parents;
    each_member(job, [&](const Process& process) {
        if (process.pid != 0 && succeeded(process)) parents.insert({process.host, process.pid});
    });
    return parents;
}

std::vector<const Process*> processes_where(const Job& job, auto fits)
{
    std::vector<const Process*> found;
    each_member(job, [&](const Process& process) {
        if (fits(process)) found.push_back(&process);
    });
    return found;
}

std::vector<const Process*> early_ones(const Job& job)
{
    const Parents parents = parents_that_succeeded(job);
    return processes_where(job, [&](const Process& process) {
        return ended_early(process) && !was_ended_by_parent(process, parents);
    });
}

std::string name_of(const Process& process)
{
    if (process.rank >= 0) return fmt::format("rank {}", process.rank);
    return fmt::format("{} (pid {})", std::filesystem::path(process.program).filename().string(),
                       process.pid);
}

// "rank 1: SIGKILL (9), rank 2: SIGTERM (15) and 3 more"
std::string named(const std::vector<const Process*>& processes, bool with_ending)
{
    std::string names;
    for (std::size_t at = 0; at < std::min(processes.size(), most_named); ++at) {
        names += (at == 0 ? "" : ", ") + name_of(*processes[at]);
        if (with_ending) names += ": " + ending_of(*processes[at]);
    }
    if (processes.size() > most_named)
        names += fmt::format(" and {} more", format_count(processes.size() - most_named));
    return names;
}

}  // namespace

std::string ending_of(const Process& process)
{
    const std::string late = process.finalized != 0 ? " after MPI_Finalize" : "";
    switch (static_cast<Ending>(process.ending)) {
        case Ending::unknown:
            break;
        case Ending::exited:
            return exit_with(process.status) + (process.status > 0 ? late : "") +
                   (skipped_finalize(process) ? " without MPI_Finalize" : "");
        case Ending::finalized:
            return process.status > 0 ? exit_with(process.status) + " after MPI_Finalize" : "MPI_Finalize";
        case Ending::running:
            return "still running when the log was written";
        case Ending::replaced:
            return "replaced by exec";
        case Ending::killed:
            return signal_name(process.status) + late;
        case Ending::aborted:
            return fmt::format("MPI_Abort({})", process.status);
    }
    return "not seen";
}

std::string endings_of(const Job& job)
{
    std::map<std::string, std::uint64_t> counts;
    const Parents parents = parents_that_succeeded(job);
    each_member(job, [&](const Process& process) {
        ++counts[ending_of(process) +
                 (was_ended_by_parent(process, parents) ? " by a parent that ended well" : "")];
    });
    std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string all;
    for (const auto& [words, times] : sorted)
        add_to_list(all, fmt::format("{} {}", format_count(times), words));
    return all;
}

// As php8.2 and php-fpm8.2.
bool has_php(const Job& job)
{
    return std::any_of(job.ranks.begin(), job.ranks.end(), [](const Member& member) {
        const std::string_view path = member.process.program;
        return path.substr(path.rfind('/') + 1).starts_with("php");
    });
}

std::size_t early_endings_of(const Job& job)
{
    return early_ones(job).size();
}

std::vector<Note> notes_on_endings(const Job& job)
{
    std::vector<Note> notes;
    const auto early = early_ones(job), unseen = processes_where(job, was_not_seen);
    if (!early.empty()) {
        const bool one = early.size() == 1;
        std::string sentence = fmt::format(
            "{} ended before {} time: {}. The numbers hold what {} did until then.",
            one ? "A process" : "Processes", one ? "its" : "their", named(early, true), one ? "it" : "they");
        if (!unseen.empty())
            sentence += fmt::format(" How {} more ended was not seen.", format_count(unseen.size()));
        notes.push_back(Note{Weight::warning, std::move(sentence)});
    }
    const auto running = processes_where(job, still_runs);
    if (!running.empty())
        notes.push_back(Note{Weight::warning,
                             fmt::format("Still running when this log was written: {}. What {} did later is "
                                         "not in it; `fathom recover` makes a log that has it.",
                                         named(running, false), running.size() == 1 ? "it" : "they")});
    if (const auto why = job.log.fact("note"))
        notes.push_back(Note{Weight::warning, fmt::format("{}.", *why)});
    if (has_php(job))
        notes.push_back(Note{Weight::warning,
                             "PHP loads its extensions with RTLD_DEEPBIND: their calls, such as those of "
                             "SQLite, are not recorded."});
    if (const auto names = job.log.fact("not_recorded"))
        notes.push_back(
            Note{Weight::warning,
                 fmt::format("Started, but not recorded: {}. Programs that are linked statically, setuid, "
                             "started without LD_PRELOAD, or run by another user cannot be.",
                             *names)});
    return notes;
}

}  // namespace fathom
