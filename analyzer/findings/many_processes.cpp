// A script, or a program, that starts another one again and again: starting it takes longer than its work.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/many_processes_advice.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// So few starts, and processes that live longer than `short_life` (ns, with a core of their own), do work of
// their own. A turn of the loop counts for `longest_turn` times the median at most: the script may do more.
constexpr std::size_t few_starts = 20;
constexpr double short_life = 10e6, longest_turn = 4;
// Programs that take long to start, such as interpreters with modules: those that live longer than this (ns),
// which is more where all run one script, or read data in the first half of their life, have work of their
// own. A few may each be a step of its own.
constexpr std::size_t few_slow_starts = 8;
constexpr double longest_of_slow = 0.5e9, longest_of_script = 3e9, part_of_slow = 0.5;
// What starting an interpreter takes before its first line, ns, without modules beyond its own (CPython 3.11,
// Perl 5.36, Node.js 18, OpenJDK 17 and others on a machine of 2022). Those that read no data are taken to do
// little else where they live no longer than `most_of_start` times that.
struct InterpreterStart {
    std::string_view name;  // without a version behind it
    double ns;
};
constexpr InterpreterStart interpreter_starts[] = {{"python", 10e6}, {"pypy", 20e6}, {"ruby", 40e6},
                                                   {"node", 30e6},   {"java", 40e6}, {"R", 100e6},
                                                   {"julia", 150e6}, {"php", 10e6},  {"octave-cli", 150e6}};
constexpr double most_of_start = 3;
// ns that recording adds to a process that starts and ends, measured with /bin/cat.
constexpr double recorders_share = 0.5e6;

// From the fork to the end: what a process was before it became this program is the same start.
struct Life {
    const Member* member = nullptr;
    std::uint64_t start = 0, end = 0;
    const Member* parent = nullptr;
    const Member* starter = nullptr;  // the first of its ancestors that is no shell
    bool is_copy = false;             // of its parent, by fork: it started no program
};
using Lives = std::vector<Life>;

std::vector<Lives> lives_by_program(const Job& job)
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
    for (auto& [pid, life] : by_pid) {
        const Process& own = life.member->process;
        const auto parent = by_pid.find({own.host, own.parent});
        if (parent == by_pid.end()) continue;
        const Process& other = parent->second.member->process;
        life.parent = parent->second.member;
        life.is_copy = other.program == own.program && other.command == own.command;
        constexpr int most_shells = 8;
        auto above = parent;
        for (int shells = 0; shells < most_shells && above != by_pid.end(); ++shells) {
            const Process& it = above->second.member->process;
            if (!is_shell(it.program)) {
                life.starter = above->second.member;
                break;
            }
            above = by_pid.find({it.host, it.parent});
        }
    }
    std::map<std::string_view, Lives> by_program;
    for (const auto& [pid, life] : by_pid) by_program[life.member->process.program].push_back(life);
    std::vector<Lives> all;
    for (auto& [program, lives] : by_program) {
        std::sort(lives.begin(), lives.end(), [](const Life& a, const Life& b) { return a.start < b.start; });
        all.push_back(std::move(lives));
    }
    return all;
}

double at_share(std::vector<double> values, double share)
{
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    return values[at];
}

