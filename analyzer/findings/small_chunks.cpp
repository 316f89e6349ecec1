// Datasets of HDF5 in chunks so small that one access becomes many: a request, and work of the library, each.
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

constexpr std::uint64_t small_chunk = 64 << 10, few_beneath = 1000, many_for_each = 2;

constexpr Remedy chunk_remedies[] = {
    {Language::c,
     "Make the dataset with larger chunks, of 256 KiB to 4 MiB, shaped like what is read or written at a "
     "time. In Fortran it is h5pset_chunk_f, with the extents in the other order:",
     {"hsize_t chunk[] = {EXTENTS};", "H5Pset_chunk(dataset_creation, RANK, chunk);"}},
    {Language::netcdf,
     "Define the variable with larger chunks, of 256 KiB to 4 MiB, shaped like what is read or written at a "
     "time. In Fortran it is chunksizes= of nf90_def_var, in the other order:",
     {"size_t chunk[] = {EXTENTS};", "nc_def_var_chunking(file, variable, NC_CHUNKED, chunk);"}},
    {Language::python,
     "Make the dataset with larger chunks, of 256 KiB to 4 MiB, shaped like what is read or written at a "
     "time:",
     {"file.create_dataset(name, shape, dtype, chunks=(TUPLE))"}},
    {Language::netcdf4,
     "Make the variable with larger chunks, of 256 KiB to 4 MiB, shaped like what is read or written at a "
     "time:",
     {"dataset.createVariable(name, \"f8\", dimensions, chunksizes=(TUPLE))"}},
    {Language::packaged,
     "Have PROGRAM make the dataset with larger chunks, of 256 KiB to 4 MiB, shaped like what is read or "
     "written at a time:",
     {"h5repack -l DATASET:CHUNK=BY_X FILE NEW", "nccopy -c DIMENSION/LENGTH,… FILE NEW"}},
};
constexpr Remedy repack_remedies[] = {
    {Language::c,
     "A file that exists can be copied to one with other chunks:",
     {"h5repack -l DATASET:CHUNK=BY_X FILE NEW"}},
};

// Nanoseconds of one record that larger chunks would save: all but what the bytes take in large requests, and
// in memory, and what the recorder adds to each request. Filters take as long in any case: from what deflate
// does at its quickest level to no longer than at its best.
struct Spared {
    double least = 0, most = 0;

    // `together`: what collective calls take beneath, larger chunks may need too.
    Spared(const Scene& scene, const DatasetRecord& record, bool together)
    {
        const double all = static_cast<double>(record.read_time + record.write_time + record.metadata_time);
        const auto read = static_cast<double>(record.bytes_read),
                   written = static_cast<double>(record.bytes_written);
        const double moved = read * scene.reference(Direction::read).ns_per_byte +
                             written * scene.reference(Direction::write).ns_per_byte;
        const double recorder =
            static_cast<double>(record.posix_reads + record.posix_writes) * scene.clock_cost;
        const auto without = [&](double own) { return std::max(all - moved - recorder - own, 0.0); };
        if (record.filters == 0) {
            const double copying = (read + written) * 1e9 / (assumed_rate_mib * mebibyte);
            least = most = without(copying);
            if (together) least = std::min(most, std::max(own_time_of(record) - copying, 0.0));
            return;
        }
        constexpr double inflate[] = {3, 10}, deflate[] = {12, 50};  // ns a byte
        const auto filtering = [&](std::size_t at) {
            return std::min(own_time_of(record),
                            (inflate[at] * read + deflate[at] * written) * scene.stretched);
        };
        most = without(filtering(0));
        least = without(filtering(1));
    }
};

// Larger chunks of about a MiB, grown from the fastest dimension on: first to what most calls selected, then
// to the whole dataset.
Extents better_chunk(const DatasetUse& dataset)
{
    constexpr std::uint64_t wanted = 1 << 20;
    const DatasetCounters& sums = dataset.sums;
    const CommonShape& most = sums.writes >= sums.reads ? sums.write_shape : sums.read_shape;
    Extents chunk = sums.chunk;
    const auto known = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.rank, Extents::most));
    std::uint64_t size = std::max<std::uint64_t>(sums.element_bytes, 1);
    for (std::size_t at = 0; at < known; ++at) size *= std::max<std::uint64_t>(chunk.extent[at], 1);
    const auto grow = [&](const Extents& limits) {
        for (std::size_t at = known; at-- > 0;)
            while (size < wanted && chunk.extent[at] > 0 && chunk.extent[at] < limits.extent[at]) {
                const std::uint64_t larger = std::min(2 * chunk.extent[at], limits.extent[at]);
                size = size / chunk.extent[at] * larger;
                chunk.extent[at] = larger;
            }
    };
    if (most.lead > 0 && most.shape.rank == chunk.rank) grow(most.shape);
    if (sums.dimensions.rank == chunk.rank) grow(sums.dimensions);
    return chunk;
}

