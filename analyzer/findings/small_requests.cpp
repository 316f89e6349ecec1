// Many reads or writes of less than 100 KiB: each costs a system call, whatever it moves.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/classic_netcdf.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/logging.h"
#include "analyzer/findings/memory_reads.h"
#include "analyzer/findings/metadata_bound_advice.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/sizes.h"
#include "analyzer/findings/small_requests_advice.h"
#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_requests = 1000;
// Writes into memory take some µs, however busy the machine is: those that take so long (ns) each wait for
// the device, which first has to read what lies around them.
constexpr std::uint64_t few_slow_writes = 200;
constexpr double slow_write = 500e3, much_stretched = 1.5;
// Of no more than so many requests for each open there is little to put together: small files.
constexpr std::uint64_t least_in_a_row = 2;
constexpr double mostly_in_order = 0.8;
constexpr double shared_piece = 16 << 10;  // bytes that take a network longer than their message does

// What the program itself asked of POSIX in small requests.
struct SmallRequests {
    std::uint64_t calls = 0, all_calls = 0;
    double bytes = 0;                        // that these move
    bool rough = false;                      // where there are larger ones beside them, bytes are a guess
    double time = 0, excess = 0, least = 0;  // ns, over all processes
    LostTime lost;                           // by rank, in proportion to the time in such requests
    double seeks = 0;                        // between them, in the same files: one for each, or nearly
    std::uint64_t in_order = 0;  // of the calls, those in files of which nearly all follow the last
    std::uint64_t one_way = 0;   // of the calls, those in files that were gone through forwards or backwards
    double extent = 0;           // bytes of the files up to the last that was touched, by each process
    bool scattered = false;      // served by memory, at places in no order
    const FileCase* most = nullptr;
    std::uint64_t calls_of_most = 0;
    bool by_network = false;   // most of them, on a file system that nodes share
    bool past_memory = false;  // each goes to the device by itself, as with O_DIRECT
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

// ns of a record's requests that so many of them took, by their number; or that, where no time is known.
double time_in_small(const RecordView& record, Direction direction, std::uint64_t calls)
{
    const bool reads = direction == Direction::read;
    const std::uint64_t all = reads ? record[&Transfers::reads] : record[&Transfers::writes],
                        time = reads ? record[&Transfers::read_time]
                                     : record[&Transfers::write_time] - record[&Transfers::sync_time];
    const auto number = static_cast<double>(calls);
    return all == 0 || time == 0 ? number : number / static_cast<double>(all) * static_cast<double>(time);
}

// Its writes wait for the device each: larger ones would be quicker too, but that is a finding of its own.
bool is_synced(const RecordView& record)
{
    return record[&PosixRecord::synced_writes] > record[&Transfers::writes] / 2;
}

// Requests of 10 KiB, as tar's blocks, and more, which the system reads ahead or writes behind in larger
// ones; and writes of a page and more, for which it finds new memory, whatever is written at a time.
constexpr std::size_t large_class = SizeHistogram::class_of((10 << 10) + 1);
constexpr double large_enough = 9.5 * 1024;
constexpr double page = 4096, new_memory_rate_mib = 1024, several_to_a_page = 4;

// What a byte takes in large requests. Where that is only assumed, those are compared with a device rather
// than with memory, and those of a file system that nodes share with a network.
double ns_per_byte(const Scene::Reference& reference, Direction direction, bool large, double each,
                   bool by_network)
{
    constexpr double device_rate_mib = 500, shared_rate_mib = 100;
    if (reference.measured) return reference.ns_per_byte;
    if (by_network && each >= page) return 1e9 / (shared_rate_mib * mebibyte);
    if (large) return 1e9 / (device_rate_mib * mebibyte);
    return direction == Direction::write && each >= page ? 1e9 / (new_memory_rate_mib * mebibyte)
                                                         : reference.ns_per_byte;
}

// Bytes up to the last that was touched.
double extent_of(const FileCase& file, Direction direction)
{
    std::uint64_t extent = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::posix && record.has_pattern())
            extent = std::max(extent, direction == Direction::read ? record[&Pattern::highest_read]
                                                                   : record[&Pattern::highest_written]);
    return static_cast<double>(extent);
}