std::string_view name_of_program(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

// What their user started: of interpreters, the script that came with the system where all run the same.
std::string_view name_of_lives(const Lives& lives)
{
    const std::string_view first = run_by(lives[0].member->process);
    const bool same = std::all_of(lives.begin(), lives.end(),
                                  [&](const Life& life) { return run_by(life.member->process) == first; });
    return name_of_program(same ? first : std::string_view(lives[0].member->process.program));
}

bool run_same_command(const Lives& lives)
{
    constexpr double nearly_all = 0.9;
    const std::string_view command = lives[lives.size() / 2].member->process.command;
    return static_cast<double>(std::count_if(lives.begin(), lives.end(),
                                             [&](const Life& life) {
                                                 return life.member->process.command == command;
                                             })) >= nearly_all * static_cast<double>(lives.size()) &&
           command.find(' ') != std::string_view::npos;
}

// These wait, for a disk or for time to pass, or take a lock, and fail where another has it: other rules look
// at them.
bool waits(const Lives& lives)
{
    constexpr std::string_view waiting[] = {"sync", "sleep"}, locking[] = {"mkdir", "ln"};
    constexpr std::ptrdiff_t part = 10;
    const std::string_view name = name_of_program(lives[0].member->process.program);
    const auto failed = std::count_if(lives.begin(), lives.end(),
                                      [](const Life& life) { return life.member->process.status == 1; });
    return is_one_of(name, waiting) ||
           (is_one_of(name, locking) && failed * part > static_cast<std::ptrdiff_t>(lives.size()));
}

// What a packaged tool, or a script that came with one, starts, as a compiler its assembler, is its own
// affair, but for those whose task it is to start what they are told.
bool is_of_tool(const Life& life)
{
    constexpr std::string_view starters[] = {"find", "xargs", "parallel", "make", "time",
                                             "env",  "nice",  "timeout",  "watch"};
    if (life.parent == nullptr) return false;
    const std::string_view parent = life.parent->process.program;
    if (is_shell(parent) && !packaged_script(life.parent->process).empty()) return true;
    return is_packaged_tool(parent) && !is_one_of(name_of_program(parent), starters);
}

// ns that recording adds to each turn, with a core of its own: to each program that is started in it.
double recorded_in_turn(const std::vector<Lives>& all, std::size_t turns)
{
    std::ptrdiff_t started = 0;
    for (const Lives& lives : all)
        started += std::count_if(lives.begin(), lives.end(), [](const Life& life) { return !life.is_copy; });
    return recorders_share * std::max(static_cast<double>(started) / static_cast<double>(turns), 1.0);
}

// By how much longer than with cores of their own these ran.
double stretch_of(const Lives& lives)
{
    double on_cores = 0, waited = 0;
    for (const Life& life : lives) {
        on_cores += static_cast<double>(life.member->process.cpu_time);
        waited += static_cast<double>(life.member->process.core_wait);
    }
    return on_cores > 0 ? 1 + waited / on_cores : 1;
}

// ns that a parent which is no shell computes in each turn by itself: that remains.
double computed_by_parents(const Lives& lives)
{
    std::unordered_map<const Member*, double> turns;
    for (const Life& life : lives) ++turns[life.parent];
    double most = 0;
    for (const auto& [parent, of_parent] : turns)
        if (parent != nullptr && !is_shell(parent->process.program))
            most = std::max(most, static_cast<double>(parent->process.cpu_time) / of_parent);
    return most;
}

// When a process first read a file of data: an interpreter reads its scripts and modules before. 0: it read
// none, or wrote one before, so that nothing shows when it was ready.
using FirstReads = std::unordered_map<std::int64_t, std::uint64_t>;

bool is_of_program(std::string_view file, std::string_view command)
{
    // Settings, unless it was told to read them.
    const std::string_view name = file.substr(file.rfind('/') + 1);
    if (name.ends_with(".json") && command.find(name) != std::string_view::npos) return false;
    constexpr std::string_view endings[] = {".py", ".pyc", ".pth", ".so",  ".cfg", ".pl",  ".pm",  ".rb",
                                            ".R",  ".jl",  ".js",  ".jar", ".sh",  ".lua", ".json"};
    constexpr std::string_view folders[] = {"/site-packages/", "/dist-packages/", "/lib/python", "/lib/R/"};
    const bool is_module = std::any_of(std::begin(endings), std::end(endings),
                                       [&](std::string_view ending) { return file.ends_with(ending); }) ||
                           std::any_of(std::begin(folders), std::end(folders), [&](std::string_view folder) {
                               return file.find(folder) != std::string_view::npos;
                           });
    if (is_module) return true;
    const std::string_view script = script_of(command);
    return !script.empty() && script.ends_with(name);
}

FirstReads first_reads_of(const Scene& scene)
{
    FirstReads reads, writes;
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records) {
            const Member* const member = scene.job.member_of(record);
            if (member == nullptr) continue;
            const auto note = [&](FirstReads& to, std::uint64_t when) {
                if (when == 0) return;
                std::uint64_t& first = to.try_emplace(record.process, when).first->second;
                first = std::min(first, when);
            };
            if (!is_of_program(file.use->path, member->process.command))
                note(reads, record[&Transfers::first_read]);
            note(writes, record[&Transfers::first_write]);
        }
    std::erase_if(reads, [&](const auto& one) {
        const auto written = writes.find(one.first);
        return written != writes.end() && written->second < one.second;
    });
    return reads;
}

struct Starts {
    Lives lives = {};
    double time = 0, median = 0, turn = 0, ready = 0;  // ns
    bool again = false;                                // the same command
    double least = 0;  // ns: of interpreters that read nothing, what they are assumed to take
    LostTime lost;
};

