// Ranks that differ: one that is slow, that moves more, that does all; where the log tells them apart.
#include <catch2/catch.hpp>
#include <vector>

#include "analyzer/findings/rank_work.h"
#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

struct Own {
    std::uint64_t written = 100 * mib, time = 10 * second, writes = 1, read = 0, read_time = 0;
};

// Each rank moves the data of a file of its own; all ran for 100 s.
Synthetic each_its_own(const std::vector<Own>& ranks, std::int64_t per_node = 1000)
{
    Synthetic made;
    made.ranks(static_cast<std::int64_t>(ranks.size()), per_node);
    for (std::size_t at = 0; at < ranks.size(); ++at) {
        const Own& own = ranks[at];
        made.io<PosixRecord>(made.file("/own" + std::to_string(at)), static_cast<std::int64_t>(at),
                             {.bytes_read = own.read,
                              .bytes_written = own.written,
                              .read_time = own.read_time,
                              .write_time = own.time});
        made.log.rows<Totals>().back().writes = own.writes;
    }
    return made;
}

}  // namespace

TEST_CASE("stragglers: what a rank waits for others in collective calls is not its own time")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/shared");
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        made.io<MpiioRecord>(
                file, rank,
                {.bytes_written = 100 * mib, .write_time = second, .metadata_time = rank * 20 * second})
            .writes = 10;
        made.io<PosixRecord>(file, rank, {.bytes_written = 100 * mib, .write_time = second},
                             Scope::beneath_mpiio)
            .writes = 10;
    }
    CHECK_FALSE(finds(made.log, "stragglers"));
    made.log.rows<PosixRecord>().back().write_time = 9 * second;
    for (Totals& totals : made.log.rows<Totals>())
        if (totals.process == 1 && totals.scope == static_cast<std::uint64_t>(Scope::beneath_mpiio))
            totals.write_time = 9 * second;
    CHECK(finds(made.log, "stragglers"));
}

TEST_CASE("stragglers: half as long again as the median is clearly slower")
{
    const Own usual{.time = 20 * second};
    CHECK(finds(each_its_own({usual, {.time = 30 * second}, usual}).log, "stragglers"));
    CHECK_FALSE(finds(each_its_own({usual, {.time = 30 * second - 1}, usual}).log, "stragglers"));
    CHECK_FALSE(finds(each_its_own({{.time = 60 * second}}).log, "stragglers"));  // alone
}

TEST_CASE("stragglers: of many small requests some wait by chance, which is no node's fault")
{
    const auto found = [](std::uint64_t calls, std::uint64_t bytes) {
        const Own usual{.written = bytes, .time = 20 * second, .writes = calls};
        Own slow = usual;
        slow.time = 60 * second;
        return finds(each_its_own({usual, slow, usual}).log, "stragglers");
    };
    CHECK_FALSE(found(1000, 1000 * 1500));
    CHECK(found(100, 100 * 1500));
    CHECK(found(1000, 1000 * mib));
}

TEST_CASE("tasks of a step, of one program and a process each, are compared as ranks are")
{
    Synthetic made = each_its_own({{10 * mib, second}, {100 * mib, 10 * second}, {10 * mib, second}}, 1);
    const auto as_tasks = [&](std::uint64_t tasks) {
        for (Process& process : made.log.rows<Process>()) {
            process.rank = -1;
            process.task = process.process;
            process.tasks = tasks;
        }
    };
    as_tasks(0);
    CHECK_FALSE(finds(made.log, "byte_imbalance"));
    as_tasks(3);
    const report::Finding one = finding_of(made.log, "byte_imbalance");
    CHECK_THAT(one.title, Contains("Process 1 moves 2.5 times"));
    CHECK_THAT(one.advice.front().text, Contains("Give every task an equal part"));
    // What a task does with its data takes longer, too: as far as it runs longer than the mean.
    CHECK_FALSE(one.cost_least);
    made.log.rows<Process>().front().end = made.log.rows<Process>().back().end = job_start + 10 * second;
    const report::Finding working = finding_of(made.log, "byte_imbalance");
    CHECK(cost_of(working) == Approx(60));  // of 100 s, as the mean of 40 MiB is of 100
    CHECK(*working.cost_least == Approx(cost_of(one)));
    as_tasks(6);
    CHECK_FALSE(finds(made.log, "byte_imbalance"));
    as_tasks(3);
    made.log.rows<Process>().back().program = "/usr/bin/sleep";
    CHECK_FALSE(finds(made.log, "byte_imbalance"));
}

