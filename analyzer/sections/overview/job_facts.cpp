// What ran, when and where, and how far the log can be trusted.
#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/endings.h"
#include "analyzer/job/missing_ranks.h"
#include "analyzer/job/node_clocks.h"
#include "analyzer/job/node_list.h"
#include "analyzer/job/recorded.h"
#include "analyzer/job/whole_seconds.h"
#include "analyzer/sections/overview/job_owner.h"
#include "analyzer/sections/sections.h"
#include "logformat/job_identity.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_problems = 10;

std::string programs_of(const Job& job)
{
    std::vector<std::string_view> programs;
    for (const Member& member : job.ranks)
        if (!member.process.program.empty() &&
            std::find(programs.begin(), programs.end(), member.process.program) == programs.end())
            programs.push_back(member.process.program);
    if (programs.empty()) return {};
    std::string all(programs[0]);
    if (programs.size() > 1) all += fmt::format(" and {} more", programs.size() - 1);
    return all;
}

std::string hosts_of(const Job& job)
{
    std::string names;
    for (std::size_t at = 0; at < std::min<std::size_t>(job.hosts.size(), 4); ++at)
        names += (at == 0 ? "" : ", ") + std::string(job.hosts[at]);
    if (job.hosts.size() > 4) names += ", …";
    return names;
}

std::size_t facts_named(const Job& job, std::string_view name)
{
    const auto& facts = job.log.rows<Fact>();
    return static_cast<std::size_t>(
        std::count_if(facts.begin(), facts.end(), [&](const Fact& fact) { return fact.name == name; }));
}

// Logs that were merged may have several values of one fact.
std::string and_more(const Job& job, std::string_view name)
{
    const std::size_t all = facts_named(job, name);
    return all < 2 ? "" : fmt::format("and {} more", format_count(all - 1));
}

std::string in_seconds(std::uint64_t nanoseconds)
{
    return format_seconds(static_cast<double>(nanoseconds) / 1e9);
}

std::string_view state_of_log(const Job& job, const MissingRanks& ranks)
{
    if (!job.log.problems.empty()) return "damaged or incomplete";
    return !ranks.any() ? "complete" : ranks.tasks ? "tasks are missing" : "ranks are missing";
}

Entries header(const Job& job)
{
    Entries entries;
    const auto add = [&](std::string id, std::string label, Cell value, std::string remark = {}) {
        if (value.known())
            entries.entries.push_back({std::move(id), std::move(label), std::move(value), std::move(remark)});
    };
    const auto words = [](std::string_view value) { return value.empty() ? unknown() : text(value); };
    if (job.log.fact("command"))
        add("command", "command", words(*job.log.fact("command")), and_more(job, "command"));
    else if (!job.ranks.empty())
        add("command", "command", words(job.ranks[0].process.command));
    const std::string program = programs_of(job);
    add("program", "program", program.empty() ? unknown() : path(program));
    for (Entry& entry : owner_entries(job)) entries.entries.push_back(std::move(entry));
    if (job.start > 0) {
        add("start", "start", instant(job.start));
        add("end", "end", instant(job.end));
        add("run_time", "run time", nanoseconds(job.run_time()),
            in_whole_seconds(job) ? "in whole seconds: up to 1 s less" : "");
    }
    const std::size_t processes = job.ranks.size() + job.helpers.size();
    add("processes", "processes", count(processes), processes == 0 ? "the log has none" : "");
    const MissingRanks all_ranks = missing_ranks_of(job);
    const std::string nodes = nodes_without_record(job);
    const std::string remark_on_missing =
        fmt::format("of {}; missing: {}{}", format_count(all_ranks.started), all_ranks.names(),
                    nodes.empty() ? "" : "; nothing of " + nodes);
    if (job.mpi)
        add("ranks", "MPI ranks", count(job.ranks.size()),
            all_ranks.any() && !all_ranks.tasks ? remark_on_missing : "");
    if (all_ranks.any() && all_ranks.tasks)
        add("tasks", "tasks of the launcher", count(all_ranks.recorded()), remark_on_missing);
    if (all_ranks.any())
        add(all_ranks.tasks ? "tasks_started" : "ranks_started",
            all_ranks.tasks ? "that it started" : "that MPI started", count(all_ranks.started));
    if (!job.mpi && processes > 0 && source_of(job.log).knows_mpi)
        add("mpi", "MPI", text(job.log.fact("not_gathered") ? "in use" : "no"),
            job.log.fact("not_gathered") ? "which process was which rank is not known"
                                         : "no process initialised MPI");
    if (job.nodes() > 0 || job.hosts.empty())
        add("nodes", "nodes", cell_if(job.nodes() > 0 || source_of(job.log).knows_nodes, count(job.nodes())),
            hosts_of(job));
    else
        add("nodes", "nodes, at least", count(job.hosts.size()), hosts_of(job));
    if (const NodeClocks clocks = node_clocks_of(job); clocks.known())
        add("clocks_apart", "clocks of nodes apart", nanoseconds(clocks.apart),
            clocks.surely() == 0 ? fmt::format("at most {}", in_seconds(clocks.apart + clocks.error))
                                 : fmt::format("give or take {}; {} is ahead of {}", in_seconds(clocks.error),
                                               clocks.first, clocks.last));
    add("endings", "ended by",
        processes == 0 || !job.log.recorded(&Process::ending) ? unknown() : text(endings_of(job)));
    if (const std::size_t merged = facts_named(job, "merged"); merged > 0)
        add("merged", "merged of", text(counted(merged, "log", "logs")),
            "fathom dump --table job lists them");
    const std::uint64_t missed = job.calls_missed();
    if (const Source& source = source_of(job.log); !source.own)
        add("source", "recorded by", text(source.name), std::string(source.caution));
    add("log", "log", text(state_of_log(job, all_ranks)),
        job.log.problems.empty() ? "" : counted(job.log.problems.size(), "problem", "problems") + ", below");
    add("missed_calls", "calls not counted", cell_if(job.log.recorded("processes.missed"), count(missed)),
        missed == 0 ? "" : "what they moved is in none of the numbers");
    const std::uint64_t traced = job.sum_of(&Process::traced), untraced = job.sum_of(&Process::untraced);
    if (traced + untraced > 0) {
        add("traced", "operations in the trace", count(traced), "fathom dump --trace lists them");
        add("untraced", "that did not fit in",
            cell_if(job.log.recorded(&Process::untraced), count(untraced)));
        if (const std::uint64_t lost = job.sum_of(&Process::trace_lost); lost > 0)
            add("trace_lost", "that were lost from it", count(lost), "their process was killed just then");
    }
    return entries;
}