// The file was gone through as a whole, each byte once or nearly: its pieces lie side by side.
bool is_gone_through(const FileCase& file, Direction direction)
{
    constexpr double nearly = 0.8;
    double bytes = 0;
    for (const RecordView& record : file.records) {
        if (record.layer != Layer::posix || !record.has_pattern()) continue;
        bytes += static_cast<double>(direction == Direction::read ? record[&Transfers::bytes_read]
                                                                  : record[&Transfers::bytes_written]);
    }
    const double extent = extent_of(file, direction);
    return bytes >= nearly * extent && nearly * bytes <= extent;
}

// Where processes wait for cores, each may have waited for that.
bool is_worth_a_look(const Scene& scene, const SmallRequests& reads, const SmallRequests& writes)
{
    return reads.calls + writes.calls >= few_requests ||
           (writes.calls >= few_slow_writes && writes.timed && !writes.rough &&
            scene.stretched < much_stretched &&
            writes.time >= slow_write * static_cast<double>(writes.calls));
}

// HDF5 that is linked statically, of which no call is recorded, works around each request: it looks for the
// chunk or the place, copies, and notes where things are. ns, assumed.
constexpr double least_around_hdf5 = 1200, most_around_hdf5 = 6000;

double around_unseen_hdf5(const Scene& scene, const AdvisedProgram& program, const SmallRequests& requests,
                          double each)
{
    if (!program.uses(hdf5_inside) || !is_named_as_hdf5(requests.most->use->path)) return 0;
    LostTime around(scene.job);
    around.add(requests.lost, each * scene.stretched * static_cast<double>(requests.calls));
    return scene.cost_beyond_io(around);
}

// So many of the file's requests began where the last one ended.
bool follow_one_another(const FileCase& file, Direction direction, double part)
{
    std::uint64_t calls = 0, consecutive = 0;
    for (const RecordView& record : file.records) {
        if (!record.has_pattern()) continue;
        const bool reads = direction == Direction::read;
        calls += reads ? record[&Transfers::reads] : record[&Transfers::writes];
        consecutive += reads ? record[&Pattern::consecutive_reads] : record[&Pattern::consecutive_writes];
    }
    return static_cast<double>(consecutive) > part * static_cast<double>(calls);
}

// The part of the file's requests that began behind the last one; half of them where that is not known.
double forward_part(const FileCase& file, Direction direction)
{
    std::uint64_t calls = 0, forward = 0;
    for (const RecordView& record : file.records) {
        if (!record.has_pattern()) continue;
        const bool reads = direction == Direction::read;
        calls += reads ? record[&Transfers::reads] : record[&Transfers::writes];
        forward += reads ? record[&Pattern::consecutive_reads] + record[&Pattern::sequential_reads]
                         : record[&Pattern::consecutive_writes] + record[&Pattern::sequential_writes];
    }
    return calls == 0 ? 0.5 : static_cast<double>(forward) / static_cast<double>(calls);
}

constexpr double most_forward = 0.9, hardly_forward = 0.1;

bool ascend(const FileCase& file, Direction direction)
{
    return forward_part(file, direction) > most_forward;
}

// By threads of one process, which append to one file: each finds those of the others before its own.
bool are_appended(const FileCase& file, Direction direction)
{
    return direction == Direction::write && file.use->system.writers().count == 1 &&
           ascend(file, direction) && is_gone_through(file, direction);
}

