// From a job to the plain numbers that the methods take.
#include "analyzer/job/figures.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "analyzer/job/recorded.h"
#include "analyzer/job/source.h"
#include "analyzer/job/transfer_time.h"
#include "analyzer/job/whole_seconds.h"
#include "analyzer/methods/intervals.h"

namespace fathom {
namespace {

std::uint64_t bytes_of(const Totals& totals)
{
    return totals.bytes_read + totals.bytes_written;
}

LayerBytes layer_bytes(const Member& member, Direction direction)
{
    const auto in = [&](Layer layer, Scope scope) {
        const Totals& totals = member.in(layer, scope);
        return direction == Direction::read ? totals.bytes_read : totals.bytes_written;
    };
    return {in(Layer::posix, Scope::direct), in(Layer::posix, Scope::beneath_mpiio),
            in(Layer::stdio, Scope::direct), in(Layer::stdio, Scope::beneath_mpiio),
            in(Layer::mpiio, Scope::direct)};
}

// Whether MPI-IO went through POSIX is a matter of the job: a rank that left its data to an aggregator did
// none.
LayerBytes job_bytes(const Job& job, Direction direction)
{
    LayerBytes all;
    job.each_share([&](const Member& member) {
        const LayerBytes one = layer_bytes(member, direction);
        all.posix_direct += one.posix_direct;
        all.posix_beneath_mpiio += one.posix_beneath_mpiio;
        all.stdio_direct += one.stdio_direct;
        all.stdio_beneath_mpiio += one.stdio_beneath_mpiio;
        all.mpiio += one.mpiio;
    });
    return all;
}

std::uint64_t window_of(const Job& job)
{
    return union_length(bursts_of_ranks(job));
}

// Bytes that bursts are known of. That may be some layers alone: those whose operations were traced.
std::uint64_t bytes_in_bursts(const Job& job, std::uint64_t all_bytes)
{
    if (!source_of(job.log).timed_in_part) return all_bytes;
    std::array<bool, layers> traced{};
    for (const OperationTimes& row : job.log.rows<OperationTimes>())
        if (row.layer < layers && row.streams == 0) traced[row.layer] = true;
    // Where the trace broke off, slices are of something else: they have bytes that no burst has.
    if (const auto sources = job.log.fact("time_bins_from"))
        for (std::size_t layer = 0; layer < layers; ++layer)
            traced[layer] = traced[layer] && sources->find(fmt::format("DXT for {}", layer_titles[layer])) !=
                                                 std::string_view::npos;
    std::array<std::uint64_t, layers> bytes{};
    for (const Slice& slice : job.log.rows<Slice>())
        if (slice.layer < layers && slice.streams == 0)
            bytes[slice.layer] += slice.bytes_read + slice.bytes_written;
    std::uint64_t sum = 0;
    for (const Layer layer : {Layer::posix, Layer::stdio})
        if (traced[static_cast<std::size_t>(layer)]) sum += bytes[static_cast<std::size_t>(layer)];
    const auto mpiio = static_cast<std::size_t>(Layer::mpiio);
    return sum > 0 || !traced[mpiio] ? sum : bytes[mpiio];
}

// By records, since totals do not separate the ranks.
void rates_of_records(const Job& job, std::uint64_t bytes, JobRates& rates)
{
    const std::uint64_t nodes = job.nodes();
    const auto rank = [&](std::int64_t process) {
        const std::int64_t index = job.rank_index(process);
        return index < 0 ? no_rank : static_cast<std::size_t>(index);
    };
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const SlowestTime slowest = slowest_in(job, static_cast<Layer>(layer));
        rates.slowest_in[layer] = slowest;
        rates.layer[layer] = rate_of(slowest.bytes, slowest.most(), nodes);
        rates.layer[layer].slowest = rank(slowest.unique_rank);
    }
    rates.slowest = slowest_of(job);
    rates.job = rate_of(bytes, rates.slowest->most(), nodes);
    rates.fastest = rate_of(bytes, rates.slowest->least, nodes);
    rates.job.slowest = rates.slowest->exact() ? rank(rates.slowest->least_rank) : no_rank;
}

std::uint64_t whole(double nanoseconds)
{
    return static_cast<std::uint64_t>(nanoseconds + 0.5);
}

void add_transfer_rates(const Job& job, std::uint64_t bytes, JobRates& rates)
{
    const PosixCounters& posix = layer_sums_of(job).posix;
    constexpr std::uint64_t some = 100;  // one of so many
    rates.transfer_unseen = posix.async_unseen > (posix.reads + posix.writes) / some;
    if (rates.transfer_unseen) return;
    const TransferTime time = transfer_time_of(job);
    const std::uint64_t nodes = job.nodes();
    rates.direction = {rate_of(job.application_bytes(Direction::read), whole(time.read), nodes),
                       rate_of(job.application_bytes(Direction::write), whole(time.write), nodes)};
    rates.transfer = rate_of(bytes, whole(time.both()), nodes);
    rates.transfer_estimated = time.estimated;
}

}  // namespace

