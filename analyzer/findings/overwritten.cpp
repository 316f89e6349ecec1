#include "analyzer/findings/overwritten.h"

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

constexpr double clearly_again = 1.25, mostly_writing = 0.5, hardly_read = 0.1;

// How often its process made the file anew, each time with what belongs there. What opens a file, and what
// writes it, may be calls of different layers, as in NumPy.
double times_emptied(const FileCase& file, const RecordView& record)
{
    std::uint64_t times = 0;
    for (const RecordView& one : file.records) {
        if (one.process != record.process) continue;
        if (one.layer == Layer::posix) times += one[&PosixRecord::creates] + one[&PosixRecord::truncates];
        if (one.layer == Layer::stdio) times += one[&StdioRecord::creates];
    }
    return static_cast<double>(std::max<std::uint64_t>(times, 1));
}

// How many processes wrote, each all of it, at most: one aggregator of MPI-IO writes for all ranks.
double writers_of(const RecordView& record)
{
    const auto processes = static_cast<double>(std::max<std::uint64_t>(record[&Sharing::processes], 1)),
               slowest = static_cast<double>(record[&Sharing::slowest].time);
    if (record.process != reduced || slowest <= 0) return processes;
    return std::clamp(std::round(static_cast<double>(record.time()) / slowest), 1.0, processes);
}

// Syncs after every few bytes are a finding of their own.
std::uint64_t time_writing(const RecordView& record)
{
    constexpr std::uint64_t enough_a_sync = 16 << 20;
    const bool in_syncs = record[&Transfers::syncs] > 0 &&
                          record[&Transfers::bytes_written] / record[&Transfers::syncs] >= enough_a_sync;
    return record[&Transfers::write_time] - (in_syncs ? 0 : record[&Transfers::sync_time]);
}

}  // namespace

Overwritten overwritten_in(const FileCase& file, const RecordView& record, bool read_before)
{
    if (!record.has_pattern() || record.layer == Layer::mpiio || record[&Pattern::highest_written] == 0)
        return {};
    const auto written = static_cast<double>(record[&Transfers::bytes_written]),
               read = static_cast<double>(record[&Transfers::bytes_read]), processes = writers_of(record),
               kept = static_cast<double>(record[&Pattern::highest_written]) * processes *
                      times_emptied(file, record),
               span = static_cast<double>(
                   record[&Transfers::last_write] -
                   std::min(record[&Transfers::first_write], record[&Transfers::last_write]));
    if (written <= clearly_again * kept ||
        read > hardly_read * written + (read_before ? written - kept : 0) ||
        static_cast<double>(read_before ? record.time() : record[&Transfers::write_time]) <
            mostly_writing * span * processes)
        return {};
    return {written - kept, written, static_cast<double>(time_writing(record))};
}

Filled filled_before(const RecordView& record)
{
    constexpr double nearly = 0.95, far_from_twice = 1.7, at_most_twice = 2.05;
    if (record.process != reduced || record.layer == Layer::mpiio || !record.has_pattern() ||
        record[&Sharing::writers] < 2)
        return {};
    const auto extent = static_cast<double>(record[&Pattern::highest_written]),
               written = static_cast<double>(record[&Transfers::bytes_written]),
               of_one = static_cast<double>(record[&Sharing::slowest].bytes);
    if (record[&Transfers::bytes_read] > 0 || of_one < nearly * extent || written < far_from_twice * extent ||
        written > at_most_twice * extent || of_one > nearly * written)
        return {};
    return {record[&Sharing::slowest].process, extent,
            static_cast<double>(record[&Sharing::slowest].time) * extent / of_one};
}

}  // namespace fathom