TEST_CASE("redundant reads: of a large file each task of a step may have a part")
{
    const auto found = [](std::uint64_t size, bool tasks) {
        Synthetic made;
        for (std::int64_t at = 0; at < 3; ++at) {
            made.process(-1, "node" + std::to_string(at));
            Process& process = made.log.rows<Process>().back();
            if (tasks) process.task = at, process.tasks = 3;
            PosixRecord& row = made.io<PosixRecord>(at == 0 ? made.file("/all.csv") : 100, at,
                                                    {.bytes_read = size, .read_time = 30 * second});
            row.reads = 100;
            row.highest_read = size;
        }
        return finds(made.log, "redundant_reads");
    };
    CHECK(found(8 * mib, true));
    CHECK_FALSE(found(8 * mib - 1, true));
    CHECK_FALSE(found(8 * mib, false));  // one on each node
}

TEST_CASE("stragglers: a rank that moves half as much again is uneven rather than slow")
{
    const Own usual{.time = 20 * second};
    CHECK(finds(each_its_own({usual, {150 * mib, 40 * second}, usual}).log, "stragglers"));
    CHECK_FALSE(finds(each_its_own({usual, {150 * mib + 1, 40 * second}, usual}).log, "stragglers"));
}

TEST_CASE("stragglers: who it is, and that each of its calls takes longer")
{
    Synthetic made = each_its_own(
        {{110 * mib, 12 * second, 9}, {90 * mib, 9 * second, 7}, {100 * mib, 40 * second, 8}}, 1);
    report::Finding one = finding_of(made.log, "stragglers");
    CHECK(numbers_of(one) == R"(Rank 2 spends 3.3 times as long in I/O as the median
28.0 s, 28.0 %, medium
rank 2: 40.0 s (in I/O, on node2)
the median: 12.0 s (of 3 ranks)
bytes it moved: 100 MiB (the median is 100 MiB)
I/O calls it made: 8 (the median is 8))");
    CHECK(lines_of(one) == "srun --exclude=node2 …\n");
    CHECK_THAT(one.advice.front().text, Contains("look at the node node2 and"));
    for (Process& process : made.log.rows<Process>()) process.host = "node";
    CHECK(lines_of(finding_of(made.log, "stragglers")).empty());  // there is no other node
    for (Totals& totals : made.log.rows<Totals>()) totals.writes = totals.process == 2 ? 13 : 8;
    one = finding_of(made.log, "stragglers");
    CHECK_THAT(one.advice.front().text,
               Contains("It does as much with more calls: look at the files of rank 2"));
    for (Totals& totals : made.log.rows<Totals>()) totals.writes = totals.process == 2 ? 12 : 8;
    CHECK_THAT(finding_of(made.log, "stragglers").advice.front().text, Contains("It makes as many calls"));
}

TEST_CASE(
    "stragglers: no more than the ranks ran, and nothing where a single call hung for less than a second")
{
    Synthetic made = each_its_own({{.time = 20 * second}, {.time = 150 * second}, {.time = 20 * second}});
    CHECK(cost_of(made.log, "stragglers") == Approx(80));
    const auto hung = [](std::uint64_t time, std::uint64_t read, std::uint64_t write, std::uint64_t shared) {
        Synthetic short_run = each_its_own({{.time = 500 * ms}, {.time = time}, {.time = 500 * ms}});
        for (Process& process : short_run.log.rows<Process>()) process.end = job_start + 2 * second;
        auto& rows = short_run.log.rows<PosixRecord>();
        rows[1].slowest_read.time = read;
        rows[1].slowest_write.time = write;
        rows[0].slowest_write.time = second;  // another rank's
        short_run.reduced_io<PosixRecord>(short_run.file("/all"), 3, 0, 0, {}).slowest_write.time = shared;
        return !finds(short_run.log, "stragglers");
    };
    // 900 ms more than the others: half of it in the three longest calls.
    CHECK(hung(1400 * ms, 150 * ms, 150 * ms, 151 * ms));
    CHECK_FALSE(hung(1400 * ms, 150 * ms, 150 * ms, 150 * ms));
    CHECK_FALSE(hung(1500 * ms, 900 * ms, 900 * ms, 900 * ms));  // a second
}

