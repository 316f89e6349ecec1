// Ranks that each read what describes the datasets, groups and attributes of a shared file of HDF5, where one
// could read it and send it to the others.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_objects = 200;
constexpr std::uint64_t read_together = 1;  // of DataFileCounters::collective_metadata

// These versions do nothing with the property of a file (HDFGroup/hdf5, pull request 1206), and what a log
// has of it says nothing; the properties of datasets, groups and attributes do work.
bool ignores_file_property(std::uint64_t version)
{
    return (version >= 1'010'005 && version <= 1'010'008) || version == 1'012'000 || version == 1'012'001;
}

// Datasets of a file that several ranks opened.
struct OpenedByAll {
    std::uint64_t opens = 0, ranks = 0;
    std::vector<const DatasetUse*> datasets;
};

template <class Use>
std::uint64_t ranks_of(const Use& use)
{
    std::uint64_t ranks = 0;
    for (const auto* const record : use.records) ranks += std::max<std::uint64_t>(record->processes, 1);
    return ranks;
}

const FileUse* use_of(const Job& job, const DataFileUse& file)
{
    const auto use = std::find_if(job.files.begin(), job.files.end(),
                                  [&](const FileUse& one) { return one.file == file.file; });
    return use == job.files.end() ? nullptr : &*use;
}

// The part of what so many ranks did that one of them could have done for all.
double needless_part(std::uint64_t ranks)
{
    return 1 - 1 / static_cast<double>(ranks);
}

// ns beneath opens and closes. Where HDF5 made the dataset through MPI-IO, it may have filled it, too.
double beneath_opens(const DatasetCounters& record)
{
    if (record.creates > 0 && record.mpiio_writes > 0) return 0;
    return static_cast<double>(std::min(record.metadata_time_beneath, record.mpiio_time));
}

// The part of the MPI-IO of calls on a file itself that was reads: of groups and attributes. Opening and
// closing it is no part of that.
double reading_part(const DataFileUse& file, const FileUse& use)
{
    const DataFileCounters& sums = file.sums;
    if (sums.mpiio_reads == 0 || sums.mpiio_time <= use.mpiio->metadata_time) return 0;
    const auto time = static_cast<double>(sums.mpiio_time);
    return (time - static_cast<double>(use.mpiio->metadata_time)) / time *
           static_cast<double>(sums.mpiio_reads) / static_cast<double>(sums.mpiio_reads + sums.mpiio_writes);
}

constexpr Remedy by_the_file[] = {
    {Language::netcdf,
     "NetCDF-C from version 4.5.0 on has one rank read for all by itself, with HDF5 1.10 and later."},
    {Language::c,
     "Have one rank read for all, where all open the same objects in the same order. In Fortran these are "
     "h5pset_all_coll_metadata_ops_f and h5pset_coll_metadata_write_f:",
     {"H5Pset_all_coll_metadata_ops(file_access, true);", "H5Pset_coll_metadata_write(file_access, true);"}},
    {Language::python,
     "h5py has no call that has one rank read for all. Read on one rank what all need, and send it to the "
     "others, with mpi4py:",
     {"values = None", "if comm.rank == 0:", "    with h5py.File(path, \"r\") as file:",
      "        values = {name: file[name][...] for name in names}", "values = comm.bcast(values, root=0)"}},
    {Language::netcdf4,
     "Read on one rank what all need, and send it to the others, with mpi4py:",
     {"values = None", "if comm.rank == 0:", "    with netCDF4.Dataset(path) as file:",
      "        values = {name: file[name][...] for name in names}", "values = comm.bcast(values, root=0)"}},
    {Language::packaged, "Look for an option of PROGRAM that turns on collective metadata of HDF5."},
};
constexpr Remedy by_each_object[] = {
    {Language::netcdf,
     "NetCDF-C asks HDF5 to have one rank read for all, which HDF5 VERSION ignores; use 1.10.9, 1.12.2 or "
     "later."},
    {Language::c,
     "Have one rank read for all, where all open the same objects in the same order. HDF5 VERSION ignores "
     "that for a whole file (1.10.9, 1.12.2 and later do not), so ask for it with each object. In Fortran it "
     "is h5pset_all_coll_metadata_ops_f:",
     {"hid_t dataset_access = H5Pcreate(H5P_DATASET_ACCESS);",
      "H5Pset_all_coll_metadata_ops(dataset_access, true);",
      "hid_t dataset = H5Dopen2(file, name, dataset_access);"}},
    {Language::python,
     "h5py has no call that has one rank read for all. Read on one rank what all need, and send it to the "
     "others, with mpi4py:",
     {"values = None", "if comm.rank == 0:", "    with h5py.File(path, \"r\") as file:",
      "        values = {name: file[name][...] for name in names}", "values = comm.bcast(values, root=0)"}},
    {Language::netcdf4,
     "Read on one rank what all need, and send it to the others, with mpi4py:",
     {"values = None", "if comm.rank == 0:", "    with netCDF4.Dataset(path) as file:",
      "        values = {name: file[name][...] for name in names}", "values = comm.bcast(values, root=0)"}},
    {Language::packaged, "Use PROGRAM with HDF5 1.10.9, 1.12.2 or later, and turn on collective metadata."},
};

