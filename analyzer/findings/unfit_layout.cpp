// Datasets of HDF5 whose rows lie one behind the other, read across them: for each value HDF5 fetches a block
// around it.
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

constexpr double times_fetched = 4, much_fetched = 16 * mebibyte;

// How many bytes were fetched for each that was asked for; 0: not much.
double fetched_by(const DatasetRecord& record)
{
    const auto asked = static_cast<double>(record.bytes_read),
               fetched = static_cast<double>(record.posix_bytes_read);
    return asked == 0 || fetched < much_fetched || fetched < times_fetched * asked ? 0 : fetched / asked;
}

constexpr const char* layout_text =
    "Where the file is read several times, copy it into chunks of the shape of what is read:";
constexpr Remedy layout_remedies[] = {
    {Language::c,
     "Read the whole, or bands of whole rows, by one call, and pick from memory:",
     {"H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array);"}},
    {Language::c, layout_text, {"h5repack -l DATASET:CHUNK=EXTENTS FILE NEW"}},
    {Language::h5py,
     "Read the whole, or bands of whole rows, and pick from the array:",
     {"array = dataset[...]", "column = array[:, number]"}},
    {Language::h5py, layout_text, {"h5repack -l DATASET:CHUNK=EXTENTS FILE NEW"}},
    {Language::netcdf4,
     "Read the whole, or bands of whole rows, and pick from the array:",
     {"array = variable[...]", "column = array[:, number]"}},
    {Language::netcdf4, layout_text, {"nccopy -c DIMENSION/LENGTH,... FILE NEW"}},
    {Language::packaged, layout_text, {"h5repack -l DATASET:CHUNK=EXTENTS FILE NEW"}},
};

}  // namespace

MaybeFinding unfit_layout(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<DatasetUse> most;
    double times_of_most = 0;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        if (!one.own || !one.is_one() || one.chunk_bytes() != 0) continue;
        const double before = lost.total();
        double times = 0;
        for (const DatasetRecord* const record : one.records) {
            const double of = fetched_by(*record);
            if (of == 0) continue;
            lost.add(owner_of(*record), static_cast<double>(record->read_time) * (1 - 1 / of));
            times = std::max(times, of);
        }
        most.add(one, lost.total() - before);
        if (most.use == &one) times_of_most = times;
    }
    if (most.use == nullptr) return {};
    const DatasetUse& one = *most.use;
    Finding finding;
    finding.title = fmt::format("{}{}: {} fetched for {} that are read", called(one), and_others(most.number),
                                format_bytes(one.sums.posix_bytes_read), format_bytes(one.sums.bytes_read));
    finding.cost = seconds(scene.cost_in_libraries(lost));
    finding.cost_basis = "the share of the time in these reads by what was not asked for";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"asked", "asked for", bytes(one.sums.bytes_read),
                         fmt::format("by {}", counted(one.sums.reads, "read", "reads"))},
                        {"fetched", "fetched by HDF5", bytes(one.sums.posix_bytes_read),
                         fmt::format("{:.0f} times as much, in {}", times_of_most,
                                     counted(one.sums.posix_reads, "request", "requests"))}};
    if (one.sums.read_shape.lead > 0)
        finding.evidence.push_back(
            {"shape", "most reads are of", text(words_of(one.sums.read_shape.shape)), ""});
    finding.why =
        "The values lie far apart in the file, and HDF5 fetches a block of 64 KiB (its sieve buffer) for "
        "each of them.";
    finding.doubt = "Data that do not fit into memory: then read bands of rows, as large as fit.";
    finding.advice = advice_in(program_of(scene.job, lost, one.container), layout_remedies);
    Found found(std::move(finding), lost);
    found.dataset = &one;
    return found;
}

}  // namespace fathom