TEST_CASE("stragglers: a rank that writes what others sent it is meant to be at it for longer")
{
    const auto log_with = [](std::uint64_t by_rank_2) {
        Synthetic made = each_its_own({{}, {}, {.time = 40 * second}, {}});
        for (std::int64_t rank = 0; rank < 4; ++rank)
            made.total(rank, Layer::posix, Scope::beneath_mpiio,
                       {.bytes_read = mib, .bytes_written = rank == 2 ? by_rank_2 : mib});
        return made;
    };
    CHECK(finds(log_with(2 * mib).log, "stragglers"));  // 3 MiB for 2 of the others
    CHECK_FALSE(finds(log_with(2 * mib + 1).log, "stragglers"));
}

TEST_CASE(
    "ranks that moved less than a hundredth of the most do not count, and of two the quicker is the median")
{
    const Synthetic made =
        each_its_own({{.written = 100 * mib},
                      {.written = mib},
                      {.written = mib - 1},
                      {.written = 0, .time = second},
                      {.written = 40 * mib, .time = second, .writes = 3, .read = 10 * mib}});
    const Job job(made.log);
    const std::vector<RankWork> work = movers_of(job);
    REQUIRE(work.size() == 3);
    CHECK(work[0].rank == 0);
    CHECK(work[1].rank == 1);
    CHECK(work[2].rank == 4);
    CHECK(work[2].bytes == 50 * mib);
    CHECK(work[2].calls == 3);
    CHECK(median_of(work, &RankWork::bytes) == 50 * mib);
    CHECK(median_of({work[0], work[2]}, &RankWork::bytes) == 50 * mib);
    CHECK(median_of({work[0], work[1], work[2], work[2]}, &RankWork::bytes) == 50 * mib);
    CHECK(median_of({}, &RankWork::bytes) == 0);
}

