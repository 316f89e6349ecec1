// What must hold between the totals of processes, the records of files and the time that the processes had.
#include <array>
#include <fmt/format.h>

#include "analyzer/sections/trust/invariant_checks.h"

namespace fathom {
namespace {

// What both totals and records count.
struct Sum {
    std::string_view name;
    std::uint64_t in_totals = 0, in_records = 0;
};

template <class Row>
void add_records(const Log& log, Layer layer, std::array<Sum, 10>& sums)
{
    using T = Transfers;
    visit_records_in<Row>(log, layer, [&](const RecordView& record) {
        constexpr std::uint64_t T::*numbers[] = {
            &T::opens,      &T::reads,         &T::writes,    &T::syncs,      &T::failed,
            &T::bytes_read, &T::bytes_written, &T::read_time, &T::write_time, &T::metadata_time};
        for (std::size_t at = 0; at < sums.size(); ++at) sums[at].in_records += record[numbers[at]];
    });
}

std::array<Sum, 10> sums_of(const Log& log, Layer layer)
{
    std::array<Sum, 10> sums = {{{"opens"},
                                 {"reads"},
                                 {"writes"},
                                 {"syncs"},
                                 {"failed calls"},
                                 {"bytes read"},
                                 {"bytes written"},
                                 {"ns in reads"},
                                 {"ns in writes"},
                                 {"ns in metadata calls"}}};
    for (const Totals& row : log.rows<Totals>()) {
        if (row.layer != static_cast<std::uint64_t>(layer)) continue;
        const std::uint64_t numbers[] = {row.opens,      row.reads,        row.writes,        row.syncs,
                                         row.failed,     row.bytes_read,   row.bytes_written, row.read_time,
                                         row.write_time, row.metadata_time};
        for (std::size_t at = 0; at < sums.size(); ++at) sums[at].in_totals += numbers[at];
    }
    if (layer == Layer::posix) add_records<PosixRecord>(log, layer, sums);
    if (layer == Layer::stdio) add_records<StdioRecord>(log, layer, sums);
    if (layer == Layer::mpiio) add_records<MpiioRecord>(log, layer, sums);
    return sums;
}

// Ticks become nanoseconds row by row, each rounded; a total and its records are not the same rows.
std::uint64_t rounding_of(const Log& log)
{
    return log.rows<Totals>().size() + count_records(log);
}

Outcome totals_are_sums(const Job& job)
{
    Outcome outcome;
    if (!job.has_totals()) return outcome;
    const std::uint64_t rounding = rounding_of(job.log);
    for (std::size_t layer = 0; layer < layers; ++layer)
        for (const Sum& sum : sums_of(job.log, static_cast<Layer>(layer))) {
            const std::uint64_t apart = sum.in_totals > sum.in_records ? sum.in_totals - sum.in_records
                                                                       : sum.in_records - sum.in_totals;
            outcome.expect(apart <= (sum.name.starts_with("ns") ? rounding : 0), [&] {
                return fmt::format("{}, {}: {} by process, {} by file", layer_titles[layer], sum.name,
                                   sum.in_totals, sum.in_records);
            });
        }
    return outcome;
}

Outcome time_is_there(const Job& job)
{
    constexpr double rounding = 1.01;
    constexpr double moments = 1e6;  // ns: a process that ends in a call has no clock any more
    Outcome outcome;
    if (!job.log.recorded(&Process::threads)) return outcome;  // they might have had any number
    for (const std::vector<Member>* const some : {&job.ranks, &job.helpers})
        for (const Member& member : *some) {
            // What lies beneath MPI-IO is in its time already.
            double used = static_cast<double>(member.time().total());
            for (std::size_t layer = 0; layer < layers; ++layer) {
                const Totals& streams = member.in(static_cast<Layer>(layer), Scope::streams);
                used += static_cast<double>(streams.read_time + streams.write_time + streams.metadata_time);
            }
            const std::uint64_t threads = std::max<std::uint64_t>(member.process.threads, 1);
            const double had = static_cast<double>(member.run_time()) * static_cast<double>(threads);
            outcome.expect(used <= had * rounding + moments, [&] {
                return fmt::format("process {}: {:.0f} ns in I/O, {:.0f} ns of {} threads",
                                   member.process.process, used, had, threads);
            });
        }
    return outcome;
}

Outcome lifetimes_are_in_order(const Job& job)
{
    Outcome outcome;
    for (const Process& process : job.log.rows<Process>())
        outcome.expect(process.start <= process.end, [&] {
            return fmt::format("process {} started at {} and ended at {}", process.process, process.start,
                               process.end);
        });
    return outcome;
}

constexpr InvariantCheck of_totals[] = {
    {"totals_are_sums", "what processes did in a layer is what was done to files in it",
     "some files or processes are missing, or are there twice", totals_are_sums},
    {"time_is_there", "no process spent longer in I/O than its threads existed",
     "times are wrong, or count twice", time_is_there},
    {"lifetimes_are_in_order", "processes end after they start", "a clock was off", lifetimes_are_in_order},
};

}  // namespace

std::span<const InvariantCheck> total_checks()
{
    return of_totals;
}

}  // namespace fathom