std::vector<double> turns_between(const Lives& lives)
{
    std::vector<double> turns;
    for (std::size_t at = 0; at < lives.size(); ++at)
        turns.push_back(static_cast<double>(at + 1 < lives.size() ? lives[at + 1].start - lives[at].start
                                                                  : lives[at].end - lives[at].start));
    return turns;
}

// What programs that work take in each turn, as the compiler beside its assembler: all the time of long ones,
// of others what they computed beyond what starting a tool takes. One at the other end of a pipe may have
// begun before. A shell may stand around all of a turn.
std::vector<double> work_of_others(const std::vector<Lives>& all, const Lives& lives, double long_life)
{
    constexpr double start_of_tool = 2e6;  // ns of CPU time
    constexpr std::size_t most_turns = 4;  // of one that is no part of the loop, but at its side
    std::vector<double> work(lives.size());
    for (const Lives& of_program : all) {
        const std::string_view path = of_program[0].member->process.program;
        if (is_shell(path) || path == lives[0].member->process.program) continue;
        for (const Life& other : of_program) {
            const auto lasting = static_cast<double>(other.end - other.start),
                       computed = static_cast<double>(other.member->process.cpu_time) - start_of_tool,
                       worked = lasting > long_life || waits(of_program) ? lasting : std::max(computed, 0.0);
            if (!(worked > 0)) continue;
            const auto turn_of = [&](std::uint64_t when) {
                const auto next = std::upper_bound(
                    lives.begin(), lives.end(), when,
                    [](std::uint64_t start, const Life& life) { return start < life.start; });
                return static_cast<std::size_t>(next - lives.begin() - (next != lives.begin()));
            };
            const std::size_t first = turn_of(other.start), last = turn_of(other.end);
            if (last - first > most_turns) continue;
            for (std::size_t turn = first; turn <= last; ++turn) {
                const std::uint64_t from = std::max(lives[turn].start, other.start),
                                    until = turn == last ? other.end : lives[turn + 1].start;
                if (until > from) work[turn] += worked * static_cast<double>(until - from) / lasting;
            }
        }
    }
    return work;
}

// What starting this program takes if it is an interpreter, ns with a core of its own; 0: not known.
double assumed_start(std::string_view program)
{
    const std::string_view name = name_of_program(program),
                           plain = name.substr(0, name.find_last_not_of("0123456789.-") + 1);
    for (const InterpreterStart& one : interpreter_starts)
        if (one.name == plain) return one.ns;
    return 0;
}

// ns that the median of a user's own programs computes, beyond what starting one takes: that remains. What
// came with the system computes little, but for some.
double computed_by_own(const Lives& lives)
{
    constexpr double start_of_program = 2e6;
    constexpr std::string_view at_work[] = {"awk",    "gawk",    "mawk",      "grep", "gzip",
                                            "bzip2",  "xz",      "zstd",      "pigz", "sort",
                                            "md5sum", "sha1sum", "sha256sum", "b2sum"};
    const std::string_view program = lives[0].member->process.program;
    if ((came_with_system(program) && !is_one_of(name_of_program(program), at_work)) || is_shell(program) ||
        assumed_start(program) > 0)
        return 0;
    std::vector<double> computed;
    for (const Life& life : lives) computed.push_back(static_cast<double>(life.member->process.cpu_time));
    return std::max(at_share(std::move(computed), 0.5) - start_of_program, 0.0);
}

// Shells that make starts, for its recipes and for $(shell …).
bool are_shells_of_make(const Lives& lives)
{
    const Life& one = lives[lives.size() / 2];
    return is_shell(one.member->process.program) && one.starter != nullptr &&
           one.starter->process.program.ends_with("make");
}

// Of make's shells, those that run the same command again, which $(shell …) does in each rule: all that these
// take. A recipe is a task of its own.
Starts same_commands(const Scene& scene, const Lives& lives)
{
    constexpr std::size_t again = 3;
    std::unordered_map<std::string_view, Lives> runs;
    for (const Life& life : lives) runs[life.member->process.command].push_back(life);
    Starts starts{.lost = LostTime(scene.job)};
    std::vector<double> lasting;
    for (const auto& [command, same] : runs) {
        if (same.size() < again) continue;
        for (std::size_t at = 1; at < same.size(); ++at) {
            const auto one = static_cast<double>(same[at].end - same[at].start);
            starts.time += one;
            starts.lost.add(*same[at].member, one);
            lasting.push_back(one);
            starts.lives.push_back(same[at]);
        }
    }
    starts.again = true;
    if (!lasting.empty()) starts.turn = starts.median = at_share(lasting, 0.5);
    return starts;
}

