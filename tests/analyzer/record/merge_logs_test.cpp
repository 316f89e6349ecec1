// Logs that were recorded apart become one log, and nothing is lost or counted twice.
#include "analyzer/record/merge_logs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "logformat/failed_paths.h"
#include "tests/logformat/sample.h"

using namespace fathom;
using Catch::Contains;

namespace {

constexpr std::uint64_t hour = 3'600'000'000'000;

struct Maker {
    std::uint64_t pids = 100;

    // A log of one job: ranks from..to - 1 (none: one process without a rank), each with a file of its own
    // and totals.
    Log job(const std::string& key, std::int64_t from, std::int64_t to, const std::string& command = "./app")
    {
        Log log;
        log.add_fact("command", command);
        log.add_fact("job", key);
        log.add_fact("folder", "/here");
        const bool mpi = to > from;
        for (std::int64_t number = 0; number < (mpi ? to - from : 1); ++number) {
            Process process;
            process.process = number;
            process.rank = mpi ? from + number : -1;
            process.pid = ++pids;
            process.start = hour + pids;
            process.host = "node";
            log.rows<Process>().push_back(process);
            Totals totals;
            totals.process = number;
            totals.bytes_written = pids;
            log.rows<Totals>().push_back(totals);
            const std::uint64_t file = 1000 + pids;
            log.rows<FileName>().push_back({file, 0, log.keep("/own." + std::to_string(pids)), 0});
            single(log, file, number).bytes_written = pids;
            log.rows<Burst>().push_back({number, hour, hour + pids});
            const OperationClass of{0, 0, 0, static_cast<std::uint64_t>(number)};
            log.rows<OperationTimes>().push_back({of, 1, pids, pids});
            log.rows<DurationBin>().push_back({of, pids, pids + 1, 1});
            Slice slice;
            slice.process = number;
            slice.length = shortest_slice_ns << (pids % 3);
            slice.start = slice.length * 1000;
            slice.bytes_written = pids;
            log.rows<Slice>().push_back(slice);
        }
        return log;
    }

    static PosixRecord& single(Log& log, std::uint64_t file, std::int64_t process)
    {
        PosixRecord& record = log.rows<PosixRecord>().emplace_back();
        record.file = file;
        record.process = process;
        record.processes = record.writers = 1;
        record.writes = 1;
        static_cast<ProcessShare&>(record.slowest) = {process, 5, 7};
        record.time = Moments::of(5);
        return record;
    }
};

void add_reduced(Log& log, std::uint64_t file, std::uint64_t processes, std::int64_t slowest,
                 std::uint64_t time)
{
    log.rows<FileName>().push_back({file, 0, log.keep("/shared"), 0});
    PosixRecord& record = log.rows<PosixRecord>().emplace_back();
    record.file = file;
    record.processes = record.writers = processes;
    record.writes = 10 * processes;
    static_cast<ProcessShare&>(record.slowest) = {slowest, time, 1};
}

// Sums of every column that is a sum, over all rows: "table.column" -> sum.
std::map<std::string, std::uint64_t> sums_of(const Log& log)
{
    std::map<std::string, std::uint64_t> sums;
    sample::each_row_type([&](auto type, std::string_view table) {
        using Row = decltype(type);
        const Columns columns = columns_of<Row>();
        for (const Column& column : columns.all()) {
            // Own merges that add up: histograms of sizes, and the sums of moments.
            const bool own_sum =
                column.rule == Rule::own &&
                (column.label().starts_with("read_size") || column.label().starts_with("write_size") ||
                 column.label().ends_with("_n") || column.label().ends_with("_sum"));
            if (column.rule != Rule::sum && !own_sum) continue;
            auto& sum = sums[std::string(table) + "." + std::string(column.label())];
            for (const Row& row : log.rows<Row>()) sum += load<std::uint64_t>(&row, column);
        }
    });
    return sums;
}

void add(std::map<std::string, std::uint64_t>& all, const std::map<std::string, std::uint64_t>& some)
{
    for (const auto& [name, sum] : some) all[name] += sum;
}

std::vector<std::int64_t> ranks_of(const Log& log)
{
    std::vector<std::int64_t> ranks;
    for (const Process& process : log.rows<Process>()) ranks.push_back(process.rank);
    return ranks;
}

const PosixRecord* find(const Log& log, std::uint64_t file, std::int64_t process)
{
    for (const PosixRecord& record : log.rows<PosixRecord>())
        if (record.file == file && record.process == process) return &record;
    return nullptr;
}

std::string facts_of(const Log& log, std::string_view name)
{
    std::string all;
    for (const Fact& fact : log.rows<Fact>())
        if (fact.name == name) all += std::string(fact.value) + "|";
    return all;
}

}  // namespace

