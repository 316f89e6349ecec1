// Requests that begin inside a block of the file system and do not go on where the last one ended.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/fortran_statements.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/memory_reads.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// ns that a write takes longer than its bytes would, at least, where it waited for a block.
constexpr double waited_for_block = 20e3;

struct Misaligned {
    std::uint64_t calls = 0, all_calls = 0, block = 0;
    LostTime lost, most_lost;
    double time = 0,
           excess = 0;  // ns: the share of blocks touched in part; writes beyond what full ones take
    const FileCase* most = nullptr;
    double time_of_most = 0;
    bool shared = false;
};

// A request of n blocks' length that begins inside a block touches one block more than it fills.
void add(Misaligned& sum, const Scene& scene, const FileCase& file, const RecordView& view)
{
    const std::uint64_t calls = view[&PosixRecord::reads] + view[&PosixRecord::writes],
                        consecutive =
                            view[&PosixRecord::consecutive_reads] + view[&PosixRecord::consecutive_writes];
    sum.all_calls += calls;
    // Of those that went on where the last one ended, the block was at hand.
    if (calls == 0 || view[&PosixRecord::file_alignment] == 0 ||
        view[&PosixRecord::file_unaligned] <= consecutive)
        return;
    if (const Member* const member = scene.job.member_of(view);
        member != nullptr && writes_record_lengths(member->process, view[&PosixRecord::writes]))
        return;
    const std::uint64_t crossing = view[&PosixRecord::file_unaligned] - consecutive;
    const double blocks = static_cast<double>(view.bytes()) / static_cast<double>(calls) /
                          static_cast<double>(view[&PosixRecord::file_alignment]);
    if (blocks < 1) return;  // then it is their size that matters
    // Memory has no blocks to speak of.
    if (are_from_memory(scene, static_cast<double>(calls), static_cast<double>(view.bytes()),
                        static_cast<double>(view[&PosixRecord::read_time] + view[&PosixRecord::write_time])))
        return;
    const double in_part = static_cast<double>(crossing) / static_cast<double>(calls) / (blocks + 1);
    const double time =
        in_part * static_cast<double>(view[&PosixRecord::read_time] + view[&PosixRecord::write_time] -
                                      view[&PosixRecord::sync_time]);
    // A block of a file that was there before, written in part and not in memory, is read first: the write
    // waits for that, and it may be most of its time. Writes that wait for the device by themselves do not
    // show it.
    const double writes =
        static_cast<double>(view[&PosixRecord::write_time] -
                            std::min(view[&PosixRecord::write_time], view[&PosixRecord::sync_time])) *
        std::min(static_cast<double>(crossing) / static_cast<double>(calls), 1.0);
    double excess = std::max(writes - static_cast<double>(view[&PosixRecord::bytes_written]) *
                                          scene.reference(Direction::write).ns_per_byte,
                             0.0);
    if (view[&PosixRecord::synced_writes] > 0 || file.use->system.creates > 0 ||
        excess < waited_for_block * static_cast<double>(crossing))
        excess = 0;
    sum.calls += crossing;
    sum.time += time;
    sum.excess += excess;
    sum.lost.add(view, time);
    sum.most_lost.add(view, std::max(time, excess));
    sum.block = std::max(sum.block, view[&PosixRecord::file_alignment]);
    sum.shared = sum.shared || file.shared();
    if (time <= sum.time_of_most) return;
    sum.time_of_most = time;
    sum.most = &file;
}

constexpr Remedy alignment_remedies[] = {
    {Language::c,
     "Have HDF5 begin datasets there, as the file is made. In Fortran it is h5pset_alignment_f:",
     {"H5Pset_alignment(file_access, 64 << 10, BLOCK);"}},
    {Language::python,
     "Have HDF5 begin datasets there, as the file is made:",
     {"h5py.File(path, \"w\", alignment_threshold=64 << 10, alignment_interval=BLOCK)"}},
    {Language::packaged, "Look for an option of PROGRAM that sets the alignment of HDF5."},
};

// A file of HDF5 that was made without alignment.
bool is_hdf5_unaligned(const Scene& scene, std::uint64_t file)
{
    const DataFileUse* const use = scene.datasets.file_of(file);
    return use != nullptr && use->own && use->sums.alignment <= 1 &&
           use->sums.library == static_cast<std::uint64_t>(DataLibrary::hdf5);
}

}  // namespace

MaybeFinding misaligned(const Scene& scene)
{
    Misaligned sum{.lost = LostTime(scene.job), .most_lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records)
            if (record.layer == Layer::posix) add(sum, scene, file, record);
    if (sum.calls < 100 || sum.most == nullptr) return {};
    Finding finding;
    finding.title = fmt::format("{} reads and writes begin inside a block", format_count(sum.calls));
    finding.cost = seconds(scene.cost(sum.most_lost));
    finding.cost_basis =
        "each such request touches one block more than it fills; the time is shared out by blocks";
    if (sum.excess > sum.time) {
        finding.cost_least = scene.cost(sum.lost);
        finding.cost_basis += fmt::format(
            "; at most, where blocks have to be read before they are written in part, the time of the writes "
            "beyond what their bytes would have taken {}",
            scene.reference(Direction::write).words);
    }
    finding.confidence =
        sum.shared && on_lustre(scene.job, *sum.most->use) ? Confidence::medium : Confidence::low;
    finding.evidence = {
        {"misaligned", "begin inside a block", count(sum.calls),
         fmt::format("of {} reads and writes; those that went on where the last one ended are left out",
                     format_count(sum.all_calls))},
        {"block", "block size", bytes(sum.block), ""},
        {"file", "most time in", path(sum.most->use->path), ""}};
    finding.why =
        "A block that is written in part has to be read first where it is not in memory; two ranks that "
        "write to one block wait for each other.";
    finding.doubt =
        "Blocks that are in memory anyway, on a local file system: then it costs next to nothing.";
    finding.advice = {{fmt::format("Begin each request at a multiple of {}; pad records and headers to it.",
                                   format_bytes(sum.block))}};
    if (is_hdf5_unaligned(scene, sum.most->use->file)) {
        std::vector<Advice> of_hdf5 =
            advice_in(program_of(scene.job, sum.lost, sum.most->use->path), alignment_remedies);
        put_in(of_hdf5, "BLOCK", fmt::format("{}", sum.block));
        for (Advice& one : of_hdf5) finding.advice.push_back(std::move(one));
    }
    return Found(std::move(finding), sum.most_lost);
}

}  // namespace fathom