// In a loop that starts other programs as well, without it these remain, and a turn is theirs. Tools that cut
// and join text go together, into an awk.
bool is_beside_others(const std::vector<Lives>& all, const Lives& lives)
{
    constexpr double as_often = 0.8;
    const auto is_of_text = [](const Lives& of) {
        return is_text_tool(name_of_program(of[0].member->process.program));
    };
    const bool text = is_of_text(lives);
    return std::any_of(all.begin(), all.end(), [&](const Lives& other) {
        return &other[0] != &lives[0] && !is_shell(other[0].member->process.program) && !waits(other) &&
               !(text && is_of_text(other)) &&
               static_cast<double>(other.size()) > as_often * static_cast<double>(lives.size());
    });
}

// What the fork before it and the wait behind it take, as a part of a short life.
constexpr double with_fork = 1.5;
// ns: what a turn takes longer is of who starts them, such as parallel.
constexpr double longest_fork = 5e6;

// Nearly each writes into a file of its own, which the shell made before it became this program: one run for
// all of them would write into one.
bool write_own_files(const Scene& scene, const Lives& lives)
{
    constexpr double nearly_each = 0.8;
    std::set<std::pair<std::string_view, std::uint64_t>> pids;
    for (const Life& life : lives) pids.insert({life.member->process.host, life.member->process.pid});
    const auto is_one = [&](const Process& process) { return pids.contains({process.host, process.pid}); };
    std::size_t files = 0;
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        // By a shell that shares its memory with the child (vfork), or in the child itself.
        bool made = false, own = false;
        for (const RecordView& record : records) {
            const Member* const member = scene.job.member_of(record);
            if (record.layer != Layer::posix || member == nullptr) continue;
            const bool by_shell = record[&PosixRecord::creates] > 0 && is_shell(member->process.program);
            made = made || by_shell;
            own = own ||
                  (is_one(member->process) &&
                   (by_shell || (record[&Transfers::bytes_written] > 0 && record[&Transfers::opens] == 0)));
        }
        files += use.kind == NameKind::file && made && own;
    });
    return static_cast<double>(files) >= nearly_each * static_cast<double>(lives.size());
}

// Of many that do hardly anything, a turn of the loop for each.
std::optional<Starts> short_starts(const Scene& scene, const std::vector<Lives>& all, const Lives& lives)
{
    if (lives.size() < few_starts || std::all_of(lives.begin(), lives.end(), is_of_tool)) return {};
    if (are_shells_of_make(lives)) {
        Starts again = same_commands(scene, lives);
        return again.lives.empty() ? std::nullopt : std::optional(std::move(again));
    }
    const std::string_view program = lives[0].member->process.program;
    if (is_packaged_tool(program) && !takes_all_at_once(name_of_program(program)) &&
        write_own_files(scene, lives))
        return {};
    Starts starts{.lives = lives, .lost = LostTime(scene.job)};
    std::vector<double> lasting;
    for (const Life& life : lives) lasting.push_back(static_cast<double>(life.end - life.start));
    const std::vector<double> turns = turns_between(lives);
    starts.median = at_share(lasting, 0.5);
    starts.turn = at_share(turns, 0.5);
    if (starts.median > short_life * scene.stretched) return {};
    // What the median does beyond one that does hardly anything is its work, which remains.
    const double work = std::max(starts.median - at_share(lasting, 0.1), computed_by_own(lives)),
                 remains = work + recorded_in_turn(all, lives.size()) * stretch_of(lives) +
                           computed_by_parents(lives);
    const std::vector<double> of_others = work_of_others(all, lives, short_life * scene.stretched);
    const bool beside_others = is_beside_others(all, lives);
    for (std::size_t at = 1; at < lives.size(); ++at) {
        double one = std::max(std::min(turns[at] - of_others[at], longest_turn * starts.turn) - remains, 0.0);
        one = std::min(one, lasting[at] + longest_fork * scene.stretched);
        if (beside_others) one = std::min(one, with_fork * std::max(lasting[at] - work, 0.0));
        starts.time += one;
        starts.lost.add(*lives[at].member, one);
    }
    return starts;
}

