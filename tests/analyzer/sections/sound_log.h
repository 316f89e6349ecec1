// A log in which every invariant holds, to be harmed, and what then does not hold.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/sections/trust/invariant_checks.h"
#include "tests/analyzer/synthetic.h"

namespace fathom::testing {

// Two ranks that write and read a file each, once, with histograms and slices that agree.
inline Synthetic sound()
{
    Synthetic made;
    made.ranks(2);
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        const Io done = {.bytes_read = mib,
                         .bytes_written = 2 * mib,
                         .read_time = 1000,
                         .write_time = 2000,
                         .metadata_time = 500};
        auto& row = made.io<PosixRecord>(made.file("/out" + std::to_string(rank)), rank, done);
        row.first_open = row.first_read = row.first_write = row.first_close = job_start + second;
        row.last_open = row.last_read = row.last_write = row.last_close = job_start + 2 * second;
        row.consecutive_reads = 1;
        Totals& totals = made.log.rows<Totals>().back();
        totals.opens = totals.reads = totals.writes = 1;
        made.slice(rank, Layer::posix, 1, second, done);
    }
    made.operations(Layer::posix, Kind::read, SizeHistogram::class_of(mib), {1000, 1000});
    made.operations(Layer::posix, Kind::write, SizeHistogram::class_of(2 * mib), {2000, 2000});
    made.operations(Layer::posix, Kind::open, 0, {500, 500});
    return made;
}

inline std::set<std::string> broken_in(const Log& log)
{
    const Job job(log);
    std::set<std::string> broken;
    for (const auto checks : {record_checks(), total_checks(), timing_checks()})
        for (const InvariantCheck& check : checks) {
            const Outcome outcome = check.check(job);
            if (outcome.failed == 0) continue;
            CHECK_FALSE(outcome.example.empty());
            broken.emplace(check.id);
        }
    return broken;
}

inline std::set<std::string> broken_by(const std::function<void(Log&)>& harm)
{
    Synthetic made = sound();
    harm(made.log);
    return broken_in(made.log);
}

using Ids = std::set<std::string>;

inline PosixRecord& record_of(Log& log)
{
    return log.rows<PosixRecord>().front();
}

// What one check says of a log.
inline Outcome outcome_of(const Log& log, std::string_view id)
{
    const Job job(log);
    for (const auto checks : {record_checks(), total_checks(), timing_checks()})
        for (const InvariantCheck& check : checks)
            if (check.id == id) return check.check(job);
    FAIL("no invariant is called " << id);
    return {};
}

inline Outcome outcome_after(std::string_view id, const std::function<void(Log&)>& change)
{
    Synthetic made = sound();
    change(made.log);
    return outcome_of(made.log, id);
}

inline bool fails(std::string_view id, const std::function<void(Log&)>& change)
{
    return outcome_after(id, change).failed > 0;
}

inline void kill_first(Log& log, std::uint64_t threads)
{
    log.rows<Process>().front().ending = static_cast<std::uint64_t>(Ending::killed);
    log.rows<Process>().front().threads = threads;
}

}  // namespace fathom::testing
