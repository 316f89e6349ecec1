// Collective MPI-IO whose requests are not put together, or that fewer ranks do than there are nodes.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/collectives.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_collectives = 16, many_pieces = 1000, large_transfer = 1 << 20,
                        large_for_few = 16 << 20, still_small = 256 << 10;

// Files that were used by collective calls, in one direction, beside what happened beneath.
struct Collective {
    Direction direction = Direction::write;
    std::uint64_t calls = 0, bytes = 0, ranks = 0;           // asked of MPI-IO
    std::uint64_t requests = 0, moved = 0, aggregators = 0;  // of POSIX beneath
    double time = 0, lost = 0;                               // ns, in MPI-IO; lost: of few ranks, by each
    double waited = 0;                                       // ns, by each rank for those that do the I/O
    bool movers_known = true;                                // else aggregators and ranks are at most
    const FileUse* most = nullptr;                           // the file that lost most
    double lost_by_most = 0;

    std::uint64_t piece() const { return moved / std::max<std::uint64_t>(requests, 1); }
    std::uint64_t asked() const { return bytes / std::max<std::uint64_t>(calls, 1); }
    bool reads() const { return direction == Direction::read; }

    void add(const Collective& other, double lost_by_other)
    {
        direction = other.direction;
        calls += other.calls;
        bytes += other.bytes;
        ranks = std::max(ranks, other.ranks);
        requests += other.requests;
        moved += other.moved;
        aggregators = std::max(aggregators, other.aggregators);
        movers_known = movers_known && other.movers_known;
        time += other.time;
        lost += lost_by_other;
        if (lost_by_other <= lost_by_most) return;
        lost_by_most = lost_by_other;
        most = other.most;
    }
};

Collective collective_of(const FileCase& file, Direction direction)
{
    const bool reads = direction == Direction::read;
    Collective sum{.direction = direction, .most = file.use};
    for (const RecordView& record : file.records) {
        if (record.layer != Layer::mpiio) continue;
        sum.calls += reads ? record[&MpiioRecord::collective_reads] + record[&MpiioRecord::split_reads]
                           : record[&MpiioRecord::collective_writes] + record[&MpiioRecord::split_writes];
    }
    const FileView &above = file.use->application(), &beneath = file.use->system;
    sum.bytes = reads ? above.bytes_read : above.bytes_written;
    sum.ranks = (reads ? above.readers() : above.writers()).count;
    std::uint64_t syncs = 0;  // a finding of their own
    for (const RecordView& record : file.records)
        if (record.layer == Layer::mpiio && !reads) syncs += record[&Transfers::sync_time];
    sum.time =
        static_cast<double>(reads ? above.read_time : above.write_time - std::min(above.write_time, syncs));
    sum.waited = Scene::longest(beneath, direction);
    sum.requests = reads ? beneath.reads : beneath.writes;
    sum.moved = reads ? beneath.bytes_read : beneath.bytes_written;
    sum.aggregators = (reads ? beneath.readers() : beneath.writers()).count;
    sum.movers_known = !(reads ? beneath.readers() : beneath.writers()).at_most;
    return sum;
}

// ns, over all ranks, that they waited in these calls for a rank that had not yet come, as for one that
// syncs.
double waited_in(const std::vector<CollectiveTime>& times, const Collective& calls)
{
    for (const CollectiveTime& one : times)
        if (one.file == calls.most && one.direction == calls.direction && one.sampled > 0)
            return one.waiting * static_cast<double>(one.ranks);
    return 0;
}

Finding not_put_together(const Scene& scene, const Collective& all)
{
    Finding finding;
    finding.title =
        fmt::format("Collective {} reach the file system in {} pieces of {}",
                    all.reads() ? "reads" : "writes", format_count(all.requests), format_bytes(all.piece()));
    finding.cost_basis = fmt::format("the time in these calls beyond what the bytes would have taken {}",
                                     scene.reference(all.direction).words);
    finding.confidence = Confidence::medium;
    finding.doubt = "Pieces that lie far apart: then there is nothing to put together.";
    Advice buffering{"Have the MPI library put them together (collective buffering):",
                     collective_buffering(scene.job)};
    if (all.asked() < still_small) {
        finding.title = fmt::format("{} collective {} of {} by each rank",
                                    format_count(all.calls / std::max<std::uint64_t>(all.ranks, 1)),
                                    all.reads() ? "reads" : "writes", format_bytes(all.asked()));
        finding.why = fmt::format(
            "The calls themselves move only {} for each rank, and all ranks wait for each other "
            "in every one of them.",
            format_bytes(all.asked()));
        finding.advice = {
            {"Move some MiB in each call: collect more data first, or describe several pieces by one "
             "type, and make one call for all of them."}};
    } else if (!all.movers_known) {
        finding.why =
            "Collective calls are meant to put the pieces of all ranks together into large requests.";
    } else if (all.aggregators < all.ranks) {
        finding.why =
            "Some ranks move the data of all, as they should, but in small pieces: their buffer is small.";
    } else {
        finding.why =
            "Collective calls are meant to put the pieces of all ranks together; here each rank moves its "
            "own.";
    }
    const std::string together = without_disabled(scene.job), larger = without_small_buffers(scene.job);
    if (!together.empty()) finding.advice.push_back({together});
    if (!larger.empty()) finding.advice.push_back({larger});
    if (together.empty() && !buffering.lines.empty()) finding.advice.push_back(std::move(buffering));
    return finding;
}

