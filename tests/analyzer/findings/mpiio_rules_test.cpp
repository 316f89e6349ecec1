// MPI-IO and what it makes of requests, streams, servers, and writes that all wait for.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Two ranks that each make so many calls of a size on a shared file, 20 s each.
Synthetic independent(std::uint64_t calls, std::uint64_t size)
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/shared");
    for (std::int64_t rank = 0; rank < 2; ++rank)
        through_mpiio(made, file, rank, calls, size, 20 * second / calls);
    return made;
}

struct Collectively {
    std::uint64_t calls = 20, size = 4 * mib;            // of each rank
    std::uint64_t pieces = 20, beneath = 0, movers = 1;  // of POSIX
    std::uint64_t seconds_each = 10;
    Direction direction = Direction::write;
    std::int64_t ranks = 4;
};

// Ranks, each on a node of its own. All of the time goes to the file system.
void add_collective(Synthetic& made, std::string_view path, const Collectively& done)
{
    const bool reads = done.direction == Direction::read;
    const std::uint64_t file = made.file(path), bytes = done.calls * done.size,
                        time = done.seconds_each * second;
    for (std::int64_t rank = 0; rank < done.ranks; ++rank) {
        auto& row = made.io<MpiioRecord>(file, rank,
                                         reads ? Io{.bytes_read = bytes, .read_time = time}
                                               : Io{.bytes_written = bytes, .write_time = time});
        (reads ? row.reads : row.writes) = done.calls;
        (reads ? row.collective_reads : row.collective_writes) = done.calls - 1;
        (reads ? row.split_reads : row.split_writes) = 1;
    }
    for (std::uint64_t mover = 0; mover < done.movers; ++mover) {
        const std::uint64_t moved =
            (done.beneath > 0 ? done.beneath : static_cast<std::uint64_t>(done.ranks) * bytes) / done.movers;
        auto& row = made.io<PosixRecord>(file, static_cast<std::int64_t>(mover),
                                         reads ? Io{.bytes_read = moved, .read_time = time}
                                               : Io{.bytes_written = moved, .write_time = time},
                                         Scope::beneath_mpiio);
        (reads ? row.reads : row.writes) = done.pieces / done.movers;
    }
}

Synthetic collective(const Collectively& done)
{
    Synthetic made;
    made.ranks(done.ranks, 1);
    add_collective(made, "/shared", done);
    return made;
}

// Four ranks write 100 MiB each in 2 s, after a call that took 6 s and wrote as much for all of them; with a
// look at the file's length that took 2 s.
Synthetic preallocated(double beyond = 1, std::uint64_t calls = 1)
{
    Synthetic made;
    made.ranks(4);
    const std::uint64_t file = made.file("/shared");
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        auto& row = made.io<MpiioRecord>(
            file, rank, {.bytes_written = 100 * mib, .write_time = 2 * second, .metadata_time = 10 * second});
        row.writes = 100;
        row.truncates = calls;
        made.log.rows<Process>()[static_cast<std::size_t>(rank)].end = job_start + 12 * second;
    }
    auto& row = made.io<PosixRecord>(
        file, 0,
        {.bytes_written = static_cast<std::uint64_t>((1 + beyond) * 400 * mib), .write_time = 8 * second},
        Scope::beneath_mpiio);
    row.writes = 500;
    made.operations(Layer::mpiio, Kind::other, 0, {6 * second, 6 * second, 6 * second, 6 * second});
    return made;
}

}  // namespace

TEST_CASE("no collectives: 200 independent requests of less than 1 MiB are many")
{
    CHECK(finds(independent(100, 2047).log, "no_collectives"));
    CHECK_FALSE(finds(independent(99, 2047).log, "no_collectives"));
    CHECK_FALSE(finds(independent(200, mib).log, "no_collectives"));
    // All at the pointer that the ranks share.
    Synthetic by_pointer = independent(1000, 100);
    for (MpiioRecord& row : by_pointer.log.rows<MpiioRecord>()) row.shared_pointer = 1000;
    const report::Finding one = finding_of(by_pointer.log, "no_collectives");
    CHECK(one.title == "2,000 MPI-IO requests by the shared file pointer, of 100 B on average");
    CHECK_THAT(lines_of(one), Contains("MPI_Exscan"));
    // Few of a rank, of 2 KiB and more, are as quick by themselves.
    CHECK(finds(independent(128, mib - 1).log, "no_collectives"));
    CHECK_FALSE(finds(independent(127, mib - 1).log, "no_collectives"));
    CHECK_FALSE(finds(independent(127, 2048).log, "no_collectives"));
    Synthetic alone = independent(200, 1000);
    alone.log.rows<MpiioRecord>().back().file = alone.file("/own");
    CHECK_FALSE(finds(alone.log, "no_collectives"));  // nobody to put them together with
}