TEST_CASE("calls of a rank are those of all layers that the program called itself")
{
    Synthetic made = each_its_own({{}, {}});
    const auto add = [&](Layer layer, Scope scope, std::uint64_t opens, std::uint64_t reads,
                         std::uint64_t writes, std::uint64_t syncs) {
        made.total(1, layer, scope, {.bytes_read = 7, .bytes_written = 5});
        Totals& totals = made.log.rows<Totals>().back();
        totals.opens = opens;
        totals.reads = reads;
        totals.writes = writes;
        totals.syncs = syncs;
    };
    add(Layer::mpiio, Scope::direct, 1, 20, 300, 4000);
    add(Layer::stdio, Scope::direct, 2, 30, 400, 5000);
    add(Layer::posix, Scope::beneath_mpiio, 10'000, 0, 0, 0);
    add(Layer::stdio, Scope::beneath_mpiio, 10'000, 0, 0, 0);
    const Job job(made.log);
    const std::vector<RankWork> work = movers_of(job);
    REQUIRE(work.size() == 2);
    CHECK(work[1].calls == 1 + 9753);
    CHECK(work[1].for_others == 24);
    CHECK(work[0].for_others == 0);
}

TEST_CASE("byte imbalance: half as much again as the mean is clearly uneven")
{
    const Own usual{75 * mib, 10 * second};
    CHECK(finds(each_its_own({usual, {150 * mib, 30 * second}, usual}).log, "byte_imbalance"));
    CHECK_FALSE(finds(each_its_own({usual, {150 * mib - 3, 30 * second}, usual}).log, "byte_imbalance"));
    CHECK_FALSE(finds(each_its_own({{150 * mib, 30 * second}}).log, "byte_imbalance"));
}

TEST_CASE("byte imbalance: what equal parts would spare, no more than by which the others are quicker")
{
    const report::Finding one = finding_of(
        each_its_own({{50 * mib, 12 * second}, {300 * mib, 30 * second}, {100 * mib, 8 * second}}).log,
        "byte_imbalance");
    // With half of its bytes it would take 15 s; the median is 18 s quicker.
    CHECK(numbers_of(one) == R"(Rank 1 moves 2.0 times as many bytes as the mean
15.0 s, 15 %, medium
rank 1: 300 MiB (in 30.0 s in I/O)
the mean: 150 MiB (of 3 ranks that moved data; the median took 12.0 s))");
    const auto cost = [](std::uint64_t time, std::uint64_t of_others) {
        return cost_of(each_its_own({{50 * mib, of_others}, {300 * mib, time}, {100 * mib, of_others}}).log,
                       "byte_imbalance");
    };
    CHECK(cost(30 * second, 20 * second) == Approx(10));
    CHECK(cost(300 * second, 20 * second) == Approx(100));  // no more than it ran
}

TEST_CASE(
    "opened together: files of one rank each, which all ranks open by one collective call after another")
{
    const auto made = [](int files, std::int64_t owners, std::uint64_t collective = 1) {
        Synthetic log;
        log.ranks(4);
        for (int number = 0; number < files; ++number) {
            const std::uint64_t file = log.file("/bank." + std::to_string(number));
            for (std::int64_t rank = 0; rank < 4; ++rank) {
                MpiioRecord& row = log.io<MpiioRecord>(
                    file, rank,
                    {.bytes_written = rank == number % owners ? mib : 0, .metadata_time = second});
                row.opens = 1;
                row.collective_opens = collective;
            }
        }
        return log;
    };
    const report::Finding one = finding_of(made(8, 4).log, "opened_together");
    CHECK(one.title == "8 files that 4 ranks open together, each for one of them alone");
    CHECK(cost_of(one) == Approx(8 * 0.75));
    CHECK_THAT(lines_of(one), Contains("MPI_COMM_SELF"));
    CHECK(found_in(made(8, 4).log).size() == 1);
    CHECK_FALSE(finds(made(7, 4).log, "opened_together"));
    CHECK_FALSE(finds(made(8, 1).log, "opened_together"));  // others need not wait for what it does
    CHECK_FALSE(finds(made(8, 4, 0).log, "opened_together"));
}

TEST_CASE("single process: 95 of 100 bytes are nearly all")
{
    const auto log_with = [](std::uint64_t others) {
        return each_its_own({{others, second}, {95 * mib, 20 * second}});
    };
    CHECK(finds(log_with(5 * mib).log, "single_process"));
    CHECK_FALSE(finds(log_with(5 * mib + 1).log, "single_process"));
    CHECK_FALSE(finds(each_its_own({{95 * mib, 20 * second}}).log, "single_process"));
}

TEST_CASE(
    "single process: CPU time beyond that of ranks that wait went into gathering and converting their data")
{
    Synthetic made = each_its_own({{100 * mib, 20 * second}, {mib, ms}, {mib, ms}, {mib, ms}});
    const double in_calls = cost_of(made.log, "single_process");
    for (Process& process : made.log.rows<Process>()) process.cpu_time = 10 * second;
    CHECK(cost_of(made.log, "single_process") == in_calls);
    made.log.rows<Process>().front().cpu_time = 70 * second;
    const report::Finding one = finding_of(made.log, "single_process");
    CHECK(cost_of(one) == Approx(0.75 * (20 + 40)));
    CHECK(*one.cost_least == Approx(0.75 * (20 + 20)));
}

TEST_CASE("single process: reads, writes or both, of which the one that took longer is reported")
{
    const Own idle{.written = mib, .time = ms, .writes = 1, .read = 20 * mib, .read_time = second};
    report::Finding one =
        finding_of(each_its_own({idle, {100 * mib, 20 * second}, idle, idle}).log, "single_process");
    CHECK(numbers_of(one) == R"(One of 4 ranks writes for all of them
15.1 s, 15.1 %, medium
rank 1: 100 MiB (of 103 MiB that all ranks wrote)
in: 20.0 s (while the others have no such I/O))");
    const Own writer{.written = 20 * mib, .time = second},
        reader{
            .written = 20 * mib, .time = second, .writes = 1, .read = 3000 * mib, .read_time = 20 * second};
    CHECK(finding_of(each_its_own({writer, reader}).log, "single_process").title ==
          "One of 2 ranks reads for all of them");
    CHECK_FALSE(finds(each_its_own({reader, reader}).log, "single_process"));
    const Own none{.written = 0, .time = 0, .writes = 0};
    const auto both = [&](std::uint64_t read_time) {
        return finding_of(each_its_own({none,
                                        none,
                                        {.written = 100 * mib,
                                         .time = 20 * second,
                                         .writes = 1,
                                         .read = 3000 * mib,
                                         .read_time = read_time},
                                        none})
                              .log,
                          "single_process");
    };
    CHECK(numbers_of(both(20 * second)) == R"(One of 4 ranks reads and writes for all of them
32.3 s, 32.3 %, medium
rank 2: 2.93 GiB (of 2.93 GiB that all ranks read)
in: 20.0 s (while the others have no such I/O))");
    CHECK_THAT(numbers_of(both(19 * second)), Contains("of 100 MiB that all ranks wrote"));
    // No more than it ran, and passing the data on.
    CHECK(cost_of(both(100 * second)) == Approx(75 + 0.75 * 3100 / 1024));
    CHECK(*finding_of(each_its_own({idle, {100 * mib, 20 * second}, idle, idle}).log, "single_process")
               .cost_least == Approx(15));
}

TEST_CASE("byte imbalance: of ranks that have most by turns, the sums are even, and each phase waits for one")
{
    // Six phases of 4 s, in each of which one of three ranks writes 10 MiB for 3 s, and the others 1 MiB for
    // 0.3 s.
    const auto log_with = [](std::uint64_t most, bool always_one = false) {
        Synthetic made;
        made.ranks(3);
        std::vector<std::uint64_t> written(3), times(3);
        for (std::size_t phase = 0; phase < 6; ++phase)
            for (std::size_t rank = 0; rank < 3; ++rank) {
                const bool has_most = always_one ? rank == 1 : phase % 3 == rank;
                const double from = static_cast<double>(phase) * 4, length = has_most ? 3 : 0.3;
                const std::uint64_t bytes = has_most ? most : mib,
                                    time = static_cast<std::uint64_t>(length * 1e9);
                made.burst(static_cast<std::int64_t>(rank), from, from + length);
                made.slice(static_cast<std::int64_t>(rank), Layer::posix, phase, 4 * second,
                           {.bytes_written = bytes, .write_time = time});
                written[rank] += bytes;
                times[rank] += time;
            }
        for (std::size_t rank = 0; rank < 3; ++rank)
            made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), static_cast<std::int64_t>(rank),
                                 {.bytes_written = written[rank], .write_time = times[rank]});
        return made;
    };
    const report::Finding one = finding_of(log_with(10 * mib).log, "byte_imbalance");
    CHECK(numbers_of(one) == R"(In 6 of 6 phases one rank moves 2.5 times as many bytes as the mean
10.8 s, 10.8 %, medium
phases in which one rank has 1.5 times the mean: 6 (of 6, in each of which nearly all ranks have I/O)
ranks that are that one: 3 (by turns, so that their sums are even))");
    CHECK(finds(log_with(2 * mib).log, "byte_imbalance"));
    CHECK_FALSE(finds(log_with(2 * mib - 1).log, "byte_imbalance"));  // less than 1.5 times the mean
    // One that always has most is found by the sums.
    CHECK_THAT(finding_of(log_with(10 * mib, true).log, "byte_imbalance").title, Contains("Rank 1 moves"));
    Synthetic through_mpi = log_with(10 * mib);  // whose aggregators have the bytes of others
    through_mpiio(through_mpi, through_mpi.file("/shared"), 0, 1, mib, ms);
    CHECK_FALSE(finds(through_mpi.log, "byte_imbalance"));
}

