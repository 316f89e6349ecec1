// Packaged programs that ranks start and wait for, as by system, popen or execute_command_line.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t few_started = 8;
// ns of CPU time that starting a program takes, and no call of a library would: assumed.
constexpr double least_of_start = 1e6;

// A process from its fork to its end; what it was before an exec is the same one.
struct Child {
    const Member* member = nullptr;  // what it became
    std::uint64_t start = 0, end = 0;
};
using ChildrenByPid = std::map<std::pair<std::string_view, std::uint64_t>, Child>;

ChildrenByPid children_of(const Job& job)
{
    ChildrenByPid all;
    for (const Member& helper : job.helpers) {
        const Process& process = helper.process;
        Child& child = all[{process.host, process.pid}];
        if (child.member == nullptr) child = {&helper, process.start, process.end};
        if (process.start > child.member->process.start) child.member = &helper;
        child.start = std::min(child.start, process.start);
        child.end = std::max(child.end, process.end);
    }
    return all;
}

// Compressors that are told to be quick do what has to be done.
bool is_quick_compressor(const Process& process)
{
    constexpr std::string_view names[] = {"gzip", "pigz", "bzip2", "xz", "zstd", "lz4"};
    const std::string_view program = std::string_view(process.program).substr(process.program.rfind('/') + 1);
    if (std::find(std::begin(names), std::end(names), program) == std::end(names)) return false;
    return program == "lz4" || program == "zstd" || process.command.find(" -1") != std::string_view::npos ||
           process.command.find(" --fast") != std::string_view::npos;
}

// What a rank's children were started for: the packaged programs among them and beneath their shells.
struct StartedPrograms {
    explicit StartedPrograms(const Job& job) : waited(job), least(job) {}

    LostTime waited, least;
    std::map<std::string_view, std::size_t> runs;
    std::size_t ranks = 0, started = 0;

    std::string_view most_run() const
    {
        return std::max_element(runs.begin(), runs.end(),
                                [](const auto& a, const auto& b) { return a.second < b.second; })
            ->first;
    }
};

StartedPrograms started_in(const Job& job)
{
    StartedPrograms sum(job);
    const ChildrenByPid children = children_of(job);
    ChildrenByPid ranks;
    for (const Member& rank : job.ranks)
        ranks[{rank.process.host, rank.process.pid}] = {&rank, rank.process.start, rank.process.end};
    std::unordered_map<const Member*, std::vector<const Child*>> by_rank;
    std::unordered_map<const Member*, bool> own_work;  // of a rank: what it starts has to be done
    for (const auto& [pid, child] : children) {
        const Process& process = child.member->process;
        auto rank = ranks.find({process.host, process.parent});
        const bool direct = rank != ranks.end();
        if (const auto shell = children.find({process.host, process.parent});
            !direct && shell != children.end())
            rank = ranks.find({process.host, shell->second.member->process.parent});
        // A rank's own pid is that of the launcher's child before its exec.
        if (rank == ranks.end() || ranks.contains(pid)) continue;
        const Member* const starter = rank->second.member;
        if (direct) by_rank[starter].push_back(&child);
        if (is_shell(process.program)) continue;
        if (is_packaged_tool(process.program) && !is_quick_compressor(process))
            ++sum.runs[process.program];
        else
            own_work[starter] = true;
    }
    for (auto& [rank, started] : by_rank) {
        if (own_work[rank]) continue;
        std::sort(started.begin(), started.end(),
                  [](const Child* a, const Child* b) { return a->start < b->start; });
        std::uint64_t until = 0;
        for (const Child* const child : started) {
            const std::uint64_t from = std::max(child->start, until);
            if (child->end > from) sum.waited.add(*rank, static_cast<double>(child->end - from));
            until = std::max(until, child->end);
            sum.least.add(*rank, least_of_start);
        }
        ++sum.ranks;
        sum.started += started.size();
    }
    return sum;
}

struct OwnWay {
    std::string_view programs;  // with spaces around each
    std::string_view advice;
    std::vector<std::string> code;
};

std::vector<Advice> advice_on(std::string_view name)
{
    static const OwnWay own_ways[] = {
        {" gzip pigz bzip2 xz zstd lz4 ",
         "Compress by a quicker level, or in the program, by zlib, where no pipe is needed:",
         {"gzip -1", "gzopen(path, \"wb1\")"}},
        {" gunzip zcat bunzip2 bzcat xzcat zstdcat ",
         "Decompress in the program, by zlib; or keep what is read again as it is:",
         {"gzopen(path, \"rb\")"}},
        {" cp mv rm mkdir rmdir ln touch chmod ",
         "Call the system itself, which starts no process; a file that is to be kept aside is renamed rather "
         "than copied:",
         {"rename(path, kept)", "mkdir(folder, 0777)", "unlink(path)"}},
    };
    for (const OwnWay& way : own_ways)
        if (way.programs.find(fmt::format(" {} ", name)) != std::string_view::npos)
            return {{std::string(way.advice), way.code}};
    return {
        {fmt::format("Do in the program itself what {} does, once for all steps, or after the run.", name)}};
}

}  // namespace

MaybeFinding started_by_ranks(const Scene& scene)
{
    if (!scene.job.mpi || scene.job.helpers.empty()) return {};
    const StartedPrograms started = started_in(scene.job);
    if (started.started < few_started || started.runs.empty()) return {};
    const std::string_view path_of_most = started.most_run();
    const std::string name(path_of_most.substr(path_of_most.rfind('/') + 1));
    Finding finding;
    finding.title = fmt::format("{} programs that ranks start and wait for, such as {}",
                                format_count(started.started), name);
    finding.cost = seconds(scene.cost_beyond_io(started.waited));
    finding.cost_least = std::min(scene.cost_beyond_io(started.least), cost_of(finding));
    finding.cost_basis =
        "at most all of the time in which a rank has one running; at least 1 ms for the start of each, which "
        "is assumed";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"started", "started by ranks", count(started.started),
                         fmt::format("by {}", counted(started.ranks, "rank", "ranks"))},
                        {"program", "most of them", path(std::string(path_of_most)),
                         counted(started.runs.at(path_of_most), "run", "runs")}};
    finding.why =
        "The rank waits until the shell and the program that it starts are done, and the others wait for the "
        "rank.";
    finding.doubt = "Programs whose work has to be done in any case, and takes as long in the rank.";
    finding.advice = advice_on(name);
    return Found(std::move(finding));
}

}  // namespace fathom
