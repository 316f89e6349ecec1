// Sums over ranks and classes.
#include "analyzer/compare/run.h"

#include <algorithm>
#include <cmath>

#include "analyzer/job/file_count.h"
#include "analyzer/job/recorded.h"
#include "logformat/kinds.h"

namespace fathom {
namespace {

constexpr double ns = 1e-9;

// Histograms do not separate own calls from those beneath MPI-IO; totals do. Shares of time by layer.
struct OwnShare {
    double read = 1, write = 1, metadata = 1;
};

double share(double own, double beneath)
{
    return own + beneath > 0 ? own / (own + beneath) : 1;
}

std::array<OwnShare, layers> own_shares(const Job& job)
{
    std::array<OwnShare, layers> shares;
    for (const Layer layer : {Layer::posix, Layer::stdio}) {
        TimeSplit own, beneath;
        job.each_share([&](const Member& member) {
            own.add(member.in(layer, Scope::direct));
            beneath.add(member.in(layer, Scope::beneath_mpiio));
        });
        const auto of = [](std::uint64_t one, std::uint64_t other) {
            return share(static_cast<double>(one), static_cast<double>(other));
        };
        shares[static_cast<std::size_t>(layer)] = {of(own.read, beneath.read), of(own.write, beneath.write),
                                                   of(own.metadata, beneath.metadata)};
    }
    return shares;
}

double share_of_kind(const OwnShare& own, Kind kind)
{
    const auto time = kind_row(kind).time;
    if (time == &Transfers::read_time) return own.read;
    return time == &Transfers::write_time ? own.write : own.metadata;
}

// Of the durations in a histogram: bins are a few percent wide, and their middles stand for them.
std::map<OperationClass, double> variances_of(const Log& log)
{
    struct Sums {
        double n = 0, sum = 0, squares = 0;
    };
    std::map<OperationClass, Sums> sums;
    for (const DurationBin& bin : log.rows<DurationBin>()) {
        Sums& one = sums[bin];
        const double duration = (static_cast<double>(bin.at_least) + static_cast<double>(bin.below)) / 2 * ns;
        const auto n = static_cast<double>(bin.operations);
        one.n += n;
        one.sum += n * duration;
        one.squares += n * duration * duration;
    }
    std::map<OperationClass, double> variances;
    for (const auto& [of, one] : sums) {
        const double mean = one.n > 0 ? one.sum / one.n : 0;
        variances[of] = one.n > 1 ? std::max(0.0, (one.squares - one.n * mean * mean) / (one.n - 1)) : 0;
    }
    return variances;
}

std::map<OperationClass, ClassSum> classes_of_histograms(const Job& job, double at_once)
{
    const auto own = own_shares(job);
    const auto variances = variances_of(job.log);
    std::map<OperationClass, ClassSum> classes;
    for (const OperationTimes& row : job.log.rows<OperationTimes>()) {
        // Of what nobody knows there may be any number.
        if (row.streams != 0 || row.layer >= layers || row.kind >= kind_count ||
            row.size_class >= SizeHistogram::classes || row.operations == 0)
            continue;
        const double part = share_of_kind(own[row.layer], static_cast<Kind>(row.kind)) / at_once;
        if (part == 0) continue;
        ClassSum& sum = classes[row];
        sum.counted += static_cast<double>(row.operations);
        sum.operations += static_cast<double>(row.operations) * part;
        sum.time += static_cast<double>(row.time) * ns * part;
        const auto variance = variances.find(row);
        sum.variance = variance == variances.end() ? 0 : variance->second;
    }
    return classes;
}

// Without histograms: one class a layer and kind, as totals have them.
std::map<OperationClass, ClassSum> classes_of_totals(const Job& job, double at_once)
{
    std::map<OperationClass, ClassSum> classes;
    const auto add = [&](Layer layer, Kind kind, std::uint64_t operations, std::uint64_t time) {
        ClassSum& sum = classes[{static_cast<std::uint64_t>(layer), 0, static_cast<std::uint64_t>(kind), 0}];
        sum.operations += static_cast<double>(operations) / at_once;
        sum.time += static_cast<double>(time) * ns / at_once;
    };
    job.each_share([&](const Member& member) {
        for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio}) {
            const Totals& own = member.in(layer, Scope::direct);
            add(layer, Kind::read, own.reads, own.read_time);
            add(layer, Kind::write, own.writes, own.write_time);
            add(layer, Kind::open, own.opens, own.metadata_time);
        }
    });
    return classes;
}

double processes_at_once(const Job& job, const TimeUse& use)
{
    const auto all = static_cast<double>(std::max<std::size_t>(job.ranks.size(), 1));
    const auto run_time = static_cast<double>(job.run_time());
    if (job.mpi || run_time <= 0) return all;
    // A shell waits for what it started: it is not at work beside that.
    constexpr double least_share = 0.1;  // of the mean I/O time
    double time = 0;
    for (const Member& member : job.ranks)
        if (static_cast<double>(member.time().total()) >= least_share * use.in_io / all)
            time += static_cast<double>(member.run_time());
    return std::clamp(time / run_time, 1.0, all);
}

}  // namespace

Work Run::*work_of(Kind kind)
{
    switch (kind) {
        case Kind::read:
            return &Run::reads;
        case Kind::write:
            return &Run::writes;
        case Kind::sync:
            return &Run::syncs;
        default:
            return &Run::metadata;
    }
}

Run::Run(const Job& of, std::string called, bool by_totals)
    : job(&of), path(std::move(called)), rates(rates_of(of))
{
    const TimeUse use = time_use_of(of);
    run_time = static_cast<double>(of.run_time()) * ns;
    slowest_known = !use.slowest;
    slowest_io = static_cast<double>(use.all.largest) * ns;
    at_once = processes_at_once(of, use);
    mean_io = use.in_io * ns / at_once;
    timed = !by_totals && !source_of(of.log).timed_in_part && !of.log.rows<OperationTimes>().empty();
    classes = timed ? classes_of_histograms(of, at_once) : classes_of_totals(of, at_once);
    for (const auto& [one, sum] : classes) {
        Work& work = this->*work_of(static_cast<Kind>(one.kind));
        work.operations += sum.operations * at_once;
        work.seconds += sum.time;
        if (sum.counted > 0) work.variance += sum.operations * sum.operations * sum.variance / sum.counted;
    }
    of.each_share([&](const Member& member) {
        bytes_read += static_cast<double>(member.application_bytes(Direction::read));
        bytes_written += static_cast<double>(member.application_bytes(Direction::write));
        for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio})
            opens += static_cast<double>(member.in(layer, Scope::direct).opens);
    });
    files = static_cast<double>(count_files(of).files);
}

double Run::mean_size(Direction direction) const
{
    const Work& work = direction == Direction::read ? reads : writes;
    return work.operations > 0 ? bytes(direction) / work.operations : 0;
}

}  // namespace fathom
