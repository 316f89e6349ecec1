// Collective MPI-IO whose requests are not put together, or that fewer ranks do than there are nodes.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/report/document_units.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few = 16, large = 1 << 20, still_small = 256 << 10;

// A file that was used by collective calls, in one direction, beside what happened beneath.
struct Collective {
    const FileUse* file = nullptr;
    Direction direction = Direction::write;
    std::uint64_t calls = 0, bytes = 0, ranks = 0;           // asked of MPI-IO
    std::uint64_t requests = 0, moved = 0, aggregators = 0;  // of POSIX beneath
    double time = 0;                                         // ns, in MPI-IO
};

Collective collective_of(const FileCase& file, Direction direction)
{
    const bool reads = direction == Direction::read;
    Collective sum{.file = file.use, .direction = direction};
    for (const RecordView& record : file.records) {
        if (record.layer != Layer::mpiio) continue;
        const auto& one = static_cast<const MpiioRecord&>(*record.transfers);
        sum.calls +=
            reads ? one.collective_reads + one.split_reads : one.collective_writes + one.split_writes;
    }
    const FileView &above = file.use->application, &beneath = file.use->system;
    sum.bytes = reads ? above.bytes_read : above.bytes_written;
    sum.ranks = (reads ? above.readers : above.writers).count;
    sum.time = static_cast<double>(reads ? above.read_time : above.write_time);
    sum.requests = reads ? beneath.reads : beneath.writes;
    sum.moved = reads ? beneath.bytes_read : beneath.bytes_written;
    sum.aggregators = (reads ? beneath.readers : beneath.writers).count;
    return sum;
}

Finding not_put_together(const Scene& scene, const Collective& one, double time)
{
    const bool reads = one.direction == Direction::read;
    Finding finding;
    finding.title =
        fmt::format("Collective {} reach the file system in {} pieces of {}", reads ? "reads" : "writes",
                    format_count(one.requests), format_bytes(one.moved / one.requests));
    finding.cost = seconds(scene.cost(time));
    finding.cost_basis = fmt::format("the time in these calls beyond what the bytes would have taken {}",
                                     scene.reference(one.direction).words);
    finding.confidence = Confidence::medium;
    finding.why =
        one.aggregators < one.ranks
            ? "Some ranks move the data of all, as they should, but in small pieces: their buffer is small."
            : "Collective calls are meant to put the pieces of all ranks together; here each rank moves its "
              "own.";
    finding.doubt = "Pieces that lie far apart: then there is nothing to put together.";
    finding.advice = {
        {"Have the MPI library put them together (collective buffering):", collective_buffering(scene.job)}};
    return finding;
}

Finding too_few(const Scene& scene, const Collective& one, double time)
{
    const bool reads = one.direction == Direction::read;
    Finding finding;
    finding.title =
        fmt::format("{} of {} nodes {} for all in collective MPI-IO", format_count(one.aggregators),
                    format_count(scene.job.hosts.size()), reads ? "read" : "write");
    finding.cost = seconds(scene.cost(time));
    finding.cost_basis = "the part of the time in these calls that one such rank on every node would save";
    finding.confidence = Confidence::low;
    finding.why = "Each node has a link of its own to the file system, and most of them stand idle.";
    finding.doubt = "A file that lies on fewer servers than there are nodes.";
    finding.advice = {
        {"Have one rank on every node do it:", aggregator_count(scene.job, scene.job.hosts.size())}};
    return finding;
}

}  // namespace

MaybeFinding aggregators(const Scene& scene)
{
    Collective pieces, narrow;
    double pieces_time = 0, narrow_time = 0, most_pieces = 0, most_narrow = 0;
    const auto nodes = static_cast<double>(scene.job.hosts.size());
    for (const FileCase& file : scene.files) {
        if (!file.use->by_mpiio) continue;
        for (const Direction direction : directions) {
            const Collective one = collective_of(file, direction);
            if (one.calls < few || one.requests == 0 || one.bytes < large) continue;
            const std::uint64_t size = one.moved / one.requests;
            if (one.ranks > 1 && size < still_small && one.requests >= one.calls) {
                const double excess = std::max(
                    one.time - static_cast<double>(one.bytes) * scene.reference(direction).ns_per_byte, 0.0);
                pieces_time += excess;
                if (excess > most_pieces) most_pieces = excess, pieces = one;
            } else if (static_cast<double>(one.aggregators) < nodes) {
                const double saved = one.time * (1 - static_cast<double>(one.aggregators) / nodes);
                narrow_time += saved;
                if (saved > most_narrow) most_narrow = saved, narrow = one;
            }
        }
    }
    if (most_pieces <= 0 && most_narrow <= 0) return {};
    const bool together = pieces_time >= narrow_time;
    const Collective& one = together ? pieces : narrow;
    Finding finding = together ? not_put_together(scene, one, pieces_time) : too_few(scene, one, narrow_time);
    finding.evidence = {
        {"collective_calls", "collective calls", count(one.calls),
         fmt::format("by {} ranks, for {}", format_count(one.ranks), format_bytes(one.bytes))},
        {"requests_beneath", "requests beneath", count(one.requests),
         fmt::format("by {} ranks, {} each on the mean", format_count(one.aggregators),
                     format_bytes(one.moved / one.requests))},
        {"file", "most time in", path(one.file->path), ""}};
    if (finding.advice[0].lines.empty()) finding.advice.clear();
    return finding;
}

}  // namespace fathom
