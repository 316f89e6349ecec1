// What each rule finds on a log that has its fault, what it costs, and what it does not find where there is
// none.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

TEST_CASE("a job that moves its data in large requests has no finding")
{
    Synthetic made;
    made.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank) large(made, made.file("/own" + std::to_string(rank)), rank);
    CHECK(found_in(made.log).empty());
    CHECK(found_in(Log()).empty());
}

TEST_CASE("small requests cost what they take beyond what large ones of the same log would")
{
    Synthetic made;
    made.process(-1);
    large(made, made.file("/large"), 0);
    calls(made, made.file("/small"), 0, Direction::write, 100'000, 1000, 100 * us);
    CHECK(cost_of(made.log, "small_requests") == Approx(10 - 0.1).margin(0.15));
    const auto found = found_in(made.log);
    CHECK(found.front().confidence == report::Confidence::high);
    CHECK_THAT(std::get<std::string>(found.front().evidence.back().value.value), Contains("/small"));
}

TEST_CASE("without durations by size, small requests are reported by their number")
{
    Synthetic made;
    made.process(-1);
    calls(made, made.file("/small"), 0, Direction::read, 100'000, 1000, 100 * us);
    made.log.rows<OperationTimes>().clear();
    made.log.rows<DurationBin>().clear();
    // 10 s, less what their bytes would have taken at the rate that is assumed.
    CHECK(cost_of(made.log, "small_requests") == Approx(10 - 1e8 / (2048.0 * mib)));
}

TEST_CASE("what costs less than 2 % of the run is not reported, and a damaged log makes findings less sure")
{
    Synthetic made;
    made.process(-1);
    large(made, made.file("/large"), 0);
    calls(made, made.file("/small"), 0, Direction::write, 10'000, 1000, 100 * us);
    CHECK_FALSE(finds(made.log, "small_requests"));
    made.log.rows<Process>()[0].end = job_start + 20 * second;
    REQUIRE(finds(made.log, "small_requests"));
    made.log.problems.push_back("a block is gone");
    const auto found = found_in(made.log);
    CHECK(found.front().confidence == report::Confidence::medium);
    CHECK_THAT(found.front().doubt, Contains("damaged"));
}

TEST_CASE("findings come by what they cost, and seconds of ranks side by side are not added up")
{
    Synthetic made;
    made.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        const std::uint64_t file = made.file("/own" + std::to_string(rank));
        PosixRecord& row = calls(made, file, rank, Direction::write, 20'000, 1000, 300 * us);
        row.syncs = 1000;
        row.sync_time = 8 * second;
        row.write_time += 8 * second;
        made.log.rows<Totals>().back().write_time += 8 * second;
    }
    const auto found = found_in(made.log);
    REQUIRE(found.size() == 2);
    CHECK(found[0].id == "frequent_syncs");
    CHECK(std::get<double>(found[0].cost.value) == Approx(8).epsilon(0.01));
    CHECK(found[1].id == "small_requests");
    CHECK(std::get<double>(found[1].cost.value) == Approx(6).epsilon(0.02));
}

TEST_CASE("reads at random places are distinguished from strided and from sequential ones")
{
    const auto log_with = [](std::uint64_t forward, std::uint64_t strided) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file("/data"), 0, Direction::read, 10'001, 50'000, ms);
        row.consecutive_reads = 0;
        row.sequential_reads = forward;
        row.strided_reads = strided;
        return made;
    };
    CHECK(cost_of(log_with(5000, 0).log, "random_access") == Approx(10).epsilon(0.05));
    CHECK_FALSE(finds(log_with(10'000, 9999).log, "random_access"));  // a stride forwards
    CHECK(finding_of(log_with(0, 9999).log, "random_access").title == "10,000 reads backwards");
    Synthetic without = log_with(5000, 0);
    without.log.mark_lacking("posix.consecutive_reads");
    CHECK_FALSE(finds(without.log, "random_access"));
}

TEST_CASE("small reads of which less than half are at random places are one finding")
{
    const auto ids_with = [](std::uint64_t forward) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file("/data"), 0, Direction::read, 10'001, 1000, ms);
        row.consecutive_reads = 0;
        row.sequential_reads = forward;
        row.strided_reads = 0;
        std::vector<std::string> ids;
        for (const report::Finding& one : found_in(made.log))
            if (one.id == "small_requests" || one.id == "random_access") ids.push_back(one.id);
        return ids;
    };
    CHECK(ids_with(4000) == std::vector<std::string>{"random_access"});
    CHECK(ids_with(7500) == std::vector<std::string>{"small_requests"});
}

TEST_CASE("reading a file twice costs half of the reads, whoever does it")
{
    Synthetic alone;
    alone.process(-1);
    large(alone, alone.file("/data"), 0, Direction::read).highest_read /= 2;
    alone.log.rows<Process>()[0].end = job_start + 5 * second;
    // Less what keeping 512 MiB takes: 0.25 ns a byte to make that memory, 0.008 to read from it.
    CHECK(cost_of(alone.log, "redundant_reads") == Approx(0.5 - 512.0 * mib * 0.258e-9));
    // Of NumPy's arrays half of the headers are read again as well, 130 us each.
    alone.log.rows<Process>()[0].libraries = "libc libpython3";
    alone.log.rows<Process>()[0].program = "/usr/bin/python3";
    alone.log.rows<PosixRecord>()[0].opens = 10;
    const double of_bytes = cost_of(alone.log, "redundant_reads");
    alone.log.rows<FileName>()[0].path = "/data.npy";
    CHECK(cost_of(alone.log, "redundant_reads") == Approx(of_bytes + 5 * 130e-6));

    Synthetic ranks;
    ranks.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank) large(ranks, 100, rank, Direction::read);
    ranks.file("/common");
    for (Process& process : ranks.log.rows<Process>()) process.end = job_start + 5 * second;
    const auto found = found_in(ranks.log);
    const report::Finding* const one = of_rule(found, "redundant_reads");
    REQUIRE(one != nullptr);
    CHECK(std::get<double>(one->cost.value) == Approx(0.75));
    CHECK_THAT(one->advice.front().text, Contains("works on a part"));
    CHECK_THAT(lines_of(*one), Contains("pread(") && Contains("MPI_Bcast"));
}

TEST_CASE("metadata, files and needless opens are separated")
{
    Synthetic churn;
    churn.process(-1);
    PosixRecord& row =
        churn.io<PosixRecord>(churn.file("/log"), 0, {.bytes_written = mib, .metadata_time = 20 * second});
    row.opens = row.closes = 1000;
    churn.operations(Layer::posix, Kind::open, 0, std::vector<std::uint64_t>(1000, 15 * ms));
    churn.operations(Layer::posix, Kind::close, 0, std::vector<std::uint64_t>(1000, 5 * ms));
    CHECK(cost_of(churn.log, "open_close_churn") == Approx(20).epsilon(0.01));
    CHECK_FALSE(finds(churn.log, "metadata_bound"));  // it is the same time
    CHECK_FALSE(finds(churn.log, "many_files"));

    Synthetic many;
    many.process(-1);
    for (int file = 0; file < 1000; ++file)
        many.io<PosixRecord>(many.file("/d/" + std::to_string(file)), 0,
                             {.bytes_written = 1000, .metadata_time = 20 * ms})
            .creates = 1;
    CHECK(cost_of(many.log, "many_files") == Approx(20));
    CHECK_FALSE(finds(many.log, "open_close_churn"));
}

TEST_CASE("a slow rank, a rank with more bytes, and a rank that does all are reported by one finding each")
{
    const auto log_with = [](std::uint64_t bytes, std::uint64_t time, std::uint64_t others,
                             std::uint64_t their_time) {
        Synthetic made;
        made.ranks(4);
        for (std::int64_t rank = 0; rank < 4; ++rank)
            made.io<PosixRecord>(
                made.file("/own" + std::to_string(rank)), rank,
                {.bytes_written = rank == 2 ? bytes : others, .write_time = rank == 2 ? time : their_time});
        return made;
    };
    const Synthetic slow = log_with(100 * mib, 30 * second, 100 * mib, 10 * second);
    CHECK(cost_of(slow.log, "stragglers") == Approx(20));
    CHECK(found_in(slow.log).size() == 1);
    const Synthetic more = log_with(300 * mib, 30 * second, 100 * mib, 10 * second);
    CHECK(cost_of(more.log, "byte_imbalance") == Approx(15));
    CHECK(found_in(more.log).size() == 1);
    const Synthetic all = log_with(300 * mib, 30 * second, 0, 0);
    CHECK(cost_of(all.log, "single_process") == Approx(22.5 + 0.75 * 300 / 1024));
    CHECK(found_in(all.log).size() == 1);
}

TEST_CASE("a rank that looks at files for the others is no straggler")
{
    const auto found = [](std::uint64_t stats) {
        Synthetic made;
        made.ranks(4);
        for (std::int64_t rank = 0; rank < 4; ++rank)
            made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                                 {.bytes_written = 100 * mib,
                                  .write_time = 20 * second,
                                  .metadata_time = rank == 2 ? 25 * second : second})
                .stats = rank == 2 ? stats : 10;
        return finds(made.log, "stragglers");
    };
    CHECK(found(40));
    CHECK_FALSE(found(41));
}

TEST_CASE("a rank that writes what MPI-IO gathered from the others is no straggler")
{
    Synthetic made;
    made.ranks(4);
    const std::uint64_t file = made.file("/shared");
    for (std::int64_t rank = 0; rank < 4; ++rank)
        through_mpiio(made, file, rank, 10, 10 * mib, rank == 0 ? 3 * second : second).collective_writes = 10;
    made.io<PosixRecord>(file, 0, {.bytes_written = 400 * mib, .write_time = second}, Scope::beneath_mpiio);
    CHECK_FALSE(finds(made.log, "stragglers"));
}

TEST_CASE(
    "small independent MPI-IO on a shared file asks for collective calls, and for what this MPI library "
    "knows")
{
    Synthetic made;
    made.ranks(4);
    const std::uint64_t file = made.file("/shared");
    for (std::int64_t rank = 0; rank < 4; ++rank) through_mpiio(made, file, rank, 10'000, 1000, ms);
    made.log.add_fact("mpi", "MPICH Version: 4.0.2");
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "no_collectives");
    REQUIRE(one != nullptr);
    CHECK(std::get<double>(one->cost.value) == Approx(10).epsilon(0.02));
    CHECK_THAT(one->advice.back().lines.front(), Contains("romio_cb_write"));
    for (MpiioRecord& row : made.log.rows<MpiioRecord>()) row.collective_writes = row.writes;
    CHECK_FALSE(finds(made.log, "no_collectives"));
}

TEST_CASE("collective calls that reach the file system in small pieces are found, and too few aggregators")
{
    const auto log_with = [](std::uint64_t pieces, std::int64_t per_node) {
        Synthetic made;
        made.ranks(4, per_node);
        const std::uint64_t file = made.file("/shared");
        for (std::int64_t rank = 0; rank < 4; ++rank)
            through_mpiio(made, file, rank, 10, 4 * mib, second).collective_writes = 10;
        PosixRecord& row = made.io<PosixRecord>(
            file, 0, {.bytes_written = 160 * mib, .write_time = 10 * second}, Scope::beneath_mpiio);
        row.writes = pieces;
        return made;
    };
    CHECK_FALSE(finds(log_with(10, 4).log, "aggregators"));
    CHECK(cost_of(log_with(20'000, 4).log, "aggregators") == Approx(10).epsilon(0.02));
    Synthetic few = log_with(10, 1);
    few.log.rows<Hints>() = {{1, "cb_nodes=1", "cb_nodes=1", 0}};
    CHECK(cost_of(few.log, "aggregators") == Approx(7.5));
}

TEST_CASE("std::cin in step with stdin: more calls than bytes, of a file that it found open")
{
    const auto log_with = [](std::string_view libraries, std::uint64_t opens, std::uint64_t reads) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = libraries;
        made.log.rows<Process>().front().cpu_time = 2 * second;
        made.log.rows<Process>().front().end = job_start + 2 * second;
        StdioRecord& row =
            made.io<StdioRecord>(made.file("/input"), 0, {.bytes_read = 40 * mib, .read_time = ms});
        row.opens = opens;
        row.reads = row.buffered_reads = reads;
        return lines_of(finding_of(made.log, "stdio_bulk"));
    };
    CHECK_THAT(log_with("libc libstdc++", 0, 60 * mib), Contains("sync_with_stdio(false)"));
    CHECK_THAT(log_with("libc libstdc++", 1, 60 * mib), !Contains("sync_with_stdio"));
    CHECK_THAT(log_with("libc libstdc++", 0, 40 * mib), !Contains("sync_with_stdio"));
    CHECK_THAT(log_with("libc", 0, 60 * mib), !Contains("sync_with_stdio"));
}

TEST_CASE("stdio in small pieces, locks and data sieving cost their time")
{
    Synthetic stdio;
    stdio.process(-1);
    StdioRecord& row = stdio.io<StdioRecord>(stdio.file("/text"), 0,
                                             {.bytes_written = 100 * mib, .write_time = 20 * second});
    row.writes = 1'000'000;
    CHECK(cost_of(stdio.log, "stdio_bulk") == Approx(20).epsilon(0.01));
    row.writes = 50;
    CHECK_FALSE(finds(stdio.log, "stdio_bulk"));

    Synthetic locks;
    locks.process(-1);
    PosixRecord& locked =
        locks.io<PosixRecord>(locks.file("/shared"), 0, {.bytes_written = mib, .metadata_time = 20 * second});
    locked.locks = 10;
    locked.lock_time = 19 * second;
    CHECK(cost_of(locks.log, "lock_waits") == Approx(19));
    CHECK_FALSE(finds(locks.log, "metadata_bound"));

    Synthetic sieved;
    sieved.ranks(2);
    const std::uint64_t file = sieved.file("/holes");
    through_mpiio(sieved, file, 0, 100, mib, 300 * ms);
    sieved.io<PosixRecord>(file, 0,
                           {.bytes_read = 200 * mib, .bytes_written = 200 * mib, .read_time = 12 * second},
                           Scope::beneath_mpiio);
    CHECK(cost_of(sieved.log, "read_modify_write") == Approx(12));
}

TEST_CASE("a large shared file on one Lustre server asks for more of them, in its own folder")
{
    Synthetic made;
    made.ranks(8);
    const std::uint64_t file = made.file("/lustre/run/state");
    for (std::int64_t rank = 0; rank < 8; ++rank) large(made, file, rank);
    for (Process& process : made.log.rows<Process>()) process.end = job_start + 5 * second;
    CHECK_FALSE(finds(made.log, "uneven_stripes"));  // nothing is known of its layout
    made.log.rows<Layout>().push_back({file, mib, 1, 7, "7", ""});
    const auto found = found_in(made.log);
    const report::Finding* const one = of_rule(found, "uneven_stripes");
    REQUIRE(one != nullptr);
    CHECK(std::get<double>(one->cost.value) == Approx(7.0 / 8));
    CHECK(one->advice.front().lines.front() == "lfs setstripe -c 8 -S 4M '/lustre/run'");
    made.log.rows<Layout>().back().stripe_count = 8;
    CHECK_FALSE(finds(made.log, "uneven_stripes"));
}

TEST_CASE(
    "writes that all ranks wait for at the same moments are bursts, unless something else makes them slow")
{
    Synthetic made;
    made.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        large(made, made.file("/own" + std::to_string(rank)), rank);
        made.total(rank, Layer::posix, Scope::direct, {.write_time = 29 * second});
        for (std::uint64_t at = 0; at < 100; at += 10)
            for (std::uint64_t slice = at; slice < at + 3; ++slice)
                made.slice(rank, Layer::posix, slice, second,
                           {.bytes_written = 30 * mib, .write_time = second});
    }
    CHECK(cost_of(made.log, "bursts") == Approx(27));  // nothing is computed after the last one
    for (PosixRecord& row : made.log.rows<PosixRecord>()) {
        row.syncs = 1000;
        row.sync_time = 20 * second;
    }
    CHECK_FALSE(finds(made.log, "bursts"));
    CHECK(finds(made.log, "frequent_syncs"));
}

TEST_CASE("every rule has a name of its own and words for what it looks for")
{
    std::vector<std::string_view> names;
    for (const FindingRule& rule : finding_rules()) {
        CHECK_FALSE(rule.looks_for.empty());
        names.push_back(rule.id);
    }
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}