std::string words_of_version(std::uint64_t version)
{
    return fmt::format("{}.{}.{}", version / 1'000'000, version / 1000 % 1000, version % 1000);
}

}  // namespace

MaybeFinding metadata_by_all(const Scene& scene)
{
    std::unordered_map<std::uint64_t, OpenedByAll> opened;
    for (const DatasetUse& one : scene.datasets.datasets())
        if (const std::uint64_t ranks = ranks_of(one); one.own && ranks > 1) {
            OpenedByAll& of = opened[one.sums.container];
            of.opens += one.sums.opens;
            of.ranks = std::max(of.ranks, ranks);
            of.datasets.push_back(&one);
        }
    LostTime lost(scene.job);
    MostLost<DataFileUse> most;
    std::uint64_t opens = 0;
    for (const DataFileUse& one : scene.datasets.files()) {
        const DataFileCounters& sums = one.sums;
        if (!one.own || sums.library != static_cast<std::uint64_t>(DataLibrary::hdf5) ||
            sums.collective_opens == 0)
            continue;
        if ((sums.collective_metadata & read_together) != 0 && !ignores_file_property(sums.version)) continue;
        const FileUse* const use = use_of(scene.job, one);
        if (use == nullptr || !use->mpiio || use->mpiio->readers().count < 2) continue;
        const OpenedByAll& of = opened[one.file];
        const double before = lost.total();
        for (const DatasetUse* const dataset : of.datasets)
            for (const DatasetRecord* const record : dataset->records)
                lost.add(owner_of(*record), needless_part(ranks_of(*dataset)) * beneath_opens(*record));
        const double part = reading_part(one, *use);
        if (const std::uint64_t ranks = ranks_of(one); ranks > 1 && part > 0)
            for (const DataFileRecord* const record : one.records)
                lost.add(owner_of(*record),
                         needless_part(ranks) * part * static_cast<double>(record->mpiio_time));
        opens += of.opens + sums.attribute_opens + sums.groups;
        most.add(one, lost.total() - before);
    }
    if (most.use == nullptr || opens < few_objects) return {};
    const DataFileUse& one = *most.use;
    const std::uint64_t ranks = std::max(ranks_of(one), opened[one.file].ranks);
    Finding finding;
    finding.title = fmt::format(
        "{} datasets, groups and attributes of HDF5 opened by ranks that each read "
        "for themselves what describes them",
        format_count(opens));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_basis = "the time in MPI-IO beneath these calls, but for that of one rank";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"datasets", "opens of datasets", count(opened[one.file].opens), ""},
        {"attributes", "opens of attributes", count(one.sums.attribute_opens), ""},
        {"groups", "opens of groups", count(one.sums.groups), ""},
        {"ranks", "ranks that opened them", count(ranks), ""},
        {"file", "most time on", path(one.path), "HDF5 " + words_of_version(one.sums.version)}};
    finding.why =
        "Where an object lies, and what it is, HDF5 reads by small requests of each rank. With collective "
        "metadata one rank reads it and sends it to the others.";
    finding.doubt =
        "A file system that answers all ranks as quickly as one; ranks that do not open the same objects in "
        "the same order, which collective metadata demand.";
    if (on_own_disk(scene.job, *use_of(scene.job, one))) {
        finding.confidence = Confidence::low;
        finding.doubt +=
            " On one node with a file system of its own, as here, sending may take as long as reading.";
    }
    finding.advice =
        advice_in(program_of(scene.job, lost, one.path), ignores_file_property(one.sums.version)
                                                             ? std::span<const Remedy>(by_each_object)
                                                             : std::span<const Remedy>(by_the_file));
    put_in(finding.advice, "VERSION", words_of_version(one.sums.version));
    return Found(std::move(finding), lost);
}

}  // namespace fathom
