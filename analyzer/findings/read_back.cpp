// A process that writes a file and then reads it all back, as for a checksum or a statistic that it could
// have made of the data while it had them.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

// Of what was written nearly all was read, and once: what is read more often is a store.
constexpr double all_but_a_tenth = 0.9, once_about = 1.1;
// It follows the last read, but for where the whole begins: no library looking up its own index.
constexpr double following_share = 0.9;
// A file that is short is no trouble, and may be one of settings.
constexpr std::uint64_t least_read_back = 1 << 20;

struct ReadBack {
    LostTime lost;
    std::uint64_t bytes = 0, files = 0;
    double calls = 0;
    const FileUse* most = nullptr;
    double time_of_most = 0;  // ns
};

// Of one process, which made the file, or emptied it, wrote it from its beginning to its end, and then read
// it.
bool is_read_back(const RecordView& record)
{
    if (record.process == reduced || record.layer == Layer::mpiio || !record.has_pattern()) return false;
    const auto written = static_cast<double>(record[&Transfers::bytes_written]),
               read = static_cast<double>(record[&Transfers::bytes_read]),
               extent = static_cast<double>(record[&Pattern::highest_written]);
    const std::uint64_t first_read = record[&Transfers::first_read],
                        last_write = record[&Transfers::last_write];
    return record[&Transfers::bytes_written] >= least_read_back && written <= once_about * extent &&
           written >= all_but_a_tenth * extent && read >= all_but_a_tenth * written &&
           read <= once_about * written && first_read != 0 && first_read >= last_write &&
           static_cast<double>(record[&Pattern::consecutive_reads] + 2) >=
               following_share * static_cast<double>(record[&Transfers::reads]);
}

constexpr Remedy read_back_remedies[] = {
    {Language::c,
     "Make the checksum, or whatever it is read for, of each block before it is written, while it is in "
     "memory:",
     {"sum = crc32(sum, block, length);", "write(fd, block, length);"}},
    {Language::fortran,
     "Do what it is read for with each block before it is written, while it is in an array."},
    {Language::python,
     "Make the checksum, or whatever it is read for, of each block before it is written, while it is in "
     "memory:",
     {"digest.update(block)", "file.write(block)"}},
    {Language::script, "Do what it is read for with each block before it is written, while it is in memory."},
    {Language::packaged, "Look for an option of PROGRAM that does not verify what it wrote."},
};

}  // namespace

MaybeFinding read_back(const Scene& scene)
{
    ReadBack sum{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file || file.use->by_mpiio) continue;
        const bool others = std::any_of(file.records.begin(), file.records.end(), [&](const RecordView& one) {
            return one.process != file.records.front().process || one.layer != file.records.front().layer;
        });
        if (others || !is_read_back(file.records.front())) continue;
        const RecordView& record = file.records.front();
        const auto time = static_cast<double>(record[&Transfers::read_time]);
        sum.lost.add(record, time);
        sum.bytes += record[&Transfers::bytes_read];
        sum.calls += static_cast<double>(record[&Transfers::reads]);
        ++sum.files;
        if (time <= sum.time_of_most) continue;
        sum.time_of_most = time;
        sum.most = file.use;
    }
    if (sum.most == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, sum.lost, sum.most->path);
    Finding finding;
    finding.title =
        fmt::format("{} read back by the process that had just written them", format_bytes(sum.bytes));
    finding.cost = seconds(std::min(
        scene.cost(sum.lost) + around_calls(scene, program, Around::read, sum.calls, sum.lost), scene.run));
    finding.cost_basis = "the time in these reads";
    finding.cost_basis += words_on_interpreter(program);
    finding.confidence = is_packaged(program) ? Confidence::low : Confidence::medium;
    finding.evidence = {{"bytes", "written, and read afterwards", bytes(sum.bytes), ""},
                        {"files", "files", count(sum.files), "each written whole, then read whole"},
                        {"file", "most time in", path(sum.most->path),
                         fmt::format("{} in reads of it", format_seconds(sum.time_of_most / 1e9))}};
    finding.why =
        "The process had these data in memory when it wrote them; now they make the way back from the file.";
    finding.doubt =
        "Data that do not fit into memory and are needed in another order; a check on purpose that the disk "
        "has what was written.";
    finding.advice = advice_in(program, read_back_remedies);
    Found found(std::move(finding), sum.lost);
    found.file = sum.most;
    return found;
}

}  // namespace fathom
