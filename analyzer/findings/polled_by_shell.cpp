// A shell that looks for a file, runs sleep, and looks again: how long the file was there before sleep ended.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/methods/intervals.h"

namespace fathom {
namespace {

using namespace report;

using Pid = std::pair<std::string_view, std::uint64_t>;  // host, pid

struct Appearance {
    const FileUse* file = nullptr;
    std::uint64_t when = 0;
};

Pid pid_of(const Process& process)
{
    return {process.host, process.pid};
}

// When a process began to make the file; 0 where none did.
std::uint64_t made_at(std::span<const RecordView> records)
{
    std::uint64_t made = 0;
    for (const RecordView& record : records) {
        if (record.layer != Layer::posix || record.process == reduced) continue;
        const std::uint64_t when = record[&Transfers::first_open];
        if (record[&PosixRecord::creates] > 0 && when > 0) made = made == 0 ? when : std::min(made, when);
    }
    return made;
}

// When mv had given files their names, by these: the record of a rename is that of the old name.
std::map<std::string_view, std::uint64_t> moved_by_mv(const Job& job)
{
    std::map<std::string_view, std::uint64_t> moved;
    for (const Member& member : job.ranks) {
        const std::string_view command = member.process.command;
        if (member.process.program.ends_with("/mv"))
            moved[command.substr(command.find_last_of("/ ") + 1)] = member.process.end;
    }
    return moved;
}

// By shell, in order of time: files that it looked at, and that other processes of the job made.
std::map<Pid, std::vector<Appearance>> awaited_files(const Job& job)
{
    std::map<Pid, std::vector<Appearance>> by_shell;
    const auto moved = moved_by_mv(job);
    job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        std::uint64_t made = made_at(records);
        if (made == 0) {
            const auto found = moved.find(use.path.substr(use.path.rfind('/') + 1));
            if (found == moved.end()) return;
            made = found->second;
        }
        for (const RecordView& record : records) {
            const Member* const member = job.member_of(record);
            if (record.layer == Layer::posix && member != nullptr && record[&PosixRecord::stats] > 0 &&
                record[&PosixRecord::creates] == 0 && is_shell(member->process.program))
                by_shell[pid_of(member->process)].push_back({&use, made});
        }
    });
    for (auto& [shell, files] : by_shell)
        std::sort(files.begin(), files.end(),
                  [](const Appearance& a, const Appearance& b) { return a.when < b.when; });
    return by_shell;
}

struct Late {
    std::uint64_t sleeps = 0, time = 0, longest = 0, slept = 0;  // ns
    const FileUse* most = nullptr;
    std::vector<Interval> in_vain = {};
};

// Of one shell that runs sleep: the sleeps in which a file appeared.
void add(Late& late, const Process& sleep, const std::vector<Appearance>& files)
{
    const auto file = std::lower_bound(files.begin(), files.end(), sleep.start,
                                       [](const Appearance& a, std::uint64_t when) { return a.when < when; });
    constexpr std::uint64_t short_sleep = 200'000'000;  // ns
    if (file == files.end() || file->when >= sleep.end || sleep.end - sleep.start < short_sleep) return;
    const std::uint64_t time = sleep.end - file->when;
    ++late.sleeps;
    late.in_vain.push_back({file->when, sleep.end});
    late.time += time;
    late.slept += sleep.end - sleep.start;
    if (time <= late.longest) return;
    late.longest = time;
    late.most = file->file;
}

constexpr Remedy sleep_remedies[] = {
    {Language::shell,
     "Wait for the process that makes the file, or for the file itself; or sleep a tenth as long:",
     {"wait    # for what was started by &", "inotifywait -e create -e moved_to FOLDER", "sleep 0.1"}},
};

}  // namespace

MaybeFinding polled_by_shell(const Scene& scene)
{
    constexpr double clearly_more = 1.1;
    const auto files = awaited_files(scene.job);
    std::map<Pid, Late> by_shell;
    for (const Member& member : scene.job.ranks) {
        if (!member.process.program.ends_with("/sleep")) continue;
        const auto of_shell = files.find({member.process.host, member.process.parent});
        if (of_shell != files.end()) add(by_shell[of_shell->first], member.process, of_shell->second);
    }
    const auto most = std::max_element(by_shell.begin(), by_shell.end(), [](const auto& a, const auto& b) {
        return a.second.time < b.second.time;
    });
    if (most == by_shell.end() || most->second.most == nullptr) return {};
    const Late& late = most->second;
    std::vector<Interval> of_all;
    for (const auto& [shell, one] : by_shell)
        of_all.insert(of_all.end(), one.in_vain.begin(), one.in_vain.end());
    const double of_one = static_cast<double>(late.time) / 1e9,
                 in_turn = static_cast<double>(union_length(std::move(of_all))) / 1e9;
    Finding finding;
    finding.title =
        fmt::format("{} of {} went on after the {} the shell waited for {} there",
                    late.sleeps == 1 ? "One sleep" : format_count(late.sleeps) + " sleeps",
                    format_seconds(static_cast<double>(late.slept / late.sleeps) / 1e9),
                    late.sleeps == 1 ? "file that" : "files that", late.sleeps == 1 ? "was" : "were");
    finding.cost = seconds(std::max(in_turn, of_one));
    finding.cost_basis = "from when each file was made to the end of the sleep in which it was";
    if (in_turn > clearly_more * of_one) {
        finding.cost_least = of_one;
        finding.cost_basis +=
            "; at least of the shell that slept longest in vain, at most of all, as where each waits for the "
            "one "
            "before";
    }
    finding.confidence = Confidence::medium;
    finding.evidence = {{"sleeps", "sleeps in which a file appeared", count(late.sleeps),
                         fmt::format("took {}", format_seconds(static_cast<double>(late.slept) / 1e9))},
                        {"file", "waited for longest", path(late.most->path),
                         fmt::format("there {} before the sleep ended",
                                     format_seconds(static_cast<double>(late.longest) / 1e9))}};
    finding.why = "A shell that sleeps learns that it may go on only when it wakes.";
    finding.doubt = "Scripts that nobody waits for; files that are complete only later than they appear.";
    finding.advice =
        scene.job.nodes() > 1
            ? std::vector<Advice>{{"Sleep a tenth as long; or start what waits once the file is there:",
                                   {"sleep 0.1", "sbatch --dependency=afterok:JOB …"}}}
            : advice_in({.language = Language::shell}, sleep_remedies);
    return Found(std::move(finding));
}

}  // namespace fathom
