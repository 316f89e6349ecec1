// Adds up what the rules need, once.
#include "analyzer/findings/scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/sizes.h"
#include "analyzer/job/measured_rates.h"
#include "analyzer/job/recorded.h"
#include "analyzer/job/slices.h"
#include "analyzer/methods/intervals.h"

namespace fathom {
namespace {

std::vector<FileCase> files_of(const Job& job)
{
    std::vector<FileCase> files;
    reserve_large(files, job.files.size());
    job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (is_of_files(use.kind)) files.push_back({&use, records});
    });
    return files;
}

// A shell, or a tool, that waits for what it started.
bool waits_for_children(const Member& member, const std::unordered_set<std::uint64_t>& parents)
{
    constexpr double hardly_busy = 0.2;
    const Process& process = member.process;
    return process.cpu_time > 0 && parents.contains(process.pid) &&
           static_cast<double>(process.cpu_time) < hardly_busy * static_cast<double>(member.run_time());
}

// How many processes that count for the I/O ran side by side, on average: those with a twentieth of the time
// in I/O of the busiest, but for those that wait for their children.
double side_by_side(const Job& job)
{
    std::unordered_set<std::uint64_t> parents;
    for (const Member& member : job.ranks) parents.insert(member.process.parent);
    std::uint64_t busiest = 0;
    for (const Member& member : job.ranks) busiest = std::max(busiest, member.time().total());
    std::vector<Interval> lives;
    double lived = 0;
    for (const Member& member : job.ranks) {
        if (member.time().total() < busiest / 20 || member.run_time() == 0 ||
            waits_for_children(member, parents))
            continue;
        lives.push_back({member.process.start, member.process.end});
        lived += static_cast<double>(member.run_time());
    }
    const auto covered = static_cast<double>(union_length(std::move(lives)));
    return covered > 0 ? std::max(lived / covered, 1.0) : 1;
}

// By rank: how long any of its threads had I/O under way. Bursts are of calls that move data, and include
// what lies between those that follow one another closely, so the sum is the better number where it is
// smaller.
std::vector<double> times_in_io(const Job& job)
{
    std::unordered_map<std::int64_t, std::vector<Interval>> bursts;
    for (const Burst& burst : job.log.rows<Burst>())
        bursts[burst.process].push_back({burst.start, burst.end});
    std::unordered_map<std::int64_t, std::uint64_t> syncs;
    for (const RecordView& record : job.records)
        if (record.layer == Layer::posix)
            syncs[record.process] +=
                record[&Transfers::sync_time] /
                (record.process == reduced ? std::max<std::uint64_t>(record[&Sharing::processes], 1) : 1);
    std::vector<double> times;
    for (const Member& member : job.ranks) {
        const TimeSplit split = member.time();
        std::uint64_t time = split.total();
        if (const auto found = bursts.find(member.process.process);
            found != bursts.end() && !source_of(job.log).timed_in_part)
            // Syncs of mappings move nothing by calls, and lie in no burst.
            time = std::min(time, union_length(std::move(found->second)) + split.metadata +
                                      syncs[member.process.process] + syncs[reduced]);
        if (member.run_time() > 0) time = std::min(time, member.run_time());
        times.push_back(static_cast<double>(time));
    }
    return times;
}

// By rank: what lies between the calls of its bursts, no longer than it had a core. Where bursts bridge
// longer pauses, for want of room, there may be computing of all kinds between them; but a process that waits
// for a core has longer ones.
std::vector<double> times_between_calls(const Job& job, double longest_pause)
{
    const auto short_pause = static_cast<std::uint64_t>(longest_pause);  // ns
    std::unordered_map<std::int64_t, std::vector<Interval>> bursts;
    for (const Burst& burst : job.log.rows<Burst>())
        bursts[burst.process].push_back({burst.start, burst.end});
    std::vector<double> times;
    for (const Member& member : job.ranks) {
        double between = 0;
        if (const auto found = bursts.find(member.process.process);
            found != bursts.end() && member.process.burst_gap > 0 && member.process.burst_gap <= short_pause)
            between = std::clamp(static_cast<double>(union_length(std::move(found->second))) -
                                     static_cast<double>(member.time().total()),
                                 0.0, static_cast<double>(member.process.cpu_time));
        times.push_back(between);
    }
    return times;
}

