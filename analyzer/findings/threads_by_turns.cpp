// Threads that read one at a time, as where each takes a lock first: the device, or the server, has one
// request at a time to answer.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/methods/intervals.h"

namespace fathom {
namespace {

using namespace report;

// Reads of one process that waited for the device, in threads that waited for each other rather than compute.
constexpr std::uint64_t several_threads = 4, enough_reads = 1000;
constexpr double waited_each = 30e3, never_two = 1.05, one_after_another = 0.6, much_of_life = 0.3;
// A device, or a server, does so many at a time without further ado.
constexpr double at_a_time = 4;

struct ByTurns {
    LostTime lost;
    const Member* most = nullptr;
    double read = 0;  // ns, of that one
};

void add(ByTurns& all, const Scene& scene, const Member& member, double in_bursts)
{
    const Totals& files = member.in(Layer::posix, Scope::direct);
    const auto read = static_cast<double>(files.read_time), written = static_cast<double>(files.write_time),
               life = static_cast<double>(member.run_time());
    if (member.process.threads < several_threads || files.reads < enough_reads || written > read / 2 ||
        read < waited_each * scene.stretched * static_cast<double>(files.reads) ||
        read > never_two * in_bursts || read < one_after_another * in_bursts ||
        in_bursts < much_of_life * life || static_cast<double>(member.process.cpu_time) > life)
        return;
    const double side_by_side = std::min(static_cast<double>(member.process.threads - 1), at_a_time);
    all.lost.add(member, read * (1 - 1 / side_by_side));
    if (read <= all.read) return;
    all.read = read;
    all.most = &member;
}

constexpr Remedy turn_remedies[] = {
    {Language::c,
     "Let the threads read side by side. pread does not use the file's position, which all share, and needs "
     "no "
     "lock:",
     {"pread(fd, buffer, length, offset);"}},
    {Language::cxx,
     "Let the threads read side by side: a stream of its own for each, or pread, which does not use the "
     "file's "
     "position and needs no lock:",
     {"pread(fd, buffer, length, offset);"}},
    {Language::python,
     "Let the threads read side by side: os.pread does not use the file's position, and needs no lock:",
     {"data = os.pread(file.fileno(), length, offset)"}},
    {Language::h5py, "HDF5 makes one call at a time: have several processes read, rather than threads."},
    {Language::script, "Let the threads read side by side, each through a file that it opened itself."},
};

}  // namespace

MaybeFinding threads_by_turns(const Scene& scene)
{
    std::unordered_map<std::int64_t, std::vector<Interval>> bursts;
    for (const Burst& burst : scene.job.log.rows<Burst>())
        bursts[burst.process].push_back({burst.start, burst.end});
    ByTurns all{.lost = LostTime(scene.job)};
    for (const Member& member : scene.job.ranks)
        if (const auto found = bursts.find(member.process.process); found != bursts.end())
            add(all, scene, member, static_cast<double>(union_length(std::move(found->second))));
    if (all.most == nullptr) return {};
    const AdvisedProgram program = program_of(scene.job, all.lost);
    if (is_packaged(program)) return {};
    const std::uint64_t threads = all.most->process.threads;
    Finding finding;
    finding.title = fmt::format("{} threads, of which one at a time reads", format_count(threads));
    finding.cost = seconds(scene.cost(all.lost));
    finding.cost_least = 0;
    finding.cost_basis =
        "at most what the reads would be quicker by if up to four were under way at a time, which most "
        "devices and "
        "servers do";
    finding.confidence = Confidence::low;
    finding.evidence = {
        {"threads", "threads that did I/O", count(threads), ""},
        {"reads", "in reads", seconds(all.read / 1e9), "in all of them, as long as in any of them"},
        {"computed", "computed", seconds(static_cast<double>(all.most->process.cpu_time) / 1e9),
         fmt::format("in a life of {}", format_seconds(static_cast<double>(all.most->run_time()) / 1e9))}};
    finding.why =
        "No two reads were under way at the same time: the threads wait for each other, as for a lock.";
    finding.doubt = "One thread that reads for all, in order and ahead.";
    finding.advice = advice_in(program, turn_remedies);
    return Found(std::move(finding), all.lost);
}

}  // namespace fathom
