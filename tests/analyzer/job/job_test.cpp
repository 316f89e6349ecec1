// Rates and times of whole jobs: each byte and each second counts once.
#include <catch2/catch.hpp>

#include "analyzer/job/figures.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;

TEST_CASE("POSIX beneath MPI-IO gives the bytes, MPI-IO the time")
{
    // Two ranks on two nodes. MPI-IO: 10 s and 12 s; beneath it rank 0 writes all 96 MiB in 9 s; rank 1 also
    // reads 24 MiB by stdio in 4 s. Bytes 120 MiB; slowest 12 + 4 = 16 s; 120 / 16 / 2 = 3.75 MiB/s/CN.
    Synthetic made;
    made.ranks(2, 1);
    made.total(0, Layer::mpiio, Scope::direct, {.bytes_written = 48 * mib, .write_time = 10 * second});
    made.total(1, Layer::mpiio, Scope::direct, {.bytes_written = 48 * mib, .write_time = 12 * second});
    made.total(0, Layer::posix, Scope::beneath_mpiio, {.bytes_written = 96 * mib, .write_time = 9 * second});
    made.total(1, Layer::stdio, Scope::direct, {.bytes_read = 24 * mib, .read_time = 4 * second});
    made.total(1, Layer::stdio, Scope::streams, {.bytes_written = 500 * mib, .write_time = 50 * second});
    const JobRates rates = rates_of(Job(made.log));
    CHECK(rates.job.bytes == 120 * mib);
    CHECK(rates.job.time == 16 * second);
    CHECK(rates.job.slowest == 1);
    CHECK(rates.job.nodes == 2);
    CHECK(rates.job.per_node == Approx(3.75));
    CHECK_FALSE(rates.mpiio_unseen_beneath);
    CHECK(rates.layer[static_cast<std::size_t>(Layer::posix)].total == Approx(96.0 / 9));
    CHECK(rates.layer[static_cast<std::size_t>(Layer::mpiio)].total == Approx(96.0 / 12));
}

TEST_CASE("MPI-IO's own bytes count where nothing is seen beneath it")
{
    Synthetic made;
    made.ranks(1);
    made.total(0, Layer::mpiio, Scope::direct,
               {.bytes_read = 8 * mib, .bytes_written = 4 * mib, .write_time = second});
    made.total(0, Layer::posix, Scope::beneath_mpiio, {.bytes_written = 4 * mib});
    const JobRates rates = rates_of(Job(made.log));
    CHECK(rates.mpiio_unseen_beneath);
    CHECK(rates.job.bytes == 12 * mib);
}

TEST_CASE("the window is the union of the ranks' bursts")
{
    Synthetic made;
    made.ranks(2);
    const std::int64_t launcher = made.process(-1);
    for (std::int64_t rank = 0; rank < 2; ++rank)
        made.total(rank, Layer::posix, Scope::direct, {.bytes_written = 30 * mib, .write_time = 2 * second});
    made.burst(0, 1, 4);
    made.burst(1, 2, 5);
    made.burst(1, 10, 12);
    made.burst(launcher, 20, 90);
    const JobRates rates = rates_of(Job(made.log));
    CHECK(rates.window.time == 6 * second);
    CHECK(rates.window.total == Approx(10));
}

TEST_CASE("time in I/O is shared out, and threads that overlap are reported")
{
    Synthetic made;
    made.ranks(2);
    made.total(0, Layer::posix, Scope::direct,
               {.read_time = 10 * second, .write_time = 20 * second, .metadata_time = 10 * second});
    made.total(1, Layer::posix, Scope::direct, {.read_time = 10 * second});
    TimeUse use = time_use_of(Job(made.log));
    CHECK(use.in_io / use.run == Approx(0.25));
    CHECK(use.in_metadata / use.in_io == Approx(0.2));
    CHECK(use.all.largest == 40 * second);
    CHECK(use.other.largest == 90 * second);
    CHECK_FALSE(use.overlapping);
    made.total(1, Layer::posix, Scope::direct, {.read_time = 95 * second});
    use = time_use_of(Job(made.log));
    CHECK(use.overlapping);
    CHECK(use.other.smallest == 0);
}

TEST_CASE("a file's slowest process and movers come from all of its records")
{
    Synthetic made;
    made.ranks(3);
    const std::uint64_t shared = made.file("/shared");
    made.io<PosixRecord>(shared, 0, {.bytes_read = 5, .read_time = 3});
    made.io<StdioRecord>(shared, 0, {.bytes_read = 5, .read_time = 4});
    made.io<PosixRecord>(shared, 2, {.bytes_written = 5, .write_time = 6});
    const Job job(made.log);
    REQUIRE(job.files.size() == 1);
    const FileView& view = job.files[0].application();
    CHECK(view.slowest().process == 0);
    CHECK(view.slowest().time == 7);
    CHECK(view.movers().count == 2);
    CHECK(view.readers().count == 1);
    CHECK(view.writers().one == 2);
    CHECK(view.bytes() == 15);
}