// By rank: ns in files of its own, at the level of the job.
std::vector<double> times_in_own_files(const Job& job, const std::vector<FileCase>& files)
{
    std::vector<double> times(job.ranks.size());
    for (const FileCase& file : files)
        for (const RecordView& record : file.records) {
            const std::int64_t rank = job.rank_index(record.process);
            if (rank < 0 || file.use->by_mpiio != (record.layer == Layer::mpiio)) continue;
            times[static_cast<std::size_t>(rank)] += static_cast<double>(record.time());
        }
    return times;
}

// By rank: ns that HDF5 and PnetCDF spent themselves, not in the layers beneath.
std::vector<double> times_in_libraries(const Job& job, const Datasets& datasets)
{
    LostTime own(job);
    for (const DatasetUse& one : datasets.datasets())
        for (const DatasetRecord* const record : one.records)
            if (one.own) own.add(owner_of(*record), own_time_of(*record));
    for (const DataFileUse& one : datasets.files())
        for (const DataFileRecord* const record : one.records)
            if (one.own) own.add(owner_of(*record), own_time_of(*record));
    std::vector<double> times;
    for (std::size_t at = 0; at < job.ranks.size(); ++at) times.push_back(own.of(at));
    return times;
}

// In each time bin, by how much the rank with most time in I/O has more of it than the next.
std::vector<double> times_waited_for(const Job& job)
{
    std::vector<double> waited(job.ranks.size());
    std::uint64_t longest = 1;
    each_rank_slice(job, [&](const Slice& slice, std::size_t) { longest = std::max(longest, slice.length); });
    std::unordered_map<std::uint64_t, std::unordered_map<std::size_t, double>> bins;
    each_rank_slice(job, [&](const Slice& slice, std::size_t rank) {
        // What a rank waits for in MPI-IO is another's I/O.
        if (static_cast<Layer>(slice.layer) == Layer::mpiio) return;
        bins[slice.start / longest][rank] +=
            static_cast<double>(slice.read_time + slice.write_time + slice.metadata_time);
    });
    for (const auto& [start, times] : bins) {
        std::size_t most = 0;
        double of_most = 0, of_next = 0;
        for (const auto& [rank, time] : times)
            if (time > of_most)
                of_next = std::exchange(of_most, time), most = rank;
            else
                of_next = std::max(of_next, time);
        waited[most] += of_most - of_next;
    }
    return waited;
}

// Of the time of operations, what is left when those that took very much longer than the median, waiting for
// a disk or for other programs, are taken to have lasted as long as the median.
double without_stalls(std::span<const HistogramBin> bins, double much_longer)
{
    constexpr double short_in_any_case = 20e3;  // ns
    const auto median = static_cast<double>(quantile(bins, ~std::uint64_t{0}, 500).value_or(0));
    const double limit = std::max(much_longer * median, short_in_any_case);
    double all = 0, steady = 0;
    for (const HistogramBin& bin : bins) {
        const double middle = (static_cast<double>(bin.at_least) + static_cast<double>(bin.below)) / 2,
                     time = middle * static_cast<double>(bin.operations);
        all += time;
        steady += middle > limit ? median * static_cast<double>(bin.operations) : time;
    }
    return all > 0 ? steady / all : 1;
}

// By how much longer than with cores of their own the processes ran while they computed or were in the
// kernel: others had the cores for the rest. 1 where that is not known.
double waiting_for_cores(const Job& job)
{
    double on_cores = 0, waited = 0;
    for (const Member& member : job.ranks) {
        if (member.process.core_wait == 0) continue;
        on_cores += static_cast<double>(member.process.cpu_time);
        waited += static_cast<double>(member.process.core_wait);
    }
    return on_cores > 0 ? 1 + waited / on_cores : 1;
}

