// Large reads and writes of datasets in which HDF5 converts each value by itself, since the program's type
// and the file's differ in more than one step: in byte order and size, say.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/dataset_words.h"

namespace fathom {
namespace {

using namespace report;

constexpr double enough_moved = 8 << 20, large_array = 32 << 10;  // bytes; a call on the mean
constexpr std::uint64_t roomy_chunk = 8 << 10, largest_number = 8;
// ns of computing a byte. Copies, swapped bytes, values put together from here and there in memory, and
// conversions for which HDF5 has a loop of its own take 0.4 to 2.3; those by its general code 14 and more
// (HDF5 1.10 on a machine of 2022).
constexpr double ns_of_conversion = 6;

// Numbers moved by many at a time, as they lie in memory: no filters, no chunks to look up, no heap of
// values of variable length.
bool moves_plain_numbers(const DatasetUse& one)
{
    const DatasetCounters& sums = one.sums;
    const auto calls = static_cast<double>(one.calls()), moved = static_cast<double>(one.bytes());
    return one.own && one.is_one() && sums.library == static_cast<std::uint64_t>(DataLibrary::hdf5) &&
           sums.filters == 0 && sums.points + sums.irregular + sums.unknown_selections == 0 &&
           one.collective() == 0 && sums.element_bytes > 0 && sums.element_bytes <= largest_number &&
           (one.chunk_bytes() == 0 || one.chunk_bytes() >= roomy_chunk) && moved >= enough_moved &&
           moved >= large_array * calls;
}

double own_time_in_transfers(const DatasetCounters& record)
{
    const auto all = record.read_time + record.write_time,
               beneath = record.read_time_beneath + record.write_time_beneath;
    return static_cast<double>(all - std::min(all, beneath));
}

constexpr Remedy converted_remedies[] = {
    {Language::c,
     "Create the dataset with the type that the program has in memory; or where the file should have "
     "another one, convert the array in a loop, and create the dataset with the type of the result. Both "
     "calls then have the same type. In Fortran these are h5dcreate_f and h5dwrite_f, H5T_NATIVE_DOUBLE for "
     "real(8) and H5T_NATIVE_REAL for real(4):",
     {"hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, "
      "H5P_DEFAULT);",
      "H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, array);"}},
    {Language::c,
     "A file that exists: read it with the type that it has (H5Dget_type), and convert the array in a loop; "
     "or convert the file once, by reading the dataset and writing it to one of the native type."},
    {Language::netcdf,
     "Define the variable with the type that the program has in memory, and with the byte order of this "
     "machine. In Fortran it is endianness=nf90_endian_native of nf90_def_var:",
     {"nc_def_var(file, name, NC_DOUBLE, rank, dimensions, &variable);",
      "nc_def_var_endian(file, variable, NC_ENDIAN_NATIVE);"}},
    {Language::python,
     "Make the dataset with the type of the array, or convert the array by NumPy first:",
     {"file.create_dataset(name, data=array)", "dataset[...] = array.astype(dataset.dtype)"}},
    {Language::python,
     "Read it with the type that it has, and convert it by NumPy, rather than by astype() of the dataset or "
     "read_direct into another type:",
     {"array = dataset[...].astype(\"f8\")"}},
    {Language::netcdf4,
     "Make the variable with the type of the array, and the byte order of this machine:",
     {"dataset.createVariable(name, array.dtype, dimensions, endian=\"native\")"}},
    {Language::packaged, "Look for an option of PROGRAM that sets the type of what it writes."},
};

}  // namespace

MaybeFinding converted_values(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<DatasetUse> most;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const double moved = static_cast<double>(one.bytes()), own = own_time_in_transfers(one.sums);
        if (!moves_plain_numbers(one) || own < ns_of_conversion * scene.stretched * moved) continue;
        const double before = lost.total();
        for (const DatasetRecord* const record : one.records) {
            const auto bytes = static_cast<double>(record->bytes_read + record->bytes_written);
            lost.add(
                owner_of(*record),
                std::max(own_time_in_transfers(*record) - bytes * 1e9 / (assumed_rate_mib * mebibyte), 0.0));
        }
        most.add(one, lost.total() - before);
    }
    if (most.use == nullptr) return {};
    const DatasetUse& one = *most.use;
    const double own = own_time_in_transfers(one.sums);
    const std::uint64_t values = one.bytes() / one.sums.element_bytes;
    Finding finding;
    finding.title =
        fmt::format("{}{}: HDF5 itself took {} for each value {}: it may convert them", called(one),
                    and_others(most.number), format_seconds(own / static_cast<double>(values) / 1e9),
                    one.sums.bytes_written >= one.sums.bytes_read ? "written" : "read");
    finding.cost = seconds(scene.cost_in_libraries(lost));
    finding.cost_basis = "the library's own time in these reads and writes, beyond copying";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"values", "values", count(values),
         fmt::format("of {} in the file", format_bytes(one.sums.element_bytes))},
        {"own_time", "in the library itself", nanoseconds(static_cast<std::uint64_t>(own)),
         fmt::format("a copy of {} takes about {}", format_bytes(one.bytes()),
                     format_seconds(static_cast<double>(one.bytes()) / (assumed_rate_mib * mebibyte)))},
        {"calls", "reads and writes", count(one.calls()),
         fmt::format("of {} each", format_bytes(one.bytes() / one.calls()))},
        {"file", "file", path(std::string(one.container)), ""}};
    finding.why =
        "Where the type in memory and that of the dataset differ in several ways, as in byte order and "
        "precision, HDF5 takes each value apart bit by bit.";
    finding.doubt =
        "The log does not have the types: where they are the same, selections in memory of many small pieces "
        "may take as long. Files that other programs want in that type.";
    finding.advice = advice_in(program_of(scene.job, lost, one.container), converted_remedies);
    return Found(std::move(finding), lost);
}

}  // namespace fathom
