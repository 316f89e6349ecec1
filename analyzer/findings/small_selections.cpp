// Datasets read or written a few values at a time: each call looks up the dataset, its selection and its
// type, whatever it moves, also where HDF5 or netCDF collects the pieces into large requests.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/around_library.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/dataset_words.h"

namespace fathom {
namespace {

using namespace report;

constexpr double many_selections = 1000, small_piece = 8 << 10;  // of one process; bytes a call on the mean

// CPU time of h5py around each of these calls, ns (h5py 3.7 with CPython 3.11 on a quick machine of 2022): it
// makes a selection, a type and two spaces for each. Reads of simple types have a shorter way. netCDF4 (1.6)
// sorts out the index in Python, and makes a masked array of what it read. And how many times as long as the
// library's own work that takes, on any machine.
struct AroundCalls {
    Language language;
    std::string_view who;
    double write, read, extension, own_writes = 0, own_reads = 0;
};
constexpr AroundCalls around_calls_of[] = {{Language::h5py, "h5py", 20e3, 6e3, 10e3, 18, 4},
                                           {Language::netcdf4, "netCDF4", 45e3, 85e3, 0, 20, 36},
                                           {Language::hdf5, "the program", 500, 500, 0},
                                           {Language::netcdf, "netCDF", 2500, 2500, 0}};
// Of the classic formats: Fortran's interface makes arrays of the places.
constexpr AroundCalls around_classic_calls[] = {{Language::netcdf4, "netCDF4", 22e3, 53e3, 0, 90, 90},
                                                {Language::netcdf, "netCDF", 100, 100, 0}};

const AroundCalls* around_of(const AdvisedProgram& program, const DatasetUse& dataset)
{
    const std::span<const AroundCalls> rows =
        dataset.is_variable() ? std::span<const AroundCalls>(around_classic_calls) : around_calls_of;
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const AroundCalls& one) { return one.language == program.language; });
    return row == rows.end() ? nullptr : &*row;
}

// ns around the calls that one record is of.
double around(const Scene& scene, const AroundCalls& by, const DatasetRecord& record)
{
    const auto of = [&](std::uint64_t calls, double each, std::uint64_t time, std::uint64_t beneath,
                        double times_own) {
        const auto own = static_cast<double>(time - std::min(time, beneath));
        const double assumed = static_cast<double>(calls) * each * scene.stretched;
        // Filters take their own time.
        return AroundLibrary{assumed, own, record.filters != 0 ? 0 : times_own}.ns();
    };
    AroundLibrary all;
    all.assumed = of(record.writes, by.write, record.write_time, record.write_time_beneath, by.own_writes) +
                  of(record.reads, by.read, record.read_time, record.read_time_beneath, by.own_reads) +
                  static_cast<double>(record.extensions) * by.extension * scene.stretched;
    CallSpan span;
    span.add(record.first_write, record.last_write, static_cast<double>(record.write_time));
    span.add(record.first_read, record.last_read, static_cast<double>(record.read_time));
    all.between = span.between(processes_of(record));
    return all.ns();
}

struct Pieces {
    LostTime lost;
    std::vector<const DatasetRecord*> records;
    std::uint64_t reads = 0, writes = 0, bytes = 0;
    MostLost<DatasetUse> most;
};

Pieces pieces_of(const Scene& scene)
{
    Pieces sum{.lost = LostTime(scene.job), .records = {}, .most = {}};
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const DataFileUse* const file = scene.datasets.file_of(one.sums.container);
        if (!one.own || (file != nullptr && is_flushed_by_rows(scene.datasets, *file))) continue;
        const double before = sum.lost.total();
        for (const DatasetRecord* const record : one.records) {
            const auto calls = static_cast<double>(record->reads + record->writes),
                       moved = static_cast<double>(record->bytes_read + record->bytes_written);
            const auto objects = static_cast<double>(std::max<std::uint64_t>(one.objects, 1));
            if (calls < many_selections * processes_of(*record) * objects || moved >= small_piece * calls ||
                record->collective_reads + record->collective_writes > 0)
                continue;
            const double needed =
                static_cast<double>(record->bytes_read) * scene.reference(Direction::read).ns_per_byte +
                static_cast<double>(record->bytes_written) * scene.reference(Direction::write).ns_per_byte;
            // Filters take as long in any case.
            const double kept = record->filters != 0 ? own_time_of(*record) : 0;
            // Each call on such a variable is timed.
            const double timing = one.is_variable() ? scene.clock_cost * calls : 0;
            sum.lost.add(
                owner_of(*record),
                std::max(static_cast<double>(record->read_time + record->write_time + record->metadata_time) -
                             needed - kept - timing,
                         0.0));
            sum.records.push_back(record);
            sum.reads += record->reads;
            sum.writes += record->writes;
            sum.bytes += record->bytes_read + record->bytes_written;
        }
        sum.most.add(one, sum.lost.total() - before);
    }
    return sum;
}

