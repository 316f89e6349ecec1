// How long a job transferred data, by what each rank's slices, bursts and totals say.
#include "analyzer/job/transfer_time.h"

#include <catch2/catch.hpp>

#include "analyzer/job/figures.h"
#include "analyzer/methods/coverage.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

double in_seconds(double nanoseconds)
{
    return nanoseconds / 1e9;
}

}  // namespace

TEST_CASE("coverage is exact for one and for those that fill the time, and chance in between")
{
    Coverage one, full, two, crowd;
    one.add(3, 10);
    CHECK(one.covered(10) == Approx(3));
    full.add(10, 10);
    full.add(4, 10);
    CHECK(full.covered(10) == Approx(10));
    two.add(5, 10);
    two.add(5, 10);
    CHECK(two.covered(10) == Approx(7.5));
    crowd.add(12, 10);
    CHECK(crowd.covered(10) == Approx(10));  // threads: their times add up to more
    CHECK(Coverage().covered(10) == 0);
}

TEST_CASE("the pauses of a rank are no transfer, though its bursts bridge them")
{
    Synthetic made;
    made.ranks(4);
    made.total(0, Layer::posix, Scope::direct, {.bytes_written = 100 * mib, .write_time = second / 5});
    made.burst(0, 0, 12);
    for (std::uint64_t at = 0; at < 10; ++at)
        made.slice(0, Layer::posix, at, second, {.bytes_written = 10 * mib, .write_time = second / 50});
    const TransferTime time = transfer_time_of(Job(made.log));
    CHECK(in_seconds(time.write) == Approx(0.2));
    CHECK(time.read == 0);
    CHECK_FALSE(time.estimated);
    const JobRates rates = rates_of(Job(made.log));
    CHECK(rates.transfer.total == Approx(500));
    CHECK(rates.direction[1].total == Approx(500));
    CHECK(rates.window.total == Approx(100.0 / 12));
}

TEST_CASE("ranks that transfer side by side count once, one after the other they add up")
{
    Synthetic together, by_turns;
    together.ranks(4);
    by_turns.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        const auto at = static_cast<std::uint64_t>(rank);
        const Io io{.bytes_read = 5 * mib, .read_time = second};
        together.total(rank, Layer::posix, Scope::direct, io);
        together.slice(rank, Layer::posix, 0, second, io);
        together.burst(rank, 0, 1);
        by_turns.total(rank, Layer::posix, Scope::direct, io);
        by_turns.slice(rank, Layer::posix, at, second, io);
        by_turns.burst(rank, static_cast<double>(rank), static_cast<double>(rank) + 1);
    }
    CHECK(in_seconds(transfer_time_of(Job(together.log)).read) == Approx(1));
    CHECK(in_seconds(transfer_time_of(Job(by_turns.log)).read) == Approx(4));
}

TEST_CASE("threads of a rank that transfer side by side count once")
{
    Synthetic made;
    made.ranks(1);
    const Io io{.bytes_read = 80 * mib, .read_time = 8 * second};
    made.total(0, Layer::posix, Scope::direct, io);
    made.slice(0, Layer::posix, 0, second, io);
    made.burst(0, 0, 0.9);
    CHECK(in_seconds(transfer_time_of(Job(made.log)).read) == Approx(1));
}

TEST_CASE("unlinks and other metadata are no part of the transfer rate")
{
    Synthetic made;
    made.ranks(1);
    const Io io{.bytes_written = 50 * mib, .write_time = second / 2, .metadata_time = 3 * second};
    made.total(0, Layer::posix, Scope::direct, io);
    made.slice(0, Layer::posix, 0, 4 * second, io);
    made.burst(0, 0, 0.5);
    const JobRates rates = rates_of(Job(made.log));
    CHECK(rates.transfer.total == Approx(100));
    CHECK(rates.job.total == Approx(50 / 3.5));
}

TEST_CASE("MPI-IO's time counts, and what it took beneath is no more")
{
    Synthetic made;
    made.ranks(2);
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        made.total(rank, Layer::mpiio, Scope::direct, {.bytes_written = 8 * mib, .write_time = second});
        made.slice(rank, Layer::mpiio, 0, 2 * second, {.bytes_written = 8 * mib, .write_time = second});
        made.burst(rank, 0, 1);
    }
    made.total(0, Layer::posix, Scope::beneath_mpiio, {.bytes_written = 16 * mib, .write_time = second / 4});
    made.slice(0, Layer::posix, 0, 2 * second, {.bytes_written = 16 * mib, .write_time = second / 4});
    CHECK(in_seconds(transfer_time_of(Job(made.log)).write) == Approx(1));
}

TEST_CASE("calls that may or may not overlap: ranks are taken to meet, processes to do so by chance")
{
    Synthetic ranks, processes;
    ranks.ranks(4);
    for (std::int64_t one = 0; one < 4; ++one) {
        processes.process(-1);
        for (Synthetic* const made : {&ranks, &processes}) {
            const Io io{.bytes_written = mib, .write_time = second / 4};
            made->total(one, Layer::posix, Scope::direct, io);
            made->slice(one, Layer::posix, 0, second, io);
            made->burst(one, 0, 1);
        }
    }
    const TransferTime meeting = transfer_time_of(Job(ranks.log)),
                       by_chance = transfer_time_of(Job(processes.log));
    CHECK(in_seconds(meeting.write) == Approx(0.25));
    CHECK(meeting.estimated);
    CHECK(in_seconds(by_chance.write) == Approx(1 - 0.75 * 0.75 * 0.75 * 0.75));
    CHECK(by_chance.estimated);
}

TEST_CASE("a log without time bins has the transfer time of its totals")
{
    Synthetic made;
    made.ranks(1);
    made.total(0, Layer::stdio, Scope::direct, {.bytes_read = mib, .read_time = 2 * second});
    CHECK(in_seconds(transfer_time_of(Job(made.log)).read) == Approx(2));
}
