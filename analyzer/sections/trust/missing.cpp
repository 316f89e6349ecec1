// A sentence for each kind of thing that may be missing from a log.
#include "analyzer/sections/trust/missing.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/missing_ranks.h"
#include "analyzer/job/node_list.h"
#include "analyzer/job/recorded.h"
#include "logformat/blocks/columns.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using report::counted, report::format_count;

// All values of a fact, a comma between.
std::string facts_of(const Log& log, std::string_view name)
{
    std::string all;
    for (const Fact& fact : log.rows<Fact>())
        if (fact.name == name && !fact.value.empty()) add_to_list(all, fact.value);
    return all;
}

std::uint64_t processes_that(const Job& job, Ending ending)
{
    std::uint64_t number = 0;
    for (const Process& process : job.log.rows<Process>())
        number += process.ending == static_cast<std::uint64_t>(ending);
    return number;
}

// The tables of which the log does not have a single column.
std::string tables_not_recorded(const Log& log)
{
    std::string names;
    const std::vector<std::string_view> absent = log.not_recorded.names();
    each_table([&](const auto& table, std::size_t) {
        const std::string prefix = fmt::format("{}.", table.name);
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        const auto missing = std::count_if(absent.begin(), absent.end(), [&](std::string_view column) {
            return column.starts_with(prefix);
        });
        // Only other tools count in libraries: no version of ours lacks that.
        if (std::is_same_v<Row, LibraryCounter>) return;
        if (missing > 0 && static_cast<std::size_t>(missing) == columns_of<Row>().count)
            add_to_list(names, table.name);
    });
    return names;
}

// What kind of log it is and what such logs never have: those of other tools.
std::vector<std::string> lacks_of_maker(const Job& job)
{
    const Log& log = job.log;
    const Source& source = source_of(log);
    std::string counters;
    const struct {
        bool known;
        std::string_view what;
    } some[] = {{tells(log, Layer::posix, &Transfers::closes), "closes"},
                {tells(log, Layer::posix, &Transfers::failed), "failed calls"},
                {tells(log, Layer::posix, &Transfers::sync_time), "time in syncs apart from writes"},
                {tells(log, &PosixCounters::creates), "which files were created"},
                {tells(log, &PosixCounters::locks), "locks"},
                {tells(log, &PosixCounters::async_reads), "asynchronous I/O"},
                {tells(log, &PosixCounters::map_bytes_read), "what mappings moved"},
                {log.recorded(&Process::ending), "how processes ended"},
                {log.recorded(&Process::pid), "process numbers"}};
    for (const auto& one : some)
        if (!one.known) add_to_list(counters, one.what);
    std::vector<std::string> all;
    all.push_back(fmt::format("A log of {}, which does not record {}.", source.name, counters));
    if (!source.never_sees.empty()) all.emplace_back(source.never_sees);
    std::string apart;
    if (!job.told_apart())
        apart = fmt::format(
            "of files that all ranks opened, which rank did what (the slowest and the fastest "
            "are known)");
    if (log.rows<Slice>().empty()) add_to_list(apart, "when I/O happened, beyond first and last times", "; ");
    if (log.rows<OperationTimes>().empty()) add_to_list(apart, "how long single operations took", "; ");
    if (job.nodes() == 0) add_to_list(apart, "the nodes", "; ");
    if (!apart.empty()) all.push_back(fmt::format("This log does not have: {}.", apart));
    return all;
}

std::uint64_t files_without_room(const Job& job)
{
    std::uint64_t files = 0;
    for (const FileUse& use : job.files)
        if (use.kind == NameKind::overflow) files += use.files;
    return files;
}

}  // namespace

std::vector<std::string> missing_from(const Job& job)
{
    std::vector<std::string> all;
    const Log& log = job.log;
    const bool own = source_of(log).own;
    const auto add = [&](std::uint64_t n, std::string sentence) {
        if (n > 0) all.push_back(std::move(sentence));
    };
    add(log.problems.size(),
        !own ? fmt::format("Incomplete or damaged: {} (\"Job metadata\" lists them).",
                           counted(log.problems.size(), "problem", "problems"))
             : fmt::format("Damaged or lost: {} of the log could not be read (\"Job metadata\" lists them).",
                           counted(log.problems.size(), "part", "parts")));
    const MissingRanks ranks = missing_ranks_of(job);
    const std::string nodes = nodes_without_record(job);
    add(ranks.missing,
        fmt::format("Not recorded: {} of {} {}: {}{}{}.", format_count(ranks.missing),
                    format_count(ranks.started), ranks.tasks ? "tasks" : "MPI ranks", ranks.names(),
                    ranks.remark(), nodes.empty() ? "" : "; the log has nothing of " + nodes));
    if (!own)
        for (std::string& sentence : lacks_of_maker(job)) all.push_back(std::move(sentence));
    const std::string absent = !own ? "" : tables_not_recorded(log);
    add(absent.size(), fmt::format("Not recorded by the version that made the log: the tables {}.", absent));
    const std::uint64_t missed = job.calls_missed();
    add(missed, fmt::format("Not counted: {}, of which neither file nor bytes are known.",
                            counted(missed, "call", "calls")));
    const std::uint64_t untimed = job.sum_of(&Process::untimed);
    add(untimed, fmt::format("Not timed for want of room: {}, which are in no histogram and no time bin.",
                             counted(untimed, "operation", "operations")));
    const std::uint64_t traced = job.sum_of(&Process::traced), untraced = job.sum_of(&Process::untraced);
    add(untraced, fmt::format("Not in the trace for want of room: {} of {}.", format_count(untraced),
                              counted(traced + untraced, "operation", "operations")));
    const std::uint64_t lost = job.sum_of(&Process::trace_lost);
    add(lost, fmt::format("Lost from the trace: the last {} of processes that were killed.",
                          counted(lost, "operation", "operations")));
    const std::uint64_t files = files_without_room(job);
    add(files,
        fmt::format("Not listed by file: about {} for which a process had no room; each file system has one "
                    "record for all of them.",
                    counted(files, "file", "files")));
    const std::string programs = facts_of(log, "not_recorded");
    add(programs.size(),
        fmt::format("Not recorded: these programs, which the job started and which cannot be preloaded: {}.",
                    programs));
    const std::string why = facts_of(log, "not_gathered");
    add(why.size(),
        fmt::format("Not gathered at MPI_Finalize, but merged from the processes afterwards: {}.", why));
    const std::uint64_t killed = processes_that(job, Ending::killed);
    add(killed, fmt::format("Ended by a signal: {}. A call that was under way then is not counted.",
                            counted(killed, "process", "processes")));
    const std::uint64_t running = processes_that(job, Ending::running);
    add(running, fmt::format("Still running when the log was written: {}. What came later is missing.",
                             counted(running, "process", "processes")));
    const std::uint64_t unseen = log.recorded(&Process::ending) ? processes_that(job, Ending::unknown) : 0;
    add(unseen, fmt::format("Nobody saw the end of {}.", counted(unseen, "process", "processes")));
    const std::string excluded = facts_of(log, "excluded");
    add(excluded.size(), fmt::format("Left out on purpose: files below {}.", excluded));
    return all;
}

}  // namespace fathom
