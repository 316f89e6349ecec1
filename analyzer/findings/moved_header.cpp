// PnetCDF moving the data of a file because its header grew beyond the room that was left for it.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t much_moved = 1 << 20;

// Bytes that were read in calls on the file itself, which read no variable: to move them, but for headers.
std::uint64_t moved_by(const DataFileCounters& file)
{
    if (file.redefinitions == 0 || file.waits > 0) return 0;
    const std::uint64_t read = std::max(file.mpiio_bytes_read, file.posix_bytes_read),
                        headers = file.opens * std::max(file.header_bytes, file.header_room);
    return read - std::min(read, headers);
}

// ns in what is neither open nor close nor the like: changes of what the file has.
double redefining(const DataFileCounters& file)
{
    const std::uint64_t others =
        file.open_time + file.close_time + file.flush_time + file.wait_time + file.attribute_time;
    return static_cast<double>(file.metadata_time - std::min(file.metadata_time, others));
}

constexpr Remedy header_remedies[] = {
    {Language::c,
     "Define all variables and attributes before the first is written, or leave the header room to grow. In "
     "Fortran it is nf90mpi_enddef with h_minfree:",
     {"ncmpi__enddef(file, 1 << 20, 4, 0, 4);"}},
    {Language::c,
     "Or by a hint, as the file is made:",
     {"MPI_Info_set(info, \"nc_header_align_size\", \"1048576\");"}},
    {Language::packaged,
     "Give the header room to grow, by the environment:",
     {"export PNETCDF_HINTS=\"nc_header_align_size=1048576\""}},
};

}  // namespace

MaybeFinding moved_header(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<DataFileUse> most;
    std::uint64_t bytes_moved = 0;
    for (const DataFileUse& one : scene.datasets.files()) {
        const std::uint64_t of_file = moved_by(one.sums);
        if (!one.own || of_file < much_moved) continue;
        const double before = lost.total();
        for (const DataFileRecord* const record : one.records)
            lost.add(owner_of(*record), redefining(*record));
        most.add(one, lost.total() - before);
        bytes_moved += of_file;
    }
    if (most.use == nullptr) return {};
    const DataFileUse& one = *most.use;
    Finding finding;
    finding.title =
        fmt::format("{} moved within files of PnetCDF because their headers grew", format_bytes(bytes_moved));
    finding.cost = seconds(scene.cost_in_libraries(lost));
    finding.cost_basis = "the time in changes of what the files have";
    finding.confidence = Confidence::high;
    finding.evidence = {{"moved", "read and written again", bytes(bytes_moved), ""},
                        {"redefinitions", "changes to define mode", count(one.sums.redefinitions), ""},
                        {"header", "header", bytes(one.sums.header_bytes),
                         fmt::format("with room for {}", format_bytes(one.sums.header_room))},
                        {"file", "most time on", path(one.path), ""}};
    finding.why =
        "Variables begin right behind the header: where it grows, all of them are read and written anew.";
    finding.doubt = "A file whose variables cannot be known when it is made.";
    finding.advice = advice_in(program_of(scene.job, lost, one.path), header_remedies);
    return Found(std::move(finding), lost);
}

}  // namespace fathom