TEST_CASE("24 workers' logs add up to one log, in either order")
{
    std::map<std::string, std::uint64_t> expected;
    for (const bool backwards : {false, true}) {
        Maker maker;
        std::deque<Log> logs;  // no copies: rows show texts of their own log
        for (int worker = 0; worker < 24; ++worker) {
            logs.push_back(maker.job("job" + std::to_string(worker), 0, 0));
            Log& log = logs.back();
            log.rows<FileName>().push_back({7, 0, log.keep("/input"), 0});
            PosixRecord& input = Maker::single(log, 7, 0);
            input.reads = input.bytes_read = 50;
            input.read_size.add(50);
        }
        expected.clear();
        for (const Log& log : logs) add(expected, sums_of(log));
        if (backwards) std::reverse(logs.begin(), logs.end());
        LogMerger merger;
        for (std::size_t at = 0; at < logs.size(); ++at)
            merger.add(std::move(logs[at]), "worker" + std::to_string(at));
        const Log merged = decode_log(sample::encode(merger.finish()), "memory");
        CHECK(merged.problems.empty());
        REQUIRE(merged.rows<Process>().size() == 24);
        CHECK(merged.rows<FileName>().size() == 25);
        for (const auto& [name, sum] : sums_of(merged)) {
            INFO(name);
            CHECK(sum == expected[name]);
        }
        for (std::int64_t number = 0; number < 24; ++number) {
            const Process& process = merged.rows<Process>()[static_cast<std::size_t>(number)];
            CHECK(process.process == number);
            const PosixRecord* const own = find(merged, 1000 + process.pid, number);
            REQUIRE(own != nullptr);
            CHECK(own->bytes_written == process.pid);
            CHECK(merged.rows<Totals>()[static_cast<std::size_t>(number)].bytes_written == process.pid);
        }
        CHECK(facts_of(merged, "command") == "./app|");
        CHECK_THAT(facts_of(merged, "merged"), Contains("worker0: 1 process: ./app|"));
    }
}

TEST_CASE("a log that is merged alone is not changed")
{
    Maker maker;
    Log log = maker.job("a", 0, 4);
    add_reduced(log, 7, 4, 2, 100);
    Maker::single(log, 7, 1);  // after MPI_Finalize
    log.problems.push_back("a.fathom: at byte 7: something");
    const Log before = decode_log(sample::encode(log), "memory");
    LogMerger merger;
    merger.add(std::move(log), "a.fathom");
    const Log after = decode_log(sample::encode(merger.finish()), "memory");
    sample::each_row_type([&](auto type, std::string_view name) {
        using Row = decltype(type);
        INFO("table " << name);
        REQUIRE(after.rows<Row>().size() == before.rows<Row>().size());
        for (std::size_t at = 0; at < before.rows<Row>().size(); ++at)
            CHECK(sample::first_difference(after.rows<Row>()[at], before.rows<Row>()[at]).empty());
    });
    CHECK(after.problems == before.problems);
}