std::string extents_in_code(const Extents& extents, std::string_view between)
{
    std::string words;
    for (std::size_t at = 0; at < std::min<std::uint64_t>(extents.rank, Extents::most); ++at)
        words += fmt::format("{}{}", at == 0 ? "" : between, extents.extent[at]);
    return words;
}

// By collective calls, for which chunks are put together beneath, after each has been looked up.
bool is_together(const DatasetUse& one)
{
    return 2 * one.collective() > one.calls();
}

std::uint64_t became(const DatasetUse& one)
{
    return is_together(one) ? one.bytes() / one.chunk_bytes() : one.sums.posix_reads + one.sums.posix_writes;
}

std::string title_of(const DatasetUse& one, std::size_t datasets)
{
    const Direction direction =
        one.sums.posix_writes >= one.sums.posix_reads ? Direction::write : Direction::read;
    std::string words =
        is_together(one)
            ? fmt::format("{} chunks of {} in {}", format_count(became(one)), format_bytes(one.chunk_bytes()),
                          counted(one.calls(), "collective call", "collective calls"))
            : what_became_of(one, direction);
    if (words.empty()) words = fmt::format("chunks of {}", format_bytes(one.chunk_bytes()));
    return fmt::format("{}{}: {}", called(one), and_others(datasets), words);
}

}  // namespace

MaybeFinding small_chunks(const Scene& scene)
{
    LostTime lost(scene.job), least(scene.job);
    MostLost<DatasetUse> most;
    std::uint64_t calls = 0, beneath = 0;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const std::uint64_t chunk = one.chunk_bytes();
        if (!one.own || chunk == 0 || chunk >= small_chunk || became(one) < few_beneath ||
            became(one) < many_for_each * one.calls())
            continue;
        const double before = lost.total();
        for (const DatasetRecord* const record : one.records) {
            const Spared spared(scene, *record, is_together(one));
            lost.add(owner_of(*record), spared.most);
            least.add(owner_of(*record), spared.least);
        }
        most.add(one, lost.total() - before);
        calls += one.calls();
        beneath += became(one);
    }
    if (most.use == nullptr) return {};
    const DatasetUse& one = *most.use;
    Finding finding;
    finding.title = title_of(one, most.number);
    finding.cost = seconds(scene.cost_in_libraries(lost));
    if (least.total() < lost.total()) finding.cost_least = scene.cost_in_libraries(least);
    finding.cost_basis =
        "the time of these datasets' calls, but for what their bytes take in large requests, in memory and "
        "in filters";
    finding.confidence = is_together(one) ? Confidence::medium : Confidence::high;
    // What a link shared by nodes gives is not known: larger requests may be no quicker.
    constexpr std::uint64_t read_ahead_helps = 16 << 10;
    if (scene.job.nodes() > 1 && !scene.reference(Direction::read).measured &&
        one.chunk_bytes() >= read_ahead_helps) {
        finding.confidence = Confidence::low;
        finding.cost_least = 0.0;
    }
    finding.evidence = {
        {"chunk", "a chunk", bytes(one.chunk_bytes()), words_of(one.sums.chunk)},
        {"calls", "calls", count(calls), ""},
        {"beneath", is_together(one) ? "chunks in them" : "requests beneath", count(beneath),
         fmt::format("{} for each call", format_count(beneath / std::max<std::uint64_t>(calls, 1)))},
        {"own_time", "in the library itself", nanoseconds(one.own_time()),
         fmt::format("of {} in calls on the first", format_seconds(static_cast<double>(one.time()) / 1e9))}};
    finding.why = is_together(one)
                      ? "HDF5 looks up each chunk in an index, and MPI-IO moves the chunks piece by piece."
                      : "HDF5 moves each chunk by a request of its own, and looks it up in an index first.";
    finding.doubt = "Other programs that read single chunks of it.";
    const AdvisedProgram program = program_of(scene.job, lost, one.container);
    const Extents better = better_chunk(one);
    finding.advice = advice_in(program, chunk_remedies);
    for (Advice& repack : advice_in(AdvisedProgram{}, repack_remedies))
        finding.advice.push_back(std::move(repack));
    put_in(finding.advice, "TUPLE", extents_in_code(better, ", ") + (better.rank == 1 ? "," : ""));
    put_in(finding.advice, "EXTENTS", extents_in_code(better, ", "));
    put_in(finding.advice, "BY_X", extents_in_code(better, "x"));
    put_in(finding.advice, "RANK", fmt::format("{}", better.rank));
    Found found(std::move(finding), lost);
    found.dataset = &one;
    return found;
}

}  // namespace fathom
