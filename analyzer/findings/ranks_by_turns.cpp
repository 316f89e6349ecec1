// Ranks that do their I/O one after the other, each while the others wait.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// Of the time on a disk of the one node, what ranks that use it together save: the disk, or the memory, is
// the same for all.
constexpr double saved_on_own_disk = 0.5;

constexpr Remedy together_remedies[] = {
    {Language::c,
     "Have all ranks write at the same time, each at its own place, which they know from the sizes before "
     "them:",
     {"MPI_Exscan(&size, &offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD);",
      "MPI_File_write_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Have all ranks write at the same time, each at its own place, which they know from the sizes before "
     "them:",
     {"call MPI_Exscan(size, offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD, error)",
      "call MPI_File_write_at_all(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::python,
     "Have all ranks write at the same time, each at its own place, with mpi4py:",
     {"offset = comm.exscan(array.nbytes) or 0", "file.Write_at_all(offset, array)"}},
    {Language::script, "Have all ranks do it at the same time, each at its own place."},
    {Language::packaged, "Look for an option of PROGRAM that has all ranks take part at the same time."},
};

const FileUse* most_used(const Scene& scene)
{
    const FileUse* most = nullptr;
    for (const FileCase& file : scene.files)
        if (most == nullptr || file.use->application().time() > most->application().time()) most = file.use;
    return most;
}

}  // namespace

MaybeFinding ranks_by_turns(const Scene& scene)
{
    const Job& job = scene.job;
    if (!job.mpi || !scene.turns.handed_over) return {};
    LostTime lost(job);
    std::uint64_t movers = 0;
    for (const Member& member : job.ranks) {
        const TimeSplit split = member.time();
        lost.add(member, static_cast<double>(split.read + split.write));
        movers += member.application_bytes(Direction::read) + member.application_bytes(Direction::write) > 0;
    }
    const FileUse* const most = most_used(scene);
    if (movers < 2 || most == nullptr) return {};
    const bool own = on_own_disk(job, *most);
    const double all = scene.cost(lost),
                 saved = own ? saved_on_own_disk : 1 - 1 / static_cast<double>(movers);
    Finding finding;
    finding.title = fmt::format("{} ranks do their I/O one after the other", format_count(movers));
    finding.cost = seconds(all * saved);
    finding.cost_least = 0.0;
    finding.cost_basis = fmt::format("{} the time of all of them in reads and writes, which add up: at most",
                                     own ? "half of" : "all but one's share of");
    finding.confidence = own ? Confidence::low : Confidence::medium;
    finding.evidence = {{"time", "all ranks in reads and writes", seconds(all),
                         fmt::format("of {}", format_seconds(scene.run))},
                        {"file", "most time in", path(most->path), ""}};
    finding.why = "While one is at it the others wait, and what could serve several at a time serves one.";
    finding.doubt = "An order that the data need, because each rank goes on from what the one before left.";
    if (own)
        finding.doubt +=
            " On one node with a file system of its own, as here, ranks together may be no quicker than one.";
    finding.advice = advice_in(program_of(job, lost, most->path), together_remedies);
    return Found(std::move(finding), std::move(lost));
}

}  // namespace fathom