// Of several threads, calls that take long may wait for a core. Those of srun and the like do no I/O.
bool threads_do_io(const Job& job)
{
    constexpr std::uint64_t next_to_none = 10;  // a part of all I/O
    std::uint64_t of_threads = 0, of_all = 0;
    for (const Member& member : job.ranks) {
        const std::uint64_t time = member.time().total();
        of_all += time;
        of_threads += member.process.threads > 1 ? time : 0;
    }
    return of_threads > of_all / next_to_none;
}

// Large files in large requests are data that are used as they are, unless their names say otherwise.
bool fills_arrays(const RecordView& record)
{
    constexpr std::uint64_t large_request = 64 << 10, large_file = 1 << 20;
    return record.has_pattern() && record[&Pattern::highest_read] >= large_file &&
           record[&Transfers::reads] > 0 &&
           record[&Transfers::bytes_read] / record[&Transfers::reads] >= large_request;
}

// As pandas reads tables: opened anew each time, and gone through in blocks of 256 KiB, whatever its name.
bool is_taken_apart_in_blocks(const RecordView& record)
{
    constexpr std::uint64_t block = 256 << 10, few_blocks = 4;
    const SizeHistogram sizes = record[&Transfers::read_size];
    const std::uint64_t blocks = sizes.count[SizeHistogram::class_of(block)];
    return blocks >= few_blocks * record[&Transfers::opens] && record[&Transfers::opens] > 1 &&
           record[&Transfers::bytes_read] <= block * record[&Transfers::reads] &&
           record[&Transfers::bytes_read] / block >= blocks * 3 / 4;
}

}  // namespace

Scene::Scene(const Job& of)
    : job(of),
      sums(layer_sums_of(of)),
      use(time_use_of(of)),
      files(files_of(of)),
      datasets(of.log),
      certain_work(certain_work_of(of)),
      class_sizes_(of.log)
{
    run = static_cast<double>(job.run_time()) / 1e9;
    at_a_time = job.mpi ? 1 : side_by_side(job);
    in_io_ = times_in_io(job);
    in_libraries_ = times_in_libraries(job, datasets);
    stretched = waiting_for_cores(job);
    between_ = times_between_calls(job, 3.2e6 * stretched);
    between_long_ = times_between_calls(job, 50e6 * stretched);
    if (job.mpi && job.told_apart()) turns = turns_of(job);
    if (!job.told_apart())
        in_own_files_ = times_in_own_files(job, files);
    else if (job.mpi)
        waited_for_ = times_waited_for(job);
    for (std::size_t at = 0; at < in_io_.size(); ++at) {
        const auto sum = static_cast<double>(job.ranks[at].time().total());
        alone_.push_back(sum > 0 ? in_io_[at] / sum : 1);
    }
    const double of_slowest = in_io_.empty() ? 0 : *std::max_element(in_io_.begin(), in_io_.end());
    io = use.slowest ? std::min(run, static_cast<double>(use.slowest->least) / 1e9)
         : job.mpi   ? of_slowest / 1e9
                     : std::min(run, std::accumulate(in_io_.begin(), in_io_.end(), 0.0) / 1e9 / at_a_time);
    for (const OperationTimes& row : job.log.rows<OperationTimes>()) {
        if (row.streams != 0 || row.layer >= layers || row.kind >= kind_count ||
            row.size_class >= SizeHistogram::classes)
            continue;
        timed_ = true;
        const std::size_t histogram = histogram_of(static_cast<Kind>(row.kind), row.size_class);
        operations_[row.layer][histogram].add({row.operations, row.time});
    }
    leave_out_overlap();
    for (std::size_t layer = 0; layer < layers; ++layer)
        syncs_in_writes =
            syncs_in_writes || (sums.transfers(static_cast<Layer>(layer)).syncs > 0 &&
                                !tells(job.log, static_cast<Layer>(layer), &Transfers::sync_time));
    const ClassBins bins = bins_of(job.log);
    for (auto& of_layer : steady_) of_layer.fill(1);
    // Of reads in order some wait for what is read ahead, the others find it there.
    constexpr double stall = 20, stall_in_order = 4;
    read_in_order_.fill(1);
    const bool threads = threads_do_io(job);
    for (const auto& [one, of_class] : bins)
        if (!threads && one.streams == 0 && one.layer < layers && one.kind < kind_count &&
            one.size_class < SizeHistogram::classes)
            steady_[one.layer][histogram_of(static_cast<Kind>(one.kind), one.size_class)] =
                std::min(stretched * without_stalls(of_class, stall), 1.0);
    for (const auto& [one, of_class] : bins)
        if (!threads && one.streams == 0 && one.layer == static_cast<std::uint64_t>(Layer::posix) &&
            one.kind == static_cast<std::uint64_t>(Kind::read) && one.size_class < SizeHistogram::classes)
            read_in_order_[one.size_class] = without_stalls(of_class, stall_in_order);
    for (const Member& member : job.ranks)
        clock_cost = std::max(clock_cost, static_cast<double>(member.process.clock_cost));
    for (const Direction direction : directions)
        references_[static_cast<std::size_t>(direction)] = measure_reference(direction, bins);
}

