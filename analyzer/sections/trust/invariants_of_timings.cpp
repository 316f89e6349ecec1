// What must hold between histograms, slices and totals: the same operations were counted three times.
#include <array>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "analyzer/job/operation_classes.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/trust/cut_short.h"
#include "analyzer/sections/trust/invariant_checks.h"

namespace fathom {
namespace {

// For want of room some operations are in totals and not in histograms and slices.
bool agree(std::uint64_t timed, std::uint64_t counted, std::uint64_t untimed, std::uint64_t cut)
{
    return timed <= counted + cut && counted <= timed + untimed + cut;
}

// What totals count: of the kinds whose calls this is the counter of.
constexpr struct {
    std::string_view words;
    std::uint64_t Totals::*total;
    std::uint64_t PosixCounters::*counter;
} counted_calls[] = {{"reads", &Totals::reads, &PosixCounters::reads},
                     {"writes", &Totals::writes, &PosixCounters::writes},
                     {"opens", &Totals::opens, &PosixCounters::opens},
                     {"syncs", &Totals::syncs, &PosixCounters::syncs},
                     {"failed calls", &Totals::failed, &PosixCounters::failed}};

Outcome histograms_are_calls(const Job& job)
{
    Outcome outcome;
    struct Sums {
        std::array<std::uint64_t, std::size(counted_calls)> timed{}, counted{};
    };
    std::array<std::array<Sums, 2>, layers> sums{};
    if (job.log.rows<OperationTimes>().empty() || !job.has_totals()) return outcome;
    for (const OperationTimes& row : job.log.rows<OperationTimes>()) {
        if (row.layer >= layers || row.kind >= kind_count) continue;
        auto& timed = sums[row.layer][row.streams != 0].timed;
        for (std::size_t at = 0; at < timed.size(); ++at)
            if (counted_calls[at].counter == kind_table[row.kind].calls) timed[at] += row.operations;
    }
    for (const Totals& row : job.log.rows<Totals>()) {
        if (row.layer >= layers) continue;
        const bool streams = row.scope == static_cast<std::uint64_t>(Scope::streams);
        auto& counted = sums[row.layer][streams].counted;
        for (std::size_t at = 0; at < counted.size(); ++at) counted[at] += row.*counted_calls[at].total;
    }
    const std::uint64_t cut = CutShort(job.log).all();
    // Transfers of io_uring that no call showed took an unknown time.
    std::uint64_t untimed = job.sum_of(&Process::untimed);
    visit_records_in<PosixRecord>(job.log, Layer::posix, [&](const RecordView& record) {
        untimed += record[&PosixCounters::async_unseen];
    });
    // Other tools trace reads and writes alone, and not of every file.
    const bool partial = source_of(job.log).timed_in_part;
    const std::size_t kinds = partial ? 2 : std::size(counted_calls);
    if (partial) untimed = ~std::uint64_t{0} / 2;
    for (std::size_t layer = 0; layer < layers; ++layer)
        for (std::size_t streams = 0; streams < 2; ++streams)
            for (std::size_t at = 0; at < kinds; ++at) {
                const Sums& both = sums[layer][streams];
                outcome.expect(agree(both.timed[at], both.counted[at], untimed, cut), [&] {
                    return fmt::format("{}{}: {} {} in histograms, {} in totals, {} not timed",
                                       layer_titles[layer], streams == 1 ? " on streams" : "", both.timed[at],
                                       counted_calls[at].words, both.counted[at], untimed);
                });
            }
    return outcome;
}

Outcome bins_are_operations(const Job& job)
{
    Outcome outcome;
    const ClassBins bins = bins_of(job.log);
    const std::uint64_t cut = CutShort(job.log).all();
    for (const OperationTimes& row : job.log.rows<OperationTimes>()) {
        if (row.kind >= kind_count) continue;
        std::uint64_t operations = 0, longest = 0;
        double least = 0, most = 0;
        if (const auto found = bins.find(row); found != bins.end())
            for (const HistogramBin& bin : found->second) {
                operations += bin.operations;
                longest = std::max(longest, bin.below);
                least += static_cast<double>(bin.operations) * static_cast<double>(bin.at_least);
                most += static_cast<double>(bin.operations) * static_cast<double>(bin.below);
            }
        // Bins of ticks became bins of nanoseconds: half a bin, 1.6 %, either way.
        constexpr double half_a_bin = 1.0 / 32, rounding = 1;  // ns
        const auto time = static_cast<double>(row.time);
        const double slack = rounding * static_cast<double>(row.operations);
        outcome.expect(differ_by_at_most(cut, operations, row.operations) &&
                           (cut > 0 || (time >= least * (1 - half_a_bin) - slack &&
                                        time <= most * (1 + half_a_bin) + slack)),
                       [&] {
                           return fmt::format(
                               "{} {}: {} operations of {} ns, {} in the histogram, {:.0f} to "
                               "{:.0f} ns",
                               row.layer < layers ? layer_titles[row.layer] : "?", name_of(row),
                               row.operations, row.time, operations, least, most);
                       });
    }
    return outcome;
}

struct Moved {
    std::uint64_t bytes_read = 0, bytes_written = 0, operations = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        visit(Field{"bytes_read", &Moved::bytes_read, Rule::sum, Unit::bytes, "bytes read"});
        visit(Field{"bytes_written", &Moved::bytes_written, Rule::sum, Unit::bytes, "bytes written"});
    }
};

// Of all ranks together, where a log does not separate them; other tools may leave files out of slices.
Outcome slices_within_totals(const Job& job)
{
    Outcome outcome;
    std::array<std::array<Moved, 2>, layers> sums;
    for (const Slice& row : job.log.rows<Slice>())
        if (row.layer < layers) merge_same(sums[row.layer][0], row);
    for (const Totals& row : job.log.rows<Totals>())
        if (row.layer < layers) merge_same(sums[row.layer][1], row);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const auto& [timed, counted] = sums[layer];
        if (timed.bytes_read + timed.bytes_written == 0) continue;
        outcome.expect(timed.bytes_read <= counted.bytes_read && timed.bytes_written <= counted.bytes_written,
                       [&, in = layer, sliced = timed, in_all = counted] {
                           return fmt::format("{}: {} bytes read, {} written in time bins; {}, {} in totals",
                                              layer_titles[in], sliced.bytes_read, sliced.bytes_written,
                                              in_all.bytes_read, in_all.bytes_written);
                       });
    }
    return outcome;
}