TEST_CASE("ranks by turns: where each begins when another has ended, their times add up")
{
    const auto log_with = [](double apart, double length = 2) {
        Synthetic made;
        made.ranks(4);
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            made.io<PosixRecord>(made.file("/shared" + std::to_string(rank)), rank,
                                 {.bytes_written = 100 * mib, .write_time = 6 * second});
            for (std::size_t turn = 0; turn < 3; ++turn) {
                const double from = static_cast<double>(turn) * 10 + apart * static_cast<double>(rank);
                made.burst(rank, from, from + length);
            }
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(2).log, "ranks_by_turns");
    CHECK(numbers_of(one) == R"(4 ranks do their I/O one after the other
18.0 s, 18 %, medium
all ranks in reads and writes: 24.0 s (of 100 s)
turns of all ranks: 24.0 s (what lies between their calls included)
most time in: /shared0)");
    CHECK(one.cost_least == 0.0);
    CHECK_THAT(lines_of(one), Contains("MPI_Exscan"));
    CHECK_FALSE(finds(log_with(0).log, "ranks_by_turns"));
    CHECK_FALSE(finds(log_with(2, 1.5).log, "ranks_by_turns"));  // they compute in between
    // One that they read again and again shows no turns.
    Synthetic read = log_with(2);
    for (PosixRecord& row : read.log.rows<PosixRecord>()) {
        std::swap(row.bytes_read, row.bytes_written);
        std::swap(row.read_time, row.write_time);
        row.opens = 5;
    }
    CHECK_FALSE(finds(read.log, "ranks_by_turns"));
    read.log.rows<PosixRecord>().front().opens = 4;
    CHECK_THAT(finding_of(read.log, "ranks_by_turns").advice.front().text, Contains("Have all ranks read"));
    Synthetic slow_by_syncs = log_with(2);  // which are what takes the time
    for (PosixRecord& row : slow_by_syncs.log.rows<PosixRecord>()) {
        row.syncs = row.writes = 1000;
        row.sync_time = 5 * second;
    }
    CHECK(finds(slow_by_syncs.log, "frequent_syncs"));
    CHECK_FALSE(finds(slow_by_syncs.log, "ranks_by_turns"));
}

