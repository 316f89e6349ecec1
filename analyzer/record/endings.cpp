// Finds the process that a parent meant: numbers of processes come again.
#include "analyzer/record/endings.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <vector>

#include "logformat/log/words.h"

namespace fathom {
namespace {

// A process's start and its parent's wait were put on the clock of UNIX time by two processes.
constexpr std::uint64_t clocks_differ_ns = 10'000'000;

// A process that replaced by exec has a row for each: the last one is the one that ended.
using ByPid = std::map<std::pair<std::string_view, std::uint64_t>, std::vector<Process*>>;

ByPid processes_by_pid(Log& log)
{
    ByPid processes;
    for (Process& process : log.rows<Process>()) processes[{process.host, process.pid}].push_back(&process);
    for (auto& [pid, all] : processes)
        std::sort(all.begin(), all.end(),
                  [](const Process* a, const Process* b) { return a->start < b->start; });
    return processes;
}

Process* find_dead(const ByPid& processes, std::string_view host, const Death& death)
{
    const auto found = processes.find({host, death.pid});
    if (found == processes.end()) return nullptr;
    Process* last = nullptr;
    for (Process* const process : found->second)
        if (process->parent == death.parent && process->start <= death.when + clocks_differ_ns)
            last = process;
    return last;
}

// Whether there is a row of what the process became. What it was before may have one too.
bool was_recorded(const ByPid& processes, std::string_view host, const Start& start)
{
    const auto found = processes.find({host, start.pid});
    if (found == processes.end()) return false;
    const Process& last = *found->second.back();
    if (start.by != start.pid) return last.start + clocks_differ_ns >= start.when;
    return static_cast<Ending>(last.ending) != Ending::replaced || last.end > start.when;
}

// A process that could not say that it ended was last seen in its last call: that it lived on until then only
// its parent knows.
void tell(Process& process, int status, std::uint64_t when)
{
    const auto known = static_cast<Ending>(process.ending);
    if (known > Ending::finalized) return;
    if (known == Ending::unknown) process.end = std::max(process.end, when);
    if (WIFSIGNALED(status)) {
        process.ending = static_cast<std::uint64_t>(Ending::killed);
        process.status = WTERMSIG(status);
    }
    if (WIFEXITED(status)) {
        process.ending = static_cast<std::uint64_t>(std::max(known, Ending::exited));
        process.status = WEXITSTATUS(status);
    }
}

}  // namespace

void add_death(Log& log, std::string_view host, const Death& death)
{
    log.add_fact(death_fact,
                 fmt::format("{} {} {} {} {}", death.parent, death.pid, death.status, death.when, host));
}

void add_start(Log& log, std::string_view host, const Start& start)
{
    const std::size_t slash = start.name.rfind('/');
    log.add_fact(start_fact, fmt::format("{} {} {} {} {}", start.by, start.pid, start.when, host,
                                         start.name.substr(slash == std::string_view::npos ? 0 : slash + 1)));
}

void settle_starts(Log& log)
{
    const ByPid processes = processes_by_pid(log);
    std::map<std::string, std::size_t> missing;
    for (const Fact& fact : log.rows<Fact>()) {
        if (fact.name != start_fact) continue;
        std::istringstream words{std::string(fact.value)};
        Start start;
        std::string host, name;
        if (!(words >> start.by >> start.pid >> start.when >> host)) continue;
        std::getline(words >> std::ws, name);
        if (!was_recorded(processes, host, start)) ++missing[name.empty() ? "?" : name];
    }
    std::erase_if(log.rows<Fact>(), [](const Fact& fact) { return fact.name == start_fact; });
    std::string names;
    for (const auto& [name, times] : missing)
        add_to_list(names, fmt::format("{}{}", name, times > 1 ? fmt::format(" ({} times)", times) : ""));
    if (!names.empty()) log.add_fact(not_recorded_fact, names);
}

void settle_deaths(Log& log)
{
    const ByPid processes = processes_by_pid(log);
    for (const Fact& fact : log.rows<Fact>()) {
        if (fact.name != death_fact) continue;
        std::istringstream words{std::string(fact.value)};
        Death death;
        std::string host;
        if (!(words >> death.parent >> death.pid >> death.status >> death.when >> host)) continue;
        if (Process* const process = find_dead(processes, host, death))
            tell(*process, static_cast<int>(death.status), death.when);
    }
    std::erase_if(log.rows<Fact>(), [](const Fact& fact) { return fact.name == death_fact; });
}

}  // namespace fathom