Outcome slices_are_totals(const Job& job)
{
    Outcome outcome;
    if (job.log.rows<Slice>().empty() || !job.has_totals()) return outcome;
    if (source_of(job.log).timed_in_part) return slices_within_totals(job);
    std::map<std::tuple<std::int64_t, std::uint64_t, bool>, std::array<Moved, 2>> sums;
    for (const Slice& row : job.log.rows<Slice>()) {
        Moved& to = sums[{row.process, row.layer, row.streams != 0}][0];
        merge_same(to, row);
        to.operations += row.reads + row.writes;
    }
    for (const Totals& row : job.log.rows<Totals>()) {
        Moved& to =
            sums[{row.process, row.layer, row.scope == static_cast<std::uint64_t>(Scope::streams)}][1];
        merge_same(to, row);
        to.operations += row.reads + row.writes + row.syncs;
    }
    std::map<std::int64_t, std::uint64_t> untimed;
    for (const Process& process : job.log.rows<Process>()) untimed[process.process] = process.untimed;
    const CutShort cut(job.log);
    for (const auto& [key, both] : sums) {
        const auto& [process, layer, streams] = key;
        const auto& [timed, counted] = both;
        const bool all = untimed[process] == 0;
        if (cut.of(process) > 0) continue;  // what a call moved may be in one of them only
        // A failed read or write is in a slice, and not among those of the totals.
        const bool holds =
            all ? timed.bytes_read == counted.bytes_read && timed.bytes_written == counted.bytes_written &&
                      timed.operations >= counted.operations
                : timed.bytes_read <= counted.bytes_read && timed.bytes_written <= counted.bytes_written;
        outcome.expect(
            holds, [&, number = process, in = layer, on_streams = streams, sliced = timed, in_all = counted] {
                return fmt::format(
                    "process {}, {}{}: {} bytes read, {} written, {} operations in time bins; {}, {}, {} in "
                    "totals",
                    number, in < layers ? layer_titles[in] : "?", on_streams ? " on streams" : "",
                    sliced.bytes_read, sliced.bytes_written, sliced.operations, in_all.bytes_read,
                    in_all.bytes_written, in_all.operations);
            });
    }
    return outcome;
}

Outcome slices_are_aligned(const Job& job)
{
    Outcome outcome;
    for (const Slice& row : job.log.rows<Slice>())
        outcome.expect(row.length >= shortest_slice_ns && row.start % row.length == 0, [&] {
            return fmt::format("process {}: a time bin of {} ns begins at {}", row.process, row.length,
                               row.start);
        });
    return outcome;
}

constexpr InvariantCheck of_timings[] = {
    {"histograms_are_calls", "histograms of durations have as many operations as the totals",
     "quantiles and clusters leave operations out (such as those that a signal handler jumped out of)",
     histograms_are_calls},
    {"bins_are_operations", "the bins of a histogram have all its operations, and their time",
     "quantiles and clusters are not to be trusted", bins_are_operations},
    {"time_bins_are_totals", "the bytes of a process over time are those of its totals",
     "I/O over time and phases lack some of what there was", slices_are_totals},
    {"time_bins_are_aligned", "time bins begin at multiples of their length",
     "time bins of different processes do not coincide", slices_are_aligned},
};

}  // namespace

std::span<const InvariantCheck> timing_checks()
{
    return of_timings;
}

}  // namespace fathom