// SQLite and LMDB move pages, whatever they are asked for: a cache of SQLite's own is no quicker than the
// system's.
bool is_of_pages(const Scene& scene, const FileCase& file, Direction direction)
{
    const FileView& view = file.use->system;
    return (file.is_of_sqlite() || is_lmdb(file.use->path)) &&
           (direction == Direction::write ||
            are_from_memory(scene, static_cast<double>(view.reads), static_cast<double>(view.bytes_read),
                            static_cast<double>(view.read_time)));
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
            const std::uint64_t of_record = small_calls(reads ? record[&Transfers::read_size]
                                                              : record[&Transfers::write_size]),
                                all = reads ? record[&Transfers::reads] : record[&Transfers::writes];
            calls += of_record;
            if (file.use->by_mpiio || all == 0) continue;
            if (!reads && is_synced(record)) continue;
            small.all_calls += all;
            const double part = static_cast<double>(of_record) / static_cast<double>(all);
            likely_time +=
                static_cast<double>(reads ? record[&Transfers::read_time]
                                          : record[&Transfers::write_time] - record[&Transfers::sync_time]) *
                part;
            likely_lasting +=
                bytes_in_small(reads ? record[&Transfers::read_size] : record[&Transfers::write_size],
                               static_cast<double>(reads ? record[&Transfers::bytes_read]
                                                         : record[&Transfers::bytes_written])) *
                reference.ns_per_byte;
        }
        // A library puts headers between what it compresses, and goes back to fill them in.
        const bool of_archive = !reads && is_zip(file.use->path);
        const bool counts = !file.use->by_mpiio && !synced && !of_archive &&
                            calls > least_in_a_row * file.use->system.opens &&
                            (!reads || 2 * file.use->system.bytes_read > calls) &&  // the end of the file
                            !is_of_pages(scene, file, direction) && !is_moved_in_blocks(scene, file) &&
                            !(follow_one_another(file, direction, 0.5) && is_buffered_netcdf(scene, file));
        (counts ? small.calls : others) += calls;
        if (counts)
            for (const RecordView& record : file.records)
                if (record.layer == Layer::posix && record.has_pattern() &&
                    record[&Pattern::seeks] > few_requests &&
                    record[&Pattern::seeks] > (record[&Transfers::reads] + record[&Transfers::writes]) / 2 &&
                    (record[&Transfers::reads] >= record[&Transfers::writes]) == reads)
                    small.seeks += static_cast<double>(record[&Pattern::seeks]);
        if (counts)
            for (const RecordView& record : file.records)
                if (record.layer == Layer::posix) {
                    const SizeHistogram sizes =
                        reads ? record[&Transfers::read_size] : record[&Transfers::write_size];
                    small.lost.add(record, time_in_small(record, direction, small_calls(sizes)));
                    small.rough = small.rough || small_calls(sizes) < (reads ? record[&Transfers::reads]
                                                                             : record[&Transfers::writes]);
                    small.bytes +=
                        bytes_in_small(sizes, static_cast<double>(reads ? record[&Transfers::bytes_read]
                                                                        : record[&Transfers::bytes_written]));
                }
        if (counts && follow_one_another(file, direction, mostly_in_order)) small.in_order += calls;
        if (counts) {
            const double forward = forward_part(file, direction);
            if (forward > most_forward || forward < hardly_forward) small.one_way += calls;
            small.extent += extent_of(file, direction) * static_cast<double>(file.use->system.users().count);
        }
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
    const std::string_view type = Mounts(scene.job.log).type_of(*small.most->use);
    small.by_network = !type.empty() && !is_local(type);
    // The system reads ahead and writes behind such pieces, unless each goes to the device by itself, as with
    // O_DIRECT: most of its time is for the way there and back.
    constexpr double by_itself = 20e3, part_of_trips = 2.0 / 3;  // ns
    const bool whole = is_gone_through(*small.most, direction);
    // Histograms of durations do not show which were those: they are taken to be like the rest.
    const double own = static_cast<double>(small.calls) / static_cast<double>(small.calls + others);
    // Of files that have no larger ones, what they move is known.
    const Kind kind = reads ? Kind::read : Kind::write;
    double by_class = 0;
    for (std::size_t at = 0; at < small_classes; ++at)
        by_class += own * static_cast<double>(scene.operations(Layer::posix, kind, at).operations) *
                    scene.size_of(Layer::posix, kind, at);
    const double known_part = !small.rough && by_class > 0 ? std::min(small.bytes / by_class, 1.0) : 1;
    for (std::size_t at = 0; at < small_classes; ++at) {
        const OperationSum sum = scene.operations(Layer::posix, kind, at);
        const double each = known_part * scene.size_of(Layer::posix, kind, at),
                     bytes = static_cast<double>(sum.operations) * each;
        const bool large = at >= large_class || each > large_enough;
        const double needed = bytes * ns_per_byte(reference, direction, large, each, small.by_network);
        double steady = scene.steady_time(Layer::posix, kind, at);
        if (reads && large &&
            static_cast<double>(small.in_order) >= mostly_in_order * static_cast<double>(small.calls))
            steady = std::min(steady, scene.read_in_order(at));
        small.time += own * static_cast<double>(sum.time);
        double excess = std::max(steady - needed, 0.0);
        const auto requests = static_cast<double>(sum.operations);
        double least = scene.at_least(direction, steady, requests, bytes);
        if (reads && 2 * small.in_order < small.calls &&
            are_from_memory(scene, requests, bytes, static_cast<double>(sum.time))) {
            const double of_calls = std::min(excess, saved_of_memory_reads(scene, requests));
            // Those in the order of the file, or backwards, may all be had by one pass over it, which fetches
            // no more; those in no order by one over all that lies between them, if they come to each page
            // several times.
            const double each_extent = small.extent / static_cast<double>(small.calls);
            small.scattered = 2 * small.one_way < small.calls;
            least = std::min(least, of_calls);
            if (small.scattered)
                excess = several_to_a_page * each_extent < page
                             ? std::max(excess - requests * each_extent * reference.ns_per_byte, of_calls)
                             : of_calls;
        }
        if (whole && !small.by_network && !large && steady > by_itself * scene.stretched * requests) {
            // Some wait longer than others each time; what writes wait for may be written behind.
            if (reads) excess = std::max(static_cast<double>(sum.time) - needed, excess);
            least = std::max(least, part_of_trips * excess);
            small.past_memory = true;
        }
        small.excess += own * excess;
        small.least += own * least;
    }
    return small;
}