// Asynchronous operations are under way side by side: each has its own duration, the records have how long
// any was.
void Scene::leave_out_overlap()
{
    constexpr double rounding = 1.1;
    overlap_.fill(1);
    if (source_of(job.log).timed_in_part) return;
    const Transfers& all = sums.transfers(Layer::posix);
    for (const Kind kind : {Kind::read, Kind::write}) {
        const auto durations = static_cast<double>(operations(Layer::posix, kind).time),
                   passed = static_cast<double>(kind == Kind::read ? all.read_time : all.write_time);
        if (passed <= 0 || durations <= rounding * passed) continue;
        const double part = passed / durations;
        overlap_[static_cast<std::size_t>(kind)] = part;
        for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
            std::uint64_t& time =
                operations_[static_cast<std::size_t>(Layer::posix)][histogram_of(kind, at)].time;
            time = static_cast<std::uint64_t>(part * static_cast<double>(time));
        }
    }
}

double Scene::cost(double nanoseconds) const
{
    return use.in_io > 0 ? std::min(nanoseconds / use.in_io, 1.0) * io : 0;
}

double Scene::cost(const LostTime& lost, double nanoseconds) const
{
    if (lost.total() <= 0 || use.in_io <= 0) return 0;
    const double scale = nanoseconds / lost.total();
    if (!job.told_apart()) {
        const double waited = scale * lost.waited();
        // Where the slowest rank is so by files of its own, what it and the others would be spared is known.
        constexpr double nearly = 0.9;
        double most = 0, most_left = 0;
        for (std::size_t at = 0; at < in_own_files_.size(); ++at) {
            most = std::max(most, in_own_files_[at]);
            most_left =
                std::max(most_left, in_own_files_[at] - std::min(scale * lost.of(at), in_own_files_[at]));
        }
        if (most / 1e9 >= nearly * io) return std::min((most - most_left) / 1e9, io);
        return std::min(waited / 1e9 + cost(nanoseconds - waited * static_cast<double>(in_io_.size())), io);
    }
    double most = 0, most_left = 0, all = 0;
    for (std::size_t at = 0; at < in_io_.size(); ++at) {
        const double spared = std::min(scale * lost.of(at) * alone_[at], in_io_[at]);
        most = std::max(most, in_io_[at]);
        most_left = std::max(most_left, in_io_[at] - spared);
        all += spared;
    }
    if (!job.mpi) return std::min(all / 1e9 / at_a_time, io);
    if (turns.one_by_one) return std::min(all / 1e9, run);
    // Ranks may be the slowest by turns: the others wait for what one alone does, though another has as much
    // to do at some other time.
    const double in_phases = turns.spared([&](std::size_t at) {
        return in_io_[at] > 0 ? std::min(scale * lost.of(at) * alone_[at] / in_io_[at], 1.0) : 0;
    });
    constexpr double mostly = 0.6;
    double of_one = 0;
    for (std::size_t at = 0; at < waited_for_.size(); ++at)
        if (scale * lost.of(at) >= mostly * nanoseconds)
            of_one = std::min(scale * lost.of(at) * alone_[at], waited_for_[at]);
    return std::min(std::max({most - most_left, of_one, in_phases}) / 1e9, run);
}

