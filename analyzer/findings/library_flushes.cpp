// HDF5 and PnetCDF told to flush a file, or a dataset, after every few writes.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_flushes = 20, written_between = 16 << 20;

// CPU time that PyTables takes around each row that is flushed by itself, ns (3.7, CPython 3.11, a machine of
// 2022).
constexpr double around_row = 5e3;

// Where each flush writes one row.
constexpr Remedy flush_rows_in_hdf5[] = {
    {Language::c,
     "Collect rows, write them by one call, and flush after that. In Fortran these are h5dwrite_f and "
     "h5fflush_f:",
     {"if (row % 10000 == 0) { H5Dwrite(…); H5Fflush(file, H5F_SCOPE_LOCAL); }"}},
    {Language::python,
     "Flush after many rows, or leave it to the close of the file: PyTables collects rows until then; with "
     "h5py, collect them in an array:",
     {"if row % 10000 == 0:", "    table.flush()"}},
    {Language::packaged, "Look for an option of PROGRAM that has it flush its output less often."},
};

constexpr Remedy flush_in_hdf5[] = {
    {Language::netcdf,
     "Sync after every so many steps as may be lost with the job, or leave it to the close of the file. In "
     "Fortran it is nf90_sync:",
     {"if (step % 100 == 0) nc_sync(file);"}},
    {Language::c,
     "Flush after every so many steps as may be lost with the job, or leave it to the close of the file. In "
     "Fortran it is h5fflush_f:",
     {"if (step % 100 == 0) H5Fflush(file, H5F_SCOPE_LOCAL);"}},
    {Language::python,
     "Flush after every so many steps as may be lost with the job, or leave it to the close of the file:",
     {"if step % 100 == 0:", "    file.flush()"}},
    {Language::netcdf4,
     "Sync after every so many steps as may be lost with the job, or leave it to the close of the file:",
     {"if step % 100 == 0:", "    dataset.sync()"}},
    {Language::packaged, "Look for an option of PROGRAM that has it flush its output less often."},
};
constexpr Remedy sync_in_pnetcdf[] = {
    {Language::c,
     "Sync after every so many steps as may be lost with the job, or leave it to the close of the file. In "
     "Fortran it is nf90mpi_sync:",
     {"if (step % 100 == 0) ncmpi_sync(file);"}},
    {Language::packaged, "Look for an option of PROGRAM that has it sync its output less often."},
};

// What was written to the datasets of each file.
struct WrittenTo {
    std::uint64_t calls = 0, bytes = 0, flushes = 0;
};

// Nanoseconds of a process's flushes but for one.
double needless_time(std::uint64_t time, std::uint64_t flushes, double processes)
{
    const double of_each = static_cast<double>(flushes) / processes;
    return of_each < 2 ? 0 : static_cast<double>(time) * (1 - 1 / of_each);
}

}  // namespace

MaybeFinding library_flushes(const Scene& scene)
{
    std::unordered_map<std::uint64_t, WrittenTo> written;
    LostTime lost(scene.job);
    MostLost<DataFileUse> most;
    std::unordered_map<std::uint64_t, double> of_datasets;
    double rows = 0;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        WrittenTo& of = written[one.sums.container];
        of.calls += one.sums.writes;
        of.bytes += one.sums.bytes_written;
        of.flushes += one.sums.flushes;
        if (!one.own || one.sums.flushes < few_flushes ||
            one.sums.bytes_written / one.sums.flushes >= written_between)
            continue;
        const double before = lost.total();
        for (const DatasetRecord* const record : one.records)
            lost.add(owner_of(*record),
                     needless_time(record->flush_time, record->flushes, processes_of(*record)));
        of_datasets[one.sums.container] += lost.total() - before;
    }
    for (const DataFileUse& one : scene.datasets.files()) {
        const WrittenTo& of = written[one.file];
        const double before = lost.total();
        if (one.own && one.sums.flushes >= few_flushes && of.bytes / one.sums.flushes < written_between) {
            const bool by_rows = is_flushed_by_rows(scene.datasets, one);
            if (by_rows) rows += static_cast<double>(one.sums.flushes);
            for (const DataFileRecord* const record : one.records)
                lost.add(owner_of(*record),
                         needless_time(record->flush_time + (by_rows ? record->attribute_time : 0),
                                       record->flushes, processes_of(*record)));
            if (by_rows)
                for (const DatasetUse* const dataset : scene.datasets.in_file(one.file))
                    if (dataset->own)
                        for (const DatasetRecord* const record : dataset->records)
                            lost.add(owner_of(*record),
                                     needless_time(record->write_time + record->metadata_time, record->writes,
                                                   processes_of(*record)));
        }
        most.add(one, lost.total() - before + of_datasets[one.file]);
    }
    if (most.use == nullptr) return {};
    const DataFileUse& one = *most.use;
    const WrittenTo& of = written[one.file];
    const bool pnetcdf = one.sums.library == static_cast<std::uint64_t>(DataLibrary::pnetcdf);
    const std::uint64_t flushes = one.sums.flushes + of.flushes;
    Finding finding;
    finding.title = fmt::format("{} {} by {}, one after every {} written", format_count(flushes),
                                pnetcdf ? "syncs" : "flushes", pnetcdf ? "PnetCDF" : "HDF5",
                                format_bytes(of.bytes / std::max<std::uint64_t>(flushes, 1)));
    const AdvisedProgram program = program_of(scene.job, lost, one.path);
    LostTime around(scene.job);
    if (rows > 0 && program.language == Language::h5py) around.add(lost, rows * around_row * scene.stretched);
    finding.cost = seconds(std::min(scene.cost_in_libraries(lost) + scene.cost_beyond_io(around), scene.run));
    finding.cost_basis =
        rows > 0 ? "the time in them, and in the write of a row and the note of their number that "
                   "comes with each, but for one a file"
                 : "the time in them, but for one a file";
    if (around.total() > 0)
        finding.cost_basis += fmt::format("; and what Python does around each row, which is assumed: {}",
                                          format_seconds(around_row / 1e9));
    finding.confidence = rows > 0 ? Confidence::medium : Confidence::high;
    finding.evidence = {
        {"flushes", pnetcdf ? "syncs" : "flushes", count(flushes),
         fmt::format("took {}", format_seconds(lost.total() / 1e9))},
        {"writes", "writes of datasets in it", count(of.calls), ""},
        {"bytes_between", "written between two", bytes(of.bytes / std::max<std::uint64_t>(flushes, 1)), ""},
        {"file", "most time on", path(one.path), ""}};
    finding.why =
        pnetcdf || one.by_mpiio
            ? "Each has all ranks write what they hold and wait for the device."
            : "Each writes all chunks and metadata in HDF5's caches that have changed, and chunks that "
              "are not full yet are compressed and written again by the next one.";
    finding.doubt =
        "Data that must not be lost if the job dies at any moment, or that others read meanwhile.";
    finding.advice = pnetcdf    ? advice_in(program, sync_in_pnetcdf)
                     : rows > 0 ? advice_in(program, flush_rows_in_hdf5)
                                : advice_in(program, flush_in_hdf5);
    return Found(std::move(finding), lost);
}

}  // namespace fathom
