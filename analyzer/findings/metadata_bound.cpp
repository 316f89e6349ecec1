// Most of the time in I/O goes into calls that move no data.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/failed_paths.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

constexpr double telling_metadata_share = 0.3;
constexpr std::uint64_t few_calls = 200;

struct OfKind {
    Kind kind{};
    OperationSum sum;
};

// Those of POSIX and stdio, most time first. Calls of MPI-IO wait for other ranks: what they do shows
// beneath.
std::vector<OfKind> kinds_of(const Scene& scene)
{
    std::vector<OfKind> kinds;
    for (std::size_t histogram = 0; histogram < histogram_count; ++histogram) {
        const Kind kind = kind_of_histogram(histogram).kind;
        if (!is_metadata(kind)) continue;
        OfKind one{kind, scene.operations(Layer::posix, kind)};
        one.sum.add(scene.operations(Layer::stdio, kind));
        if (one.sum.operations > 0) kinds.push_back(one);
    }
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const OfKind& a, const OfKind& b) { return a.sum.time > b.sum.time; });
    return kinds;
}

// By the counters of the files, where nothing was timed by kind.
std::uint64_t counted_calls(const Scene& scene)
{
    std::uint64_t calls = scene.sums.posix.stats;
    for (const Layer layer : {Layer::posix, Layer::stdio}) {
        calls += scene.sums.transfers(layer).opens + scene.sums.pattern(layer)->seeks;
    }
    return calls;
}

std::string_view name_of(Kind kind)
{
    if (kind == Kind::other) return "other calls: unlink, rename, mkdir, readdir, locks …";
    return kind == Kind::failed ? "calls that failed" : kind_row(kind).name;
}

// Where most calls failed: the paths with most.
void name_failed_paths(const Scene& scene, Finding& finding)
{
    constexpr std::size_t most = 3;
    std::size_t place = 0;
    for (const FailedCalls& one : most_failed(scene.job.log, most))
        finding.evidence.push_back({fmt::format("failed_path_{}", ++place), "calls failed on", path(one.path),
                                    fmt::format("{}{} calls: {}", one.at_least ? "at least " : "",
                                                format_count(one.calls), one.why)});
}

Advice advice_on(Kind kind, const Job& job)
{
    switch (kind) {
        case Kind::stat:
            return {
                "Look at each file once and remember what was found; list a folder with readdir, which tells "
                "names "
                "and types, rather than asking for each name."};
        case Kind::seek:
            return {"Give the offset along instead of seeking:", {"pread(fd, buffer, length, offset);"}};
        case Kind::failed:
            return {
                fmt::format("Ask for files where they are: most calls that fail look for one along a search "
                            "path (LD_LIBRARY_PATH, PYTHONPATH), where the folder that has it should come "
                            "first, or wait for one to appear. {}",
                            job.log.rows<FailedPath>().empty()
                                ? "Which paths these were, the log does not tell."
                                : "The paths above say which ones; the section on files has more of them.")};
        case Kind::open:
        case Kind::close:
            return {
                "Open files once and keep them open; put what many small files hold into a few large ones."};
        default:
            return {"Make and remove fewer files and folders: put what they hold into a few large ones."};
    }
}

}  // namespace

MaybeFinding metadata_bound(const Scene& scene)
{
    double metadata = 0, locks = 0;
    LostTime lost(scene.job);
    scene.job.each_share([&](const Member& member) {
        double of_member = 0;
        for (const Layer layer : {Layer::posix, Layer::stdio})
            of_member += static_cast<double>(member.on_files(layer).metadata_time);
        lost.add(member, of_member);
        metadata += of_member;
    });
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records)
            if (record.layer == Layer::posix)
                locks += static_cast<double>(static_cast<const PosixRecord&>(*record.transfers).lock_time);
    metadata = std::max(metadata - locks, 0.0);  // waiting for locks is a finding of its own
    if (scene.use.in_io == 0 || metadata < telling_metadata_share * scene.use.in_io) return {};
    const auto kinds = kinds_of(scene);
    std::uint64_t calls = 0;
    for (const OfKind& one : kinds) calls += one.sum.operations;
    if (kinds.empty()) calls = counted_calls(scene);
    if (calls < few_calls && (!kinds.empty() || source_of(scene.job.log).timed_in_part)) return {};
    Finding finding;
    const double part = std::min(metadata / scene.use.in_io, 1.0);
    finding.title =
        fmt::format("{} of the time in I/O goes into calls that move no data", format_share(part));
    finding.cost = seconds(scene.cost(lost, metadata));
    finding.cost_basis =
        "the time in opens, closes, stats and all other calls but reads, writes, syncs and locks";
    finding.confidence = Confidence::high;
    finding.evidence.push_back({"metadata_time", "time in such calls", seconds(metadata / 1e9),
                                fmt::format("summed over all {}, of {} in I/O", scene.members(),
                                            format_seconds(scene.use.in_io / 1e9))});
    for (std::size_t at = 0; at < std::min<std::size_t>(kinds.size(), 3); ++at)
        finding.evidence.push_back(
            {fmt::format("kind_{}", kind_row(kinds[at].kind).name), std::string(name_of(kinds[at].kind)),
             count(kinds[at].sum.operations),
             fmt::format("took {}{}", format_seconds(static_cast<double>(kinds[at].sum.time) / 1e9),
                         scene.job.helpers.empty() ? "" : "; launchers and children too")});
    if (kinds.empty() && calls > 0 && source_of(scene.job.log).timed_in_part)
        finding.evidence.push_back({"metadata_calls", "opens, stats and seeks", count(calls),
                                    "how long each kind took is not recorded"});
    finding.why =
        "Such calls cannot be made faster by more servers or larger requests: on most parallel file systems "
        "one server answers all of them.";
    finding.doubt = "Programs whose task it is to look at many files: find, make, archivers.";
    if (!kinds.empty() && kinds[0].kind == Kind::failed) name_failed_paths(scene, finding);
    if (!kinds.empty()) finding.advice = {advice_on(kinds[0].kind, scene.job)};
    return finding;
}

}  // namespace fathom