double Scene::cost_in_libraries(const LostTime& lost) const
{
    double most = 0, most_left = 0, all = 0;
    for (std::size_t at = 0; at < in_io_.size(); ++at) {
        const double had = in_io_[at] + in_libraries_[at], spared = std::min(lost.of(at), had);
        most = std::max(most, had);
        most_left = std::max(most_left, had - spared);
        all += spared;
    }
    return std::min((job.mpi ? most - most_left : all / at_a_time) / 1e9, run);
}

double Scene::beside_each_other(const LostTime& lost) const
{
    constexpr double most_of_life = 0.5;
    std::vector<Interval> lives;
    double lived = 0;
    for (std::size_t at = 0; at < job.ranks.size(); ++at) {
        const Member& member = job.ranks[at];
        if (lost.of(at) <= 0 || member.run_time() == 0) continue;
        lives.push_back({member.process.start, member.process.end});
        lived += static_cast<double>(member.run_time());
    }
    if (lost.total() < most_of_life * lived) return at_a_time;
    const auto covered = static_cast<double>(union_length(std::move(lives)));
    return covered > 0 ? std::clamp(lived / covered, 1.0, at_a_time) : at_a_time;
}

double Scene::cost_beyond_io(const LostTime& lost) const
{
    if (!job.mpi) return std::min(lost.total() / 1e9 / beside_each_other(lost), run);
    double most = 0;
    for (std::size_t at = 0; at < in_io_.size(); ++at) most = std::max(most, lost.of(at));
    return std::min(most / 1e9, run);
}

double Scene::work_on(const FileCase& file, const RecordView& record, double bytes, Pauses pauses) const
{
    constexpr double most_a_byte = 1000;  // ns with a core of its own
    const std::int64_t rank = job.rank_index(record.process);
    if (rank < 0 || (fills_arrays(record) && !is_text(file.use->path) && !is_compressed(file.use->path)))
        return 0;
    const auto at = static_cast<std::size_t>(rank);
    const Member& member = job.ranks[at];
    const auto moved = static_cast<double>(member.application_bytes(Direction::read) +
                                           member.application_bytes(Direction::write));
    const double between = (pauses == Pauses::any ? between_long_ : between_)[at];
    return moved > 0 ? std::min(std::min(bytes / moved, 1.0) * between, most_a_byte * stretched * bytes) : 0;
}

// Beside calls on the file, as far as its process, or several of them, can have computed that; 0 where the
// log does not show it. Streams of C++ are opened in stdio and moved in POSIX: so long as either has it open.
double Scene::computed_while_open(const FileCase& file, const RecordView& record) const
{
    const std::int64_t rank = job.rank_index(record.process);
    if (rank < 0 && record.process != reduced) return 0;
    std::uint64_t held = 0, in_calls = record.time();
    for (const RecordView& one : file.records) {
        if (one.process != record.process || one.layer == Layer::mpiio ||
            !tells(job.log, one.layer, &Transfers::held_time))
            continue;
        held = std::max(held, one[&Transfers::held_time]);
        in_calls = std::max(in_calls, one.time());
    }
    double most = 0;
    for (std::size_t at = 0; at < job.ranks.size(); ++at)
        if (rank < 0 || static_cast<std::size_t>(rank) == at) most += most_computed(at);
    return std::clamp(static_cast<double>(held) - static_cast<double>(in_calls), 0.0, most);
}

double Scene::computed_for(const FileCase& file, const RecordView& record) const
{
    const Member* const member = job.member_of(record);
    const double computed = computed_while_open(file, record);
    if (member == nullptr || computed > 0 || record[&Transfers::opens] > 0) return computed;
    return static_cast<double>(member->process.cpu_time) * stretched;
}