bool mpiio_unseen_beneath(const Job& job, Direction direction)
{
    const LayerBytes all = job_bytes(job, direction);
    return all.mpiio > 0 && all.posix_beneath_mpiio + all.stdio_beneath_mpiio == 0;
}

JobRates rates_of(const Job& job)
{
    JobRates rates;
    std::uint64_t bytes = 0;
    for (const Direction direction : directions) {
        bytes += lowest_layer_bytes(job_bytes(job, direction));
        rates.mpiio_unseen_beneath = rates.mpiio_unseen_beneath || mpiio_unseen_beneath(job, direction);
    }
    const std::uint64_t nodes = job.nodes();
    rates.window = rate_of(bytes_in_bursts(job, bytes), window_of(job), nodes);
    if (source_of(job.log).shared_in_sum) {
        rates_of_records(job, bytes, rates);
        return rates;
    }
    add_transfer_rates(job, bytes, rates);
    std::vector<RankIo> ranks(job.ranks.size());
    for (std::size_t layer = 0; layer < layers; ++layer) {
        for (std::size_t at = 0; at < ranks.size(); ++at) {
            const Totals totals = job.ranks[at].on_files(static_cast<Layer>(layer));
            ranks[at] = {bytes_of(totals), totals.read_time + totals.write_time + totals.metadata_time};
        }
        rates.layer[layer] = rate_by_slowest_rank(ranks, nodes);
    }
    for (std::size_t at = 0; at < ranks.size(); ++at) ranks[at] = {0, job.ranks[at].time().total()};
    const Rate slowest = rate_by_slowest_rank(ranks, nodes);
    rates.job = rate_of(bytes, slowest.time, nodes);
    rates.job.slowest = slowest.slowest;
    return rates;
}

FileData data_of(const FileView& view, Direction direction)
{
    if (direction == Direction::read)
        return {view.bytes_read, view.readers().count, view.readers().one, false};
    return {view.bytes_written, view.writers().count, view.writers().one, false};
}

ModeStudy modes_at(const Job& job, Level level, Direction direction)
{
    // Those without data count nowhere.
    const auto bytes = direction == Direction::read ? &FileSums::bytes_read : &FileSums::bytes_written;
    std::vector<FileData> files;
    for (const FileUse& use : job.files) {
        const FileView& view = level == Level::application ? use.application() : use.system;
        if (!use.counts_for_modes() || view.*bytes == 0) continue;
        if (files.empty()) reserve_large(files, job.files.size());
        files.push_back(data_of(view, direction));
        files.back().aggregated = level == Level::system && use.by_mpiio;
    }
    const auto at = static_cast<std::size_t>(direction);
    std::uint64_t movers = (level == Level::application ? job.application_movers : job.system_movers)[at];
    std::uint64_t ranks = job.taking_part[at];
    if (!job.has_totals()) {  // damaged: what the records alone can show
        std::set<std::int64_t> distinct;
        for (const FileData& file : files) {
            if (file.only_mover >= 0) distinct.insert(file.only_mover);
            movers = std::max(movers, file.movers);
        }
        movers = std::max<std::uint64_t>(movers, distinct.size());
        ranks = std::max(ranks, movers);
    }
    return study_modes(files, movers, ranks);
}

