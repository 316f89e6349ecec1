// What must hold within each record, each process and each reference from one row to another.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_set>
#include <vector>

#include "analyzer/job/recorded.h"
#include "analyzer/sections/trust/cut_short.h"
#include "analyzer/sections/trust/invariant_checks.h"
#include "logformat/log/large_pages.h"

namespace fathom {
namespace {

std::uint64_t sum_of(const SizeHistogram& sizes)
{
    std::uint64_t sum = 0;
    for (const std::uint64_t count : sizes.count) sum += count;
    return sum;
}

// Clocks of nodes differ, and are converted from ticks to UNIX time with an error.
constexpr std::uint64_t clock_error = 1'000'000, whole_second = 1'000'000'000;  // ns

// Asked for where something does not hold, and then for the first example alone.
std::string name_of(const Log& log, const RecordView& record)
{
    const auto& names = log.rows<FileName>();
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const FileName& name) { return name.file == record.file; });
    const std::string_view layer = layer_titles[static_cast<std::size_t>(record.layer)];
    if (found == names.end() || found->path.empty()) return fmt::format("{}, file {:x}", layer, record.file);
    return fmt::format("{}, {}", layer, found->path);
}

// Calls visit(outcome, record, its name) for each record.
template <class Visit>
Outcome each_record(const Job& job, Visit visit)
{
    Outcome outcome;
    visit_records(job.log, [&](const RecordView& record) {
        visit(outcome, record, [&] { return name_of(job.log, record); });
    });
    return outcome;
}

Outcome sizes_are_calls(const Job& job)
{
    const auto told = layers_that_tell(job.log, &Transfers::read_size);
    const CutShort cut(job.log);
    return each_record(job, [&](Outcome& outcome, const RecordView& record, auto name) {
        if (!told[static_cast<std::size_t>(record.layer)]) return;
        const std::uint64_t reads = sum_of(record[&Transfers::read_size]),
                            writes = sum_of(record[&Transfers::write_size]);
        const std::uint64_t most = cut.of(record.process);
        outcome.expect(differ_by_at_most(most, reads, record[&Transfers::reads]) &&
                           differ_by_at_most(most, writes, record[&Transfers::writes]),
                       [&] {
                           return fmt::format("{}: {} reads, {} by size; {} writes, {} by size", name(),
                                              record[&Transfers::reads], reads, record[&Transfers::writes],
                                              writes);
                       });
    });
}

// The fewest and the most bytes that so many operations of each class can have moved.
bool within_bounds(const SizeHistogram& sizes, std::uint64_t moved)
{
    const auto& bounds = SizeHistogram::upper_bounds;
    double least = 0, most = 0;
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        const auto count = static_cast<double>(sizes.count[at]);
        if (at > 0) least += count * static_cast<double>(bounds[at - 1] + 1);
        most += at < bounds.size() ? count * static_cast<double>(bounds[at]) : count * 0x1p64;
    }
    const auto bytes = static_cast<double>(moved);
    constexpr double rounding = 1e-9;  // of sums of doubles
    return bytes >= least * (1 - rounding) && bytes <= most * (1 + rounding);
}

Outcome bytes_fit_sizes(const Job& job)
{
    const auto told = layers_that_tell(job.log, &Transfers::read_size);
    const CutShort cut(job.log);
    return each_record(job, [&](Outcome& outcome, const RecordView& record, auto name) {
        if (!told[static_cast<std::size_t>(record.layer)]) return;
        if (cut.of(record.process) > 0) return;  // bytes may be there, and their size not yet
        outcome.expect(within_bounds(record[&Transfers::read_size], record[&Transfers::bytes_read]) &&
                           within_bounds(record[&Transfers::write_size], record[&Transfers::bytes_written]),
                       [&] {
                           return fmt::format("{}: {} bytes in {} reads, {} in {} writes", name(),
                                              record[&Transfers::bytes_read], record[&Transfers::reads],
                                              record[&Transfers::bytes_written], record[&Transfers::writes]);
                       });
    });
}

Outcome patterns_are_calls(const Job& job)
{
    const auto told = layers_that_tell(job.log, &Pattern::consecutive_reads);
    return each_record(job, [&](Outcome& outcome, const RecordView& record, auto name) {
        if (!record.has_pattern() || !told[static_cast<std::size_t>(record.layer)]) return;
        const std::uint64_t reads = record[&Pattern::sequential_reads] + record[&Pattern::consecutive_reads];
        const std::uint64_t writes =
            record[&Pattern::sequential_writes] + record[&Pattern::consecutive_writes];
        outcome.expect(reads <= record[&Transfers::reads] && writes <= record[&Transfers::writes] &&
                           record[&Pattern::strided_reads] <= record[&Transfers::reads] &&
                           record[&Pattern::strided_writes] <= record[&Transfers::writes],
                       [&] {
                           return fmt::format(
                               "{}: {} reads, {} forwards, {} strided; {} writes, {} forwards, {} strided",
                               name(), record[&Transfers::reads], reads, record[&Pattern::strided_reads],
                               record[&Transfers::writes], writes, record[&Pattern::strided_writes]);
                       });
    });
}

bool in_order(std::uint64_t first, std::uint64_t last)
{
    return first <= last && (first == 0) == (last == 0);
}

