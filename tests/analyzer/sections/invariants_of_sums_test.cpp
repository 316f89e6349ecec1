// How far totals, histograms and bins may be apart, and no further: on made-up logs, one step at both
// sides.
#include <catch2/catch.hpp>
#include <functional>

#include "analyzer/sections/trust/invariant_checks.h"
#include "tests/analyzer/imported.h"
#include "tests/analyzer/sections/sound_log.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// The sound log with as many operations of a kind in histograms and in totals, for streams as well.
Synthetic with_streams()
{
    Synthetic made = sound();
    made.total(0, Layer::stdio, Scope::streams, {.bytes_written = 10, .write_time = 1000});
    Totals& totals = made.log.rows<Totals>().back();
    totals.writes = 3;
    totals.failed = 4;
    made.operations(Layer::stdio, Kind::write, 0, {10, 10, 10}, true);
    made.operations(Layer::stdio, Kind::failed_write, 0, {10, 10}, true);
    made.operations(Layer::stdio, Kind::failed_read, 0, {10}, true);
    made.operations(Layer::stdio, Kind::failed, 0, {10}, true);
    return made;
}

}  // namespace

TEST_CASE("totals: every counter of every layer is that of the records")
{
    for (const auto counter : {&Totals::opens, &Totals::reads, &Totals::writes, &Totals::syncs,
                               &Totals::failed, &Totals::bytes_read, &Totals::bytes_written})
        CHECK(fails("totals_are_sums", [&](Log& log) { ++(log.rows<Totals>().front().*counter); }));
    for (const auto counter : {&Totals::read_time, &Totals::write_time, &Totals::metadata_time}) {
        // Rounded row by row: two totals and two records.
        CHECK_FALSE(fails("totals_are_sums", [&](Log& log) { log.rows<Totals>().front().*counter += 4; }));
        CHECK(fails("totals_are_sums", [&](Log& log) { log.rows<Totals>().front().*counter += 5; }));
        CHECK(fails("totals_are_sums", [&](Log& log) { log.rows<Totals>().front().*counter -= 5; }));
    }
    for (const Layer layer : {Layer::posix, Layer::stdio, Layer::mpiio}) {
        Synthetic made;
        made.ranks(1);
        const std::uint64_t file = made.file("/file");
        const Io done = {
            .bytes_read = 5, .bytes_written = 7, .read_time = 100, .write_time = 200, .metadata_time = 300};
        if (layer == Layer::posix) made.io<PosixRecord>(file, 0, done);
        if (layer == Layer::stdio) made.io<StdioRecord>(file, 0, done);
        if (layer == Layer::mpiio) made.io<MpiioRecord>(file, 0, done);
        Totals& totals = made.log.rows<Totals>().front();
        totals.opens = totals.reads = totals.writes = 1;
        CHECK(outcome_of(made.log, "totals_are_sums").failed == 0);
        CHECK(outcome_of(made.log, "totals_are_sums").checked == 30);
        totals.layer = (totals.layer + 1) % layers;
        CHECK(outcome_of(made.log, "totals_are_sums").failed == 16);
        totals.layer = static_cast<std::uint64_t>(layer);
        // Rounding: one total and one record.
        totals.write_time += 3;
        CHECK(outcome_of(made.log, "totals_are_sums").failed == 1);
        totals.write_time -= 1;
        CHECK(outcome_of(made.log, "totals_are_sums").failed == 0);
    }
    CHECK(outcome_after("totals_are_sums", [](Log& log) { log.rows<Totals>().clear(); }).checked == 0);
}