TEST_CASE("no collectives: the part that is not collective, beyond what its bytes would have taken")
{
    Synthetic made = independent(1000, 1000);
    auto& rows = made.log.rows<MpiioRecord>();
    rows[0].collective_writes = 200;
    rows[0].split_writes = 50;
    rows[1].sync_time = 4 * second;
    made.io<MpiioRecord>(rows[0].file, 0, {.bytes_read = 300'000, .read_time = 6 * second}).reads = 300;
    made.log.rows<MpiioRecord>().back().collective_reads = 90;
    made.log.rows<MpiioRecord>().back().split_reads = 10;
    const report::Finding one = finding_of(made.log, "no_collectives");
    // Of rank 0, which took 26 s, 3/4 of 20 s and 2/3 of 6 s; the other took 20 s, and has 16 of them.
    CHECK(cost_of(one) == Approx(19).epsilon(1e-3));
    CHECK(numbers_of(one) == R"(1,950 independent MPI-IO requests of 1000 B on average to shared files
19.0 s, 19.0 %, medium
independent requests: 1,950 (and 350 collective ones)
mean size: 1000 B
most time in: /shared (used by 2 ranks))");
    CHECK_THAT(lines_of(one), Contains("MPI_File_write_all") && !Contains("MPI_File_write_at_all"));
    CHECK_THAT(one.why, Contains("each other's locks"));
    made.log.rows<MpiioRecord>().back().read_time = 90 * second;
    CHECK_THAT(lines_of(finding_of(made.log, "no_collectives")), Contains("MPI_File_read_all"));
}

TEST_CASE("no collectives: what each rank moves in order by itself is to be moved in larger pieces")
{
    const auto in_order = [](std::string_view file_system, std::uint64_t size, std::uint64_t consecutive) {
        Synthetic made = independent(1000, size);
        made.log.rows<Mount>().push_back({"/", file_system, "there"});
        const std::uint64_t file = made.log.rows<MpiioRecord>().front().file;
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            PosixRecord& row =
                made.io<PosixRecord>(file, rank, {.bytes_written = 1000 * size}, Scope::beneath_mpiio);
            row.writes = 1000;
            row.consecutive_writes = consecutive;
        }
        return made;
    };
    CHECK_THAT(finding_of(in_order("nfs", 4096, 949).log, "no_collectives").why, Contains("put the pieces"));
    CHECK_THAT(finding_of(in_order("nfs", 4096, 950).log, "no_collectives").why, !Contains("put the pieces"));
    CHECK_THAT(lines_of(finding_of(in_order("nfs", 32 << 10, 949).log, "no_collectives")),
               Contains("MPI_File_write_at_all"));
    // On one node with a disk of its own they pass through memory, as they would in larger pieces.
    CHECK_FALSE(finds(in_order("ext4", 4096, 949).log, "no_collectives"));
    CHECK_FALSE(finds(in_order("ext4", 4096, 950).log, "no_collectives"));
    CHECK(finds(in_order("ext4", 4095, 950).log, "no_collectives"));
    // Pieces of a few bytes are collected quicker than they are moved, wherever.
    CHECK(finding_of(in_order("ext4", 512, 950).log, "no_collectives").confidence == report::Confidence::low);
    const report::Finding tiny = finding_of(in_order("ext4", 511, 950).log, "no_collectives");
    CHECK(tiny.confidence == report::Confidence::medium);
    CHECK_THAT(tiny.doubt, !Contains("On one node"));
}

TEST_CASE("aggregators: 16 collective calls and 1 MiB are enough")
{
    CHECK(finds(collective({.calls = 4, .size = 300'000, .movers = 4}).log, "aggregators"));
    CHECK_FALSE(finds(collective({.calls = 3, .size = 400'000, .movers = 4}).log, "aggregators"));
    CHECK(finds(collective({.calls = 64, .size = 4096, .pieces = 256, .movers = 4}).log, "aggregators"));
    CHECK_FALSE(
        finds(collective({.calls = 64, .size = 4095, .pieces = 256, .movers = 4}).log, "aggregators"));
    CHECK_FALSE(finds(collective({.pieces = 0}).log, "aggregators"));
}

TEST_CASE("aggregators: few calls that come out in 1,000 pieces, as by a hint that has none put together")
{
    const auto log_with = [](std::uint64_t pieces, std::string_view hints = "") {
        Synthetic made = collective({.calls = 3, .size = 2 * mib, .pieces = pieces, .movers = 4});
        made.log.rows<Hints>() = {{1, hints, hints, 0}};
        return made;
    };
    CHECK(finds(log_with(1000).log, "aggregators"));
    CHECK_FALSE(finds(log_with(999).log, "aggregators"));
    const auto advice = [&](std::string_view hints) {
        std::string all;
        for (const report::Advice& one : finding_of(log_with(1000, hints).log, "aggregators").advice)
            all += one.text + "\n";
        return all;
    };
    CHECK_THAT(advice("romio_cb_write=disable"), Contains("Leave out the hint romio_cb_write=disable"));
    CHECK_THAT(advice("romio_cb_write=enable"), !Contains("Leave out"));
}

TEST_CASE("aggregators: on one node with a disk of its own large calls gain nothing")
{
    const auto log_with = [](std::string_view file_system, std::uint64_t size, std::string_view hints = "") {
        Synthetic made;
        made.ranks(4);
        made.log.rows<Mount>().push_back({"/", file_system, "there"});
        add_collective(made, "/shared", {.size = size, .pieces = 100'000, .movers = 4});
        if (!hints.empty()) made.log.rows<Hints>() = {{1, hints, hints, 0}};
        return made;
    };
    CHECK(finds(log_with("nfs", 64 << 10).log, "aggregators"));
    CHECK_FALSE(finds(log_with("ext4", 64 << 10).log, "aggregators"));
    CHECK(finds(log_with("ext4", (64 << 10) - 1).log, "aggregators"));
    CHECK(finds(log_with("ext4", 64 << 10, "cb_buffer_size=16384").log, "aggregators"));
}

TEST_CASE("views: 200 and more, of less than 1 MiB each, as PnetCDF sets them for each collective access")
{
    const auto log_with = [](std::uint64_t views, std::uint64_t bytes) {
        Synthetic made;
        made.ranks(2);
        for (Process& process : made.log.rows<Process>()) process.libraries = "libc libpnetcdf";
        const std::uint64_t file = made.file("/d.nc");
        for (std::int64_t rank = 0; rank < 2; ++rank)
            made.io<MpiioRecord>(file, rank, {.bytes_written = bytes / 2, .metadata_time = 20 * second})
                .views = views / 2;
        made.operations(Layer::mpiio, Kind::other, 0, std::vector<std::uint64_t>(views, 100 * ms));
        return made;
    };
    const report::Finding one = finding_of(log_with(300, 20 * mib).log, "many_views");
    CHECK(one.title == "300 collective calls of PnetCDF, of 68.3 KiB each, which each set a file view");
    CHECK(cost_of(one) == Approx(15));
    CHECK_THAT(lines_of(one), Contains("ncmpi_wait_all"));
    CHECK(cost_of(log_with(600, 20 * mib).log, "many_views") == Approx(20));  // no more than all calls took
    const auto in_short_run = [&](std::uint64_t views) {
        Synthetic made = log_with(views, 4 * mib);
        for (Process& process : made.log.rows<Process>()) process.end = job_start + 30 * second;
        return finds(made.log, "many_views");
    };
    CHECK(in_short_run(50));  // 25 of each rank
    CHECK_FALSE(in_short_run(48));
    CHECK_FALSE(finds(log_with(300, 300 * mib).log, "many_views"));
    // Some wait far longer, which they may do elsewhere as well.
    Synthetic waiting = log_with(300, 20 * mib);
    waiting.log.rows<OperationTimes>().clear();
    waiting.log.rows<DurationBin>().clear();
    std::vector<std::uint64_t> times(300, 100 * ms);
    for (std::size_t at = 0; at < times.size(); at += 50) times[at] = 2 * second;
    waiting.operations(Layer::mpiio, Kind::other, 0, times);
    const report::Finding range = finding_of(waiting.log, "many_views");
    CHECK(*range.cost_least == Approx(15).epsilon(0.02));
    CHECK(cost_of(range) == Approx(20));
}

TEST_CASE("views that HDF5 sets at each flush, to write its notes, are the flushes'")
{
    const auto log_with = [](std::uint64_t views, std::uint64_t bytes) {
        Synthetic made;
        made.ranks(2);
        for (Process& process : made.log.rows<Process>()) process.libraries = "libc libmpi hdf5";
        const std::uint64_t file = made.file("/d.h5");
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            MpiioRecord& row = made.io<MpiioRecord>(
                file, rank,
                {.bytes_written = bytes, .write_time = 10 * second, .metadata_time = 20 * second});
            row.views = views;
            row.syncs = 100;
            row.sync_time = 8 * second;
            PosixRecord& beneath =
                made.io<PosixRecord>(file, rank, {.bytes_written = bytes, .write_time = 8 * second});
            beneath.syncs = 100;
            beneath.sync_time = 8 * second;
        }
        made.operations(Layer::mpiio, Kind::other, 0, std::vector<std::uint64_t>(2 * views, 100 * ms));
        return made;
    };
    const Synthetic flushed = log_with(200, 400'000);
    const report::Finding one = finding_of(flushed.log, "frequent_syncs");
    CHECK(*one.cost_least == Approx(0.99 * 8).epsilon(0.01));
    CHECK(cost_of(one) == Approx(0.99 * 8 + 20 + 2).epsilon(0.01));
    CHECK_FALSE(finds(flushed.log, "many_views"));
    CHECK(finds(log_with(251, 400'000).log, "many_views"));           // for data as well
    CHECK(finds(log_with(200, 200 * 4096 + 200).log, "many_views"));  // which are no notes
    // Two are one access of HDF5.
    Synthetic few = log_with(50, 16 * mib);
    CHECK(finds(few.log, "many_views"));
    for (MpiioRecord& row : few.log.rows<MpiioRecord>()) row.views = 49;
    CHECK_FALSE(finds(few.log, "many_views"));
}

TEST_CASE("aggregators: neither waiting for a late rank nor syncs are the pieces' fault")
{
    const auto plain = [] {
        Synthetic made;
        made.ranks(4);  // on one node: by one clock
        add_collective(made, "/shared", {.calls = 100, .pieces = 100'000, .movers = 4});
        return made;
    };
    const double all = cost_of(plain().log, "aggregators");
    Synthetic synced = plain();
    for (MpiioRecord& row : synced.log.rows<MpiioRecord>()) {
        row.syncs = 10;
        row.sync_time = row.write_time / 2;
    }
    CHECK(cost_of(synced.log, "aggregators") == Approx(all / 2).epsilon(0.05));
    // Three ranks wait for half of a call until the fourth comes: 3/7 of their time.
    Synthetic late = plain();
    const std::uint64_t file = late.log.rows<MpiioRecord>().front().file;
    for (std::int64_t rank = 0; rank < 4; ++rank)
        late.log.rows<CollectiveCall>().push_back(
            {rank, file, 0, 4, 1, 0, job_start + (rank == 3 ? 50 : 0) * ms + ms, job_start + 101 * ms, 0});
    CHECK(cost_of(late.log, "aggregators") == Approx(all * (1 - 3 / 7.0)).epsilon(0.05));
}

TEST_CASE("aggregators: fewer ranks than nodes, and what one on each would save")
{
    for (const Direction direction : directions) {
        Synthetic made = collective({.movers = 4, .direction = direction, .ranks = 8});
        made.log.add_fact("mpi", "Open MPI v4.1.4");
        report::Finding one = finding_of(made.log, "aggregators");
        const bool reads = direction == Direction::read;
        CHECK(one.title ==
              std::string("In collective MPI-IO 4 ranks ") + (reads ? "read" : "write") + " for 8 nodes");
        CHECK_THAT(numbers_of(one), Contains(R"(
5.00 s, 5 %, low
collective calls: 160 (by 8 ranks, for 640 MiB)
requests beneath: 20 (by 4 ranks at most in a file, 32 MiB each on average)
most time in: /shared)"));
        CHECK(lines_of(one) == "export OMPI_MCA_io=ompio OMPI_MCA_io_ompio_num_aggregators=8\n");
        const auto advice_under = [&](std::string_view asked) {
            made.log.rows<Hints>() = {{1, asked, asked, 0}};
            return finding_of(made.log, "aggregators").advice.front().text;
        };
        CHECK_THAT(advice_under("cb_nodes=3"), Contains("Leave out the hint cb_nodes"));
        CHECK_THAT(advice_under("cb_nodes=8"), Contains("Have one rank on every node"));
        CHECK_THAT(advice_under("cb_nodes_of=3"), Contains("Have one rank on every node"));
    }
    CHECK_FALSE(finds(collective({.movers = 8, .ranks = 8}).log, "aggregators"));
    // However few calls, of 16 MiB and more.
    CHECK(finds(collective({.calls = 1, .ranks = 8}).log, "aggregators"));
    CHECK_FALSE(finds(collective({.calls = 1, .size = 2 * mib - 1, .ranks = 8}).log, "aggregators"));
    CHECK_THAT(finding_of(collective({.ranks = 8}).log, "aggregators").title,
               Contains("one rank writes for 8 nodes"));
    // Fewer nodes share the servers' links, unless the program asked for so few ranks.
    Synthetic few = collective({.ranks = 7});
    CHECK_FALSE(finds(few.log, "aggregators"));
    few.log.rows<Hints>() = {{1, "cb_nodes=3", "cb_nodes=3", 0}};
    CHECK(finds(few.log, "aggregators"));
    CHECK(
        finding_of(collective({.ranks = 8}).log, "aggregators").advice.empty());  // the library is not known
}

TEST_CASE("aggregators: requests of less than 256 KiB, as many as calls, are not put together")
{
    const auto title = [](std::uint64_t pieces) {
        return finding_of(collective({.size = mib, .pieces = pieces, .ranks = 8}).log, "aggregators").title;
    };
    CHECK(title(640) == "In collective MPI-IO one rank writes for 8 nodes");  // 256 KiB each
    CHECK(title(641) == "Collective writes reach the file system in 641 pieces of 256 KiB");
    const auto of_few = [](std::uint64_t pieces) {
        return finding_of(
                   collective({.size = 256 << 10, .pieces = pieces, .beneath = pieces * 1000, .ranks = 8})
                       .log,
                   "aggregators")
            .title;
    };
    CHECK_THAT(of_few(159), Contains("one rank writes"));
    CHECK_THAT(of_few(160), Contains("160 pieces of 1000 B"));
}

TEST_CASE("aggregators: why pieces are small depends on who moves them and on how much is asked for")
{
    const auto why = [](const Collectively& done) {
        return finding_of(collective(done).log, "aggregators").why;
    };
    CHECK_THAT(why({.pieces = 4000}), Contains("Some ranks move the data of all"));
    CHECK_THAT(why({.pieces = 4000, .movers = 4}), Contains("here each rank moves its own"));
    CHECK_THAT(why({.size = 256 << 10, .pieces = 4000}), Contains("Some ranks move"));
    CHECK_THAT(why({.size = (256 << 10) - 1, .pieces = 4000}), Contains("move only 256 KiB for each rank"));
    Synthetic made = collective({.pieces = 4000});
    made.log.add_fact("mpi", "MPICH Version: 4.0.2");
    CHECK_THAT(lines_of(finding_of(made.log, "aggregators")), Contains("romio_cb_write"));
}

TEST_CASE("aggregators: files add up, and what costs more is reported")
{
    Synthetic made = collective({.calls = 20, .size = mib, .pieces = 1000, .movers = 1, .seconds_each = 5});
    add_collective(made, "/more",
                   {.calls = 30, .size = mib, .pieces = 3000, .movers = 2, .seconds_each = 20});
    add_collective(made, "/last", {.calls = 20, .size = mib, .pieces = 500, .movers = 1, .seconds_each = 10});
    add_collective(made, "/narrow", {.movers = 1, .seconds_each = 3});
    const report::Finding one = finding_of(made.log, "aggregators");
    CHECK(numbers_of(one) == R"(Collective writes reach the file system in 4,500 pieces of 63.7 KiB
35.0 s, 35.0 %, medium
collective calls: 280 (by 4 ranks, for 280 MiB)
requests beneath: 4,500 (by 2 ranks at most in a file, 63.7 KiB each on average)
most time in: /more)");
    // 140 s less what 280 MiB take at 2 GiB/s, of 152 s of which each rank spent 38.
    CHECK(cost_of(one) == Approx((140 - 280 / 2048.0) / 152 * 38).epsilon(1e-6));
    add_collective(made, "/narrower", {.movers = 1, .seconds_each = 60});
    made.log.rows<Hints>() = {{1, "cb_nodes=1", "cb_nodes=1", 0}};
    const report::Finding other = finding_of(made.log, "aggregators");
    CHECK_THAT(other.title, Contains("one rank writes for 4 nodes"));
    CHECK_THAT(numbers_of(other), Contains("collective calls: 160") && Contains("/narrower"));
}

TEST_CASE("exchange: what collective calls take beyond the file system and the passing on of their bytes")
{
    const auto log_with = [](std::uint64_t least, std::uint64_t beneath, std::uint64_t collective,
                             int on_a_node = 1) {
        Synthetic made;
        made.ranks(4, on_a_node);
        const std::uint64_t file = made.file("/shared");
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            auto& row = made.io<MpiioRecord>(
                file, rank, {.bytes_written = 1024 * mib, .write_time = (rank == 2 ? least : 30) * second});
            row.writes = 100;
            row.collective_writes = collective;
        }
        made.io<PosixRecord>(file, 1, {.bytes_written = 4096 * mib, .write_time = beneath * second},
                             Scope::beneath_mpiio);
        return made;
    };
    const report::Finding one = finding_of(log_with(20, 5, 100).log, "collective_exchange");
    CHECK(one.title == "Collective MPI-IO takes 27.5 s a rank, of which the file system takes 5.00 s");
    // 20 s less 5 s and less 1 GiB a node at 1 GiB/s.
    CHECK(cost_of(one) == Approx(14));
    CHECK(one.confidence == report::Confidence::medium);
    CHECK(finding_of(log_with(30, 5, 100, 4).log, "collective_exchange").confidence ==
          report::Confidence::low);
    CHECK_THAT(lines_of(one), Contains("MPI_File_write_at(file"));
    Synthetic ordered = log_with(20, 5, 100);
    for (MpiioRecord& row : ordered.log.rows<MpiioRecord>()) row.shared_pointer = 100;
    const report::Finding by_pointer = finding_of(ordered.log, "collective_exchange");
    CHECK(by_pointer.title == "400 collective MPI-IO calls by the shared file pointer take 27.5 s a rank");
    CHECK_THAT(lines_of(by_pointer), Contains("MPI_Exscan"));
    Synthetic hinted = log_with(20, 5, 100);
    const auto first_advice = [&](std::string_view asked) {
        hinted.log.rows<Hints>() = {{1, asked, "cb_buffer_size=16777216", 0}};
        return finding_of(hinted.log, "collective_exchange").advice.front().text;
    };
    CHECK_THAT(first_advice("cb_nodes=1;cb_buffer_size=16384"), Contains("its 16384 bytes at a time"));
    CHECK_THAT(first_advice("cb_nodes=1;cb_buffer_size=1048576"), !Contains("cb_buffer_size"));
    Synthetic alone = log_with(30, 5, 100, 4);
    alone.log.rows<Mount>().push_back({"/", "ext4", "there"});
    CHECK_FALSE(finds(alone.log, "collective_exchange"));
    alone.log.rows<Hints>() = {{1, "cb_buffer_size=16384", "cb_buffer_size=16384", 0}};
    CHECK(finds(alone.log, "collective_exchange"));
    CHECK_FALSE(finds(log_with(20, 19, 100).log, "collective_exchange"));
    // Ranks that wait for a core do so there as well: with several nodes it may be all of it, or nothing.
    Synthetic busy = log_with(20, 5, 100);
    for (Process& process : busy.log.rows<Process>()) process.core_wait = 20 * second;
    const report::Finding range = finding_of(busy.log, "collective_exchange");
    CHECK(cost_of(range) == Approx(14));
    CHECK(range.cost_least == Approx(14 - 0.2 * 27.5));
    // Few calls of less than a MiB are outputs of steps, which nobody would put together.
    const auto outputs = [&](std::uint64_t calls) {
        Synthetic made = log_with(20, 5, calls);
        for (Process& process : made.log.rows<Process>()) process.core_wait = 60 * second;
        for (MpiioRecord& row : made.log.rows<MpiioRecord>()) {
            row.writes = calls;
            row.bytes_written = calls * mib / 2;
        }
        return finds(made.log, "collective_exchange");
    };
    CHECK_FALSE(outputs(20));
    CHECK(outputs(21));
    // What a view parts has to pass to other ranks: it takes a tenth of the run to be a finding.
    Synthetic parted = log_with(20, 5, 100);
    parted.log.rows<MpiioRecord>().front().views = 1;
    CHECK(finds(parted.log, "collective_exchange"));
    parted.log.rows<PosixRecord>().front().write_time += 4 * second + second / 2;
    CHECK_FALSE(finds(parted.log, "collective_exchange"));
    CHECK_FALSE(finds(log_with(20, 5, 50).log, "collective_exchange"));  // most are independent
}

TEST_CASE("read, modify, write: a tenth of what was written, read though nobody asked for it")
{
    const auto log_with = [](std::uint64_t asked, std::uint64_t beneath) {
        Synthetic made;
        made.ranks(2);
        const std::uint64_t file = made.file("/holes");
        made.io<MpiioRecord>(file, 0,
                             {.bytes_read = asked, .bytes_written = 1000 * mib, .write_time = 30 * second});
        auto& row = made.io<PosixRecord>(
            file, 0, {.bytes_read = beneath, .bytes_written = 1000 * mib, .read_time = 20 * second},
            Scope::beneath_mpiio);
        row.reads = 80;
        return made;
    };
    CHECK(finds(log_with(0, 100 * mib).log, "read_modify_write"));
    CHECK_FALSE(finds(log_with(0, 100 * mib - 1).log, "read_modify_write"));
    CHECK_FALSE(finds(log_with(200 * mib, 200 * mib).log, "read_modify_write"));
    Synthetic made = log_with(100 * mib, 400 * mib);
    made.log.add_fact("mpi", "MPICH Version: 4.0.2");
    const report::Finding one = finding_of(made.log, "read_modify_write");
    CHECK(numbers_of(one) == R"(MPI-IO reads 300 MiB only in order to write 1000 MiB
15.0 s, 15 %, high
reads beneath MPI-IO: 60 (of 300 MiB, in 15.0 s)
written to these files: 1000 MiB
most time in: /holes)");
    CHECK_THAT(lines_of(one), Contains("romio_ds_write disable"));
    CHECK_THAT(lines_of(finding_of(log_with(0, 400 * mib).log, "read_modify_write")), !Contains("romio"));
    // The locks around them are waited for as well.
    Synthetic locked = log_with(100 * mib, 400 * mib);
    locked.log.rows<PosixRecord>().back().metadata_time = 10 * second;
    locked.log.rows<PosixRecord>().back().lock_time = 10 * second;
    CHECK(cost_of(locked.log, "read_modify_write") == Approx(25));
}

TEST_CASE("read, modify, write: three in five calls turn around, about as much each way")
{
    const auto log_with = [](std::uint64_t calls, std::uint64_t switches, std::uint64_t written) {
        Synthetic made;
        made.process(-1);
        auto& row = made.io<PosixRecord>(made.file("/blocks"), 0,
                                         {.bytes_read = 200 * mib,
                                          .bytes_written = written,
                                          .read_time = 20 * second,
                                          .write_time = 10 * second});
        row.reads = calls / 2;
        row.writes = calls - calls / 2;
        row.switches = switches;
        return made;
    };
    CHECK(finds(log_with(200, 120, 200 * mib).log, "read_modify_write"));
    CHECK_FALSE(finds(log_with(199, 199, 200 * mib).log, "read_modify_write"));
    CHECK_FALSE(finds(log_with(200, 119, 200 * mib).log, "read_modify_write"));
    CHECK(finds(log_with(200, 120, 100 * mib).log, "read_modify_write"));
    CHECK_FALSE(finds(log_with(200, 120, 100 * mib - 1).log, "read_modify_write"));
    CHECK(finds(log_with(200, 120, 400 * mib).log, "read_modify_write"));
    CHECK_FALSE(finds(log_with(200, 120, 400 * mib + 1).log, "read_modify_write"));
    Synthetic two = log_with(300, 300, 200 * mib);
    auto& less = two.io<PosixRecord>(two.file("/less"), 0,
                                     {.bytes_read = mib, .bytes_written = mib, .read_time = 5 * second});
    less.reads = less.writes = 100;
    less.switches = 200;
    const report::Finding one = finding_of(two.log, "read_modify_write");
    CHECK(numbers_of(one) == R"(201 MiB read and written again by turns
25.0 s, 25 %, low
reads: 250 (of 201 MiB, in 25.0 s)
written to these files: 201 MiB
most time in: /blocks)");
    CHECK_FALSE(one.cost_least);  // nothing tells how much of the file was written before
}

TEST_CASE("read, modify, write: at most also the writes of what had been written before")
{
    const auto log_with = [](std::uint64_t extent, std::uint64_t writes, std::uint64_t waiting = 0,
                             std::uint64_t reading = 20 * second) {
        Synthetic made;
        made.process(-1);
        auto& row = made.io<PosixRecord>(made.file("/blocks"), 0,
                                         {.bytes_read = 200 * mib,
                                          .bytes_written = 200 * mib,
                                          .read_time = reading,
                                          .write_time = 10 * second});
        row.reads = row.writes = writes;
        row.switches = 2 * writes;
        row.highest_read = row.highest_written = extent;
        row.sync_time = waiting;
        return made;
    };
    const report::Finding one = finding_of(log_with(50 * mib, 1000).log, "read_modify_write");
    CHECK(cost_of(one) == Approx(20 + 10 * 0.75));
    CHECK(*one.cost_least == Approx(20));
    CHECK_THAT(one.cost_basis, Contains("written before"));
    const auto least = [](const Synthetic& made) {
        return finding_of(made.log, "read_modify_write").cost_least;
    };
    CHECK_FALSE(least(log_with(200 * mib, 1000)));  // each place once
    CHECK(least(log_with(50 * mib, 200 * mib / 4096)));
    CHECK_FALSE(least(log_with(50 * mib, 200 * mib / 4096 + 1)));  // small requests
    CHECK(cost_of(log_with(50 * mib, 1000, 4 * second).log, "read_modify_write") == Approx(20 + 6 * 0.75));
    CHECK_FALSE(least(log_with(50 * mib, 1000, 10 * second)));
    // A finding by the reads alone, or none.
    CHECK(least(log_with(50 * mib, 1000, 0, 4 * second)));
    CHECK_FALSE(finds(log_with(50 * mib, 1000, 0, 4 * second - ms).log, "read_modify_write"));
}

TEST_CASE("stdio: 1 MiB in pieces of less than 1 MiB is much")
{
    const auto found = [](std::uint64_t bytes, std::uint64_t calls,
                          std::string_view program = "/home/user/app") {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().program = program;
        made.log.rows<Process>().front().libraries = "libc";
        made.io<StdioRecord>(made.file("/text"), 0, {.bytes_written = bytes, .write_time = 20 * second})
            .writes = calls;
        return finds(made.log, "stdio_bulk");
    };
    CHECK(found(mib, 2));
    CHECK_FALSE(found(mib - 1, 2));
    CHECK(found(mib - 1, 10'000));  // or very many calls
    CHECK_FALSE(found(mib - 1, 9'999));
    CHECK_FALSE(found(mib - 1, 10'000, "/usr/bin/bash"));  // whose stream has the buffer that it has
    CHECK_FALSE(found(2 * mib, 2));
    CHECK(found(2 * mib - 1, 2));
    CHECK_FALSE(found(0, 0));
}

TEST_CASE("stdio: small files that are moved whole, by a call each, leave nothing to put together")
{
    const auto found = [](std::uint64_t calls) {
        Synthetic made;
        made.process(-1);
        StdioRecord& row =
            made.io<StdioRecord>(made.file("/small"), 0, {.bytes_read = 100 * mib, .read_time = 20 * second});
        row.opens = 1000;
        row.reads = calls;
        return finds(made.log, "stdio_bulk");
    };
    CHECK_FALSE(found(1000));
    CHECK(found(1001));
}

TEST_CASE("stdio: nobody can change how a tool of the system does it, also where a script starts it")
{
    const auto found = [](std::string_view program) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().program = "/usr/bin/bash";
        for (int at = 0; at < 40; ++at) {
            const std::int64_t number = made.process(-1);
            made.log.rows<Process>().back().program = program;
            made.log.rows<Process>().back().libraries = "libc";
            made.io<StdioRecord>(made.file("/text" + std::to_string(at)), number,
                                 {.bytes_written = mib, .write_time = 10 * second})
                .writes = 100'000;
        }
        return finds(made.log, "stdio_bulk");
    };
    CHECK_FALSE(found("/usr/bin/sed"));
    CHECK(found("/home/user/app"));
}

TEST_CASE("stdio: what goes past the buffer of a stream is as slow as a file system that nodes share")
{
    const auto found = [](std::uint64_t each, std::string_view type) {
        Synthetic made;
        made.process(-1);
        if (!type.empty()) made.log.rows<Mount>().push_back({"/", type, "there"});
        made.io<StdioRecord>(made.file("/out"), 0, {.bytes_written = 1000 * each, .write_time = 20 * second})
            .writes = 1000;
        return finds(made.log, "stdio_bulk");
    };
    CHECK(found((4 << 10) - 1, "ext4"));
    CHECK_FALSE(found(4 << 10, "ext4"));  // past the buffer
    CHECK_FALSE(found(8 << 10, "nfs4"));
    CHECK(found((8 << 10) - 1, "nfs4"));
}

TEST_CASE("stdio: a seek before each piece is the fault, which no larger buffer mends")
{
    const auto made = [](std::uint64_t seeking) {
        Synthetic job;
        job.process(-1);
        job.log.rows<Process>().front().libraries = "libc";
        StdioRecord& row = job.io<StdioRecord>(
            job.file("/events"), 0,
            {.bytes_written = 10 * mib, .write_time = 10 * second, .metadata_time = seeking});
        row.writes = row.seeks = 100'000;
        return finding_of(job.log, "stdio_bulk");
    };
    const report::Finding one = made(11 * second);
    CHECK(one.title == "100,000 seeks in streams, between pieces of 105 B");
    CHECK_THAT(lines_of(one), Contains("pwrite") && !Contains("setvbuf"));
    CHECK_THAT(made(9 * second).title, Contains("go through stdio"));
    const auto first_advice = [](std::uint64_t in_order, std::uint64_t switches = 0) {
        Synthetic job;
        job.process(-1);
        job.log.rows<Process>().front().libraries = "libc";
        StdioRecord& row = job.io<StdioRecord>(
            job.file("/events"), 0,
            {.bytes_read = 10 * mib, .read_time = 10 * second, .metadata_time = 11 * second});
        row.reads = row.seeks = 100'000;
        row.consecutive_reads = in_order;
        row.switches = switches;
        return finding_of(job.log, "stdio_bulk").advice.front().text;
    };
    CHECK_THAT(first_advice(50'001), Contains("Leave out the seeks"));
    CHECK_THAT(first_advice(50'000), Contains("pick from memory"));
    // Records that are read and written again: between the two a stream has to seek.
    CHECK_THAT(first_advice(50'001, 50'001), Contains("change the records in memory"));
}

TEST_CASE("stdio: a packaged tool whose calls take as long as without a buffer can be told to use one")
{
    const auto found = [](std::uint64_t each) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().program = "/usr/bin/sed";
        made.log.rows<Process>().front().libraries = "libc";
        made.io<StdioRecord>(made.file("/log"), 0, {.bytes_read = 100'000 * 30, .read_time = 100'000 * each})
            .reads = 100'000;
        return found_in(made.log);
    };
    const auto slow = found(70 * us);
    REQUIRE(of_rule(slow, "stdio_bulk") != nullptr);
    CHECK_THAT(of_rule(slow, "stdio_bulk")->advice.front().text, Contains("sed -u"));
    CHECK(of_rule(found(10 * us), "stdio_bulk") == nullptr);
}

TEST_CASE("stdio: both directions add up, the file that took most time is named")
{
    Synthetic made;
    made.process(-1);
    auto& written = made.io<StdioRecord>(made.file("/written"), 0,
                                         {.bytes_written = 60 * mib, .write_time = 25 * second});
    written.writes = 600;
    written.sync_time = 5 * second;
    made.io<StdioRecord>(made.file("/read"), 0, {.bytes_read = 100 * mib, .read_time = 10 * second}).reads =
        1000;
    made.io<StdioRecord>(made.file("/last"), 0, {.bytes_written = 40 * mib, .write_time = 4 * second})
        .writes = 400;
    made.io<PosixRecord>(made.file("/posix"), 0, {.bytes_written = 200 * mib, .write_time = second});
    const report::Finding one = finding_of(made.log, "stdio_bulk");
    // 20 s, 10 s and 4 s, less 0.1 s that 200 MiB take at 2 GiB/s.
    CHECK(cost_of(one) == Approx(34 - 200 / 2048.0).epsilon(1e-9));
    CHECK(numbers_of(one) == R"(200 MiB go through stdio in pieces of 102 KiB
33.9 s, 33.9 %, medium
bytes through stdio: 200 MiB (50 % of all that went to or came from files)
calls for them: 2,000 (took 34.0 s, 5.88 MiB/s)
most time in: /written (60 MiB))");
    CHECK_THAT(lines_of(one), Contains("fwrite") && Contains("putc_unlocked"));
    large(made, made.file("/reference"), 0);
    CHECK(finding_of(made.log, "stdio_bulk").confidence == report::Confidence::high);
}

TEST_CASE("aggregators: it is reported where the log does not separate syncs from writes")
{
    Synthetic made = collective({.ranks = 8});
    made.log.rows<PosixRecord>().front().syncs = 1;
    CHECK_THAT(finding_of(made.log, "aggregators").doubt, !Contains("includes that of syncs"));
    made.log.not_recorded.insert("posix.sync_time");
    CHECK_THAT(finding_of(made.log, "aggregators").doubt, Contains("includes that of syncs"));
}

TEST_CASE("MPI-IO: room that is set aside by writing all of it, before the program does")
{
    const report::Finding one = finding_of(preallocated().log, "preallocated");
    CHECK(one.title == "400 MiB that MPI_File_preallocate wrote, for 400 MiB of data");
    CHECK(cost_of(one) == Approx(6).epsilon(0.02));
    // At most: the four ranks make the file's pages in their own writes, in 1.5 s, which now take 2 s.
    CHECK(one.cost_least.value_or(0) == Approx(6).epsilon(0.02));
    Synthetic alone = preallocated();
    for (MpiioRecord& row : alone.log.rows<MpiioRecord>())
        if (row.process > 0) row.writes = row.bytes_written = row.write_time = 0, row.writers = 0;
    for (Totals& row : alone.log.rows<Totals>())
        if (row.process > 0) row.bytes_written = row.write_time = 0;
    alone.log.rows<PosixRecord>().front().bytes_written = 200 * mib;
    CHECK(finding_of(alone.log, "preallocated").cost_least.value_or(0) == Approx(2).epsilon(0.02));
    CHECK_THAT(lines_of(one), Contains("MPI_File_set_size"));
    CHECK(finds(preallocated(0.26).log, "preallocated"));
    CHECK_FALSE(finds(preallocated(0.25).log, "preallocated"));
    CHECK_FALSE(finds(preallocated(1, 0).log, "preallocated"));  // data sieving, or a library's own
}

TEST_CASE("what a slow link takes in any case is not known to be saved on a file system that nodes share")
{
    const auto least = [](std::string_view type, std::uint64_t size) {
        Synthetic made;
        made.ranks(2, 1);
        made.log.rows<Mount>().push_back({"/", type, "there"});
        const std::uint64_t file = made.file("/shared");
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            made.log.rows<Process>()[static_cast<std::size_t>(rank)].end = job_start + 5 * second;
            calls(made, file, rank, Direction::write, 1000, size, ms).synced_writes = 1000;
            made.log.rows<PosixRecord>().back().synced_write_time = 1000 * ms;
        }
        return finding_of(made.log, "frequent_syncs").cost_least;
    };
    CHECK_FALSE(least("ext4", 16 << 10));
    // 31.25 MiB of two ranks, of which 50 MiB pass in a second.
    CHECK(*least("fuse.glusterfs", 16 << 10) == Approx(0.37).epsilon(0.05));
    CHECK_FALSE(least("fuse.glusterfs", 4 << 10));
}
