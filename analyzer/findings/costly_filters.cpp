// Filters of HDF5 that take time and leave the data about as large as they were.
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

constexpr std::uint64_t enough_written = 8 << 20;
// No smaller than this part: who compresses wants less than that.
constexpr double hardly_smaller = 0.8;
// Chunks that were written several times say nothing of how small one is.
constexpr double written_once = 1.2;

bool compresses(const DatasetCounters& dataset)
{
    constexpr std::uint64_t checksum_and_shuffle = 1 << 3 | 1 << 2;
    return (dataset.filters & ~checksum_and_shuffle) != 0;
}

// ns of the library's own in calls that write, beyond packing; less what the bytes that were saved would have
// taken beneath.
double taken_by_filters(const Scene& scene, const DatasetRecord& record)
{
    const double own =
        static_cast<double>(record.write_time - std::min(record.write_time, record.write_time_beneath)) +
        static_cast<double>(record.metadata_time -
                            std::min(record.metadata_time, record.metadata_time_beneath));
    const auto asked = static_cast<double>(record.bytes_written),
               kept = static_cast<double>(record.posix_bytes_written);
    return std::max(own - asked * 1e9 / (assumed_rate_mib * mebibyte) -
                        std::max(asked - kept, 0.0) * scene.reference(Direction::write).ns_per_byte,
                    0.0);
}

constexpr Remedy filter_remedies[] = {
    {Language::c,
     "Make the dataset without filters: leave out H5Pset_deflate (in Fortran h5pset_deflate_f) and the like "
     "where it is made. Where some can be saved, shuffling the bytes before a light level may do it:",
     {"H5Pset_shuffle(dataset_creation);", "H5Pset_deflate(dataset_creation, 1);"}},
    {Language::python,
     "Make the dataset without compression=. Where some can be saved, shuffling the bytes before a light "
     "level may do it:",
     {"file.create_dataset(name, shape, dtype, chunks=True, shuffle=True, compression=\"gzip\", "
      "compression_opts=1)"}},
    {Language::netcdf4,
     "Make the variable without zlib= and compression=. Where some can be saved, shuffling the bytes before "
     "a light level may do it:",
     {"dataset.createVariable(name, \"f8\", dimensions, zlib=True, complevel=1, shuffle=True)"}},
    {Language::packaged, "Look for an option of PROGRAM that has it write without compression."},
};

}  // namespace

MaybeFinding costly_filters(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<DatasetUse> most;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const DatasetCounters& sums = one.sums;
        const auto asked = static_cast<double>(sums.bytes_written),
                   kept = static_cast<double>(sums.posix_bytes_written);
        if (!one.own || !one.is_one() || !compresses(sums) || sums.bytes_written < enough_written ||
            kept < hardly_smaller * asked || kept > written_once * asked)
            continue;
        const double before = lost.total();
        for (const DatasetRecord* const record : one.records)
            lost.add(owner_of(*record), taken_by_filters(scene, *record));
        most.add(one, lost.total() - before);
    }
    if (most.use == nullptr) return {};
    const DatasetUse& one = *most.use;
    const double left =
        static_cast<double>(one.sums.posix_bytes_written) / static_cast<double>(one.sums.bytes_written);
    Finding finding;
    finding.title =
        fmt::format("{}{}: {} made {} into {}", called(one), and_others(most.number), filter_words(one.sums),
                    format_bytes(one.sums.bytes_written), format_bytes(one.sums.posix_bytes_written));
    finding.cost = seconds(scene.cost_in_libraries(lost));
    finding.cost_basis =
        "the library's own time in these writes, beyond copying, less what the saved bytes would have taken";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"asked", "written to it", bytes(one.sums.bytes_written), ""},
        {"kept", "written to the file", bytes(one.sums.posix_bytes_written), format_share(left)},
        {"own_time", "in the library itself", nanoseconds(one.own_time()), ""}};
    finding.why = "The filter looks at every byte, and finds next to nothing that could be left out.";
    finding.doubt = "Room on the disk that is worth more than this time.";
    finding.advice = advice_in(program_of(scene.job, lost, one.container), filter_remedies);
    return Found(std::move(finding), lost);
}

}  // namespace fathom
