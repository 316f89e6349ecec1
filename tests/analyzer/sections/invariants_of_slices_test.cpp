// How far slices of time and totals may be apart, and where slices begin: one step at both sides.
#include <catch2/catch.hpp>
#include <functional>

#include "tests/analyzer/imported.h"
#include "tests/analyzer/sections/sound_log.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

TEST_CASE("time bins: the bytes of a process over time are those of its totals, and no operation is missing")
{
    const auto holds = [](const std::function<void(Slice&, Totals&, Process&)>& change) {
        return !fails("time_bins_are_totals", [&](Log& log) {
            change(log.rows<Slice>().front(), log.rows<Totals>().front(), log.rows<Process>().front());
        });
    };
    CHECK(holds([](Slice&, Totals&, Process&) {}));
    CHECK_FALSE(holds([](Slice& slice, Totals&, Process&) { ++slice.bytes_written; }));
    CHECK_FALSE(holds([](Slice&, Totals& totals, Process&) { ++totals.bytes_written; }));
    CHECK_FALSE(holds([](Slice&, Totals& totals, Process&) { ++totals.bytes_read; }));
    CHECK(holds([](Slice& slice, Totals&, Process&) { ++slice.writes; }));  // one that failed
    CHECK_FALSE(holds([](Slice& slice, Totals&, Process&) { slice.reads = 0; }));
    CHECK_FALSE(holds([](Slice&, Totals& totals, Process&) { totals.syncs = 1; }));
    const auto untimed = [&](const std::function<void(Slice&, Totals&)>& change) {
        return holds([&](Slice& slice, Totals& totals, Process& process) {
            process.untimed = 1;
            change(slice, totals);
        });
    };
    CHECK(
        untimed([](Slice&, Totals& totals) { ++totals.bytes_written, ++totals.bytes_read, ++totals.reads; }));
    CHECK_FALSE(untimed([](Slice& slice, Totals&) { ++slice.bytes_written; }));
    CHECK_FALSE(untimed([](Slice& slice, Totals&) { ++slice.bytes_read; }));
    CHECK(holds([](Slice& slice, Totals&, Process& process) {
        ++slice.bytes_read;
        process.threads = 2;
    }));
    CHECK_FALSE(holds([](Slice& slice, Totals&, Process&) { slice.streams = 1; }));
    CHECK_THAT(
        outcome_after("time_bins_are_totals", [](Log& log) { log.rows<Slice>().back().reads = 0; }).example,
        Contains("process 1, POSIX: 1048576 bytes read, 2097152 written, 1 operations in time bins; 1048576, "
                 "2097152, 2 in totals"));
    CHECK(outcome_after("time_bins_are_totals", [](Log&) {}).checked == 2);
    CHECK(outcome_after("time_bins_are_totals", [](Log& log) { log.rows<Slice>().clear(); }).checked == 0);
}

TEST_CASE("time bins: of other tools they are no more than the totals, over all ranks")
{
    Imported made(2);
    made.own<PosixRecord>(made.file("/file"), 0, {.bytes_read = 5 * mib, .bytes_written = 3 * mib});
    Slice& slice = made.slice(1, Layer::posix, 1, second, {.bytes_read = 5 * mib, .bytes_written = 3 * mib});
    const auto failed = [&] { return outcome_of(made.log, "time_bins_are_totals").failed; };
    CHECK(failed() == 0);
    CHECK(outcome_of(made.log, "time_bins_are_totals").checked == 1);
    ++slice.bytes_read;
    CHECK(failed() == 1);
    CHECK_THAT(outcome_of(made.log, "time_bins_are_totals").example,
               Contains("POSIX: 5242881 bytes read, 3145728 written in time bins; 5242880, 3145728 in totals"));
    slice.bytes_read = 0;
    CHECK(failed() == 0);
    ++slice.bytes_written;
    CHECK(failed() == 1);
    slice.bytes_read = slice.bytes_written = 4 * mib;
    CHECK(failed() == 1);
    slice.bytes_read = slice.bytes_written = 0;
    CHECK(outcome_of(made.log, "time_bins_are_totals").checked == 0);
}

TEST_CASE("time bins: they begin at multiples of their length, which is no less than the shortest")
{
    const auto holds = [](std::uint64_t start, std::uint64_t length) {
        return !fails("time_bins_are_aligned", [&](Log& log) {
            log.rows<Slice>().back().start = start;
            log.rows<Slice>().back().length = length;
        });
    };
    CHECK(holds(3 * shortest_slice_ns, shortest_slice_ns));
    CHECK_FALSE(holds(3 * (shortest_slice_ns - 1), shortest_slice_ns - 1));
    CHECK_FALSE(holds(3 * second + 1, second));
    CHECK_THAT(
        outcome_after("time_bins_are_aligned", [](Log& log) { log.rows<Slice>().back().start = 7; }).example,
        Contains("process 1: a time bin of 1000000000 ns begins at 7"));
}
