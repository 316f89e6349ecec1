// Many reads or writes of less than 100 KiB: each costs a system call, whatever it moves.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/sizes.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_requests = 1000;
// Of no more than so many requests for each open there is little to put together: small files.
constexpr std::uint64_t least_in_a_row = 2;

// What the program itself asked of POSIX in small requests.
struct SmallRequests {
    std::uint64_t calls = 0, all_calls = 0;
    double time = 0, excess = 0, least = 0;  // ns, over all processes
    LostTime lost;                           // by rank, in proportion to such requests
    const FileCase* most = nullptr;
    std::uint64_t calls_of_most = 0;
    bool timed = true;  // false: the time is their share, by number, of all such requests of their files
};

std::uint64_t small_calls(const SizeHistogram& sizes)
{
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < small_classes; ++at) sum += sizes.count[at];
    return sum;
}

// Bytes in small requests: as many as the record has where all are small, else by the middles of the classes.
double bytes_in_small(const SizeHistogram& sizes, double all_bytes)
{
    double bytes = 0;
    std::uint64_t others = 0;
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at)
        if (at < small_classes)
            bytes += static_cast<double>(sizes.count[at]) * size_of_class(at);
        else
            others += sizes.count[at];
    return others == 0 ? all_bytes : std::min(bytes, all_bytes);
}

// Its writes wait for the device each: larger ones would be quicker too, but that is a finding of its own.
bool is_synced(const RecordView& record)
{
    return static_cast<const PosixRecord&>(*record.transfers).synced_writes > record.transfers->writes / 2;
}

SmallRequests small_of(const Scene& scene, Direction direction, const Scene::Reference& reference)
{
    const bool reads = direction == Direction::read;
    SmallRequests small{.lost = LostTime(scene.job)};
    std::uint64_t others = 0;  // beneath MPI-IO, and those that nothing could be put together with
    // Where durations were not recorded by size: by number; and what the bytes would have taken.
    double likely_time = 0, likely_lasting = 0;
    for (const FileCase& file : scene.files) {
        std::uint64_t calls = 0;
        bool synced = false;
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::posix) continue;
            synced = synced || (!reads && is_synced(record));
            const Transfers& one = *record.transfers;
            const std::uint64_t of_record = small_calls(reads ? one.read_size : one.write_size),
                                all = reads ? one.reads : one.writes;
            calls += of_record;
            if (file.use->by_mpiio || all == 0) continue;
            if (!reads && is_synced(record)) continue;
            small.all_calls += all;
            const double part = static_cast<double>(of_record) / static_cast<double>(all);
            likely_time += static_cast<double>(reads ? one.read_time : one.write_time - one.sync_time) * part;
            likely_lasting +=
                bytes_in_small(reads ? one.read_size : one.write_size,
                               static_cast<double>(reads ? one.bytes_read : one.bytes_written)) *
                reference.ns_per_byte;
        }
        const bool counts = !file.use->by_mpiio && !synced && calls > least_in_a_row * file.use->system.opens;
        (counts ? small.calls : others) += calls;
        if (counts)
            for (const RecordView& record : file.records)
                if (record.layer == Layer::posix)
                    small.lost.add(record,
                                   static_cast<double>(small_calls(reads ? record.transfers->read_size
                                                                         : record.transfers->write_size)));
        if (!counts || calls <= small.calls_of_most) continue;
        small.calls_of_most = calls;
        small.most = &file;
    }
    if (small.calls == 0) return small;
    if (!scene.times(Layer::posix, reads ? Kind::read : Kind::write)) {
        small.timed = false;
        small.time = likely_time;
        small.excess = std::max(likely_time - likely_lasting, 0.0);
        return small;
    }
    // Histograms of durations do not tell which were those: they are taken to be like the rest.
    const double own = static_cast<double>(small.calls) / static_cast<double>(small.calls + others);
    for (std::size_t at = 0; at < small_classes; ++at) {
        const OperationSum sum = scene.operations(Layer::posix, reads ? Kind::read : Kind::write, at);
        const double bytes = static_cast<double>(sum.operations) *
                             scene.size_of(Layer::posix, reads ? Kind::read : Kind::write, at);
        const double steady = scene.steady_time(Layer::posix, reads ? Kind::read : Kind::write, at);
        small.time += own * static_cast<double>(sum.time);
        small.excess += own * std::max(steady - bytes * reference.ns_per_byte, 0.0);
        small.least += own * scene.at_least(direction, steady, bytes);
    }
    return small;
}