TEST_CASE("ranks by turns: one long turn each, of many bursts")
{
    Synthetic made;
    made.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        made.io<PosixRecord>(made.file("/shared"), rank,
                             {.bytes_written = 100 * mib, .write_time = 6 * second});
        made.log.rows<Process>()[static_cast<std::size_t>(rank)].burst_gap = 8'000'000;
        for (std::size_t burst = 0; burst < 20; ++burst) {
            const double from = 10 * static_cast<double>(rank) + static_cast<double>(burst) / 2;
            made.burst(rank, from, from + 0.49);
        }
    }
    CHECK(finds(made.log, "ranks_by_turns"));
}

TEST_CASE("ranks by turns: what lies between the calls of a turn is waited for as well")
{
    Synthetic made;  // turns of 2 s, of which 0.5 s in writes
    made.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        made.io<PosixRecord>(made.file("/shared" + std::to_string(rank)), rank,
                             {.bytes_written = 100 * mib, .write_time = 3 * second / 2});
        for (std::size_t turn = 0; turn < 3; ++turn) {
            const double from = static_cast<double>(turn) * 10 + 2 * static_cast<double>(rank);
            made.burst(rank, from, from + 2);
        }
    }
    const report::Finding one = finding_of(made.log, "ranks_by_turns");
    CHECK(cost_of(one) == Approx(24 * 0.75));
    CHECK_THAT(one.cost_basis, Contains("where text is made"));
}

TEST_CASE("ranks by turns: before the turn of the first rank all of them may compute")
{
    const auto log_with = [](double late) {
        Synthetic made;  // four rounds of two ranks
        made.ranks(2);
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            made.io<PosixRecord>(made.file("/shared" + std::to_string(rank)), rank,
                                 {.bytes_written = 100 * mib, .write_time = 8 * second});
            for (std::size_t round = 0; round < 4; ++round) {
                const double from = 20.0 * static_cast<double>(round) + (rank == 1 ? 2 + late : 0);
                made.burst(rank, from, from + 2);
            }
        }
        return made;
    };
    CHECK(finds(log_with(0.39).log, "ranks_by_turns"));
    CHECK_FALSE(finds(log_with(0.41).log, "ranks_by_turns"));
}

