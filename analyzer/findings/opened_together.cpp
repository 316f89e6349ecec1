// Files that ranks open together by MPI_File_open, each for one of them alone.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_of_one = 8;

constexpr const char* on_its_own =
    "Have each rank open its own files on MPI_COMM_SELF; what is opened on MPI_COMM_WORLD is opened, and "
    "closed, by all:";
constexpr Remedy alone_remedies[] = {
    {Language::c,
     on_its_own,
     {"MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);"}},
    {Language::fortran,
     on_its_own,
     {"call MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, "
      "error)"}},
    {Language::python,
     on_its_own,
     {"file = MPI.File.Open(MPI.COMM_SELF, name, MPI.MODE_CREATE | MPI.MODE_WRONLY)"}},
    {Language::packaged, "Look for an option of PROGRAM that has each rank open its own files alone."},
};

// Ranks that opened the file together, if one of them alone moved its data; else 0.
std::uint64_t opened_for_one(const FileCase& file)
{
    const Movers movers = file.use->application().movers();
    if (file.use->kind != NameKind::file || !file.use->by_mpiio || movers.count != 1 || movers.at_most)
        return 0;
    std::uint64_t opens = 0, together = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::mpiio) {
            opens += record[&Transfers::opens];
            together += record[&MpiioRecord::collective_opens];
        }
    return together < opens ? 0 : file.use->application().users().count;
}

}  // namespace

MaybeFinding opened_together(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<FileUse> most;
    std::set<std::int64_t> owners;
    std::uint64_t opens = 0, most_ranks = 0;
    for (const FileCase& file : scene.files) {
        const std::uint64_t ranks = opened_for_one(file);
        if (ranks < 2) continue;
        double time = 0;
        for (const RecordView& record : file.records)
            if (record.layer == Layer::mpiio) {
                opens += record[&Transfers::opens];
                const auto spared = static_cast<double>(record[&Transfers::metadata_time]) *
                                    (1 - 1 / static_cast<double>(ranks));
                lost.add(record, spared);
                time += spared;
            }
        owners.insert(file.use->application().movers().one);
        most_ranks = std::max(most_ranks, ranks);
        most.add(*file.use, time);
    }
    // Those of one rank alone take as long where the others do not wait for it.
    if (most.use == nullptr || most.number < few_of_one || owners.size() < 2) return {};
    Finding finding;
    finding.title = fmt::format("{} that {} ranks open together, each for one of them alone",
                                counted(most.number, "file", "files"), format_count(most_ranks));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_basis =
        "the time in MPI-IO's opens and closes of these files, less what would remain if each rank opened "
        "its own";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"opens", "opened by MPI_File_open", count(opens), "of all ranks"},
                        {"ranks", "ranks that moved their data", count(owners.size()), "each its own files"},
                        {"file", "most time on", path(most.use->path), ""}};
    finding.why =
        "All ranks of a file's communicator wait for one another when it is opened and closed, one file "
        "after the other.";
    finding.doubt = "Files of which other ranks need to know that they are there.";
    finding.advice = advice_in(program_of(scene.job, lost, most.use->path), alone_remedies);
    return Found(std::move(finding), std::move(lost));
}

}  // namespace fathom