double Scene::work_while_open(const FileCase& file, const RecordView& record, double most_each) const
{
    constexpr double most_a_byte_of_index = 100;  // ns: a member of an archive takes some 60 bytes in it
    if (record[&Transfers::opens] == 0) return 0;
    const double work = computed_while_open(file, record);
    const double most = most_each * static_cast<double>(record[&Transfers::opens]) +
                        (has_index(file.use->path)
                             ? most_a_byte_of_index * static_cast<double>(record[&Transfers::bytes_read])
                             : 0);
    return work > most * stretched ? 0 : work;
}

double Scene::work_on_text(const FileCase& file, const RecordView& record, double bytes, TakenApart by) const
{
    constexpr double most_a_byte = 1000;     // ns with a core of its own
    constexpr double most_by_library = 100;  // the same, of a compiled one
    constexpr double most_by_inflating = 20;
    // Gone through twice: for what is in it, and to take that.
    constexpr double several_times = 3;
    const auto read = static_cast<double>(record[&Transfers::bytes_read]);
    if (read <= 0 || !record.has_pattern() ||
        read < several_times * static_cast<double>(record[&Pattern::highest_read]))
        return 0;
    if (by == TakenApart::by_hdf5)
        return std::min(computed_while_open(file, record), most_by_inflating * stretched * bytes);
    // A log that the program keeps open, writes, and reads again.
    const double times = read / static_cast<double>(record[&Pattern::highest_read]);
    if (record[&Transfers::bytes_written] > 0 && static_cast<double>(record[&Transfers::opens]) < times / 2)
        return 0;
    if (by == TakenApart::by_fortran &&
        is_formatted_by_fortran(record[&Transfers::reads], record[&Transfers::bytes_read]))
        return std::min(computed_while_open(file, record), most_by_library * stretched * bytes);
    const bool named = is_text(file.use->path) || is_compressed(file.use->path);
    // Text by what it holds, that a compiled program reads again at each open.
    std::uint64_t opens = 0;  // streams of C++ are opened in stdio and read in POSIX
    for (const RecordView& one : file.records)
        if (one.process == record.process) opens = std::max(opens, one[&Transfers::opens]);
    const bool held =
        by == TakenApart::by_others && file.holds_text() && static_cast<double>(opens) >= times / 2;
    // A store that is loaded whole each time, and of Python's, which reads arrays as well, saved too.
    const bool loaded = static_cast<double>(record[&Transfers::opens]) >= times / 2 &&
                        (by == TakenApart::by_script ||
                         (by == TakenApart::by_python &&
                          (2 * record[&Transfers::bytes_written] >= record[&Transfers::bytes_read] ||
                           is_pickled(file.use->path))));
    const bool in_blocks = by == TakenApart::by_python && is_taken_apart_in_blocks(record);
    if (!named && !loaded && !held && !in_blocks) return 0;
    const double work = computed_while_open(file, record);
    if (work > (named ? most_a_byte : most_by_library) * stretched * read) return 0;
    // pandas makes its table of the columns when it has closed the file.
    constexpr double with_table = 1.25;
    return std::min(bytes / read, 1.0) * work * (in_blocks ? with_table : 1);
}

double Scene::work_on_whole(const FileCase& file, const RecordView& record, bool interpreted) const
{
    const double most_a_byte = interpreted ? 1000 : 100;  // ns with a core of its own
    const double work = computed_while_open(file, record);
    return work > most_a_byte * stretched * static_cast<double>(record.bytes()) ? 0 : work;
}

double Scene::work_on_numbers(const FileCase& file, const RecordView& record) const
{
    return std::min(computed_while_open(file, record),
                    most_on_numbers(record[&Transfers::bytes_read], record[&Transfers::bytes_written]));
}

double Scene::most_on_numbers(std::uint64_t bytes_read, std::uint64_t bytes_written) const
{
    constexpr double to_read = 25, to_write = 40;
    return stretched *
           (to_read * static_cast<double>(bytes_read) + to_write * static_cast<double>(bytes_written));
}