TEST_CASE("logs of one MPI job keep their ranks, whatever order they come in")
{
    Maker maker;
    Log first = maker.job("a", 0, 2), other = maker.job("a", 2, 4), helper = maker.job("a", 0, 0);
    LogMerger merger;
    merger.add(std::move(other), "node2");
    merger.add(std::move(helper), "launcher");
    merger.add(std::move(first), "node1");
    const Log log = merger.finish();
    CHECK(ranks_of(log) == std::vector<std::int64_t>{0, 1, 2, 3, -1});
    CHECK_THAT(facts_of(log, "merged"),
               Contains("node2: 2 processes, ranks 2 to 3: ./app") && !Contains("in it"));
}

TEST_CASE("ranks of runs that all begin at 0 follow those of the runs before")
{
    Maker maker;
    Log a0 = maker.job("a", 0, 2), b = maker.job("b", 0, 3, "./other"), a2 = maker.job("a", 2, 4);
    LogMerger merger;
    merger.add(std::move(a0), "a0");
    merger.add(std::move(b), "b");
    merger.add(std::move(a2), "a2");
    const Log log = merger.finish();
    CHECK(ranks_of(log) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6});
    CHECK(log.rows<Process>()[4].pid == 103);
    CHECK(facts_of(log, "merged") ==
          "a0: 2 processes, ranks 0 to 1: ./app|b: 3 processes, ranks 4 to 6 (in it ranks 0 "
          "to 2): ./other|a2: 2 processes, ranks 2 to 3: ./app|");
    CHECK(facts_of(log, "command") == "./app|./other|");
    CHECK(facts_of(log, "folder") == "/here|");
}

TEST_CASE("ranks of different jobs that do not collide stay as they are")
{
    Maker maker;
    LogMerger merger;
    merger.add(maker.job("a", 4, 6), "a");
    merger.add(maker.job("b", 0, 2), "b");
    CHECK(ranks_of(merger.finish()) == std::vector<std::int64_t>{0, 1, 4, 5});
}

TEST_CASE("a file that the ranks of two runs shared was shared by all of them")
{
    Maker maker;
    Log a = maker.job("a", 0, 4), b = maker.job("b", 0, 3);
    add_reduced(a, 7, 4, 2, 100);
    add_reduced(b, 7, 3, 1, 300);
    LogMerger merger;
    merger.add(std::move(a), "a");
    merger.add(std::move(b), "b");
    const Log log = merger.finish();
    const PosixRecord* const shared = find(log, 7, reduced);
    REQUIRE(shared != nullptr);
    CHECK(shared->processes == 7);
    CHECK(shared->writers == 7);
    CHECK(shared->writes == 70);
    CHECK(shared->slowest.process == 5);
    CHECK(shared->slowest.time == 300);
    CHECK(log.rows<PosixRecord>().size() == 8);
}

TEST_CASE("ranks with a record each of a file join those with one together")
{
    Maker maker;
    for (const bool reduced_first : {false, true}) {
        Log a = maker.job("a", 0, 4), b = maker.job("b", 0, 2), helper = maker.job("c", 0, 0);
        add_reduced(a, 7, 4, 2, 100);
        Maker::single(a, 7, 1);  // what rank 1 did later
        Maker::single(b, 7, 0).bytes_written = 9;
        Maker::single(b, 8, 1);
        Maker::single(helper, 7, 0);
        LogMerger merger;
        if (reduced_first) merger.add(std::move(a), "a");
        merger.add(std::move(b), "b");
        if (!reduced_first) merger.add(std::move(a), "a");
        merger.add(std::move(helper), "helper");
        const Log log = merger.finish();
        const PosixRecord* const shared = find(log, 7, reduced);
        REQUIRE(shared != nullptr);
        CHECK(shared->processes == 5);
        CHECK(shared->bytes_written == 9);
        std::size_t singles = 0;
        for (const PosixRecord& record : log.rows<PosixRecord>())
            singles += record.file == 7 && record.process != reduced;
        CHECK(singles == 2);  // rank 1's later work, and the process that is no rank
        CHECK(find(log, 8, reduced_first ? 5 : 1) != nullptr);
    }
}

