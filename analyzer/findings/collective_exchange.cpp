// Collective MPI-IO whose time goes into passing data between ranks rather than to the file system.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/collectives.h"

namespace fathom {
namespace {

using namespace report;

// Pieces of a rank that are as large as this go to the file system well by themselves.
constexpr std::uint64_t sends_well_alone = 1 << 20;
// A node passes on as much in a second at least: by its network; and alone, where ranks may have to share
// cores, through its memory.
constexpr double network_rate_mib = 1024, memory_rate_mib = 256;
// A rank that makes this few calls has nothing to put together; so many may be outputs of a program's steps.
constexpr std::uint64_t few_calls_a_rank = 2, outputs_of_steps = 20;

// VERB, and Verb in mpi4py: read or write.
constexpr const char* own_place =
    "Give each rank a place of its own, which MPI_Exscan of their lengths shows, and collect what it moves:";
constexpr Remedy own_place_remedies[] = {
    {Language::c,
     own_place,
     {"MPI_Offset length = …, offset = 0;",
      "MPI_Exscan(&length, &offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD);",
      "MPI_File_VERB_at(file, offset, buffer, length, MPI_BYTE, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     own_place,
     {"call MPI_Exscan(length, offset, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD, error)    ! rank 0: offset = "
      "0",
      "call MPI_File_VERB_at(file, offset, buffer, count, MPI_BYTE, MPI_STATUS_IGNORE, error)"}},
    {Language::python, own_place, {"offset = comm.exscan(len(data)) or 0", "file.Verb_at(offset, data)"}},
};
constexpr const char* as_one_piece =
    "Lay the data out so that each rank's part is one piece of the file, which needs no view: the view may "
    "part each call into small pieces, which ranks have to exchange:";
constexpr Remedy one_piece_remedies[] = {
    {Language::c, as_one_piece, {"MPI_File_VERB_at(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     as_one_piece,
     {"call MPI_File_VERB_at(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::python, as_one_piece, {"file.Verb_at(offset, array)"}},
};
constexpr const char* each_alone =
    "Call the independent function: the pieces are large enough to go to the file system as they are:";
constexpr Remedy call_alone_remedies[] = {
    {Language::c, each_alone, {"MPI_File_VERB_at(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     each_alone,
     {"call MPI_File_VERB_at(file, offset, array, count, type, MPI_STATUS_IGNORE, error)"}},
    {Language::python, each_alone, {"file.Verb_at(offset, array)"}},
};

}  // namespace

MaybeFinding collective_exchange(const Scene& scene)
{
    const std::vector<CollectiveTime> all = collective_times_of(scene.job);
    CollectiveTime sum;
    bool sampled = true;
    const FileUse* most = nullptr;
    double exchange_of_most = 0;
    for (const CollectiveTime& one : all) {
        if (!one.beneath_known) continue;
        sum.add(one);
        sampled = sampled && one.sampled > 0;
        if (one.exchange <= exchange_of_most) continue;
        exchange_of_most = one.exchange;
        most = one.file;
    }
    if (most == nullptr) return {};
    const auto nodes = static_cast<double>(std::max<std::uint64_t>(scene.job.nodes(), 1));
    const double passing_rate_mib = nodes > 1 ? network_rate_mib : memory_rate_mib;
    const double lasting = static_cast<double>(sum.bytes) / nodes / (passing_rate_mib * mebibyte) * 1e9;
    const std::uint64_t piece = sum.bytes / std::max<std::uint64_t>(sum.calls, 1);
    if (gains_nothing_alone(scene.job, *most, piece)) return {};
    if (piece < sends_well_alone && sum.calls_together() <= few_calls_a_rank) return {};
    // Ranks that wait for a core do so inside of these calls as elsewhere. Of many small calls that is saved
    // where they become fewer.
    double for_cores = 0;
    for (const Member& member : scene.job.ranks)
        if (member.run_time() > 0)
            for_cores += static_cast<double>(member.process.core_wait) /
                         static_cast<double>(member.run_time()) / static_cast<double>(scene.job.ranks.size());
    const double waiting_for_cores = piece >= sends_well_alone ? std::min(for_cores, 1.0) * sum.mean : 0;
    // Between nodes the network may be what they wait for, whatever else runs on these.
    const double beyond = std::max(sum.exchange - lasting, 0.0),
                 least = std::max(beyond - waiting_for_cores, 0.0);
    // A program cannot put its outputs together, and most of this may be for want of cores.
    if (piece < sends_well_alone && sum.calls_together() <= outputs_of_steps &&
        std::min(for_cores, 1.0) * sum.mean > beyond / 2)
        return {};
    LostTime lost(scene.job), certain(scene.job);
    lost.add_to_all(nodes > 1 ? beyond : least);
    certain.add_to_all(least);
    std::uint64_t views = 0, by_pointer = 0, together = 0;
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records)
            if (file.use == most && record.layer == Layer::mpiio) {
                views += record[&MpiioCounters::views];
                by_pointer += record[&MpiioCounters::shared_pointer];
                together +=
                    record[&MpiioCounters::collective_reads] + record[&MpiioCounters::collective_writes];
            }
    // Data that lie apart have to pass between ranks; at what rate is assumed.
    constexpr double much_of_run = 0.1;
    const bool has_to_pass = nodes > 1 && (piece < sends_well_alone || views > 0);
    if (has_to_pass && scene.cost(lost) < much_of_run * scene.run) return {};
    Finding finding;
    finding.title = fmt::format("Collective MPI-IO takes {} a rank, of which the file system takes {}",
                                format_seconds(sum.mean / 1e9),
                                format_seconds(std::min(sum.file_system, sum.mean) / 1e9));
    finding.cost = seconds(scene.cost(lost));
    if (nodes > 1 && least < beyond) finding.cost_least = scene.cost(certain);
    // How HDF5 and PnetCDF lay out their data, a program does not say; what is certain of it, they can save.
    if (finding.cost_least && *finding.cost_least <= 0 && scene.datasets.file_of(most->file) != nullptr)
        return {};
    finding.cost_basis = fmt::format(
        "{}, beyond what the bytes take at {} a node, which is assumed",
        sampled ? "the time in these calls, less the waiting for ranks that had not yet come, less that of "
                  "the rank that was longest in POSIX beneath; by a sample of the calls"
                : "at most: the time in these calls of the rank with least, which may have waited too, less "
                  "that of the rank that was longest in POSIX beneath",
        format_rate(passing_rate_mib));
    constexpr double much = 0.2;
    // On one node it is a guess, as docs/FINDINGS.md shows.
    finding.confidence =
        waiting_for_cores > much * sum.mean || scene.job.nodes() == 1 ? Confidence::low : Confidence::medium;
    if (waiting_for_cores > 0)
        finding.cost_basis += fmt::format("; {}less the ranks' part in waiting for a core",
                                          nodes > 1 ? "the lower end " : "and ");
    finding.evidence = {
        {"calls", "collective calls", count(sum.calls),
         fmt::format("of {} each on average", format_bytes(piece))},
        {"mean", "in them, on average", seconds(sum.mean / 1e9), fmt::format("of {} ranks", sum.ranks)},
        {"waiting", "waiting for other ranks", seconds(sum.waiting / 1e9), sampled ? "" : "at least"},
        {"file_system", "in POSIX beneath", seconds(sum.file_system / 1e9), "the rank with most"},
        {"exchange", "the rest", seconds(sum.exchange / 1e9),
         sampled ? fmt::format("by a sample of {} of {} calls", format_count(sum.sampled),
                               format_count(sum.calls_together()))
                 : "at most"},
        {"file", "most of it for", path(most->path), ""}};
    finding.why =
        "Ranks send their data to the few that write, or get them from those that read; on a slow or busy "
        "network, or where these few take them piece by piece, that takes longer than the file system.";
    finding.doubt = sampled ? "Ranks that had to wait for a core: more ranks than cores on a node."
                            : "Ranks that take turns in coming late: then it is waiting for each other.";
    const AdvisedProgram program = program_of(scene.job, lost, most->path);
    if (2 * by_pointer > together) {
        finding.title = fmt::format("{} collective MPI-IO calls by the shared file pointer take {} a rank",
                                    format_count(by_pointer), format_seconds(sum.mean / 1e9));
        finding.why =
            "In each of MPI_File_write_ordered and MPI_File_read_ordered the ranks take the pointer "
            "that they share one after the other.";
        finding.advice = advice_in(program, own_place_remedies);
    } else if (piece >= sends_well_alone && views > 0) {
        finding.advice = advice_in(program, one_piece_remedies);
    } else if (piece >= sends_well_alone) {
        finding.advice = advice_in(program, call_alone_remedies);
        if (auto lines = no_collective_buffering(scene.job); !lines.empty())
            finding.advice.push_back({"Or have this MPI library do so:", std::move(lines)});
    } else {
        finding.advice = {{"Make fewer and larger calls, so that each rank sends a few MiB at a time."}};
    }
    const FileView& moved = most->application();
    const bool reads = moved.bytes_read > moved.bytes_written;
    put_in(finding.advice, "VERB", reads ? "read" : "write");
    put_in(finding.advice, "Verb", reads ? "Read" : "Write");
    if (std::string larger = without_small_buffers(scene.job); !larger.empty())
        finding.advice.insert(finding.advice.begin(), Advice{std::move(larger)});
    Found found(std::move(finding));
    found.file = most;
    return found;
}

}  // namespace fathom