double Scene::over_slow_link(const FileUse& file, double bytes) const
{
    constexpr double slow_link_mib = 50;
    const std::string_view type = Mounts(job.log).type_of(file);
    return type.empty() || is_local(type) ? 0 : bytes / (slow_link_mib * mebibyte);
}

double Scene::most_computed(std::size_t rank) const
{
    const Member& member = job.ranks[rank];
    return std::max(
        static_cast<double>(member.process.cpu_time) * stretched - static_cast<double>(member.time().total()),
        0.0);
}

double Scene::longest(const FileView& view, Direction direction)
{
    if (view.time() == 0) return 0;
    const std::uint64_t time = direction == Direction::read ? view.read_time : view.write_time;
    return static_cast<double>(view.slowest().time) * static_cast<double>(time) /
           static_cast<double>(view.time());
}

bool Scene::times(Layer layer, Kind kind) const
{
    constexpr double nearly_all = 0.9;
    if (!source_of(job.log).timed_in_part) return timed_;
    if (!moves_data(kind)) return false;
    const Transfers& all = sums.transfers(layer);
    const std::uint64_t made = kind == Kind::read ? all.reads : all.writes;
    return made > 0 &&
           static_cast<double>(operations(layer, kind).operations) >= nearly_all * static_cast<double>(made);
}

OperationSum Scene::operations(Layer layer, Kind kind, std::size_t size_class) const
{
    return operations_[static_cast<std::size_t>(layer)][histogram_of(kind, size_class)];
}

double Scene::steady_time(Layer layer, Kind kind, std::size_t size_class) const
{
    return static_cast<double>(operations(layer, kind, size_class).time) *
           steady_[static_cast<std::size_t>(layer)][histogram_of(kind, size_class)];
}

double Scene::read_in_order(std::size_t size_class) const
{
    return static_cast<double>(operations(Layer::posix, Kind::read, size_class).time) *
           read_in_order_[size_class];
}

OperationSum Scene::operations(Layer layer, Kind kind) const
{
    if (!moves_data(kind)) return operations(layer, kind, 0);
    OperationSum sum;
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) sum.add(operations(layer, kind, at));
    return sum;
}

double Scene::size_of(Layer layer, Kind kind, std::size_t size_class) const
{
    const OperationClass of{static_cast<std::uint64_t>(layer), 0, static_cast<std::uint64_t>(kind),
                            size_class};
    const auto known = class_sizes_.of(of);
    return known ? known->bytes : size_of_class(size_class);
}

std::optional<Scene::Reference> Scene::reference_by_records(Direction direction) const
{
    constexpr double enough = 16 * mebibyte;
    constexpr std::uint64_t few = 8;
    if (!source_of(job.log).timed_in_part) return std::nullopt;
    const bool reads = direction == Direction::read;
    double bytes = 0, time = 0;
    std::uint64_t requests = 0;
    for (const FileCase& file : files)
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::posix) continue;
            const SizeHistogram sizes =
                reads ? record[&Transfers::read_size] : record[&Transfers::write_size];
            std::uint64_t large = 0;
            for (std::size_t at = first_large_class; at < SizeHistogram::classes; ++at)
                large += sizes.count[at];
            const std::uint64_t calls = reads ? record[&Transfers::reads] : record[&Transfers::writes];
            if (calls == 0 || large != calls) continue;
            requests += calls;
            bytes += static_cast<double>(reads ? record[&Transfers::bytes_read]
                                               : record[&Transfers::bytes_written]);
            time +=
                static_cast<double>(reads ? record[&Transfers::read_time] : record[&Transfers::write_time]);
        }
    if (bytes < enough || requests < few || time <= 0) return std::nullopt;
    return Reference{
        time / bytes, true, 0,
        fmt::format("as fast as the {} to and from files that have only requests of over 1 MiB: {}",
                    report::format_bytes(static_cast<std::uint64_t>(bytes)),
                    report::format_rate(bytes / mebibyte / (time / 1e9)))};
}