// ns between the tiny reads of a file that one rank alone reads in order: where it sends each piece to the
// others, as by MPI_Bcast, most of the time goes there, in no call that is seen.
LostTime between_pieces(const Scene& scene, const SmallRequests& reads)
{
    constexpr double tiny = 4 << 10, longest_pause = 10e6, half = 0.5;
    LostTime between(scene.job);
    if (!scene.job.mpi || scene.job.ranks.size() < 2 || reads.most == nullptr ||
        is_text(reads.most->use->path) || reads.most->use->system.readers().count != 1)
        return between;
    for (const RecordView& record : reads.most->records) {
        const auto calls = static_cast<double>(record[&Transfers::reads]),
                   bytes = static_cast<double>(record[&Transfers::bytes_read]),
                   took = static_cast<double>(record[&Transfers::read_time]);
        if (record.layer != Layer::posix || !record.has_pattern() || calls < few_requests ||
            bytes > tiny * calls ||
            bytes < half * static_cast<double>(scene.job.application_bytes(Direction::read)) ||
            static_cast<double>(record[&Pattern::consecutive_reads]) < mostly_in_order * calls)
            continue;
        const double pauses = static_cast<double>(record[&Transfers::last_read]) -
                              static_cast<double>(record[&Transfers::first_read]) - took;
        if (pauses > 0 && pauses <= longest_pause * calls) between.add(record, pauses);
    }
    return between;
}

