// A script that starts a short-lived program again and again: starting it takes longer than its work.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// So few starts, and processes that live longer than `short_life` (ns, with a core of their own), do work of
// their own. A turn of the loop counts for `longest_turn` times the median at most: the script may do more.
constexpr std::size_t few_starts = 32;
constexpr double short_life = 10e6, longest_turn = 4;
// ns that recording adds to a process that starts and ends, measured with /bin/cat.
constexpr double recorders_share = 0.5e6;

// From the fork to the end: what a process was before it became this program is the same start.
struct Life {
    const Member* member = nullptr;
    std::uint64_t start = 0, end = 0;
};
using Lives = std::vector<Life>;

Lives most_started(const Job& job)
{
    std::map<std::pair<std::string_view, std::uint64_t>, Life> by_pid;
    for (const Member& member : job.ranks) {
        const Process& process = member.process;
        const auto [at, is_new] =
            by_pid.try_emplace({process.host, process.pid}, Life{&member, process.start, process.end});
        Life& life = at->second;
        if (!is_new && process.start > life.member->process.start) life.member = &member;
        life.start = std::min(life.start, process.start);
        life.end = std::max(life.end, process.end);
    }
    std::map<std::string_view, Lives> by_program;
    for (const auto& [pid, life] : by_pid) by_program[life.member->process.program].push_back(life);
    Lives most;
    for (auto& [program, lives] : by_program)
        if (lives.size() > most.size()) most = std::move(lives);
    std::sort(most.begin(), most.end(), [](const Life& a, const Life& b) { return a.start < b.start; });
    return most;
}

double at_share(std::vector<double> values, double share)
{
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    return values[at];
}

constexpr Remedy process_remedies[] = {
    {Language::shell,
     "Have one process take all files, where PROGRAM does; xargs gives it as many as fit:",
     {"cat FOLDER/* > OUTPUT", "find FOLDER -type f -print0 | xargs -0 gzip"}},
    {Language::shell,
     "Or use what the shell does by itself, or one program for the whole loop:",
     {"echo \"${name%.txt}\"    # rather than basename", "awk '{ print $1 }' FILE    # rather than a loop"}},
    {Language::python,
     "Use a module rather than a program for each file:",
     {"import gzip, shutil", "shutil.copyfileobj(source, gzip.open(path, \"wb\"))"}},
    {Language::script, "Have one process do the work of many, where the program takes several files."},
};

}  // namespace

MaybeFinding many_processes(const Scene& scene)
{
    if (scene.job.mpi || scene.job.ranks.size() < few_starts) return {};
    const Lives lives = most_started(scene.job);
    if (lives.size() < few_starts) return {};
    std::vector<double> lasting, turns;
    for (std::size_t at = 0; at < lives.size(); ++at) {
        lasting.push_back(static_cast<double>(lives[at].end - lives[at].start));
        turns.push_back(at + 1 < lives.size() ? static_cast<double>(lives[at + 1].start - lives[at].start)
                                              : lasting.back());
    }
    const double median = at_share(lasting, 0.5), turn = at_share(turns, 0.5);
    if (median > short_life * scene.stretched) return {};
    // What the median does beyond one that does hardly anything is its work, which remains.
    const double work = median - at_share(lasting, 0.1);
    double time = 0;
    LostTime lost(scene.job);
    for (std::size_t at = 1; at < lives.size(); ++at) {
        const double one = std::max(
            std::min(turns[at], longest_turn * turn) - work - recorders_share * scene.stretched, 0.0);
        time += one;
        lost.add(*lives[at].member, one);
    }
    AdvisedProgram program = program_of(scene.job, lost);
    const std::string_view path_of_one = lives[0].member->process.program;
    const std::string name(path_of_one.substr(path_of_one.rfind('/') + 1));
    Finding finding;
    finding.title = fmt::format("{} processes of {}, each {} long", format_count(lives.size()), name,
                                format_seconds(median / 1e9));
    finding.cost = seconds(std::min(time / 1e9, scene.run));
    finding.cost_basis =
        "the time from the start of each to that of the next, without what one of them works longer than the "
        "shortest tenth, and without what recording adds to a process, about 0.5 ms";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"processes", "processes of this program", count(lives.size()),
                         fmt::format("of {} in all", format_count(scene.job.ranks.size()))},
                        {"turn", "from one start to the next", seconds(turn / 1e9), "median"},
                        {"program", "program", path(std::string(path_of_one)), ""}};
    finding.why =
        "Each process is forked, loads its libraries, and reads its locale and settings anew, however little "
        "it does then; on a network file system each of these files is looked up at the server.";
    finding.doubt = "Programs that take one file only.";
    program.name = name;
    finding.advice = advice_in(program, process_remedies);
    return Found(std::move(finding));
}

}  // namespace fathom
