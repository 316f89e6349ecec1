// Records of one file in MPI-IO, by rank or reduced, and the sample of calls on it.
#include "analyzer/job/collectives.h"

#include <algorithm>
#include <span>

#include "analyzer/job/collective_parts.h"

namespace fathom {
namespace {

double time_in(const RecordView& record, Direction direction)
{
    return static_cast<double>(direction == Direction::read
                                   ? record[&Transfers::read_time]
                                   : record[&Transfers::write_time] - record[&Transfers::sync_time]);
}

// The part of a process's time in a record that went in this direction, where only its sum is known.
double part_of(const RecordView& record, Direction direction)
{
    const auto all = static_cast<double>(record.time());
    return all > 0 ? time_in(record, direction) / all : 0;
}

CollectiveTime time_of(const FileUse& use, std::span<const RecordView> records, Direction direction)
{
    const bool reads = direction == Direction::read;
    CollectiveTime sum{.file = &use, .direction = direction};
    std::uint64_t all_calls = 0;
    double time = 0;
    sum.least = -1;
    for (const RecordView& record : records) {
        if (record.layer != Layer::mpiio) continue;
        all_calls += reads ? record[&MpiioRecord::reads] : record[&MpiioRecord::writes];
        sum.calls += reads ? record[&MpiioRecord::collective_reads] + record[&MpiioRecord::split_reads]
                           : record[&MpiioRecord::collective_writes] + record[&MpiioRecord::split_writes];
        sum.bytes += reads ? record[&MpiioRecord::bytes_read] : record[&MpiioRecord::bytes_written];
        const std::uint64_t ranks =
            std::max<std::uint64_t>(record.process == reduced ? record[&MpiioRecord::processes] : 1, 1);
        sum.ranks += ranks;
        time += time_in(record, direction);
        const double least =
            record.process != reduced
                ? time_in(record, direction)
                : static_cast<double>(record[&MpiioRecord::fastest].time) * part_of(record, direction);
        sum.least = sum.least < 0 ? least : std::min(sum.least, least);
    }
    if (sum.ranks < 2 || sum.calls <= all_calls / 2) return {};
    sum.mean = time / static_cast<double>(sum.ranks);
    sum.least = std::clamp(sum.least, 0.0, sum.mean);
    const FileView& beneath = use.system;
    sum.beneath_known = (reads ? beneath.bytes_read : beneath.bytes_written) > 0 && beneath.time() > 0;
    const auto moving = static_cast<double>(beneath.read_time + beneath.write_time);
    if (sum.beneath_known)
        sum.file_system =
            static_cast<double>(beneath.slowest().time) * moving / static_cast<double>(beneath.time());
    sum.exchange = sum.beneath_known ? std::max(sum.least - sum.file_system, 0.0) : 0;
    sum.waiting = sum.mean - sum.least;
    return sum;
}

// The sample's shares of the time in all calls.
void scale(const CollectiveParts& parts, CollectiveTime& all)
{
    if (parts.mean <= 0) return;
    const double factor = all.mean / parts.mean;
    all.sampled = parts.calls;
    all.waiting = parts.waiting * factor;
    if (!all.beneath_known) return;
    all.file_system = parts.file_system * factor;
    all.exchange = parts.exchange() * factor;
}

}  // namespace

void CollectiveTime::add(const CollectiveTime& other)
{
    calls += other.calls;
    bytes += other.bytes;
    ranks = std::max(ranks, other.ranks);
    sampled += other.sampled;
    beneath_known = beneath_known || other.beneath_known;
    mean += other.mean;
    least += other.least;
    file_system += other.file_system;
    exchange += other.exchange;
    waiting += other.waiting;
}

std::vector<CollectiveTime> collective_times_of(const Job& job)
{
    std::vector<CollectiveTime> times;
    const auto sampled = collective_parts_of(job);
    job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (!use.by_mpiio) return;
        for (const Direction direction : directions) {
            CollectiveTime one = time_of(use, records, direction);
            if (one.file == nullptr) continue;
            if (const auto parts = sampled.find({use.file, direction}); parts != sampled.end())
                scale(parts->second, one);
            times.push_back(one);
        }
    });
    return times;
}

}  // namespace fathom
