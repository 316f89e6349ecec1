// Many datasets of HDF5 that have little each: what describes one takes more than its values.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/findings/around_library.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// As many as for files; in each less than HDF5 writes about it in any case, some hundred bytes, and a page.
constexpr double many_small_datasets = 256, small_dataset = 8 << 10;
// CPU time of h5py around these calls, ns (h5py 3.7 with CPython 3.11 on a quick machine of 2022): it makes
// objects and properties; the first read of a dataset also finds out how to read it. And how many times as
// long as the library's own work that takes, on any machine.
constexpr double around_create = 25e3, around_open = 40e3, around_write = 20e3, around_read = 6e3,
                 around_group = 15e3, own_times = 3;

// ns around the calls on some datasets of one process, or of several together.
class AroundDatasets {
  public:
    void add(const Scene& scene, const DatasetRecord& record)
    {
        all_.assumed += (static_cast<double>(record.creates) * around_create +
                         static_cast<double>(record.opens) * around_open +
                         static_cast<double>(record.writes) * around_write +
                         static_cast<double>(record.reads) * around_read) *
                        scene.stretched;
        all_.own += own_time_of(record);
        processes_ = std::max({processes_, record.processes, std::uint64_t{1}});
        span_.add(record.first_open, record.last_open, static_cast<double>(record.metadata_time));
        span_.add(record.first_write, record.last_write, static_cast<double>(record.write_time));
        span_.add(record.first_read, record.last_read, static_cast<double>(record.read_time));
    }
    std::uint64_t processes() const { return processes_; }
    double ns() const
    {
        AroundLibrary all = all_;
        all.between = span_.between(static_cast<double>(processes_));
        return all.ns();
    }

  private:
    std::uint64_t processes_ = 1;
    AroundLibrary all_{.times_own = own_times};
    CallSpan span_;
};

struct OfContainer {
    double datasets = 0, bytes = 0, calls = 0;
    std::vector<const DatasetUse*> uses{};
};

constexpr Remedy dataset_remedies[] = {
    {Language::c,
     "Put them into one dataset with one more dimension, a row each, and write it by one call:",
     {"H5Screate_simple(2, (hsize_t[]){count, length}, NULL);"}},
    {Language::python,
     "Put them into one dataset with one more dimension, a row each, and write it by one statement:",
     {"file[name] = numpy.stack(parts)", "part = file[name][number]"}},
    {Language::netcdf,
     "Put them into one variable with one more dimension, and write it by one call:",
     {"nc_put_var_double(file, variable, array);"}},
    {Language::netcdf4,
     "Put them into one variable with one more dimension, and write it by one statement:",
     {"variable[...] = numpy.stack(parts)"}},
    {Language::packaged, "Look for an option of PROGRAM that puts more into one dataset."},
};

// Ranks write one file together.
constexpr Remedy shared_dataset_remedies[] = {
    {Language::hdf5,
     "Put them into one dataset with one more dimension, which all ranks make, and of which each writes its "
     "rows together with the others:",
     {"H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL);",
      "H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);"}},
    {Language::h5py,
     "Put them into one dataset with one more dimension, which all ranks make, and of which each writes its "
     "rows together with the others:",
     {"dataset = file.create_dataset(name, (count, length))",
      "with dataset.collective: dataset[first:last] = rows"}},
    {Language::script,
     "Put them into one dataset with one more dimension, of which each rank writes its rows."},
    {Language::packaged, "Look for an option of PROGRAM that puts more into one dataset."},
};

}  // namespace

MaybeFinding many_datasets(const Scene& scene)
{
    std::map<std::uint64_t, OfContainer> containers;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const auto objects = static_cast<double>(std::max<std::uint64_t>(one.objects, 1));
        if (!one.own || one.is_variable() || static_cast<double>(one.bytes()) > small_dataset * objects)
            continue;
        OfContainer& of = containers[one.sums.container];
        of.datasets += objects;
        of.bytes += static_cast<double>(one.bytes());
        of.calls += static_cast<double>(one.sums.opens + one.sums.creates);
        of.uses.push_back(&one);
    }
    LostTime lost(scene.job), around(scene.job);
    const OfContainer* most = nullptr;
    const DatasetUse* first = nullptr;
    double lost_of_most = 0, datasets = 0;
    std::size_t files = 0;
    for (auto& [id, of] : containers) {
        // The recorder's number of datasets is estimated; each was opened or created.
        of.datasets = std::min(of.datasets, of.calls);
        if (of.datasets < many_small_datasets) continue;
        const double before = lost.total();
        std::map<std::int64_t, AroundDatasets> calls_of;  // by process
        for (const DatasetUse* const one : of.uses)
            for (const DatasetRecord* const record : one->records) {
                lost.add(owner_of(*record),
                         static_cast<double>(record->read_time + record->write_time + record->metadata_time));
                calls_of[record->process].add(scene, *record);
            }
        for (const auto& [process, calls] : calls_of)
            around.add(RecordOwner{process, calls.processes()}, calls.ns());
        // What describes them is written when the file is closed.
        if (const DataFileUse* const file = scene.datasets.file_of(id))
            for (const DataFileRecord* const record : file->records) {
                lost.add(owner_of(*record), static_cast<double>(record->close_time));
                around.add(owner_of(*record),
                           static_cast<double>(record->groups) * around_group * scene.stretched);
            }
        datasets += of.datasets;
        ++files;
        if (lost.total() - before <= lost_of_most) continue;
        lost_of_most = lost.total() - before;
        most = &of;
        first = of.uses.front();
    }
    if (most == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, lost, first->container);
    const bool by_h5py = program.language == Language::h5py;
    Finding finding;
    finding.title = fmt::format("{} datasets with {} moved in each on average",
                                format_count(static_cast<std::uint64_t>(datasets)),
                                format_bytes(static_cast<std::uint64_t>(most->bytes / most->datasets)));
    finding.cost = seconds(
        std::min(scene.cost_in_libraries(lost) + (by_h5py ? scene.cost_beyond_io(around) : 0), scene.run));
    finding.cost_basis = "the time in calls on these datasets, and in closing their files";
    if (by_h5py)
        finding.cost_basis += fmt::format(
            "; and what h5py does around the calls on each, {}: by the library's own time in them, or "
            "assumed",
            format_seconds(around.total() / 1e9 / datasets));
    finding.confidence = by_h5py ? Confidence::medium : Confidence::high;
    finding.evidence = {{"datasets", "datasets", count(static_cast<std::uint64_t>(datasets)),
                         files == 1 ? "of one file" : fmt::format("of {} files", files)},
                        {"opened", "opened or created", count(static_cast<std::uint64_t>(most->calls)),
                         "times, in the file below"},
                        {"file", "most time on", path(std::string(first->container)), ""}};
    finding.why =
        "Each has a header and an entry in its group, which are written and looked up one by one, and are "
        "larger than the values.";
    finding.doubt = "Other programs look for these datasets by name.";
    const DataFileUse* const file = scene.datasets.file_of(first->sums.container);
    finding.advice = file != nullptr && file->by_mpiio ? advice_in(program, shared_dataset_remedies)
                                                       : advice_in(program, dataset_remedies);
    Found found(std::move(finding), lost);
    found.container = first->container;
    return found;
}

}  // namespace fathom