constexpr Remedy pass_on_remedies[] = {
    {Language::c,
     "Where each piece is sent to the other ranks, have one rank read all, or some MiB, and send that by one "
     "call:",
     {"MPI_Bcast(array, count, type, 0, MPI_COMM_WORLD);"}},
    {Language::fortran,
     "Where each piece is sent to the other ranks, have one rank read all, or some MiB, and send that by one "
     "call:",
     {"call MPI_Bcast(array, count, type, 0, MPI_COMM_WORLD, error)"}},
    {Language::python,
     "Where each piece is sent to the other ranks, have one rank read all, or some MiB, and send that by one "
     "call:",
     {"comm.Bcast(array)"}},
    {Language::script, "Where each piece is sent to the other ranks, read and send some MiB at a time."},
    {Language::packaged, "Look for an option of PROGRAM that has it read more at a time."},
};

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
    if (!is_worth_a_look(scene, reads, writes)) return {};
    const bool mostly_reads =
        writes.most == nullptr || (reads.most != nullptr && reads.excess >= writes.excess);
    const SmallRequests& more = mostly_reads ? reads : writes;
    const Scene::Reference& reference = mostly_reads ? read_reference : write_reference;
    Finding finding;
    finding.title = fmt::format(
        "{} small {}, of {}{} on average", format_count(more.calls), mostly_reads ? "reads" : "writes",
        more.rough ? "about " : "",
        format_bytes(static_cast<std::uint64_t>(more.bytes / static_cast<double>(more.calls) + 0.5)));
    AdvisedProgram program = program_of(scene.job, more.lost, more.most->use->path);
    if (more.most->is_moved_by_sqlite(program)) program.language = Language::sqlite;
    // One that is given the offset, or follows the last, needs no seek.
    const OperationSum all_seeks = scene.operations(Layer::posix, Kind::seek);
    const double each_seek = all_seeks.operations > 0 ? static_cast<double>(all_seeks.time) /
                                                            static_cast<double>(all_seeks.operations)
                                                      : 0;
    // Those that only ask for the place are another matter.
    const double seeking = ask_for_place(scene, all_seeks.operations)
                               ? 0
                               : scene.cost(reads.lost, reads.seeks * each_seek) +
                                     scene.cost(writes.lost, writes.seeks * each_seek);
    const bool lines = writes.most != nullptr && writes.most->holds_text();
    const double around = around_calls(scene, program, Around::read, static_cast<double>(reads.calls),
                                       reads.lost) +
                          around_calls(scene, program, lines ? Around::line : Around::write,
                                       static_cast<double>(writes.calls), writes.lost),
                 in_calls = scene.cost(reads.lost, reads.excess) + scene.cost(writes.lost, writes.excess) +
                            seeking + around;
    const double passing_on = mostly_reads ? scene.cost_beyond_io(between_pieces(scene, reads)) : 0;
    const double most_around = around_unseen_hdf5(scene, program, more, most_around_hdf5);
    finding.cost = seconds(in_calls + most_around);
    // Then it may be most of their time.
    constexpr double beyond_link = 0.25;
    const bool by_link = more.by_network && !reference.measured;
    const double past_link = scene.beyond_slow_link(*more.most->use, in_calls, more.bytes);
    if (by_link && past_link < beyond_link * in_calls) return {};
    finding.cost_basis =
        fmt::format("{} beyond what their bytes would have taken {}",
                    more.timed ? "the time of these requests"
                               : fmt::format("their share, by number, of the time in {} of their files,",
                                             mostly_reads ? "reads" : "writes"),
                    reference.words);
    if (more.scattered) finding.cost_basis += "; at least what the calls themselves take, which is assumed";
    if (seeking > 0) finding.cost_basis += "; and the seeks between them";
    finding.cost_basis += words_on_interpreter(program);
    if (!reference.measured || more.scattered)
        finding.cost_least =
            scene.cost(reads.lost, reads.least) + scene.cost(writes.lost, writes.least) + around;
    if (by_link) finding.cost_least = std::min(*finding.cost_least, past_link);
    if (most_around > 0) {
        finding.cost_least = finding.cost_least.value_or(in_calls) +
                             around_unseen_hdf5(scene, program, more, least_around_hdf5);
        finding.cost_basis += fmt::format(
            "; and what HDF5, linked statically, does around each of them, which is assumed: {} to {}",
            format_seconds(least_around_hdf5 / 1e9), format_seconds(most_around_hdf5 / 1e9));
    }
    if (passing_on > 0) {
        finding.cost_least = std::min(finding.cost_least.value_or(in_calls), in_calls);
        finding.cost = seconds(std::min(cost_of(finding) + passing_on, scene.run));
        finding.cost_basis += "; at most also what lies between them, as where each is sent to other ranks";
        finding.title += fmt::format(", by one of {} ranks", format_count(scene.job.ranks.size()));
    }
    const bool all_small = more.calls * 10 >= more.all_calls * 9;
    finding.confidence = !more.timed && !all_small          ? Confidence::low
                         : reference.measured && more.timed ? Confidence::high
                                                            : Confidence::medium;
    // Larger buffers may gain nothing.
    if (!mostly_reads && !reference.measured && more.bytes >= full_buffer * static_cast<double>(more.calls) &&
        finding.cost_least && *finding.cost_least < worthy_seconds)
        finding.confidence = Confidence::low;
    // What a shared link gives is not known: it may be all of their time.
    if (by_link && more.bytes > shared_piece * static_cast<double>(more.calls)) {
        finding.cost_least = 0.0;
        finding.confidence = Confidence::low;
    }
    if (passing_on > in_calls) finding.confidence = Confidence::low;
    LoggedMessages made = mostly_reads ? LoggedMessages{} : logged_messages(scene, program);
    // A log that costs little to write is as it should be.
    if (in_calls < least_worthy(scene.run)) made.messages = 0;
    const bool much_logged = made.messages > in_calls / 4;
    if (much_logged) add_messages(finding, made, in_calls, scene.run);
    add_evidence(finding, reads, "reads");
    add_evidence(finding, writes, "writes");
    finding.evidence.push_back(
        {"file", "most of them in", path(more.most->use->path),
         fmt::format("{} small {}", format_count(more.calls_of_most), mostly_reads ? "reads" : "writes")});
    finding.why =
        "Each request costs a system call, and on a network file system often a message, however "
        "little it moves.";
    if (more.past_memory)
        finding.why =
            "Each request goes to the device by itself and waits for it: the system neither reads "
            "ahead nor writes behind, as for files opened with O_DIRECT.";
    finding.doubt =
        "Requests that cannot be put together, because each depends on what the last one brought.";
    const Direction direction = mostly_reads ? Direction::read : Direction::write;
    finding.advice = advice_on_small_requests(
        scene, program, executable_of(scene.job, more.lost), *more.most,
        {direction, follow_one_another(*more.most, direction, 0.5) || are_appended(*more.most, direction),
         ascend(*more.most, direction), more.bytes / static_cast<double>(more.calls), more.past_memory});
    if (passing_on > 0) {
        finding.doubt += " A rank that computes between its reads.";
        std::vector<Advice> together = advice_in(program, pass_on_remedies);
        finding.advice.insert(finding.advice.begin(), together.begin(), together.end());
    }
    if (much_logged) advise_on_messages(finding, scene, program, made);
    LostTime lost(scene.job);
    lost.add(reads.lost, reads.excess);
    lost.add(writes.lost, writes.excess);
    Found found(std::move(finding), std::move(lost));
    found.metadata = seeking;
    found.file = more.most->use;
    return found;
}

}  // namespace fathom