bool levels_differ(const Job& job)
{
    return std::any_of(job.files.begin(), job.files.end(), [](const FileUse& use) { return use.by_mpiio; });
}

namespace {

// Whether a process can have spent so much time in I/O.
class PossibleTimes {
  public:
    explicit PossibleTimes(const Log& log)
        : threads_known_(log.recorded(&Process::threads)), may_be_wrong_(source_of(log).times_may_be_wrong)
    {}
    bool exceeded(const Process& process, double run, double io) const
    {
        constexpr double rounding = 1.01, moments = 1e6;  // ns
        if (process.end > 0 && process.start > process.end) return true;
        if (!threads_known_) return may_be_wrong_ && io > run;
        return io >
               run * static_cast<double>(std::max<std::uint64_t>(process.threads, 1)) * rounding + moments;
    }

  private:
    bool threads_known_, may_be_wrong_;
};

// Sums and means of ranks that are not separated.
void add_together(const Job& job, TimeUse& use)
{
    const TimeSplit split = job.together.time();
    use.in_io += static_cast<double>(split.total());
    use.in_read += static_cast<double>(split.read);
    use.in_write += static_cast<double>(split.write);
    use.in_metadata += static_cast<double>(split.metadata);
    const double slack = in_whole_seconds(job) ? static_cast<double>(job.ranks.size()) * 1e9 : 0;
    use.overlapping = use.overlapping || use.in_io > use.run + slack;
    use.slowest = slowest_of(job);
    const auto ranks = static_cast<double>(std::max<std::size_t>(job.ranks.size(), 1));
    const auto mean = [&](Spread& spread, double sum) { spread.mean = sum / ranks; };
    mean(use.read, use.in_read);
    mean(use.write, use.in_write);
    mean(use.metadata, use.in_metadata);
    mean(use.all, use.in_io);
    mean(use.other, std::max(use.run - use.in_io, 0.0));
}

}  // namespace

TimeUse time_use_of(const Job& job)
{
    TimeUse use;
    std::vector<std::uint64_t> read, write, metadata, all, other;
    const std::uint64_t slack = in_whole_seconds(job) ? 1'000'000'000 : 0;
    const PossibleTimes possible(job.log);
    for (const Member& member : job.ranks) {
        const TimeSplit split = member.time();
        const std::uint64_t run = member.run_time(), io = split.total();
        read.push_back(split.read);
        write.push_back(split.write);
        metadata.push_back(split.metadata);
        all.push_back(io);
        other.push_back(run > io ? run - io : 0);
        use.overlapping = use.overlapping || io > run + slack;
        use.impossible = use.impossible || possible.exceeded(member.process, static_cast<double>(run + slack),
                                                             static_cast<double>(io));
        use.run += static_cast<double>(run);
        use.in_io += static_cast<double>(io);
        use.in_read += static_cast<double>(split.read);
        use.in_write += static_cast<double>(split.write);
        use.in_metadata += static_cast<double>(split.metadata);
    }
    if (!job.told_apart()) {
        add_together(job, use);
        use.impossible = use.impossible || (use.overlapping && source_of(job.log).times_may_be_wrong);
        return use;
    }
    use.read = spread_of(read);
    use.write = spread_of(write);
    use.metadata = spread_of(metadata);
    use.all = spread_of(all);
    use.other = spread_of(other);
    return use;
}

}  // namespace fathom
