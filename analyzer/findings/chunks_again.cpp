// Chunks of HDF5 that are read, and decompressed, several times, or compressed and written several times,
// because the chunk cache does not hold those that calls come back to.
#include <algorithm>
#include <cmath>
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

constexpr double times_of_a_fault = 2;  // as often as once is no fault
// For a process: a chunk of some MiB takes a filter 10 ms and more, and some reads are of HDF5's own tables.
constexpr double few_again = 20;
constexpr std::uint64_t default_cache = 1 << 20;
// A cache of more is no advice: other chunks are.
constexpr std::uint64_t large_cache = 512 << 20;
constexpr double some_cache = 64 << 20;  // of this much no reader has too little memory

// How many times as many chunks passed between the library and the file as there are, at least; 0: not known,
// or no chunk passed times_of_a_fault.
struct Repeated {
    double times = 0;
    std::uint64_t again = 0;  // chunks
};

Repeated repeated(const DatasetUse& one, const DatasetRecord& record, Direction direction)
{
    const double passed = chunks_passed(one, record, direction);
    if (one.chunks() == 0 || passed == 0) return {};
    const double chunks = std::max(
        static_cast<double>(one.chunks()) * processes_of(record),
        static_cast<double>(asked_of(record, direction).bytes) / static_cast<double>(one.chunk_bytes()));
    if (passed < times_of_a_fault * chunks || passed - chunks < few_again * processes_of(record)) return {};
    return {passed / chunks, static_cast<std::uint64_t>(passed - chunks)};
}

constexpr Remedy cache_remedies[] = {
    {Language::netcdf,
     "Give the variable a cache for all chunks that one access touches, SIZE. In Fortran it is cache_size= "
     "of nf90_def_var:",
     {"nc_set_var_chunk_cache(file, variable, MIB << 20, 12421, 1.0f);"}},
    {Language::c,
     "Give the dataset a cache for all chunks that one access touches, SIZE. In Fortran it is "
     "h5pset_chunk_cache_f:",
     {"hid_t dataset_access = H5Pcreate(H5P_DATASET_ACCESS);",
      "H5Pset_chunk_cache(dataset_access, 12421, MIB << 20, 1.0);",
      "hid_t dataset = H5Dopen2(file, name, dataset_access);"}},
    {Language::python,
     "Give the datasets of the file a cache for all chunks that one access touches, SIZE:",
     {"h5py.File(path, \"r\", rdcc_nbytes=MIB << 20, rdcc_nslots=12421)"}},
    {Language::netcdf4,
     "Give the variable a cache for all chunks that one access touches, SIZE:",
     {"variable.set_var_chunk_cache(size=MIB << 20, nelems=12421, preemption=1.0)"}},
    {Language::packaged,
     "Look for an option of PROGRAM that sets HDF5's chunk cache; SIZE would hold what one access touches."},
};
// The cache is the dataset's, and goes when that is closed.
constexpr Remedy reopened_remedies[] = {
    {Language::netcdf, "Keep the file open until its last access, rather than open it for each."},
    {Language::c,
     "Open the dataset once, before the loop, and close it behind it: its chunks are kept while it is open.",
     {"hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);    // before the loop"}},
    {Language::python,
     "Take the dataset once, before the loop: its chunks are kept while it is open:",
     {"dataset = file[name]    # before the loop"}},
    {Language::packaged, "Look for an option that has PROGRAM take more of the dataset at a time."},
};
constexpr Remedy order_remedies[] = {
    {Language::c, "Or read and write whole chunks at a time, in the order in which they lie in the file."},
};
constexpr Remedy shape_remedies[] = {
    {Language::c,
     "Shape the chunks like what is read or written at a time; a file that exists can be copied so:",
     {"h5repack -l DATASET:CHUNK=EXTENTS FILE NEW"}},
};

}  // namespace