TEST_CASE("time: no longer in I/O than the threads existed, but for a hundredth and a millisecond")
{
    const auto used = [](std::uint64_t milliseconds, std::uint64_t threads, Scope scope) {
        return !fails("time_is_there", [&](Log& log) {
            Totals totals;
            totals.process = 1;
            totals.scope = static_cast<std::uint64_t>(scope);
            totals.layer = static_cast<std::uint64_t>(Layer::stdio);
            totals.read_time = milliseconds * 250'000;
            totals.write_time = milliseconds * 250'000;
            totals.metadata_time = milliseconds * 500'000 - 3500;  // what the sound log has
            log.rows<Totals>().push_back(totals);
            log.rows<Process>()[1].threads = threads;
        });
    };
    for (const Scope scope : {Scope::direct, Scope::streams}) {
        CHECK(used(101'001, 1, scope));
        CHECK_FALSE(used(101'002, 1, scope));
        CHECK(used(101'001, 0, scope));
        CHECK(used(303'001, 3, scope));
        CHECK_FALSE(used(303'002, 3, scope));
    }
    CHECK(used(900'000, 1, Scope::beneath_mpiio));  // it is in MPI-IO's time already
    const Outcome outcome =
        outcome_after("time_is_there", [](Log& log) { log.not_recorded.insert("processes.threads"); });
    CHECK(outcome.checked == 0);
    CHECK(outcome_after("time_is_there", [](Log&) {}).checked == 2);
}

TEST_CASE("time: children of ranks are checked as well, and lives may be of no length")
{
    Synthetic made = sound();
    const std::int64_t helper = made.process(-1);
    made.total(helper, Layer::posix, Scope::direct, {.write_time = 200 * second});
    CHECK(outcome_of(made.log, "time_is_there").failed == 1);
    CHECK_THAT(outcome_of(made.log, "time_is_there").example,
               Contains("process 2: 200000000000 ns in I/O, 100000000000 ns of 1 threads"));
    CHECK_FALSE(
        fails("lifetimes_are_in_order", [](Log& log) { log.rows<Process>().back().end = job_start; }));
    CHECK(fails("lifetimes_are_in_order", [](Log& log) { log.rows<Process>().back().end = job_start - 1; }));
}

TEST_CASE("histograms: as many of each kind as the totals count, on files and on streams apart")
{
    Synthetic made = with_streams();
    CHECK(outcome_of(made.log, "histograms_are_calls").failed == 0);
    CHECK(outcome_of(made.log, "histograms_are_calls").checked == layers * 2 * 5);
    for (OperationTimes& row : made.log.rows<OperationTimes>()) {
        ++row.operations;
        CHECK(outcome_of(made.log, "histograms_are_calls").failed == 1);
        --row.operations;
    }
    ++made.log.rows<Totals>().back().writes;
    CHECK_THAT(outcome_of(made.log, "histograms_are_calls").example,
               Contains("stdio on streams: 3 writes in histograms, 4 in totals, 0 not timed"));
    --made.log.rows<Totals>().back().writes;
    made.operations(Layer::posix, Kind::sync, 0, {10});
    CHECK(outcome_of(made.log, "histograms_are_calls").failed == 1);
    made.log.rows<Totals>().front().syncs = 1;
    CHECK(outcome_of(made.log, "histograms_are_calls").failed == 0);
    made.operations(Layer::posix, Kind::stat, 0, {10, 10});  // totals do not count them
    CHECK(outcome_of(made.log, "histograms_are_calls").failed == 0);
    made.log.rows<OperationTimes>().clear();
    CHECK(outcome_of(made.log, "histograms_are_calls").checked == 0);
}

TEST_CASE("histograms, bins and time bins: layers and kinds that this version does not know are passed over")
{
    for (const char* const id : {"histograms_are_calls", "bins_are_operations"}) {
        CHECK_FALSE(fails(id, [](Log& log) {
            OperationTimes row = log.rows<OperationTimes>().front();
            row.layer = layers;
            row.operations = 0;
            row.time = 0;
            log.rows<OperationTimes>().push_back(row);
            row.layer = 0;
            row.kind = kind_count;
            row.operations = 77;
            log.rows<OperationTimes>().push_back(row);
        }));
    }
    CHECK_FALSE(fails("histograms_are_calls", [](Log& log) {
        log.rows<Totals>().emplace_back();
        log.rows<Totals>().back().layer = layers;
        log.rows<Totals>().back().reads = 9;
    }));
    Imported made(2);
    made.slice(0, Layer::posix, 1, second, {.bytes_read = 5}).layer = layers;
    made.total(0, Layer::posix, Scope::direct, {.bytes_read = 5});
    made.log.rows<Totals>().back().layer = layers;
    CHECK(outcome_of(made.log, "time_bins_are_totals").checked == 0);
}

TEST_CASE("histograms: as many may be missing as were not timed, and a call of each thread either way")
{
    const auto holds = [](std::uint64_t counted, std::uint64_t timed,
                          const std::function<void(Log&)>& change) {
        return !fails("histograms_are_calls", [&](Log& log) {
            log.rows<Totals>().front().reads += counted;
            log.rows<OperationTimes>().front().operations += timed;
            change(log);
        });
    };
    const auto untimed = [](Log& log) { log.rows<Process>().back().untimed = 2; };
    CHECK(holds(2, 0, untimed));
    CHECK_FALSE(holds(3, 0, untimed));
    CHECK_FALSE(holds(0, 1, untimed));
    const auto unseen = [](Log& log) { record_of(log).async_unseen = 2; };
    CHECK(holds(2, 0, unseen));
    CHECK_FALSE(holds(3, 0, unseen));
    const auto killed = [](Log& log) { kill_first(log, 2); };
    CHECK(holds(2, 0, killed));
    CHECK_FALSE(holds(3, 0, killed));
    CHECK(holds(0, 2, killed));
    CHECK_FALSE(holds(0, 3, killed));
    const auto both = [](Log& log) {
        kill_first(log, 2);
        log.rows<Process>().back().untimed = 3;
    };
    CHECK(holds(5, 0, both));
    CHECK_FALSE(holds(6, 0, both));
}

TEST_CASE(
    "histograms: other tools trace reads and writes alone, not of every file, and never more than there are")
{
    Imported made(2);
    made.own<PosixRecord>(made.file("/file"), 0, {.bytes_written = mib, .write_time = second});
    made.operations(Layer::posix, Kind::write, 4, {10});
    made.operations(Layer::posix, Kind::open, 0, {10, 10, 10});
    CHECK(outcome_of(made.log, "histograms_are_calls").failed == 0);
    CHECK(outcome_of(made.log, "histograms_are_calls").checked == layers * 2 * 2);
    made.log.rows<Totals>().front().writes = 1'000'000;
    CHECK(outcome_of(made.log, "histograms_are_calls").failed == 0);
    made.log.rows<Totals>().front().writes = 0;
    CHECK(outcome_of(made.log, "histograms_are_calls").failed == 1);
}

TEST_CASE("bins: they have all operations, and their time but for half a bin and a nanosecond each")
{
    const auto holds = [](std::uint64_t time) {
        return !fails("bins_are_operations", [&](Log& log) {
            OperationTimes& row = log.rows<OperationTimes>().front();
            row.operations = 64;
            row.time = time;
            DurationBin& bin = log.rows<DurationBin>().front();
            bin.operations = 64;
            bin.at_least = 1000;
            bin.below = 2000;
        });
    };
    CHECK(holds(64 * 1000));
    CHECK(holds(62'000 - 64));
    CHECK_FALSE(holds(62'000 - 65));
    CHECK(holds(132'000 + 64));
    CHECK_FALSE(holds(132'000 + 65));
    const auto bins_more = [](std::uint64_t more, std::uint64_t threads) {
        return fails("bins_are_operations", [&](Log& log) {
            log.rows<DurationBin>().front().operations += more;
            log.rows<OperationTimes>().front().time = 1;
            if (threads > 0) kill_first(log, threads);
        });
    };
    CHECK(bins_more(0, 0));  // the time is wrong
    CHECK_FALSE(bins_more(2, 2));
    CHECK(bins_more(3, 2));
    CHECK_THAT(outcome_after("bins_are_operations",
                             [](Log& log) { log.rows<OperationTimes>().front().operations = 9; })
                   .example,
               Contains("POSIX read") && Contains("9 operations of 2000 ns, 2 in the histogram"));
}