Finding too_few(const Scene& scene, const Collective& all)
{
    Finding finding;
    finding.title = fmt::format(
        "In collective MPI-IO {} for {} nodes",
        all.aggregators == 1
            ? std::string(all.reads() ? "one rank reads" : "one rank writes")
            : fmt::format("{} ranks {}", format_count(all.aggregators), all.reads() ? "read" : "write"),
        format_count(scene.job.nodes()));
    finding.cost_basis =
        "of the time that all wait for the one of these ranks that is longest in POSIX, the part that one "
        "such rank on every node would save";
    finding.confidence = Confidence::low;
    finding.why = "Each node has a link of its own to the file system, and most of them stand idle.";
    finding.doubt = "A file that lies on fewer servers than there are nodes.";
    if (std::string more = without_few_aggregators(scene.job); !more.empty())
        finding.advice = {{std::move(more)}};
    else if (auto lines = aggregator_count(scene.job, scene.job.nodes()); !lines.empty())
        finding.advice = {{"Have one rank on every node do it:", std::move(lines)}};
    return finding;
}

}  // namespace

MaybeFinding aggregators(const Scene& scene)
{
    std::array<Collective, 2> pieces, narrow;  // by direction
    const auto nodes = static_cast<double>(scene.job.nodes());
    const std::vector<CollectiveTime> times = collective_times_of(scene.job);
    // A few nodes share the servers' links: what the library chose for them may well be as quick.
    constexpr double several_nodes = 8;
    const bool may_be_more = nodes >= several_nodes || !without_few_aggregators(scene.job).empty();
    for (const FileCase& file : scene.files) {
        if (!file.use->by_mpiio) continue;
        for (const Direction direction : directions) {
            const auto at = static_cast<std::size_t>(direction);
            const Collective one = collective_of(file, direction);
            if (one.requests == 0 || one.bytes < large_transfer) continue;
            const double lasting = static_cast<double>(one.bytes) * scene.reference(direction).ns_per_byte;
            if (gains_nothing_alone(scene.job, *file.use, one.asked())) continue;
            if (one.ranks > 1 &&
                (one.calls >= few_collectives ||
                 (file.is_collective(direction) && one.requests >= many_pieces)) &&
                one.piece() < still_small && one.requests >= one.calls)
                pieces[at].add(one, std::max(one.time - lasting - waited_in(times, one), 0.0));
            else if (one.movers_known && static_cast<double>(one.aggregators) < nodes && may_be_more)
                narrow[at].add(one, one.waited * (1 - static_cast<double>(one.aggregators) / nodes));
        }
    }
    const auto less = [](const Collective& a, const Collective& b) { return a.lost < b.lost; };
    const Collective &worst_pieces = *std::max_element(pieces.begin(), pieces.end(), less),
                     &worst_narrow = *std::max_element(narrow.begin(), narrow.end(), less);
    // What passes to other nodes first takes longer where it is little.
    LostTime waited(scene.job);
    if (worst_narrow.bytes >= large_for_few) waited.add_to_all(worst_narrow.lost);
    const double by_pieces = scene.cost(worst_pieces.lost), by_few = scene.cost(waited);
    const bool small = by_pieces >= by_few;
    const Collective& all = small ? worst_pieces : worst_narrow;
    if (all.most == nullptr) return {};
    Finding finding = small ? not_put_together(scene, all) : too_few(scene, all);
    finding.cost = seconds(small ? by_pieces : by_few);
    if (small && scene.job.nodes() <= 1 && all.asked() >= still_small)
        finding.cost_least = saved_alone * by_pieces;
    finding.evidence = {
        {"collective_calls", "collective calls", count(all.calls),
         fmt::format("by {}, for {}", counted(all.ranks, "rank", "ranks"), format_bytes(all.bytes))},
        {"requests_beneath", "requests beneath", count(all.requests),
         fmt::format("by {} at most in a file, {} each on average", counted(all.aggregators, "rank", "ranks"),
                     format_bytes(all.piece()))},
        {"file", "most time in", path(all.most->path), ""}};
    return finding;
}

}  // namespace fathom
