// Chunks of HDF5 that are read, and decompressed, whole for a small part of each: their shape does not fit
// what is read, as where a series at one point is taken from a chunk for each map.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/overfetched.h"
#include "analyzer/job/dataset_words.h"

namespace fathom {
namespace {

using namespace report;

constexpr double times_too_much = 4;  // as much as was asked for
constexpr double few_chunks = 20, much_decompressed = 16 * mebibyte;
// Of one read. Where each finds what it wants in a chunk, these are large rather than of the wrong shape.
constexpr std::uint64_t several_chunks = 4;

// How many bytes its reads took out of chunks, for each that was asked for; 0: not known, or no chunk was
// read whole, or they came to it more than once, which is the chunk cache's fault.
double times_of(const DatasetUse& one, const DatasetRecord& record)
{
    const double passed = chunks_passed(one, record, Direction::read),
                 of_all = static_cast<double>(one.chunks()) * processes_of(record);
    const auto asked = static_cast<double>(record.bytes_read);
    if (asked == 0 || passed < few_chunks || passed >= 2 * of_all) return 0;
    const double taken = passed * static_cast<double>(one.chunk_bytes());
    return taken < much_decompressed || taken < times_too_much * asked ? 0 : taken / asked;
}

constexpr const char* fitting_text =
    "Shape the chunks like what is read at a time, with 64 KiB and more in each. A file that is read several "
    "times can be copied so:";
constexpr Remedy fitting_remedies[] = {
    {Language::c, fitting_text, {"h5repack -l DATASET:CHUNK=EXTENTS FILE NEW"}},
    {Language::netcdf, fitting_text, {"nccopy -c DIMENSION/LENGTH,... FILE NEW"}},
    {Language::netcdf4, fitting_text, {"nccopy -c DIMENSION/LENGTH,... FILE NEW"}},
    {Language::packaged, fitting_text, {"h5repack -l DATASET:CHUNK=EXTENTS FILE NEW"}},
};

}  // namespace

MaybeFinding unfit_chunks(const Scene& scene)
{
    const Overfetched all = overfetched_in(scene, [](const DatasetUse& one, const DatasetRecord& record) {
        return one.own && one.chunk_bytes() > 0 &&
                       touched_by_call(one, Direction::read) >= several_chunks * one.chunk_bytes()
                   ? times_of(one, record)
                   : 0;
    });
    if (all.most.use == nullptr) return {};
    const DatasetUse& one = *all.most.use;
    Found found =
        finding_on(scene, all, {"chunk", "a chunk", bytes(one.chunk_bytes()), words_of(one.sums.chunk)},
                   fitting_remedies);
    found.title = fmt::format("{}{}: chunks of {} {} for {} of what they hold", called(one),
                              and_others(all.most.number), format_bytes(one.chunk_bytes()),
                              one.sums.filters != 0 ? "read and decompressed" : "read",
                              all.times > 100 ? "less than 1 %" : fmt::format("{:.0f} %", 100 / all.times));
    found.why =
        "HDF5 reads a chunk whole, however little of it is asked for, where it has filters or fits into the "
        "chunk cache.";
    found.doubt =
        "A file that is read this way once: to copy it takes longer. Reads of another shape become slower.";
    return found;
}

}  // namespace fathom
