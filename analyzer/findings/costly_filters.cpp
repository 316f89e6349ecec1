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

constexpr std::uint64_t enough_written = 1 << 20;
// To begin takes a filter longer than so few bytes do: larger chunks come first.
constexpr std::uint64_t tiny_chunk = 4 << 10;
// Chunks that were written several times say nothing of how small one is.
constexpr double written_once = 1.2;

bool compresses(const DatasetCounters& dataset)
{
    constexpr std::uint64_t checksum_and_shuffle = 1 << 3 | 1 << 2;
    return (dataset.filters & ~checksum_and_shuffle) != 0;
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
        if (!one.own || !one.is_one() || !compresses(sums) || sums.bytes_written < enough_written ||
            (one.chunk_bytes() > 0 && one.chunk_bytes() < tiny_chunk))
            continue;
        const Filtered made = filtered(scene, one);
        const auto asked = static_cast<double>(sums.bytes_written);
        if (made.kept < hardly_smaller * asked || made.kept > written_once * asked) continue;
        const double before = lost.total();
        for (const DatasetRecord* const record : one.records)
            lost.add(owner_of(*record), taken_by_filters(scene, one, *record, made));
        most.add(one, lost.total() - before);
    }
    if (most.use == nullptr) return {};
    const DatasetUse& one = *most.use;
    const auto kept = static_cast<std::uint64_t>(filtered(scene, one).kept);
    const double left = static_cast<double>(kept) / static_cast<double>(one.sums.bytes_written);
    Finding finding;
    finding.title =
        fmt::format("{}{}: {} made {} into {}", called(one), and_others(most.number), filter_words(one.sums),
                    format_bytes(one.sums.bytes_written), format_bytes(kept));
    finding.cost = seconds(scene.cost_in_libraries(lost));
    finding.cost_basis =
        "the library's own time in these writes, beyond copying, less what the saved bytes would have taken";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"asked", "written to it", bytes(one.sums.bytes_written), ""},
                        {"kept", "written to the file", bytes(kept), format_share(left)},
                        {"own_time", "in the library itself", nanoseconds(one.own_time()), ""}};
    finding.why = "The filter looks at every byte, and finds next to nothing that could be left out.";
    finding.doubt = "Room on the disk that is worth more than this time.";
    finding.advice = advice_in(program_of(scene.job, lost, one.container), filter_remedies);
    return Found(std::move(finding), lost);
}

}  // namespace fathom
