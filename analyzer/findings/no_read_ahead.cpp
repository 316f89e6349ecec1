// A file read from front to back although the program told the system that it would be read here and there.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/sizes.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_reads = 100;
constexpr double in_order_share = 0.9;
// How far Linux reads ahead of a file that is read in order, and ns that a read from a device takes at least.
constexpr double read_ahead = 128 << 10, shortest_wait = 50e3;

struct Needless {
    std::uint64_t reads = 0, advices = 0;
    double bytes = 0, time = 0;  // ns
    LostTime most, least;
    const FileUse* file = nullptr;
    double time_of_file = 0;
};

// Where the program reads what the advice is for: by a stream of the same file, too, whose buffer is filled a
// few KiB at a time.
const RecordView& reader_beside(const FileCase& file, const RecordView& advised)
{
    if (advised[&Transfers::reads] > 0) return advised;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::stdio && record.process == advised.process) return record;
    return advised;
}

void add(Needless& sum, const FileCase& file)
{
    double time = 0;
    for (const RecordView& advised : file.records) {
        if (advised.layer != Layer::posix || advised[&PosixRecord::random_advices] == 0) continue;
        const RecordView& record = reader_beside(file, advised);
        const std::uint64_t all = record[&Transfers::reads],
                            buffered =
                                record.layer == Layer::stdio ? record[&StdioRecord::buffered_reads] : 0,
                            reads = all - std::min(all, buffered);
        const auto calls = static_cast<double>(reads),
                   in_order = static_cast<double>(record[&Pattern::consecutive_reads]),
                   bytes = static_cast<double>(record[&Transfers::bytes_read]),
                   took = static_cast<double>(record[&Transfers::read_time]);
        if (reads < few_reads || in_order < in_order_share * static_cast<double>(all) ||
            bytes >= read_ahead * calls || took < shortest_wait * calls)
            continue;
        sum.reads += reads;
        sum.advices += advised[&PosixRecord::random_advices];
        sum.bytes += bytes;
        sum.time += took;
        sum.most.add(record, std::max(took - bytes * 1e9 / (assumed_rate_mib * mebibyte), 0.0));
        sum.least.add(record, took * (1 - bytes / calls / read_ahead));
        time += took;
    }
    if (time <= sum.time_of_file) return;
    sum.time_of_file = time;
    sum.file = file.use;
}

constexpr Remedy read_ahead_remedies[] = {
    {Language::c,
     "Leave posix_fadvise(POSIX_FADV_RANDOM) out where the file is read in order, or say so:",
     {"posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);"}},
    {Language::python,
     "Leave os.posix_fadvise with POSIX_FADV_RANDOM out where the file is read in order, or say so:",
     {"os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_SEQUENTIAL)"}},
    {Language::packaged, "Look for an option of PROGRAM for files that are read in order."},
};

}  // namespace

MaybeFinding no_read_ahead(const Scene& scene)
{
    Needless sum{.most = LostTime(scene.job), .least = LostTime(scene.job)};
    for (const FileCase& file : scene.files)
        if (file.use->kind == NameKind::file) add(sum, file);
    if (sum.file == nullptr) return {};
    const auto reads = static_cast<double>(sum.reads);
    Finding finding;
    finding.title =
        fmt::format("{} reads in order, each of which waits for the device: nothing is read ahead",
                    format_count(sum.reads));
    finding.cost = seconds(scene.cost(sum.most));
    finding.cost_least = scene.beyond_slow_link(*sum.file, scene.cost(sum.least), sum.bytes);
    finding.cost_basis =
        "at least the time in these reads but for as many as there are pieces of 128 KiB, which Linux reads "
        "ahead; at most all of it beyond 2 GiB/s, where the data come while the program computes";
    // All of it may be what the link gives.
    finding.confidence = *finding.cost_least > 0 ? Confidence::high : Confidence::medium;
    finding.evidence = {
        {"advices", "calls of posix_fadvise(POSIX_FADV_RANDOM)", count(sum.advices), ""},
        {"each_read", "each of these reads", seconds(sum.time / reads / 1e9),
         fmt::format("of {} on the mean", format_bytes(static_cast<std::uint64_t>(sum.bytes / reads)))},
        {"file", "most time in", path(sum.file->path), ""}};
    finding.why =
        "A program that reads in order has the next piece in memory when it asks for it, since the system "
        "reads ahead. This advice turns that off for the file as it is open.";
    finding.doubt =
        "The storage is slow for a reason of its own: each read takes as long without the advice.";
    finding.advice = advice_in(program_of(scene.job, sum.most, sum.file->path), read_ahead_remedies);
    Found found(std::move(finding), sum.most);
    found.file = sum.file;
    return found;
}

}  // namespace fathom
