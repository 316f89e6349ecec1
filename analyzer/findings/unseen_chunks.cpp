// Chunks of HDF5 that is linked statically, of which no call is recorded: each is written several times, as
// it is read and changed again, or as it is flushed each time.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_chunks_again = 20;
constexpr std::uint64_t bytes_of_a_chunk = 8 << 10;  // less are HDF5's own tables
// The file's length, at least, that is written; and of what is written again what is read, where the cache is
// too small, or hardly anything, where the program flushes.
constexpr double times_written_over = 2, read_part = 0.5, little_read = 0.1;

// Of a record, the part of its time that is for what was written before; 0: it does not pass chunks again.
double part_again(const RecordView& record)
{
    if (record.layer != Layer::posix || !record.has_pattern()) return 0;
    const auto extent = static_cast<double>(record[&Pattern::highest_written]),
               read = static_cast<double>(record[&Transfers::bytes_read]),
               written = static_cast<double>(record[&Transfers::bytes_written]);
    if (written < times_written_over * extent || record[&Transfers::writes] < few_chunks_again ||
        written < static_cast<double>(bytes_of_a_chunk * record[&Transfers::writes]) ||
        (read < read_part * (written - extent) && read > little_read * written))
        return 0;
    return 1 - extent / written;
}

struct PassedAgain {
    LostTime in_calls, most;
    double bytes = 0, held = 0, read = 0;
    const FileUse* file = nullptr;
    double of_file = 0;  // ns
};

void add_passed_again(const Scene& scene, const FileCase& file, PassedAgain& sum)
{
    double time = 0;
    for (const RecordView& record : file.records) {
        const double part = part_again(record);
        if (part == 0) continue;
        const double in_calls = part * static_cast<double>(record[&Transfers::read_time] +
                                                           record[&Transfers::write_time]),
                     work = part * scene.work_on_whole(file, record, false);
        sum.in_calls.add(record, in_calls);
        sum.most.add(record, in_calls + work);
        sum.bytes += part * static_cast<double>(record[&Transfers::bytes_written]);
        sum.read += static_cast<double>(record[&Transfers::bytes_read]);
        sum.held += static_cast<double>(record[&Pattern::highest_written]);
        time += in_calls + work;
    }
    if (time <= sum.of_file) return;
    sum.of_file = time;
    sum.file = file.use;
}

constexpr Remedy unseen_cache_remedies[] = {
    {Language::c,
     "Give the dataset a chunk cache for all chunks that one access touches (HDF5's default is 1 MiB). In "
     "Fortran it is h5pset_chunk_cache_f:",
     {"hid_t dataset_access = H5Pcreate(H5P_DATASET_ACCESS);",
      "H5Pset_chunk_cache(dataset_access, 12421, 64 << 20, 1.0);",
      "hid_t dataset = H5Dopen2(file, name, dataset_access);"}},
    {Language::c,
     "Or write whole chunks at a time; or shape them like what one call writes, with H5Pset_chunk."},
};
constexpr Remedy unseen_flush_remedies[] = {
    {Language::c,
     "Flush every hundredth time, or once at the end, not after each write; and write whole chunks at a "
     "time:",
     {"if (step % 100 == 0) H5Fflush(file, H5F_SCOPE_LOCAL);"}},
};

}  // namespace

MaybeFinding unseen_chunks(const Scene& scene)
{
    PassedAgain sum{.in_calls = LostTime(scene.job), .most = LostTime(scene.job)};
    for (const FileCase& file : scene.files)
        if (file.use->kind == NameKind::file && !file.use->by_mpiio && is_named_as_hdf5(file.use->path) &&
            scene.datasets.in_file(file.use->file).empty())
            add_passed_again(scene, file, sum);
    if (sum.file == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, sum.most, sum.file->path);
    if (!program.uses(hdf5_inside)) return {};
    Finding finding;
    const bool read = sum.read >= read_part * sum.bytes;
    finding.title =
        fmt::format("{} of chunks of HDF5 {}written again",
                    format_bytes(static_cast<std::uint64_t>(sum.bytes)), read ? "read, changed and " : "");
    finding.cost = seconds(scene.cost_beyond_io(sum.most));
    finding.cost_least = scene.cost(sum.in_calls);
    finding.cost_basis =
        "at least the time in these reads and writes; at most also what the program computes while it has "
        "the file open, by the share of what is written again: what compressing takes is not known, as HDF5 "
        "is linked statically";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"again", "written again", bytes(static_cast<std::uint64_t>(sum.bytes)),
         fmt::format("the files hold {}", format_bytes(static_cast<std::uint64_t>(sum.held)))},
        {"file", "most time in", path(sum.file->path),
         fmt::format("{} read and {} written", format_bytes(sum.file->system.bytes_read),
                     format_bytes(sum.file->system.bytes_written))}};
    finding.why =
        read ? "A chunk with a filter is decompressed, changed and compressed as a whole. Where the chunk "
               "cache does not hold what one call touches, that is done for each call."
             : "What is in the chunk cache is compressed and written at each flush, and again at the "
               "next one where it is not full yet.";
    finding.doubt = "Datasets that the program changes in place several times, as it goes on.";
    finding.advice =
        read ? advice_in(program, unseen_cache_remedies) : advice_in(program, unseen_flush_remedies);
    Found found(std::move(finding), sum.most);
    found.file = sum.file;
    return found;
}

}  // namespace fathom