// What was measured apart from the job, where the log has no large requests: of the page cache if the log's
// requests took as long as those that it serves, else of what is behind it.
std::optional<Scene::Reference> Scene::reference_by_rates(Direction direction, const ClassBins& bins) const
{
    constexpr double large_request = 4 << 20;
    if (job.rates == nullptr) return std::nullopt;
    const MeasuredTimes& known = job.rates->of[static_cast<std::size_t>(direction)];
    if (!known.cached.known && !known.uncached.known) return std::nullopt;
    const Kind kind = direction == Direction::read ? Kind::read : Kind::write;
    double near_cache = 0, all = 0;
    for (const Layer layer : {Layer::posix, Layer::stdio})
        for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
            const auto found =
                bins.find({static_cast<std::uint64_t>(layer), 0, static_cast<std::uint64_t>(kind), at});
            if (found == bins.end()) continue;
            const auto calls = static_cast<double>(operations(layer, kind, at).operations);
            const double size = size_of(layer, kind, at),
                         median = static_cast<double>(
                                      quantile(found->second, ~std::uint64_t{0}, 500).value_or(0)) /
                                  1e9;
            all += calls;
            if (median * median <= known.cached.at(size) * known.uncached.at(size)) near_cache += calls;
        }
    const bool cached = known.cached.known && (!known.uncached.known || near_cache >= all / 2);
    const double time = (cached ? known.cached : known.uncached).at(large_request);
    if (!(time > 0)) return std::nullopt;
    return Reference{time * 1e9 / large_request, true, 0,
                     fmt::format("at {}, which {} has{} for 4 MiB {}: the log has too few requests of "
                                 "over 1 MiB to compare with",
                                 report::format_rate(large_request / mebibyte / time), job.rates->name,
                                 job.rates->where.empty() ? "" : fmt::format(" from {}", job.rates->where),
                                 cached ? "in the page cache" : "past the page cache")};
}

Scene::Reference Scene::measure_reference(Direction direction, const ClassBins& bins) const
{
    constexpr double enough = 16 * mebibyte;
    constexpr std::uint64_t few = 8;
    const Kind kind = direction == Direction::read ? Kind::read : Kind::write;
    for (const Layer layer : {Layer::posix, Layer::stdio}) {
        double bytes = 0, time = 0;
        std::uint64_t requests = 0;
        for (std::size_t at = first_large_class; at < SizeHistogram::classes; ++at) {
            const auto found =
                bins.find({static_cast<std::uint64_t>(layer), 0, static_cast<std::uint64_t>(kind), at});
            if (found == bins.end()) continue;
            const std::uint64_t calls = operations(layer, kind, at).operations;
            const auto median = quantile(found->second, ~std::uint64_t{0}, 500);
            requests += calls;
            bytes += static_cast<double>(calls) * size_of(layer, kind, at);
            time += static_cast<double>(calls) * static_cast<double>(median.value_or(0));
        }
        if (layer == Layer::posix) time *= overlap_[static_cast<std::size_t>(kind)];
        if (bytes < enough || requests < few || time <= 0) continue;
        return {time / bytes, true, 0,
                fmt::format("as fast as the {} in requests of over 1 MiB: {}, by their median",
                            report::format_bytes(static_cast<std::uint64_t>(bytes)),
                            report::format_rate(bytes / mebibyte / (time / 1e9)))};
    }
    if (const auto by_records = reference_by_records(direction)) return *by_records;
    if (const auto by_rates = reference_by_rates(direction, bins)) return *by_rates;
    double observed = 0;
    for (const Layer layer : {Layer::posix, Layer::stdio})
        for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
            const OperationSum sum = operations(layer, kind, at);
            const double bytes = static_cast<double>(sum.operations) * size_of(layer, kind, at);
            if (sum.operations < few || bytes < enough / 16) continue;
            const double here = static_cast<double>(sum.time) / bytes;
            observed = observed > 0 ? std::min(observed, here) : here;
        }
    return {1e9 / (assumed_rate_mib * mebibyte), false, observed,
            fmt::format("at {}, which is assumed: the log has too few requests of over 1 MiB to compare with",
                        report::format_rate(assumed_rate_mib))};
}

}  // namespace fathom
