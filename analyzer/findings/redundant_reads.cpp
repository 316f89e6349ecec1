// The same bytes read several times: by one process, or by every rank.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// A process that read this part more than the file's extent read some of it twice.
constexpr double clearly_repeated = 1.25;
// Ranks that each read this part of what any of them read have read the same.
constexpr double nearly_the_file = 0.8;

struct Repeats {
    double again = 0, by_others = 0;  // bytes: that the process had read before; that another rank read too
    double time_again = 0, time_by_others = 0;  // ns
    LostTime lost;
    const FileCase* most = nullptr;
    double time_of_most = 0;
};

struct OfFile {
    double bytes = 0, again = 0, each_once = 0, extent = 0, time = 0, readers = 0;
};

// Where a log does not count them, all that opened the file: no more is then taken for read again than was.
std::uint64_t readers_of(const RecordView& record)
{
    if (record.process != reduced) return 1;
    const Sharing& by = *record.sharing;
    return std::max<std::uint64_t>(by.readers > 0 ? by.readers : by.processes, 1);
}

OfFile repeats_of(const FileCase& file)
{
    OfFile sum;
    for (const RecordView& record : file.records) {
        if (record.pattern == nullptr || record.transfers->bytes_read == 0 ||
            record.pattern->highest_read == 0)
            continue;
        const auto bytes = static_cast<double>(record.transfers->bytes_read),
                   extent = static_cast<double>(record.pattern->highest_read),
                   readers = static_cast<double>(readers_of(record));
        const double once = bytes > clearly_repeated * extent * readers ? extent * readers : bytes;
        sum.bytes += bytes;
        sum.again += bytes - once;
        sum.each_once += once;
        sum.extent = std::max(sum.extent, extent);
        sum.readers += readers;
        sum.time += static_cast<double>(record.transfers->read_time);
    }
    return sum;
}

}  // namespace

MaybeFinding redundant_reads(const Scene& scene)
{
    Repeats all{.lost = LostTime(scene.job)};
    double readers = 0;
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file) continue;
        const OfFile one = repeats_of(file);
        if (one.bytes == 0) continue;
        const bool by_all = scene.job.mpi && one.readers > 1 && !file.use->by_mpiio &&
                            one.each_once >= nearly_the_file * one.extent * one.readers;
        const double by_others = by_all ? one.each_once - one.extent : 0, per_byte = one.time / one.bytes;
        all.again += one.again;
        all.by_others += by_others;
        all.time_again += one.again * per_byte;
        all.time_by_others += by_others * per_byte;
        const double time = (one.again + by_others) * per_byte;
        if (time > 0) all.lost.add_by_time(file.records, time);
        if (time <= all.time_of_most) continue;
        all.time_of_most = time;
        all.most = &file;
        readers = one.readers;
    }
    if (all.most == nullptr) return {};
    const bool same_process = all.time_again >= all.time_by_others;
    Finding finding;
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    finding.title =
        same_process
            ? fmt::format("{} read that the same process had read before", format_bytes(whole(all.again)))
            : fmt::format("{} read that other ranks read as well", format_bytes(whole(all.by_others)));
    finding.cost = seconds(scene.cost(all.lost));
    finding.cost_basis = "their share of the time in reads of these files";
    finding.confidence = same_process ? Confidence::high : Confidence::medium;
    if (all.again > 0)
        finding.evidence.push_back(
            {"again", "read before by the same", bytes(whole(all.again)), "more than the file is long"});
    if (all.by_others > 0)
        finding.evidence.push_back(
            {"by_others", "of what every rank read, all but once", bytes(whole(all.by_others)), ""});
    finding.evidence.push_back(
        {"file", "most time in", path(all.most->use->path),
         fmt::format("{} read by {:.0f} {}", format_bytes(all.most->use->system.bytes_read), readers,
                     readers == 1 ? scene.member() : scene.members())});
    finding.why = same_process
                      ? "What was read once could be kept in memory."
                      : "Every rank asks the file system for what one could read and send to the others.";
    finding.doubt = same_process ? "Data that do not fit into memory."
                                 : "A small file that the system has in memory on every node.";
    if (same_process)
        finding.advice = {{"Keep what was read, or map the file, which leaves that to the system:",
                           {"mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);"}}};
    else
        finding.advice = {{"Read it on one rank and send it to the others:",
                           {"if (rank == 0) read_all(buffer, length);",
                            "MPI_Bcast(buffer, length, MPI_BYTE, 0, MPI_COMM_WORLD);"}},
                          {"Or have MPI-IO do so:",
                           {"MPI_File_read_at_all(file, 0, buffer, length, MPI_BYTE, MPI_STATUS_IGNORE);"}}};
    return Found(std::move(finding), all.lost);
}

}  // namespace fathom
