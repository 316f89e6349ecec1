// PnetCDF, or NetCDF in its classic format, moving the data of a file because its header grew beyond the room
// that was left for it.
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

constexpr Remedy classic_remedies[] = {
    {Language::c,
     "Define all dimensions, variables and attributes before the first data are written. Or leave the header "
     "room to grow where the definitions of the first variable end, and there alone; in Fortran by "
     "nf90_enddef with h_minfree:",
     {"nc__enddef(file, 1 << 20, 4, 0, 4);    // for nc_enddef after the first nc_def_var"}},
    {Language::c,
     "Or make a file of NetCDF-4, which moves nothing:",
     {"nc_create(path, NC_NETCDF4, &file);"}},
    {Language::python,
     "Make a file of NetCDF-4, which moves nothing. In the classic format the header grows, and fill values "
     "are moved, with each variable that is created:",
     {"netCDF4.Dataset(path, \"w\", format=\"NETCDF4\")"}},
    {Language::packaged,
     "Have one run of PROGRAM make all changes (ncatted takes -a several times), or work on a file of "
     "NetCDF-4:",
     {"nccopy -k nc4 FILE COPY"}},
};

// NetCDF in its classic format shifts data by its buffer's blocks: it reads the one that it takes and the one
// that it puts it into, for each that it writes. One that changes values in place reads but one. The data
// themselves are written once without any read.
bool is_shifted(const FileView& view, std::uint64_t switches)
{
    constexpr double both_blocks = 1.5, times_over = 2, turning = 0.6;
    const auto read = static_cast<double>(view.bytes_read), written = static_cast<double>(view.bytes_written),
               length = static_cast<double>(view.highest());
    return read >= both_blocks * (written - length) && read >= written && written >= times_over * length &&
           view.bytes_written >= much_moved &&
           static_cast<double>(switches) >= turning * static_cast<double>(view.reads + view.writes);
}

struct Shifted {
    LostTime lost;
    double metadata = 0;  // ns
    std::uint64_t bytes = 0;
    MostLost<FileUse> most = {};
};

Shifted shifted_files(const Scene& scene)
{
    Shifted sum{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        const FileUse& use = *file.use;
        if (use.kind != NameKind::file || use.by_mpiio || scene.datasets.file_of(use.file) != nullptr)
            continue;
        std::uint64_t switches = 0;
        for (const RecordView& record : file.records) switches += record[&Transfers::switches];
        if (!is_shifted(use.system, switches)) continue;
        LostTime of_file(scene.job);
        of_file.add_by_time(file.records, static_cast<double>(use.system.time()));
        if (!program_of(scene.job, of_file).uses("libnetcdf")) continue;
        // Once, the data have to be written.
        const double part = 1 - static_cast<double>(use.system.highest()) /
                                    static_cast<double>(use.system.bytes_written),
                     time = part * static_cast<double>(use.system.time());
        sum.lost.add_by_time(file.records, time);
        sum.metadata += part * static_cast<double>(use.system.metadata_time);
        sum.bytes += use.system.bytes_written - use.system.highest();
        sum.most.add(use, time);
    }
    return sum;
}

MaybeFinding classic_header(const Scene& scene)
{
    const Shifted shifted = shifted_files(scene);
    if (shifted.most.use == nullptr) return {};
    const FileUse& use = *shifted.most.use;
    Finding finding;
    finding.title = fmt::format("{} moved within files of classic NetCDF, as when their headers grow",
                                format_bytes(shifted.bytes));
    finding.cost = seconds(scene.cost(shifted.lost));
    finding.cost_basis = "the time in all calls on these files, but for the share of writing their data once";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"moved", "written beyond the files' length", bytes(shifted.bytes), ""},
                        {"read", "read", bytes(use.system.bytes_read), "of the first"},
                        {"file", "most time on", path(use.path), ""}};
    finding.why =
        "In this format variables begin right behind the header: where a variable or an attribute is added "
        "later, all data are read and written anew.";
    finding.doubt =
        "A file whose variables cannot be known when it is made; values that are computed in place.";
    finding.advice = advice_in(program_of(scene.job, shifted.lost), classic_remedies);
    Found found(std::move(finding), shifted.lost);
    found.metadata = scene.cost(shifted.lost, shifted.metadata);
    return found;
}

}  // namespace

MaybeFinding moved_header(const Scene& scene)
{
    if (auto classic = classic_header(scene)) return classic;
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
