// Files of HDF5 that each open reads whole into memory, by the core driver, for little of them.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr double times_asked = 4, much_loaded = 16 * mebibyte;

// Each request takes half of the file at least, and there is about one for each open: nothing else of HDF5
// reads so.
bool is_loaded_whole(const FileView& view)
{
    return view.reads > 0 && view.reads <= 2 * view.opens &&
           view.bytes_read / view.reads >= view.highest_read / 2;
}

constexpr const char* without_core =
    "Leave out HDF5's core driver, which reads the whole file at each open, where little of it is wanted:";
constexpr Remedy core_remedies[] = {
    {Language::c,
     without_core,
     {"H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);    // without H5Pset_fapl_core"}},
    {Language::netcdf,
     "Leave out NC_DISKLESS, which reads the whole file at each open, where little of it is wanted:",
     {"nc_open(path, NC_NOWRITE, &file);"}},
    {Language::h5py, without_core, {"h5py.File(path, \"r\")    # without driver=\"core\""}},
    {Language::netcdf4,
     "Leave out diskless=True, which reads the whole file at each open, where little of it is wanted:",
     {"netCDF4.Dataset(path)"}},
    {Language::python, without_core, {"tables.open_file(path)    # without driver=\"H5FD_CORE\""}},
    {Language::packaged, "Look for an option of PROGRAM that has it read no more of a file than it needs."},
};

}  // namespace

MaybeFinding loaded_whole(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<FileUse> most;
    double loaded = 0, wanted = 0;
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->system;
        const DataFileUse* const described = scene.datasets.file_of(file.use->file);
        if (described == nullptr || file.use->by_mpiio || !is_loaded_whole(view) ||
            described->sums.library != static_cast<std::uint64_t>(DataLibrary::hdf5))
            continue;
        double asked = 0;
        for (const DatasetUse* const dataset : scene.datasets.in_file(file.use->file))
            if (dataset->own) asked += static_cast<double>(dataset->sums.bytes_read);
        const auto read = static_cast<double>(view.bytes_read);
        if (read < much_loaded || read < times_asked * asked) continue;
        const double time = static_cast<double>(view.read_time) * (1 - asked / read);
        lost.add_by_time(file.records, time);
        most.add(*file.use, time);
        loaded += read;
        wanted += asked;
    }
    if (most.use == nullptr) return {};
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    const FileView& view = most.use->system;
    Finding finding;
    finding.title = fmt::format("{} of HDF5 read whole at each open: {} for {} that was asked for",
                                counted(most.number, "file", "files"), format_bytes(whole(loaded)),
                                format_bytes(whole(wanted)));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_basis = "the share of the time in reads of these files by what was not asked for";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"loaded", "read of these files", bytes(whole(loaded)), ""},
        {"asked", "asked for", bytes(whole(wanted)), "of their datasets"},
        {"file", "most time in", path(most.use->path),
         fmt::format("{} long, read {} times", format_bytes(view.highest_read), format_count(view.reads))}};
    finding.why = "HDF5's core driver keeps a file in memory, and reads all of it for that.";
    finding.doubt = "Files of which most is wanted, here and there.";
    finding.advice = advice_in(program_of(scene.job, lost, most.use->path), core_remedies);
    Found found(std::move(finding), lost);
    found.file = most.use;
    return found;
}

}  // namespace fathom
