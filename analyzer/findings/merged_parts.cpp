// Files that ranks write, and one of them puts together in another one: the data are written twice, and
// nearly all of them by that rank.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t much_merged = 8 << 20;
// Of a part, what is read at least and at most; of all that is read, what is written again.
constexpr double least_read = 0.9, most_read = 1.5, least_written = 0.5, most_written = 2;

// What each process alone writes, into files that nobody reads: the one with most.
struct UnreadOutput {
    std::int64_t process = -1;
    double bytes = 0, time = 0;  // ns
};

UnreadOutput most_written_alone(const Scene& scene)
{
    std::unordered_map<std::int64_t, UnreadOutput> by_process;
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->application();
        const Movers writers = view.writers();
        if (file.use->kind != NameKind::file || file.use->by_mpiio || writers.count != 1 || writers.one < 0 ||
            view.readers().count > 0)
            continue;
        UnreadOutput& one = by_process[writers.one];
        one.process = writers.one;
        one.bytes += static_cast<double>(view.bytes_written);
        one.time += static_cast<double>(view.write_time + view.metadata_time);
    }
    UnreadOutput most;
    for (const auto& [process, one] : by_process)
        if (one.bytes > most.bytes) most = one;
    return most;
}

// Whether this process is the one that read a file which one process wrote and one read. Of two, one record
// has the time of each.
bool is_reader(const FileCase& file, std::int64_t process)
{
    for (const RecordView& record : file.records) {
        if (record.process == process && record[&Transfers::bytes_read] > 0) return true;
        if (record.process != reduced || record[&Sharing::processes] != 2) continue;
        const ProcessShare slowest = record[&Sharing::slowest], fastest = record[&Sharing::fastest];
        if (slowest.process != process && fastest.process != process) continue;
        const auto time = static_cast<double>(slowest.process == process ? slowest.time : fastest.time),
                   reading = static_cast<double>(record[&Transfers::read_time]),
                   writing = static_cast<double>(record[&Transfers::write_time]);
        return std::abs(time - reading) < std::abs(time - writing);
    }
    return false;
}

// What that process reads of files that ranks wrote.
struct Parts {
    std::uint64_t files = 0, of_others = 0, bytes = 0;
    double time = 0;  // ns
    const FileUse* one = nullptr;
};

Parts parts_read_by(const Scene& scene, std::int64_t process)
{
    Parts parts;
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->application();
        const auto written = static_cast<double>(view.highest_written),
                   read = static_cast<double>(view.bytes_read);
        if (file.use->kind != NameKind::file || file.use->by_mpiio || view.readers().count != 1 ||
            view.writers().count != 1 || read < least_read * written || read > most_read * written ||
            !is_reader(file, process))
            continue;
        ++parts.files;
        parts.of_others += view.users().count > 1;
        parts.bytes += view.bytes_read;
        parts.time += static_cast<double>(view.read_time);
        if (parts.one == nullptr || view.users().count > 1) parts.one = file.use;
    }
    return parts;
}

constexpr Remedy one_file_of_all_remedies[] = {
    {Language::c,
     "Have each rank write its part into the one file, at its place, rather than into a file that is read "
     "again:",
     {"MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);",
      "MPI_File_write_at(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Have each rank write its part into the one file, at its place, rather than into a file that is read "
     "again:",
     {"call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, &",
      "                   file, error)",
      "call MPI_File_write_at(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::hdf5,
     "Have all ranks write one file together, with an HDF5 that was built for MPI; or one with a virtual "
     "dataset, which points to the parts:",
     {"H5Pset_fapl_mpio(file_access, MPI_COMM_WORLD, MPI_INFO_NULL);",
      "H5Pset_virtual(dataset_creation, space, part, name, space_of_part);"}},
    {Language::python,
     "Have each rank write its part into the one file, at its place, with mpi4py, rather than into a file "
     "that is read again:",
     {"file = MPI.File.Open(MPI.COMM_WORLD, name, MPI.MODE_CREATE | MPI.MODE_WRONLY)",
      "file.Write_at(offset, array)"}},
    {Language::script, "Have each rank write its part into the one file, at its place."},
    {Language::packaged, "Look for an option of PROGRAM that has its ranks write one file together."},
};

}  // namespace

MaybeFinding merged_parts(const Scene& scene)
{
    if (!scene.job.mpi || scene.job.ranks.size() < 2) return {};
    const UnreadOutput again = most_written_alone(scene);
    const std::int64_t rank = scene.job.rank_index(again.process);
    if (rank < 0 || again.bytes < static_cast<double>(much_merged)) return {};
    const Parts parts = parts_read_by(scene, again.process);
    const auto read = static_cast<double>(parts.bytes);
    if (parts.of_others == 0 || parts.files < 2 || parts.bytes < much_merged ||
        again.bytes < least_written * read || again.bytes > most_written * read)
        return {};
    LostTime lost(scene.job);
    lost.add(scene.job.ranks[static_cast<std::size_t>(rank)],
             parts.time + again.time * std::min(read / again.bytes, 1.0));
    Finding finding;
    finding.title =
        fmt::format("{} files that ranks wrote, {} in all, merged by {}", format_count(parts.files),
                    format_bytes(parts.bytes), scene.job.rank_name(static_cast<std::size_t>(rank)));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_basis = "its time in reads of these files, and in writes of what it makes of them";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"parts", "files of ranks", count(parts.files), ""},
                        {"read", "read of them by one rank", bytes(parts.bytes), ""},
                        {"written", "written by it", bytes(static_cast<std::uint64_t>(again.bytes)),
                         "into files that nobody reads"},
                        {"file", "one of the parts", path(parts.one->path), ""}};
    finding.why = "All data go to the file system twice, and come back once, while the other ranks wait.";
    finding.doubt = "What the one rank writes is something else than the parts that it reads.";
    finding.advice = advice_in(program_of(scene.job, lost, parts.one->path), one_file_of_all_remedies);
    Found found(std::move(finding), lost);
    found.file = parts.one;
    return found;
}

}  // namespace fathom