constexpr Remedy selection_remedies[] = {
    {Language::c,
     "Collect the values in an array and move it by one call. In Fortran it is h5dwrite_f:",
     {"H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, array);"}},
    {Language::netcdf,
     "Collect the values in an array and move it by one call. In Fortran it is nf90_put_var:",
     {"nc_put_vara_double(file, variable, start, count, array);"}},
    {Language::pnetcdf,
     "Collect the values in an array and move it by one call; or post the pieces and have PnetCDF put them "
     "together. In Fortran these are nf90mpi_put_var_all, nf90mpi_iput_var and nf90mpi_wait_all:",
     {"ncmpi_put_vara_double_all(file, variable, start, count, array);",
      "ncmpi_iput_vara_double(file, variable, start, count, piece, &request);",
      "ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL);"}},
    {Language::python,
     "Fill an array in memory, and move it by one statement, rather than element by element or row by row:",
     {"dataset[...] = array", "array = dataset[...]"}},
    {Language::python,
     "Where the dataset grows, make it longer by many rows at a time:",
     {"dataset.resize(len(dataset) + len(rows), axis=0)", "dataset[-len(rows):] = rows"}},
    {Language::netcdf4,
     "Fill an array in memory, and move it by one statement, rather than element by element or row by row:",
     {"variable[...] = array", "array = variable[...]"}},
    {Language::netcdf4,
     "Where the variable grows, add many rows at a time:",
     {"variable[first:last] = rows"}},
    {Language::packaged, "Look for an option of PROGRAM that has it move more values at a time."},
};

// Of classic NetCDF without its buffer, which else puts values together.
constexpr Remedy shared_remedies[] = {
    {Language::netcdf,
     "Leave out NC_SHARE (in Fortran nf90_share), and syncs after each value: they pass each on by itself:",
     {"nc_create(path, NC_CLOBBER, &file);"}},
    {Language::netcdf4,
     "Leave out the s behind the mode, and syncs after each value: they pass each on by itself:",
     {"netCDF4.Dataset(path, \"w\", format=\"NETCDF3_CLASSIC\")    # rather than \"ws\""}},
};

bool passes_each_on(const DatasetUse& one)
{
    return one.sums.library == static_cast<std::uint64_t>(DataLibrary::netcdf) && one.sums.writes > 0 &&
           one.sums.posix_writes >= one.sums.writes;
}

}  // namespace

MaybeFinding small_selections(const Scene& scene)
{
    const Pieces pieces = pieces_of(scene);
    if (pieces.most.use == nullptr) return {};
    const DatasetUse& one = *pieces.most.use;
    const AdvisedProgram program = program_of(scene.job, pieces.lost, one.container);
    const AroundCalls* const interpreted = around_of(program, one);
    LostTime around_them(scene.job);
    if (interpreted != nullptr)
        for (const DatasetRecord* const record : pieces.records)
            around_them.add(owner_of(*record), around(scene, *interpreted, *record));
    const std::uint64_t calls = pieces.reads + pieces.writes;
    Finding finding;
    const std::string_view kinds = pieces.reads == 0    ? "writes"
                                   : pieces.writes == 0 ? "reads"
                                                        : "reads and writes";
    finding.title = fmt::format("{}{}: {} {} of {} each", called(one), and_others(pieces.most.number),
                                format_count(calls), kinds, format_bytes(pieces.bytes / calls));
    finding.cost = seconds(
        std::min(scene.cost_in_libraries(pieces.lost) + scene.cost_beyond_io(around_them), scene.run));
    finding.cost_basis =
        "the time in calls on these datasets, but for what their bytes take in large requests";
    if (interpreted != nullptr)
        finding.cost_basis += fmt::format(
            "; and what {} does around each of them, {} on the mean: by the library's own time in them, or "
            "assumed",
            interpreted->who, format_seconds(around_them.total() / 1e9 / static_cast<double>(calls)));
    finding.confidence = interpreted != nullptr ? Confidence::medium : Confidence::high;
    finding.evidence = {
        {"calls", std::string(kinds), count(calls), fmt::format("of {} in all", format_bytes(pieces.bytes))},
        {"time", "time in these calls", nanoseconds(one.time()), "on the first, in the layers beneath too"},
        {"file", "file", path(std::string(one.container)), ""}};
    finding.why =
        "Each call looks up the dataset or variable, the selection and the type, and packs a piece, whatever "
        "it moves.";
    finding.doubt = "Values that are needed, or known, one at a time.";
    finding.advice = advice_in(program, selection_remedies);
    if (passes_each_on(one))
        for (Advice& unshared : advice_in(program, shared_remedies))
            finding.advice.insert(finding.advice.begin(), std::move(unshared));
    return Found(std::move(finding), pieces.lost);
}

}  // namespace fathom