// Of interpreters that read no data: at least their start, at most all of their lives.
std::optional<Starts> starts_that_read_nothing(Starts starts, const std::vector<double>& lasting)
{
    const double stretch = stretch_of(starts.lives),
                 start = assumed_start(starts.lives[0].member->process.program) * stretch;
    starts.median = at_share(lasting, 0.5);
    if (start <= 0 || starts.median > most_of_start * start) return {};
    const std::vector<double> turns = turns_between(starts.lives);
    starts.turn = at_share(turns, 0.5);
    const double remains = recorders_share * stretch + computed_by_parents(starts.lives);
    for (std::size_t at = 1; at < starts.lives.size(); ++at) {
        const double pause = std::clamp(turns[at] - lasting[at], 0.0, short_life * stretch),
                     one = std::max(std::min(lasting[at] + pause, turns[at]) - remains, 0.0);
        starts.time += one;
        starts.least += std::min(start, one);
        starts.lost.add(*starts.lives[at].member, one);
    }
    return starts;
}

bool run_one_script(const Lives& lives)
{
    const std::string_view first = script_of(lives[0].member->process.command);
    return !first.empty() && std::all_of(lives.begin(), lives.end(), [&](const Life& life) {
        return script_of(life.member->process.command) == first;
    });
}

// Of fewer that take long to start, as interpreters that load modules, what each takes until it first reads
// data; and what its end takes.
std::optional<Starts> slow_starts(const Scene& scene, const Lives& all, const FirstReads& first_reads)
{
    Starts starts{.lost = LostTime(scene.job)};
    std::vector<double> lasting, ready;
    for (const Life& life : all) {
        if (life.is_copy || is_of_tool(life)) continue;
        starts.lives.push_back(life);
        lasting.push_back(static_cast<double>(life.end - life.start));
        const auto first = first_reads.find(life.member->process.process);
        if (first == first_reads.end() || first->second < life.start) continue;
        ready.push_back(static_cast<double>(first->second - life.start));
    }
    if (starts.lives.size() < few_slow_starts) return {};
    // Where some read nothing, what these do is not known.
    if (ready.size() < starts.lives.size())
        return ready.empty() ? starts_that_read_nothing(std::move(starts), lasting) : std::nullopt;
    const std::vector<double> turns = turns_between(starts.lives);
    starts.median = at_share(lasting, 0.5);
    starts.turn = at_share(turns, 0.5);
    starts.ready = at_share(ready, 0.5);
    const double stretch = stretch_of(starts.lives);
    const double longest = run_one_script(starts.lives) ? longest_of_script : longest_of_slow;
    if (starts.median > longest * stretch || starts.ready < short_life * stretch ||
        starts.ready < part_of_slow * starts.median)
        return {};
    const double remains = recorders_share * stretch + computed_by_parents(starts.lives);
    for (std::size_t at = 1; at < starts.lives.size(); ++at) {
        const double pause = std::clamp(turns[at] - lasting[at], 0.0, short_life * stretch),
                     one = std::max(std::min(starts.ready + pause, turns[at]) - remains, 0.0);
        starts.time += one;
        starts.lost.add(*starts.lives[at].member, one);
    }
    return starts;
}

// A turn of the loop is that of the program that is started most, whatever else is started in it: of several
// that are started as often, the one that computes most comes first. Shells, and their copies, as of $(…) and
// pipes, are there for those that they start, if any.
std::vector<const Lives*> most_started_of(const std::vector<Lives>& all, bool with_copies)
{
    constexpr double as_often = 0.95;
    const auto starts = [&](const Lives& lives) {
        if (waits(lives)) return 0.0;
        return static_cast<double>(
            with_copies
                ? static_cast<std::ptrdiff_t>(lives.size())
                : std::count_if(lives.begin(), lives.end(), [](const Life& life) { return !life.is_copy; }));
    };
    double most = 0;
    for (const Lives& lives : all) most = std::max(most, starts(lives));
    if (!with_copies && most < static_cast<double>(few_starts)) return most_started_of(all, true);
    std::vector<const Lives*> chosen;
    for (const Lives& lives : all)
        if (starts(lives) > 0 && starts(lives) >= as_often * most) chosen.push_back(&lives);
    const auto weight = [](const Lives& lives) {
        double computed = 0;
        for (const Life& life : lives) computed += static_cast<double>(life.member->process.cpu_time);
        return std::pair(!is_shell(lives[0].member->process.program), computed);
    };
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](const Lives* a, const Lives* b) { return weight(*a) > weight(*b); });
    return chosen;
}