struct Label {
    std::string_view fact;
    std::string_view label;  // empty: not shown, since an entry above has it or it is for programs only
};
constexpr Label labels[] = {
    {"command", ""},
    {"source", ""},
    {"job", ""},
    {"merged", ""},
    {"recorder", "recorded by Fathom"},
    {"folder", "started in"},
    {"host", "started on"},
    {"mpi", "MPI library"},
    {"excluded", "excluded paths"},
    {"included", "included paths"},
    {"not_gathered", "merged after MPI_Finalize, since"},
};

std::string label_of(std::string_view fact)
{
    for (const Label& known : labels)
        if (known.fact == fact) return std::string(known.label);
    std::string label(fact);
    std::replace(label.begin(), label.end(), '_', ' ');
    return label;
}

// Facts that no entry above has: whatever the recorder or a parser adds is shown. Those of one name stand
// together.
Entries further_facts(const Job& job)
{
    Entries entries;
    for (const Fact& fact : job.log.rows<Fact>()) {
        const std::string label = label_of(fact.name);
        if (label.empty() || fact.value.empty() || fact.name.ends_with("_ns") ||
            identity::is_identity(fact.name))
            continue;  // instants and the owner: shown above
        const auto same = std::find_if(entries.entries.begin(), entries.entries.end(),
                                       [&](const Entry& entry) { return entry.id == fact.name; });
        if (same == entries.entries.end())
            entries.entries.push_back({std::string(fact.name), label, text(fact.value), ""});
        else
            std::get<std::string>(same->value.value) += ", " + std::string(fact.value);
    }
    return entries;
}

// Which files had no room of their own; empty where all had.
std::string further_files(const Job& job)
{
    constexpr std::uint64_t kib_per_file = 1;
    std::string mounts;
    std::uint64_t all = 0;
    for (const FileUse& use : job.files) {
        if (use.kind != NameKind::overflow) continue;
        const std::string_view folder = use.path.substr(0, use.path.rfind('/'));
        add_to_list(mounts,
                    fmt::format("{} below {}", format_count(use.files), folder.empty() ? "/" : folder));
        all += use.files;
    }
    if (mounts.empty()) return {};
    return fmt::format(
        "A process used more files than there was room for (about {}). All that it did to them is in the "
        "totals and "
        "rates, kept as one record for each file system, but not by file and not in the modes. fathom record "
        "--memory {} would have had room.",
        mounts, std::bit_ceil(2048 + all * kib_per_file));
}