TEST_CASE("ranks by turns: a file that is opened for each turn shows turns, whatever the pauses between them")
{
    struct Turn {
        double length = 2, apart = 2.5;
        std::uint64_t opens = 20, bytes = 400 * mib, files = 1, rounds = 3, held = 40;
    };
    const auto log_with = [](const Turn& turn) {
        Synthetic made;
        made.ranks(4);
        for (std::uint64_t number = 0; number < turn.files; ++number) {
            PosixRecord& row = made.reduced_io<PosixRecord>(
                made.file("/all." + std::to_string(number)), 4, 0, 4,
                {.bytes_written = turn.bytes / turn.files, .write_time = 24 * second / turn.files});
            row.opens = turn.opens / turn.files;
            row.held_time = turn.held * second / turn.files;
        }
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            made.total(rank, Layer::posix, Scope::direct,
                       {.bytes_written = 100 * mib, .write_time = 6 * second});
            for (std::size_t at = 0; at < turn.rounds; ++at) {
                const double from = static_cast<double>(at) * 10 + turn.apart * static_cast<double>(rank);
                made.burst(rank, from, from + turn.length);
            }
        }
        return made;
    };
    const report::Finding one = finding_of(log_with({}).log, "ranks_by_turns");
    // Of 24 s in writes and 16 s between them three quarters, and half a second before each of 20 turns.
    CHECK(cost_of(one) == Approx(18 + 12 + 10));
    CHECK(cost_of(log_with({.files = 5}).log, "ranks_by_turns") ==
          Approx(18 + 12 + 10));  // a file for each round
    CHECK_FALSE(finds(log_with({.opens = 16, .files = 4, .held = 20}).log, "ranks_by_turns"));
    CHECK_THAT(numbers_of(one), Contains("opened by turns: /all.0") && Contains("opened 20 times"));
    CHECK_THAT(lines_of(one), Contains("MPI_File_write_at(") && !Contains("write_ordered"));
    // They may compute in between, and longer than their turns last.
    CHECK_FALSE(finds(log_with({.opens = 19, .held = 20}).log, "ranks_by_turns"));
    CHECK_FALSE(finds(log_with({.length = 1, .held = 20}).log, "ranks_by_turns"));
    // Always in the same order: of the pauses of 1.5 s each rank but one spares its own.
    const report::Finding rounds =
        finding_of(log_with({.length = 1, .rounds = 6, .held = 20}).log, "ranks_by_turns");
    CHECK(*rounds.cost_least == Approx(20 * 1.5 * 0.75 / 2));
    CHECK(rounds.confidence == report::Confidence::low);
    // Each turn begins about when the file, kept open for the one before, is closed: three rounds will do.
    const report::Finding held =
        finding_of(log_with({.length = 1, .opens = 12, .held = 24}).log, "ranks_by_turns");
    CHECK(cost_of(held) == Approx(18));  // of 24 s in writes alone: nothing lies between them
    CHECK(held.confidence == report::Confidence::medium);
    CHECK(cost_of(log_with({.length = 1, .opens = 12, .held = 36}).log, "ranks_by_turns") == Approx(18 + 9));
    CHECK_FALSE(finds(log_with({.length = 1, .opens = 11, .held = 24}).log, "ranks_by_turns"));
    CHECK_FALSE(finds(log_with({.length = 1, .opens = 12, .held = 46}).log, "ranks_by_turns"));
    CHECK_FALSE(finds(log_with({.apart = 0}).log, "ranks_by_turns"));          // all at the same time
    CHECK_FALSE(finds(log_with({.bytes = 199 * mib}).log, "ranks_by_turns"));  // a log beside the data
}