TEST_CASE("the same process in two logs is not counted twice")
{
    Maker maker;
    const Log log = maker.job("a", 0, 2);
    const auto bytes = sample::encode(log);
    LogMerger merger;
    merger.add(decode_log(bytes, "a"), "a.fathom");
    CHECK_THROWS_WITH(merger.add(decode_log(bytes, "b"), "copy.fathom"),
                      Contains("copy.fathom") && Contains("a.fathom") && Contains("process 101 of node"));
}

TEST_CASE("what a damaged or older log lacks, the merged one lacks too, and again when it is merged")
{
    Maker maker;
    Log damaged = maker.job("a", 0, 0), older = maker.job("b", 0, 0);
    damaged.problems.push_back("a.fathom: at byte 9: the block's checksum does not match; left out");
    older.mark_lacking("posix.creates");
    LogMerger merger;
    merger.add(std::move(damaged), "a.fathom");
    merger.add(std::move(older), "b.fathom");
    Log merged = decode_log(sample::encode(merger.finish()), "memory");
    REQUIRE(merged.problems.size() == 1);
    CHECK_THAT(merged.problems[0], Catch::StartsWith("a.fathom: at byte 9"));
    CHECK(merged.not_recorded.contains("posix.creates"));

    LogMerger again;
    again.add(std::move(merged), "m.fathom");
    again.add(maker.job("c", 0, 0), "c.fathom");
    const Log twice = again.finish();
    CHECK(twice.problems.size() == 1);
    CHECK_THAT(facts_of(twice, "merged"),
               Contains("m.fathom: a.fathom: 1 process: ./app|") && Contains("c.fathom: 1 process"));
    CHECK(facts_of(twice, "problem").empty());
}

TEST_CASE("mounts, layouts and hints that differ are all kept, the same ones once")
{
    Maker maker;
    LogMerger merger;
    for (int node = 0; node < 3; ++node) {
        Log log = maker.job("a", node, node + 1);
        log.rows<Mount>() = {{"/", "ext4", log.keep(node < 2 ? "sda" : "sdb")}};
        log.rows<Layout>() = {{7, 1 << 20, 4, 0, log.keep("0,1,2,3"), ""}};
        log.rows<Hints>() = {{7, log.keep("cb_nodes=2"), "", 0}};
        merger.add(std::move(log), "n");
    }
    const Log log = merger.finish();
    CHECK(log.rows<Mount>().size() == 2);
    CHECK(log.rows<Layout>().size() == 1);
    REQUIRE(log.rows<Hints>().size() == 1);
    CHECK(log.rows<Hints>()[0].asked == "cb_nodes=2");
}

TEST_CASE("paths that calls failed on add up, and those with most certain calls are kept")
{
    Maker maker;
    LogMerger merger;
    for (int node = 0; node < 3; ++node) {
        Log log = maker.job("a", node, node + 1);
        log.rows<FailedPath>() = {{log.keep("/lib/a"), 1000, 10, 2},
                                  {log.keep("/lib/b"), std::uint64_t(500 * node), 0, node == 2 ? 13u : 2u}};
        for (std::size_t own = 0; own < 40; ++own)
            log.rows<FailedPath>().push_back(
                {log.keep(fmt::format("/own/{}/{:02}", node, own)), 100 + own, 50, 2});
        merger.add(std::move(log), "n");
    }
    const Log log = merger.finish();
    const auto& rows = log.rows<FailedPath>();
    REQUIRE(rows.size() == most_failed_paths);
    CHECK(rows[0].path == "/lib/a");
    CHECK(rows[0].calls == 3000);
    CHECK(rows[0].error == 30);
    CHECK(rows[1].path == "/lib/b");
    CHECK(rows[1].calls == 1500);
    CHECK(rows[1].cause == 13);  // that of the log with most
    CHECK(rows[2].path == "/own/0/39");
    CHECK(rows.back().certain() == 69);  // 20 of each, and two of the next three
    CHECK(rows.back().path == "/own/1/19");
}