// Which files are counted together because nobody opened them; empty where each has a record.
std::string files_by_path(const Job& job)
{
    std::string mounts;
    for (const FileUse& use : job.files) {
        if (use.kind != NameKind::by_path) continue;
        const std::string_view folder = use.path.substr(0, use.path.rfind('/'));
        add_to_list(mounts,
                    fmt::format("{} below {}", format_count(use.files), folder.empty() ? "/" : folder));
    }
    if (mounts.empty()) return {};
    return fmt::format(
        "A process looked at many files, or changed or removed them, without opening them. Beyond the first "
        "thousand (fewer with little --memory) they are counted together, in one record for each file "
        "system: "
        "about {}. Totals and rates have all that was done to them.",
        mounts);
}

// Tables whose rows fill sections of their own: a log that lacks them has no such section, rather than zeros.
constexpr std::string_view timing_tables[] = {table_name<OperationTimes>(), table_name<DurationBin>(),
                                              table_name<Slice>(),          table_name<TraceShape>(),
                                              table_name<TracePiece>(),     table_name<TracePlace>(),
                                              table_name<TraceTimes>()};

void add_not_recorded(const Log& log, Blocks& blocks)
{
    if (!source_of(log).own) return;  // "Consistency checks" says what such logs never have
    std::size_t counters = 0, timings = 0, hints = 0, failed_paths = 0;
    for (const std::string_view column : log.not_recorded.names()) {
        const std::string_view table = column.substr(0, column.find('.'));
        if (table == table_name<LibraryCounter>()) continue;  // only other tools have those
        if (table == table_name<DataFileRecord>() || table == table_name<DatasetRecord>()) continue;
        if (table == table_name<Hints>()) {
            ++hints;
            continue;
        }
        if (table == table_name<FailedPath>()) {
            ++failed_paths;
            continue;
        }
        const auto* const found = std::find(std::begin(timing_tables), std::end(timing_tables), table);
        ++(found == std::end(timing_tables) ? counters : timings);
    }
    if (timings > 0)
        blocks.push_back(Note{Weight::information,
                              "The log is of a version that did not record when I/O happened and how long "
                              "each operation took: those sections are missing."});
    if (hints > 0)
        blocks.push_back(
            Note{Weight::information,
                 "The log is of a version that did not record the hints that programs gave MPI-IO."});
    if (failed_paths > 0)
        blocks.push_back(Note{Weight::information,
                              "The log is of a version that did not record which paths calls failed on."});
    if (counters > 0)
        blocks.push_back(
            Note{Weight::information,
                 fmt::format("{} that this version knows are not in the log and count as 0 here; fathom dump "
                             "names them.",
                             counted(counters, "counter", "counters"))});
}

}  // namespace

Blocks job_facts(const Job& job, const SectionChoice&)
{
    Blocks blocks = {header(job)};
    Entries facts = further_facts(job);
    if (!facts.entries.empty()) blocks.push_back(std::move(facts));
    if (Entries owner = owner_facts(job); !owner.entries.empty()) blocks.push_back(std::move(owner));
    if (job.ranks.empty())
        blocks.push_back(
            Note{Weight::warning, "The log has no process: nothing was recorded, or that part is lost."});
    const auto& problems = job.log.problems;
    for (std::size_t at = 0; at < std::min(problems.size(), most_problems); ++at)
        blocks.push_back(Note{Weight::warning, problems[at]});
    if (problems.size() > most_problems)
        blocks.push_back(
            Note{Weight::warning, fmt::format("… and {} more problems; fathom dump lists all of them",
                                              problems.size() - most_problems)});
    add_not_recorded(job.log, blocks);
    if (const std::uint64_t untraced = job.sum_of(&Process::untraced); untraced > 0)
        blocks.push_back(Note{
            Weight::warning,
            fmt::format("The trace ends early in some processes: {} did not fit into their room. Every "
                        "other number has them. fathom record --trace-memory KIB gives each process more; "
                        "--trace-files and --trace-ranks trace less.",
                        counted(untraced, "operation", "operations"))});
    if (const std::string further = further_files(job); !further.empty())
        blocks.push_back(Note{Weight::information, further});
    if (const std::string by_path = files_by_path(job); !by_path.empty())
        blocks.push_back(Note{Weight::information, by_path});
    return blocks;
}

}  // namespace fathom
