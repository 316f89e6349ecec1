// Attributes of HDF5 by the thousand: each is an object of its own that is searched, opened and closed.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/around_library.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr double many_of_them = 1000;  // by one process
// CPU time of h5py around each, ns (h5py 3.7 with CPython 3.11 on a quick machine of 2022); and how many
// times as long as HDF5's own work that takes, on any machine.
constexpr double around_attribute = 20e3, own_reads = 13, own_writes = 5;

double around_attributes(const Scene& scene, const DataFileCounters& file, double own)
{
    const auto reads = static_cast<double>(file.attribute_reads),
               writes = static_cast<double>(file.attribute_writes);
    return AroundLibrary{(reads + writes) * around_attribute * scene.stretched, own,
                         (own_reads * reads + own_writes * writes) / (reads + writes)}
        .ns();
}

std::uint64_t attributes_moved(const DataFileCounters& file)
{
    return file.attribute_reads + file.attribute_writes;
}

constexpr Remedy attribute_remedies[] = {
    {Language::c,
     "Put the values together into one dataset, or one attribute that is an array or a compound. In Fortran "
     "it is h5dwrite_f:",
     {"H5Dwrite(values, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array);"}},
    {Language::python,
     "Put the values together into one dataset, or one attribute that is an array:",
     {"group.create_dataset(\"values\", data=numpy.array(values))",
      "group.attrs[\"values\"] = numpy.array(values)"}},
    {Language::netcdf4,
     "Put the values together into one variable, or one attribute that is an array:",
     {"dataset.setncattr(\"values\", numpy.array(values))"}},
    {Language::packaged, "Look for an option of PROGRAM that has it write fewer attributes."},
};

}  // namespace

MaybeFinding many_attributes(const Scene& scene)
{
    LostTime lost(scene.job), by_h5py(scene.job);
    MostLost<DataFileUse> most;
    std::uint64_t attributes = 0;
    for (const DataFileUse& one : scene.datasets.files()) {
        if (!one.own || one.sums.library != static_cast<std::uint64_t>(DataLibrary::hdf5)) continue;
        if (is_flushed_by_rows(scene.datasets, one)) continue;
        const double before = lost.total();
        for (const DataFileRecord* const record : one.records) {
            const std::uint64_t of_record = attributes_moved(*record);
            if (static_cast<double>(of_record) < many_of_them * processes_of(*record)) continue;
            const auto time = static_cast<double>(record->attribute_time);
            lost.add(owner_of(*record), time);
            by_h5py.add(owner_of(*record),
                        around_attributes(scene, *record, std::min(time, own_time_of(*record))));
            attributes += of_record;
        }
        most.add(one, lost.total() - before);
    }
    if (most.use == nullptr) return {};
    const DataFileUse& one = *most.use;
    Finding finding;
    finding.title = fmt::format("{} attributes of HDF5 read or written one by one", format_count(attributes));
    const AdvisedProgram program = program_of(scene.job, lost, one.path);
    const bool around = program.language == Language::h5py;
    finding.cost = seconds(
        std::min(scene.cost_in_libraries(lost) + (around ? scene.cost_beyond_io(by_h5py) : 0), scene.run));
    finding.cost_basis = "the time in calls on attributes";
    if (around)
        finding.cost_basis += fmt::format(
            "; and what h5py does around each of them, {}: by the library's own time in them, or assumed",
            format_seconds(by_h5py.total() / 1e9 / static_cast<double>(attributes)));
    finding.confidence = around ? Confidence::medium : Confidence::high;
    finding.evidence = {
        {"writes", "attributes written", count(one.sums.attribute_writes), ""},
        {"reads", "attributes read", count(one.sums.attribute_reads), ""},
        {"each", "each took", seconds(lost.total() / 1e9 / static_cast<double>(attributes)), ""},
        {"file", "most time on", path(one.path),
         fmt::format("{} attributes", format_count(attributes_moved(one.sums)))}};
    finding.why = "Each attribute is searched by its name, opened, converted and closed, whatever it holds.";
    finding.doubt = "Attributes that other programs look for under their names.";
    finding.advice = advice_in(program, attribute_remedies);
    Found found(std::move(finding), lost);
    found.container = one.path;
    return found;
}

}  // namespace fathom