// In what the loop is written that starts them: tools that start others are taken to be a script's.
AdvisedProgram starter_of(const Job& job, const Lives& lives)
{
    AdvisedProgram shell{.language = Language::shell};
    const Member* const starter = lives.back().starter;
    if (starter == nullptr) return shell;
    LostTime of_starter(job);
    of_starter.add(*starter, 1);
    const AdvisedProgram program = executable_of(job, of_starter);
    return is_packaged(program) || program.language == Language::script ? shell : program;
}

}  // namespace

MaybeFinding many_processes(const Scene& scene)
{
    if (scene.job.mpi || scene.job.ranks.size() < few_slow_starts) return {};
    const FirstReads first_reads = first_reads_of(scene);
    const std::vector<Lives> all = lives_by_program(scene.job);
    const std::vector<const Lives*> most_started = most_started_of(all, false);
    if (most_started.empty()) return {};
    std::optional<Starts> most;
    for (const Lives& of_program : all)
        if (!most && of_program.size() >= few_starts && are_shells_of_make(of_program))
            most = short_starts(scene, all, of_program);
    // Where each turn makes a file of its own, what only makes its name can go.
    constexpr std::string_view making_names[] = {"basename", "dirname", "expr", "date"};
    bool own_files = false;
    for (const Lives* const lives : most_started) {
        if (most) break;
        if (!own_files || is_one_of(name_of_lives(*lives), making_names))
            most = short_starts(scene, all, *lives);
        own_files = own_files || write_own_files(scene, *lives);
    }
    for (const Lives& of_program : all) {
        if (waits(of_program)) continue;
        auto starts = slow_starts(scene, of_program, first_reads);
        if (starts && (!most || starts->time > most->time)) most = std::move(starts);
    }
    if (!most) return {};
    const Lives& lives = most->lives;
    const std::string_view path_of_one = lives[0].member->process.program;
    const std::string name(name_of_lives(lives));
    Finding finding;
    finding.title = fmt::format("{} processes of {}{}, each {} long", format_count(lives.size()), name,
                                most->again ? " that run the same command again" : "",
                                format_seconds(most->median / 1e9));
    finding.cost = seconds(std::min(most->time / 1e9, scene.run));
    const bool slow = most->ready > 0, calculate = most->least > 0;
    finding.cost_basis =
        slow ? "the time until each first reads a file of data, and from its end to the start of the next, "
               "without what recording adds to a process, about 0.5 ms"
        : calculate
            ? "the time from the start of each to that of the next, without what recording adds to a "
              "process, about 0.5 ms; at least what such an interpreter takes to start, which is assumed"
        : most->again
            ? "all of the time of those that run the same command as one before"
            : "the time from the start of each to that of the next, without what one of them works longer "
              "than the shortest tenth, and without what recording adds to a process, about 0.5 ms";
    if (calculate) finding.cost_least = most->least / 1e9;
    finding.confidence = Confidence::medium;
    finding.evidence = {{"processes", "processes of this program", count(lives.size()),
                         fmt::format("of {} in all", format_count(scene.job.ranks.size()))},
                        {"turn", "from one start to the next", seconds(most->turn / 1e9), "median"},
                        {"program", "program", path(std::string(path_of_one)), ""}};
    if (slow)
        finding.evidence.push_back(
            {"ready", "until it first reads data", seconds(most->ready / 1e9), "median"});
    finding.why =
        slow || calculate
            ? "Each loads its libraries, an interpreter its modules as well, before it comes to its work; on "
              "a network file system each of these files is looked up at the server."
            : "Each process is forked, loads its libraries, and reads its locale and settings anew, however "
              "little it does then; on a network file system each of these files is looked up at the server.";
    finding.doubt = slow        ? "Programs that compute before they read anything."
                    : calculate ? "Programs that compute for most of their life."
                                : "Programs that take one file only.";
    AdvisedProgram program = starter_of(scene.job, lives);
    program.name = name;
    const bool shells = is_shell(path_of_one) && packaged_script(lives[0].member->process).empty();
    finding.advice = advice_on_processes(program, most->again               ? StartedFor::variable_of_make
                                                  : slow                    ? StartedFor::slow_start
                                                  : calculate               ? StartedFor::calculation
                                                  : run_same_command(lives) ? StartedFor::same_command
                                                  : shells                  ? StartedFor::shell
                                                                            : StartedFor::each_file);
    return Found(std::move(finding));
}

}  // namespace fathom
