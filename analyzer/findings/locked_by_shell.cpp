// A shell that tries to make a folder which stands for a lock, runs sleep, and tries again.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <utility>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

using Shell = std::pair<std::string_view, std::uint64_t>;  // host, pid

struct Attempts {
    std::uint64_t failed = 0, made = 0, sleeps = 0;
    double slept = 0;  // ns
    std::string_view command;
};

// By the programs that shells make locks with: mkdir, and ln -s.
std::map<Shell, Attempts> attempts_of(const Job& job)
{
    std::map<Shell, Attempts> by_shell;
    std::map<std::string_view, std::uint64_t> made;  // by command
    for (const Member& member : job.ranks) {
        const Process& process = member.process;
        const std::string_view program = process.program;
        Attempts& of = by_shell[{process.host, process.parent}];
        if (program.ends_with("/sleep")) {
            ++of.sleeps;
            of.slept += static_cast<double>(member.run_time());
        } else if (program.ends_with("/mkdir") || program.ends_with("/ln")) {
            (process.status == 0 ? of.made : of.failed) += 1;
            if (process.status != 0)
                of.command = process.command;
            else
                ++made[process.command];
        }
    }
    // Each attempt that fails is followed by a sleep; what sleeps for another reason does so more often. What
    // is made once, and is there from then on, is no lock.
    std::erase_if(by_shell, [&](const auto& one) {
        const Attempts& of = one.second;
        return of.failed == 0 || of.made == 0 || of.sleeps > of.failed || made[of.command] < 2;
    });
    return by_shell;
}

}  // namespace

MaybeFinding locked_by_shell(const Scene& scene)
{
    constexpr std::uint64_t few_sleeps = 3;
    const auto by_shell = attempts_of(scene.job);
    Attempts all;
    double longest = 0;
    for (const auto& [shell, one] : by_shell) {
        all.failed += one.failed;
        all.sleeps += one.sleeps;
        all.slept += one.slept;
        if (one.slept <= longest) continue;
        longest = one.slept;
        all.command = one.command;
    }
    if (all.sleeps < few_sleeps || by_shell.size() < 2) return {};
    Finding finding;
    finding.title = fmt::format("{} sleeps of {} between two attempts of shells to take the same lock",
                                format_count(all.sleeps),
                                format_seconds(all.slept / 1e9 / static_cast<double>(all.sleeps)));
    finding.cost = seconds(std::min(longest / 1e9, scene.run));
    finding.cost_least = 0.0;
    finding.cost_basis =
        "at most the sleeps of the shell that slept longest; nothing where they have to take turns and sleep "
        "no longer than a turn takes";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"attempts", "attempts that failed", count(all.failed),
                         fmt::format("of {} shells: {}", format_count(by_shell.size()), all.command)},
                        {"sleeps", "sleeps", count(all.sleeps),
                         fmt::format("took {} in all", format_seconds(all.slept / 1e9))}};
    finding.why =
        "A shell that sleeps learns that the lock is free only when it wakes, and others come before it.";
    finding.doubt = "Shells that have to take turns for as long as they sleep.";
    finding.advice = {
        {"Have each shell write a file of its own, and join them at the end:", {"cat PART.* > OUTPUT"}},
        {"Or take turns by flock, which gives the lock on as soon as it is free:", {"flock LOCK COMMAND"}}};
    return Found(std::move(finding));
}

}  // namespace fathom
