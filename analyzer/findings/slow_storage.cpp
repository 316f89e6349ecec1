// Large requests, as they should be, and a device that gives little all the same.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/sizes.h"
#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

using namespace report;

// MiB/s: less is slow for a file system of any kind, whatever the job; what the SSD of one node gives.
constexpr double slow_rate = 100, usual_rate = 500;
constexpr double enough = 32 * mebibyte, most_synced = 20;

struct Large {
    double bytes = 0, read = 0, time = 0;
    LostTime lost;
    const FileUse* most = nullptr;
    double time_of_most = 0;
};

void add(Large& sum, const FileCase& file)
{
    double time = 0;
    for (const RecordView& record : file.records) {
        if (record.layer != Layer::posix) continue;
        const auto bytes = static_cast<double>(record.bytes()),
                   calls = static_cast<double>(record[&Transfers::reads] + record[&Transfers::writes]);
        if (calls == 0 || bytes / calls < mebibyte / 2 ||
            static_cast<double>(record[&Transfers::syncs]) > few_syncs)
            continue;
        const auto of_record =
            static_cast<double>(record[&Transfers::read_time] + record[&Transfers::write_time]);
        sum.bytes += bytes;
        sum.read += static_cast<double>(record[&Transfers::bytes_read]);
        sum.lost.add(record, of_record);
        time += of_record;
    }
    sum.time += time;
    if (time <= sum.time_of_most) return;
    sum.time_of_most = time;
    sum.most = file.use;
}

}  // namespace

MaybeFinding slow_storage(const Scene& scene)
{
    Large sum{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files)
        if (file.use->kind == NameKind::file) add(sum, file);
    if (sum.most == nullptr || sum.bytes < enough) return {};
    const double time = scene.cost(sum.lost);
    const double mib = sum.bytes / mebibyte, rate = time > 0 ? mib / time : usual_rate;
    if (rate >= slow_rate) return {};
    const std::string type(Mounts(scene.job.log).type_of(*sum.most));
    Finding finding;
    finding.title = fmt::format("The storage gives {} to large requests", format_rate(rate));
    finding.cost = seconds(time - mib / usual_rate);
    finding.cost_basis = fmt::format(
        "the time in these requests, beyond what they would take at {}, as the SSD of a "
        "node gives: an upper bound",
        format_rate(usual_rate));
    finding.confidence = Confidence::low;
    finding.evidence = {
        {"large_bytes", "bytes in requests of about a MiB or more",
         bytes(static_cast<std::uint64_t>(sum.bytes)), fmt::format("in {}", format_seconds(sum.time / 1e9))},
        {"file", "most time in", path(sum.most->path), type.empty() ? "" : fmt::format("on {}", type)}};
    finding.why = "Requests are large: the program asks well, and the device or the network is slow.";
    finding.doubt =
        "Requests in no order, for which a disk has to seek. A device shared with other jobs, which may be "
        "quicker at another time.";
    finding.advice = {
        {"Ask what else there is: a scratch file system, burst buffers, disks of the nodes. How fast a "
         "folder is:",
         {fmt::format("fathom measure {}", folder_of(sum.most->path))}},
        sum.read > sum.bytes / 2
            ? Advice{"Read less: only the parts of each file that are used, such as a header or some "
                     "variables; or read the next file while the program works on this one."}
            : Advice{"Write less: single precision, compression, fewer steps; or write while the program "
                     "computes."}};
    return finding;
}

}  // namespace fathom