MaybeFinding chunks_again(const Scene& scene)
{
    LostTime lost(scene.job);
    MostLost<DatasetUse> most;
    Direction direction_of_most = Direction::read;
    std::uint64_t again = 0;
    double times_of_most = 0, chunks_of_most = 0;
    for (const DatasetUse& one : scene.datasets.datasets()) {
        if (!one.own) continue;
        double of_both = 0, of_larger = 0, times_of_larger = 0, chunks_of_larger = 0;
        Direction larger = Direction::read;
        for (const Direction direction : directions) {
            const double before = lost.total();
            double times = 0, chunks = 0;
            for (const DatasetRecord* const record : one.records) {
                const Repeated of = repeated(one, *record, direction);
                if (of.again == 0) continue;
                const bool reads = direction == Direction::read;
                const auto time = static_cast<double>(reads ? record->read_time : record->write_time);
                const double copied = static_cast<double>(asked_of(*record, direction).bytes) * 1e9 /
                                      (assumed_rate_mib * mebibyte);
                lost.add(owner_of(*record), std::max(time - copied, 0.0) * (1 - 1 / of.times));
                again += of.again;
                times = std::max(times, of.times);
                chunks = std::max(chunks, static_cast<double>(of.again) / std::max(of.times - 1, 1.0));
            }
            const double of_this = lost.total() - before;
            of_both += of_this;
            if (of_this <= of_larger) continue;
            of_larger = of_this;
            larger = direction;
            times_of_larger = times;
            chunks_of_larger = chunks;
        }
        most.add(one, of_both);
        if (most.use != &one) continue;
        direction_of_most = larger;
        times_of_most = times_of_larger;
        chunks_of_most = chunks_of_larger;
    }
    if (most.use == nullptr) return {};
    const DatasetUse& one = *most.use;
    const bool reads = direction_of_most == Direction::read, filtered = one.sums.filters != 0;
    const std::uint64_t chunk = one.chunk_bytes(),
                        cache = one.sums.cache_bytes == 0 ? default_cache : one.sums.cache_bytes,
                        touched = std::max(touched_by_call(one, direction_of_most), chunk);
    Finding finding;
    const std::string_view done = reads ? (filtered ? "read and decompressed" : "read")
                                        : (filtered ? "compressed and written" : "written");
    finding.title = fmt::format("{}{}: chunks of {} {} {:.0f} times on average, at least", called(one),
                                and_others(most.number), format_bytes(chunk), done, times_of_most);
    finding.cost = seconds(scene.cost_in_libraries(lost));
    finding.cost_basis = fmt::format("the share of the time in these {} that was not the first time",
                                     reads ? "reads" : "writes");
    finding.confidence = Confidence::high;
    finding.evidence = {
        {"again", "chunks that passed again", count(again), ""},
        {"chunk", "a chunk", bytes(chunk), words_of(one.sums.chunk)},
        {"cache", "chunk cache", bytes(cache), one.sums.cache_bytes == 0 ? "HDF5's default" : ""},
    };
    const CommonShape& shape = reads ? one.sums.read_shape : one.sums.write_shape;
    if (touched > chunk)
        finding.evidence.push_back({"touched",
                                    fmt::format("chunks that one {} touches", reads ? "read" : "write"),
                                    bytes(touched), fmt::format("of {}", words_of(shape.shape))});
    const std::uint64_t calls = reads ? one.sums.reads : one.sums.writes;
    const bool reopened = touched <= cache && one.sums.opens > calls / 2;
    if (reopened)
        finding.evidence.push_back(
            {"opens", "it was opened", count(one.sums.opens),
             fmt::format("times, for {} {}", format_count(calls), direction_names[reads ? 0 : 1])});
    // Room for one more: selections need not begin where a chunk does. Where a call takes one of a few
    // chunks, all of them.
    const double all_chunks = std::ceil(chunks_of_most) * static_cast<double>(chunk);
    const std::uint64_t wanted = (touched == chunk && all_chunks <= some_cache
                                      ? std::max(static_cast<std::uint64_t>(all_chunks), chunk)
                                      : touched) +
                                 chunk;
    const bool holds_already = !reopened && wanted <= cache;
    finding.why =
        reopened ? "The dataset is closed after each access, and its chunk cache with it."
        : chunk > cache
            ? "A chunk does not fit into the chunk cache, so that HDF5 fetches it anew for each call."
        : holds_already
            ? "The cache holds what one call touches, but not the chunks of all calls until they come back "
              "to it."
            : "Calls go across the chunks: the cache does not hold all that one call touches, and the "
              "next one needs them again.";
    finding.doubt = "Chunks that several processes need, each once.";
    const AdvisedProgram program = program_of(scene.job, lost, one.container);
    if (reopened)
        finding.advice = advice_in(program, reopened_remedies);
    else if (wanted <= large_cache && !holds_already)
        finding.advice = advice_in(program, cache_remedies);
    for (Advice& order : advice_in(AdvisedProgram{}, order_remedies))
        finding.advice.push_back(std::move(order));
    if (wanted > large_cache && shape.lead > 0) {
        for (Advice& other : advice_in(AdvisedProgram{}, shape_remedies))
            finding.advice.push_back(std::move(other));
        std::string extents = words_of(shape.shape);
        std::erase(extents, ' ');
        put_in(finding.advice, "EXTENTS", extents);
    }
    put_in(finding.advice, "MIB", fmt::format("{}", (wanted >> 20) + 1));
    put_in(finding.advice, "SIZE", format_bytes(((wanted >> 20) + 1) << 20));
    if (scene.job.mpi) put_in(finding.advice, "(path, \"r\", ", "(path, \"r\", driver=\"mpio\", comm=comm, ");
    Found found(std::move(finding), lost);
    found.dataset = &one;
    return found;
}

}  // namespace fathom
