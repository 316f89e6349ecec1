// Datasets of HDF5 whose rows lie one behind the other, read across them: for each value HDF5 fetches a block
// around it.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/overfetched.h"
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
    const Overfetched all = overfetched_in(scene, [](const DatasetUse& one, const DatasetRecord& record) {
        return one.own && one.is_one() && one.chunk_bytes() == 0 ? fetched_by(record) : 0;
    });
    if (all.most.use == nullptr) return {};
    const DatasetUse& one = *all.most.use;
    Found found = finding_on(scene, all,
                             {"fetched", "fetched by HDF5", bytes(one.sums.posix_bytes_read),
                              fmt::format("{:.0f} times as much, in {}", all.times,
                                          counted(one.sums.posix_reads, "request", "requests"))},
                             layout_remedies);
    found.title =
        fmt::format("{}{}: {} fetched for {} that are read", called(one), and_others(all.most.number),
                    format_bytes(one.sums.posix_bytes_read), format_bytes(one.sums.bytes_read));
    found.why =
        "The values lie far apart in the file, and HDF5 fetches a block of 64 KiB (its sieve buffer) for "
        "each of "
        "them.";
    found.doubt = "Data that do not fit into memory: then read bands of rows, as large as fit.";
    return found;
}

}  // namespace fathom
