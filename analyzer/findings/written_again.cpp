// The same place of a file written several times, with little else in between: only the last time counts.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/classic_netcdf.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/fill_values.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/overwritten.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

struct Again {
    double bytes = 0, kept = 0, filled = 0;  // filled: by one rank, before all wrote
    LostTime lost;
    MostLost<FileUse> most = {};
};

constexpr Remedy written_again_remedies[] = {
    {Language::c, "Keep what still changes in memory and write it once, when it is done."},
    {Language::c,
     "Do not fill a file with zeros first. To have its room set aside:",
     {"posix_fallocate(fd, 0, length);"}},
    {Language::netcdf,
     "Sync seldom, or at the end, and write larger pieces in the order of the file: a classic NetCDF file "
     "has "
     "one buffer, which is written at each sync, and where another place is wanted. In Fortran it is "
     "nf90_sync:",
     {"if (step % 100 == 0) nc_sync(file);"}},
    {Language::netcdf4,
     "Sync seldom, or at the end, and write larger pieces in the order of the file: a classic NetCDF file "
     "has "
     "one buffer, which is written at each sync, and where another place is wanted:",
     {"if step % 100 == 0: dataset.sync()"}},
    {Language::hdf5,
     "Tell HDF5 not to write fill values into datasets that are written whole; or keep what still changes in "
     "memory and write it once:",
     {"H5Pset_fill_time(dataset_creation, H5D_FILL_TIME_NEVER);"}},
    {Language::python, "Keep what still changes in memory and write it once, when it is done."},
    {Language::python,
     "Do not fill a file with zeros first. To have its room set aside:",
     {"os.posix_fallocate(file.fileno(), 0, length)"}},
    {Language::script, "Keep what still changes in memory and write it once, when it is done."},
    {Language::packaged, "Look for an option of PROGRAM that has it write its output once."},
};

constexpr Remedy filling_remedies[] = {
    {Language::c,
     "Do not fill a file before all ranks write to it: a write at any place makes it as long as it has to "
     "be. Where its length has to be known, set it, which writes nothing:",
     {"ftruncate(fd, length);", "MPI_File_set_size(file, length);"}},
    {Language::fortran,
     "Do not fill a file before all ranks write to it: a write at any place makes it as long as it has to "
     "be. Where its length has to be known, set it, which writes nothing:",
     {"call MPI_File_set_size(file, length, error)"}},
    {Language::python,
     "Do not fill a file before all ranks write to it: a write at any place makes it as long as it has to "
     "be. Where its length has to be known, set it, which writes nothing:",
     {"os.truncate(path, length)", "numpy.lib.format.open_memmap(path, \"w+\", dtype, shape)"}},
    {Language::packaged, "Look for an option of PROGRAM that has it set aside no room for its files."},
};

}  // namespace

MaybeFinding written_again(const Scene& scene)
{
    Again all{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file || is_filled(scene, file) || is_lmdb(file.use->path)) continue;
        // Through NetCDF's buffer, which reads a block before it is written again.
        const bool buffered = is_buffered_netcdf(scene, file);
        double time = 0;
        for (const RecordView& record : file.records) {
            const Overwritten again = overwritten_in(file, record, buffered);
            const double lost =
                again.share() * (buffered ? static_cast<double>(record.time()) : again.time);
            // The others wait until one rank has filled it.
            if (const Filled filled = filled_before(record); filled.bytes > 0) {
                all.bytes += filled.bytes;
                all.filled += filled.bytes;
                all.kept += filled.bytes;
                all.lost.add_to_all(filled.time);
                time += filled.time;
                continue;
            }
            all.bytes += again.bytes;
            all.kept += again.written - again.bytes;
            // Beneath MPI-IO all ranks wait for the one that writes.
            if (file.use->by_mpiio)
                all.lost.add_to_all(again.share() * Scene::longest(file.use->system, Direction::write));
            else
                all.lost.add(record, lost);
            time += lost;
        }
        all.most.add(*file.use, time);
    }
    if (all.most.use == nullptr) return {};
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    Finding finding;
    const bool filled = all.filled > all.bytes / 2;
    finding.title = filled ? fmt::format("{} written by one rank, before all ranks write over it",
                                         format_bytes(whole(all.filled)))
                           : fmt::format("{} written over what the program had just written",
                                         format_bytes(whole(all.bytes)));
    finding.cost = seconds(scene.cost(all.lost));
    finding.cost_basis =
        filled ? "the time of that rank on the file, but for its own part: the others wait for it"
               : "their share of the time in writes of these files, and in syncs that had much to write";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"again", "written over", bytes(whole(all.bytes)),
                         fmt::format("of {}", format_bytes(whole(all.bytes + all.kept)))},
                        {"kept", "what the files hold of it", bytes(whole(all.kept)), "at most"},
                        {"file", "most time in", path(all.most.use->path),
                         fmt::format("{} written", format_bytes(all.most.use->system.bytes_written))}};
    finding.why =
        "Only what was written last is kept; the rest took time on its way to the file system for nothing.";
    finding.doubt = filled ? "Room that has to be there for certain before all ranks write."
                           : "Several passes that another program, or a restart, relies on.";
    const AdvisedProgram program = program_of(scene.job, all.lost, all.most.use->path);
    finding.advice =
        filled ? advice_in(program, filling_remedies) : advice_in(program, written_again_remedies);
    return Found(std::move(finding), all.lost);
}

}  // namespace fathom