// Most of the file's requests began where the last one ended.
bool follow_one_another(const FileCase& file, Direction direction)
{
    std::uint64_t calls = 0, consecutive = 0;
    for (const RecordView& record : file.records) {
        if (record.pattern == nullptr) continue;
        const bool reads = direction == Direction::read;
        calls += reads ? record.transfers->reads : record.transfers->writes;
        consecutive += reads ? record.pattern->consecutive_reads : record.pattern->consecutive_writes;
    }
    return consecutive > calls / 2;
}

void add_evidence(Finding& finding, const SmallRequests& small, std::string_view what)
{
    if (small.calls == 0) return;
    finding.evidence.push_back(
        {fmt::format("small_{}", what), fmt::format("{} of up to 100 KiB", what), count(small.calls),
         fmt::format("of {} {}; together they took {}{}, {} each on average", format_count(small.all_calls),
                     what, small.timed ? "" : "about ", format_seconds(small.time / 1e9),
                     format_seconds(small.time / 1e9 / static_cast<double>(small.calls)))});
}

}  // namespace

MaybeFinding small_requests(const Scene& scene)
{
    const auto &read_reference = scene.reference(Direction::read),
               &write_reference = scene.reference(Direction::write);
    const SmallRequests reads = small_of(scene, Direction::read, read_reference),
                        writes = small_of(scene, Direction::write, write_reference);
    if (reads.calls + writes.calls < few_requests) return {};
    const bool mostly_reads =
        writes.most == nullptr || (reads.most != nullptr && reads.excess >= writes.excess);
    const SmallRequests& more = mostly_reads ? reads : writes;
    const Scene::Reference& reference = mostly_reads ? read_reference : write_reference;
    Finding finding;
    finding.title = fmt::format("{} small {} of up to 100 KiB", format_count(more.calls),
                                mostly_reads ? "reads" : "writes");
    finding.cost = seconds(scene.cost(reads.lost, reads.excess) + scene.cost(writes.lost, writes.excess));
    finding.cost_basis =
        fmt::format("{} beyond what their bytes would have taken {}",
                    more.timed ? "the time of these requests"
                               : fmt::format("their share, by number, of the time in {} of their files,",
                                             mostly_reads ? "reads" : "writes"),
                    reference.words);
    if (!reference.measured)
        finding.cost_least = scene.cost(reads.lost, reads.least) + scene.cost(writes.lost, writes.least);
    const bool all_small = more.calls * 10 >= more.all_calls * 9;
    finding.confidence = !more.timed && !all_small          ? Confidence::low
                         : reference.measured && more.timed ? Confidence::high
                                                            : Confidence::medium;
    add_evidence(finding, reads, "reads");
    add_evidence(finding, writes, "writes");
    finding.evidence.push_back(
        {"file", "most of them in", path(more.most->use->path),
         fmt::format("{} small {}", format_count(more.calls_of_most), mostly_reads ? "reads" : "writes")});
    finding.why =
        "Each request costs a system call, and on a network file system often a message, however little it "
        "moves.";
    finding.doubt =
        "Requests that cannot be put together, because each depends on what the last one brought.";
    if (follow_one_another(*more.most, mostly_reads ? Direction::read : Direction::write))
        finding.advice = {
            {"Collect data in memory and move it in pieces of 1 MiB or more. In C through stdio:",
             {"setvbuf(file, NULL, _IOFBF, 4 << 20);"}},
            {"In Python:",
             {fmt::format("open(path, \"{}\", buffering=4 << 20)", mostly_reads ? "rb" : "wb")}}};
    else  // a large buffer would fetch megabytes for every few bytes
        finding.advice = {
            {"They do not follow one another: sort them by offset and put neighbours together, or move "
             "whole regions and pick from memory."}};
    LostTime lost(scene.job);
    lost.add(reads.lost, reads.excess);
    lost.add(writes.lost, writes.excess);
    return Found(std::move(finding), std::move(lost));
}

}  // namespace fathom