TEST_CASE("single process: a rank that makes text for all is at it between its writes as well")
{
    struct Text {
        std::string_view path = "/all.txt", libraries = "libc";
        std::uint64_t size = 4000, gap = ms, between = 10 * second, statements = 0, formatted = 0;
    };
    const auto log_with = [](const Text& text) {
        Synthetic made;
        made.ranks(2);
        for (Process& process : made.log.rows<Process>()) {
            process.libraries = text.libraries;
            process.burst_gap = text.gap;
            process.fortran_statements = text.statements;
            process.fortran_formatted = text.formatted;
            process.cpu_time = 90 * second;
            process.end = process.start + 24 * second;
        }
        calls(made, made.file(text.path), 0, Direction::write, 50'000, text.size, 40 * us);  // 2 s
        made.burst(0, 1, 1 + 2 + static_cast<double>(text.between) / 1e9);
        return made;
    };
    const auto cost = [&](const Text& text) { return cost_of(log_with(text).log, "single_process"); };
    const auto without = [&](const Text& text) {
        return 1 + 25'000.0 * static_cast<double>(text.size) / (1 << 30);
    };
    const report::Finding one = finding_of(log_with({}).log, "single_process");
    CHECK(cost_of(one) == Approx(without({}) + 5));
    CHECK(*one.cost_least == Approx(1 + 2.5));
    CHECK(one.confidence == report::Confidence::low);
    CHECK_THAT(numbers_of(one), Contains("between its writes: 10.0 s"));
    CHECK_THAT(lines_of(one), Contains("MPI_File_write_at(file, place"));
    const auto makes_text = [&](const Text& text) {
        return finds(log_with(text).log, "single_process");  // else the small writes are the fault, 2 s
    };
    CHECK(cost({.between = 20 * second - 1}) == Approx(without({}) + 10));
    CHECK_FALSE(
        makes_text({.between = 20 * second + 1000}));  // that takes longer than to make 200 MB of text
    CHECK_FALSE(makes_text({.gap = 4 * ms}));          // between which there may be anything
    // Text has the buffer of text.
    CHECK_FALSE(makes_text({.path = "/all.dat"}));
    CHECK(makes_text({.path = "/all.dat", .libraries = "libc libgfortran"}));
    CHECK(makes_text({.path = "/all.dat", .libraries = "libc libgfortran", .size = 8 << 10}));
    CHECK(makes_text({.path = "/all.dat", .libraries = "libc libgfortran", .statements = 9, .formatted = 1}));
    CHECK_FALSE(makes_text({.path = "/all.dat", .libraries = "libc libgfortran", .statements = 9}));
    CHECK_FALSE(makes_text({.path = "/all.dat", .libraries = "libc libgfortran", .size = (8 << 10) + 1}));
}

TEST_CASE("merged parts: what ranks wrote, and one of them reads and writes again")
{
    struct Case {
        std::uint64_t read = 10 * mib, written = 40 * mib;
        bool read_by_others = false;
    };
    const auto made = [](const Case& of) {
        Synthetic job;
        job.ranks(4);
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            const std::uint64_t part = job.file("/out/part." + std::to_string(rank));
            const Io writes{.bytes_written = 10 * mib, .write_time = second},
                reads{.bytes_read = of.read, .read_time = second};
            if (rank == 0) {
                PosixRecord& own = job.io<PosixRecord>(part, 0,
                                                       {.bytes_read = of.read,
                                                        .bytes_written = 10 * mib,
                                                        .read_time = second,
                                                        .write_time = second});
                own.highest_written = 10 * mib;
                continue;
            }
            job.io<PosixRecord>(part, rank, writes).highest_written = 10 * mib;
            job.io<PosixRecord>(part, 0, reads).highest_read = of.read;
        }
        const std::uint64_t all = job.file("/out/all");
        job.io<PosixRecord>(all, 0, {.bytes_written = of.written, .write_time = 4 * second});
        if (of.read_by_others) job.io<PosixRecord>(all, 1, {.bytes_read = of.written, .read_time = second});
        return job;
    };
    const report::Finding one = finding_of(made({}).log, "merged_parts");
    CHECK(one.title == "4 files that ranks wrote, 40 MiB in all, merged by rank 0");
    CHECK(cost_of(one) == Approx(8));
    CHECK_FALSE(finds(made({}).log, "byte_imbalance"));
    CHECK_FALSE(finds(made({.read = 8 * mib}).log, "merged_parts"));  // not the whole
    CHECK_FALSE(finds(made({.written = 19 * mib}).log, "merged_parts"));
    CHECK_FALSE(finds(made({.written = 81 * mib}).log, "merged_parts"));
    CHECK_FALSE(finds(made({.read_by_others = true}).log, "merged_parts"));
}
