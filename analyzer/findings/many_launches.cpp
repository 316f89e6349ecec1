// One MPI program that a script starts again and again: to start its ranks, and to end them, takes longer
// than their work.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/who.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t few_launches = 4;

// Rank 0 of each run, in the order of their starts.
std::vector<const Member*> first_ranks(const Job& job)
{
    std::vector<const Member*> all;
    for (const Member& member : job.ranks)
        if (member.process.rank == 0 && member.process.initialized > 0) all.push_back(&member);
    std::sort(all.begin(), all.end(),
              [](const Member* a, const Member* b) { return a->process.start < b->process.start; });
    return all;
}

bool follow_one_another(const std::vector<const Member*>& runs)
{
    for (std::size_t at = 1; at < runs.size(); ++at) {
        const Process &before = runs[at - 1]->process, &one = runs[at]->process;
        if (one.start < before.end || one.program != before.program) return false;
    }
    return true;
}

// ns that one run took beside what lies between MPI_Init and MPI_Finalize: of the launcher in whose life it
// falls, or of the rank itself.
double beside_work(const Job& job, const Process& rank)
{
    std::uint64_t start = rank.start, end = rank.end;
    for (const Member& helper : job.helpers) {
        const Process& one = helper.process;
        if (!is_launcher(one.program) || one.start > rank.start || one.end < rank.end) continue;
        start = std::min(start, one.start);
        end = std::max(end, one.end);
    }
    const std::uint64_t ended = rank.finalized > 0 ? rank.finalized : rank.end;
    return static_cast<double>(end - start) - static_cast<double>(ended - std::min(rank.initialized, ended));
}

}  // namespace

MaybeFinding many_launches(const Scene& scene)
{
    const std::vector<const Member*> runs = first_ranks(scene.job);
    if (runs.size() < few_launches || !follow_one_another(runs)) return {};
    double beside = 0;
    for (std::size_t at = 1; at < runs.size(); ++at) beside += beside_work(scene.job, runs[at]->process);
    const Process& first = runs[0]->process;
    const std::string name(first.program.substr(first.program.rfind('/') + 1));
    const auto others = static_cast<double>(runs.size() - 1);
    Finding finding;
    finding.title = fmt::format("{} runs of {} by MPI, of which each takes {} to start and end",
                                format_count(runs.size()), name, format_seconds(beside / others / 1e9));
    finding.cost = seconds(std::min(beside / 1e9, scene.run));
    finding.cost_basis =
        "the time of all launches but one, without what lies between MPI_Init and MPI_Finalize of rank 0";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"runs", "runs, one after the other", count(runs.size()),
                         fmt::format("of {}", counted(first.ranks, "rank", "ranks"))},
                        {"program", "program", path(std::string(first.program)), ""}};
    finding.why =
        "A launcher starts its daemons and all ranks each time, and these load their libraries and find each "
        "other, before any of them works.";
    finding.doubt = "Programs that take one set of parameters only.";
    finding.advice = {
        {"Start it once, and have the ranks go through all parameters or inputs; or have several small runs "
         "side by side rather than one after the other:",
         {"mpirun PROGRAM PARAMETERS…    # rather than a loop around mpirun",
          "srun --exact -n 2 PROGRAM A & srun --exact -n 2 PROGRAM B & wait"}}};
    return Found(std::move(finding));
}

}  // namespace fathom
