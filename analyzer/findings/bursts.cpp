// All ranks wait for their writes at the same moments, and have none in between: the writes could go on
// meanwhile.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/slices.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_slices = 4096;
// A short run has a few in any case: its output.
constexpr std::size_t least_bursts = 3, least_in_short_run = 6;
constexpr double short_run = 30;  // s
// A slice belongs to a burst where the ranks spend this part of it in I/O; the bursts must hold nearly all of
// it, take this part of the run, and be written nearly always.
constexpr double busy = 0.3, nearly_all_ranks = 0.8, telling_run = 0.12;

struct Bursts {
    std::size_t number = 0;
    double slices = 0, span = 0;    // how many they last, and from the first to the end of the last
    double time = 0, all_time = 0;  // ns of I/O, over all ranks: in them, in all
    double written = 0, bytes = 0;  // in them
};

Bursts bursts_of(const JobSlices& slices, double ranks)
{
    Bursts bursts;
    bool in_burst = false;
    double at = 0, first = 0;
    for (const Activity& one : slices.lowest) {
        ++at;
        const bool now = one.transfer_time > busy * ranks * static_cast<double>(slices.grid.length);
        bursts.number += now && !in_burst;
        in_burst = now;
        bursts.all_time += one.time();
        if (!now) continue;
        if (bursts.slices == 0) first = at - 1;
        bursts.span = at - first;
        ++bursts.slices;
        bursts.time += one.time();
        bursts.written += one.bytes_written;
        bursts.bytes += one.bytes();
    }
    return bursts;
}

// By threads of their own, or by calls that return before they are done.
bool writes_meanwhile(const Scene& scene)
{
    const bool threads = std::any_of(scene.job.ranks.begin(), scene.job.ranks.end(),
                                     [](const Member& member) { return member.process.threads > 1; });
    return threads || scene.sums.mpiio.nonblocking_writes > 0 || scene.sums.posix.async_writes > 0;
}

constexpr Remedy burst_remedies[] = {
    {Language::c,
     "Begin the write, compute on, and wait for it before the next:",
     {"MPI_File_iwrite_at_all(file, offset, copy, count, type, &request);", "/* compute */",
      "MPI_Wait(&request, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Begin the write, compute on, and wait for it before the next:",
     {"call MPI_File_iwrite_at_all(file, offset, copy, count, type, request, error)", "! compute",
      "call MPI_Wait(request, MPI_STATUS_IGNORE, error)"}},
    {Language::hdf5,
     "Have HDF5 write in the background, by its connector for asynchronous I/O (vol-async, from HDF5 1.14 "
     "on)."},
    {Language::h5py,
     "Have HDF5 write in the background, by its connector for asynchronous I/O (vol-async, from HDF5 1.14 "
     "on)."},
    {Language::python,
     "Begin the write, compute on, and wait for it before the next, with mpi4py:",
     {"request = file.Iwrite_at_all(offset, copy)", "# compute", "request.Wait()"}},
    {Language::script, "Begin the write, compute on, and wait for it before the next."},
    {Language::packaged, "Look for an option of PROGRAM that has it write while it computes."},
};

constexpr Remedy thread_remedies[] = {
    {Language::c,
     "Have a thread write a copy while the next step is computed, and join it before the next write:",
     {"pthread_create(&thread, NULL, write_copy, &copy);", "/* compute */", "pthread_join(thread, NULL);"}},
    {Language::cxx,
     "Have a thread write a copy while the next step is computed, and wait for it before the next write:",
     {"auto written = std::async(std::launch::async, write_copy, copy);", "// compute", "written.get();"}},
    {Language::python,
     "Have a thread write while the next step is computed, and wait for it before the next write:",
     {"from concurrent.futures import ThreadPoolExecutor", "pool = ThreadPoolExecutor(1)  # before the loop",
      "written = pool.submit(write_copy, copy)", "# compute", "written.result()"}},
    {Language::script, "Have a thread or a second process write a copy while the next step is computed."},
};

}  // namespace

MaybeFinding bursts(const Scene& scene)
{
    const auto ranks = static_cast<double>(scene.job.ranks.size());
    const bool alone = ranks == 1;  // of several processes without MPI it is not known who waits for whom
    if ((!scene.job.mpi && !alone) || !has_slices(scene.job)) return {};
    if (writes_meanwhile(scene)) return {};
    const JobSlices slices = slices_of(scene.job, most_slices, 1);
    const Bursts all = bursts_of(slices, ranks);
    const double length = static_cast<double>(slices.grid.length) / 1e9, waited = all.time / 1e9 / ranks;
    if (all.number < (scene.run < short_run ? least_in_short_run : least_bursts) ||
        all.time < nearly_all_ranks * all.all_time || waited < telling_run * scene.run ||
        all.written < nearly_all_ranks * all.bytes)
        return {};
    // What one process copies into memory is on its way already; it waits for the device where it syncs each
    // time.
    if (alone && scene.sums.posix.syncs + 1 < all.number) return {};
    const AdvisedProgram program = program_of(scene.job);
    if (alone && is_packaged(program)) return {};
    const double computing = (all.span - all.slices) * length;
    Finding finding;
    finding.title = fmt::format("{} for {} writes {} times", alone ? "The program waits" : "All ranks wait",
                                alone ? "its" : "their", format_count(all.number));
    finding.cost = seconds(std::min(waited * (1 - 1 / static_cast<double>(all.number)), computing));
    finding.cost_basis =
        "the mean time of a rank in I/O in these bursts, as far as there is time between them to hide it "
        "in, without the last: an upper bound";
    finding.cost_least = 0;
    finding.confidence = Confidence::low;
    finding.evidence = {
        {"bursts", "bursts of writes", count(all.number),
         fmt::format("of {} on average, one every {}",
                     format_seconds(all.slices * length / static_cast<double>(all.number)),
                     format_seconds(scene.run / static_cast<double>(all.number)))},
        {"written_in_bursts", "written in them", bytes(static_cast<std::uint64_t>(all.written)), ""},
        {"between", "time between them", seconds(computing), "without I/O to speak of"}};
    finding.why =
        alone ? "The file system has nothing to do while the program computes, and the program has nothing "
                "to do while it writes."
              : "The file system has nothing to do while the ranks compute, and the ranks have nothing to do "
                "while it writes.";
    finding.doubt = "No memory to keep a copy of what is being written.";
    finding.advice = scene.job.mpi ? advice_in(program, burst_remedies) : advice_in(program, thread_remedies);
    finding.advice.push_back({"Or write to a disk of the node and let it be copied away in the background."});
    return finding;
}

}  // namespace fathom