Outcome instants_in_order(const Job& job)
{
    using T = Transfers;
    struct Span {
        std::uint64_t T::*first, T::*last;
        std::array<bool, layers> has_first, has_last;
    };
    const auto span = [&](std::uint64_t T::*first, std::uint64_t T::*last) {
        return Span{first, last, layers_that_tell(job.log, first), layers_that_tell(job.log, last)};
    };
    const Span spans[] = {span(&T::first_open, &T::last_open), span(&T::first_read, &T::last_read),
                          span(&T::first_write, &T::last_write), span(&T::first_close, &T::last_close)};
    const std::uint64_t error = source_of(job.log).whole_seconds ? whole_second : clock_error;
    return each_record(job, [&](Outcome& outcome, const RecordView& record, auto name) {
        const auto layer = static_cast<std::size_t>(record.layer);
        for (const Span& of : spans) {
            if (!of.has_first[layer] || !of.has_last[layer]) continue;
            const std::uint64_t first = record[of.first], last = record[of.last];
            outcome.expect(in_order(first, last) && (first == 0 || first + error >= job.start) &&
                               (last == 0 || last <= job.end + error),
                           [&] {
                               return fmt::format(
                                   "{}: from {} to {} ns after the job's start, which took {} ns", name(),
                                   static_cast<std::int64_t>(first - job.start),
                                   static_cast<std::int64_t>(last - job.start), job.run_time());
                           });
        }
    });
}

Outcome sharing_agrees(const Job& job)
{
    const auto readers = layers_that_tell(job.log, &Sharing::readers),
               writers = layers_that_tell(job.log, &Sharing::writers);
    return each_record(job, [&](Outcome& outcome, const RecordView& record, auto name) {
        const auto layer = static_cast<std::size_t>(record.layer);
        if (!readers[layer] || !writers[layer]) return;
        outcome.expect(
            std::max(record[&Sharing::readers], record[&Sharing::writers]) <= record[&Sharing::processes] &&
                (record[&Sharing::readers] > 0) == (record[&Transfers::bytes_read] > 0) &&
                (record[&Sharing::writers] > 0) == (record[&Transfers::bytes_written] > 0),
            [&] {
                return fmt::format("{}: {} processes, {} of them read {} bytes, {} wrote {}", name(),
                                   record[&Sharing::processes], record[&Sharing::readers],
                                   record[&Transfers::bytes_read], record[&Sharing::writers],
                                   record[&Transfers::bytes_written]);
            });
    });
}

// Of files that several ranks share, in logs that have no more of them than that.
Outcome extremes_fit(const Job& job)
{
    Outcome outcome;
    if (!source_of(job.log).shared_in_sum) return outcome;
    return each_record(job, [](Outcome& checked, const RecordView& record, auto name) {
        if (record.process != reduced || record[&Sharing::slowest].process < 0 ||
            record[&Sharing::processes] == 0)
            return;
        const auto all = static_cast<double>(record.time());
        const double mean = all / static_cast<double>(record[&Sharing::processes]);
        constexpr double rounding = 1e-3, moments = 1e6;  // ns
        const auto slowest = static_cast<double>(record[&Sharing::slowest].time);
        checked.expect(
            slowest * (1 + rounding) + moments >= mean && slowest <= all * (1 + rounding) + moments, [&] {
                return fmt::format("{}: {:.0f} ns by the slowest, {:.0f} ns by all {}", name(), slowest, all,
                                   record[&Sharing::processes]);
            });
    });
}

Outcome references_exist(const Job& job)
{
    std::vector<std::uint64_t> named;
    reserve_large(named, job.log.rows<FileName>().size());
    for (const FileName& name : job.log.rows<FileName>()) named.push_back(name.file);
    std::sort(named.begin(), named.end());
    std::unordered_set<std::int64_t> processes;
    for (const Process& process : job.log.rows<Process>()) processes.insert(process.process);
    Outcome outcome;
    const auto refers = [&](std::string_view table, std::int64_t process) {
        outcome.expect(processes.contains(process), [&] {
            return fmt::format("{}: process {}, which the log does not have", table, process);
        });
    };
    visit_records(job.log, [&](const RecordView& record) {
        if (record.process != reduced) refers("records", record.process);
        outcome.expect(std::binary_search(named.begin(), named.end(), record.file),
                       [&] { return name_of(job.log, record) + " has no name"; });
    });
    for (const Totals& row : job.log.rows<Totals>())
        if (row.process != reduced) refers("totals", row.process);
    for (const Slice& row : job.log.rows<Slice>()) refers("time_bins", row.process);
    for (const Burst& row : job.log.rows<Burst>()) refers("bursts", row.process);
    return outcome;
}

constexpr InvariantCheck of_records[] = {
    {"sizes_are_calls", "the reads, and the writes, of a record by size are as many as there are",
     "sizes of accesses are not to be trusted", sizes_are_calls},
    {"bytes_fit_sizes", "the bytes of a record fit its sizes of accesses", "bytes or sizes are wrong",
     bytes_fit_sizes},
    {"patterns_are_calls", "no more accesses go forwards, or are strided, than there are",
     "access patterns are wrong", patterns_are_calls},
    {"instants_in_order", "first accesses are before last ones, and within the run",
     "a clock was off, or a time is wrong: phases and modes over time are not to be trusted",
     instants_in_order},
    {"sharing_agrees", "who read or wrote a file is no more than who used it, and moved its bytes",
     "I/O modes are not to be trusted", sharing_agrees},
    {"extremes_fit", "the slowest rank of a shared file took no less than the mean, and no more than all",
     "slow ranks and rates are not to be trusted", extremes_fit},
    {"references_exist", "every row is of a process and a file that the log has", "a part of the log is lost",
     references_exist},
};

}  // namespace

std::span<const InvariantCheck> record_checks()
{
    return of_records;
}

}  // namespace fathom
