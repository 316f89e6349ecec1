// A log of ours that becomes one of Darshan: each counter by hand, and what comes back from it.
#include <catch2/catch.hpp>
#include <cmath>

#include "logformat/blocks/columns.h"
#include "logformat/job_identity.h"
#include "logformat/log/trace.h"
#include "parsers/darshan/record_id.h"
#include "parsers/open.h"
#include "tests/analyzer/synthetic.h"
#include "tests/logformat/trace_sample.h"
#include "tests/parsers/converted_log.h"
#include "tests/parsers/darshan_logs.h"
#include "tests/parsers/darshan_text.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// A file of one process, a shared one, one that half of the processes share, a stream.
struct Sample : Synthetic {
    std::uint64_t own, shared, partly, out;

    Sample()
    {
        ranks(4, 2);
        log.add_fact("command", "./app --steps 3");
        log.add_fact("job", "00000000deadbeef");
        log.add_fact("note", "after tuning");
        log.add_fact("folder", "/home/someone");
        log.rows<Mount>() = {{"/", "ext4", "/dev/sda1"}, {"/scratch", "lustre", "mds:/fs"}};
        own = file("/scratch/own");
        shared = file("/scratch/shared");
        partly = file("/scratch/partly");
        out = file("<stdout>", NameKind::stream);
        PosixRecord& posix = io<PosixRecord>(own, 2, {700, 300, 4 * second, 3 * second, 2 * second});
        posix.opens = 5;
        posix.dups = 2;
        posix.reads = 7;
        posix.writes = 3;
        posix.seeks = 4;
        posix.stats = 6;
        posix.maps = 1;
        posix.syncs = 8;
        posix.renames = 9;
        posix.highest_read = 100;
        posix.highest_written = 200;
        posix.consecutive_reads = 3;
        posix.sequential_reads = 2;
        posix.consecutive_writes = 1;
        posix.switches = 11;
        posix.memory_unaligned = 12;
        posix.file_unaligned = 13;
        posix.file_alignment = 4096;
        posix.read_size.add(100, 7);
        posix.write_size.add(4096, 3);
        posix.common_size.add(100, 7);
        posix.common_size.add(4096, 3);
        posix.slowest_read = {second / 2, 100};
        posix.slowest_write = {second / 4, 4096};
        posix.first_open = job_start;  // the very start
        posix.last_open = job_start + second;
        posix.first_read = job_start + 2 * second;
        posix.last_read = job_start + 3 * second;
        posix.unlinks = 17;
        MpiioRecord& mpiio = reduced_io<MpiioRecord>(shared, 4, 4, 4, {4000, 8000, second, second, 0});
        mpiio.opens = 8;
        mpiio.collective_opens = 4;
        mpiio.reads = 20;
        mpiio.collective_reads = 4;
        mpiio.split_reads = 3;
        mpiio.nonblocking_reads = 2;
        mpiio.writes = 4;
        mpiio.collective_writes = 4;
        mpiio.slowest = {};
        mpiio.slowest.process = 3;
        mpiio.slowest.time = second;
        mpiio.slowest.bytes = 3000;
        mpiio.fastest.process = 1;
        mpiio.fastest.time = second / 4;
        mpiio.fastest.bytes = 1000;
        mpiio.time = {4, 2 * second, 1e18};
        mpiio.bytes = {4, 12000, 400};
        PosixRecord& some = reduced_io<PosixRecord>(partly, 2, 1, 1, {10, 10, second, second, 0});
        some.highest_read = some.highest_written = 10;
        StdioRecord& stdio = io<StdioRecord>(out, 0, {0, 322, 0, second, 0}, Scope::streams);
        stdio.writes = 6;
        stdio.highest_written = 322;
        log.rows<Layout>().push_back({shared, 1 << 20, 3, 5, "5,6", "fast"});
        slice(2, Layer::posix, 0, second / 4, {600, 0, 0, 0, 0});
        slice(2, Layer::posix, 3, second / 4, {100, 300, 0, 0, 0});
        burst(2, 0, 1);
    }
};

std::int64_t number(const darshan::CounterRecord& record, std::size_t place)
{
    return record.numbers[place];
}

}  // namespace

TEST_CASE("a Darshan log that is made of ours has the job")
{
    const Sample sample;
    const Converted converted(sample.log);
    const darshan::File file(converted.path);
    CHECK(file.problems().empty());
    const darshan::JobRecord& job = file.job();
    CHECK(job.command == "./app --steps 3");
    CHECK(job.processes == 4);
    CHECK(job.start == 1'800'000'000);
    CHECK(job.run_time() == 100);
    CHECK(job.jobid > 0);
    CHECK(job.metadata.at(1) == std::pair<std::string, std::string>("note", "after tuning"));
    // The mount that files lie on comes first.
    REQUIRE(job.mounts.size() == 2);
    CHECK(job.mounts[0].path == "/scratch");
    CHECK(job.mounts[0].type == "lustre");
    CHECK(file.name_of(darshan::record_id("<STDOUT>")) == "<STDOUT>");
    CHECK(file.name_of(darshan::record_id("/scratch/own")) == "/scratch/own");
    CHECK(file.name_of(darshan::record_id("heatmap:POSIX")) == "heatmap:POSIX");
}

TEST_CASE("each counter of Darshan is made of ours")
{
    using namespace darshan;
    const Sample sample;
    const Converted converted(sample.log);
    const File file(converted.path);
    with_record(file, Module::posix, "/scratch/own", [](const CounterRecord& record) {
        CHECK(record.rank == 2);
        const std::pair<std::size_t, std::int64_t> expected[] = {{posix("OPENS"), 7},
                                                                 {posix("DUPS"), 2},
                                                                 {posix("FILENOS"), -1},
                                                                 {posix("READS"), 7},
                                                                 {posix("WRITES"), 3},
                                                                 {posix("SEEKS"), 4},
                                                                 {posix("STATS"), 6},
                                                                 {posix("MMAPS"), 1},
                                                                 {posix("FSYNCS"), 8},
                                                                 {posix("FDSYNCS"), 0},
                                                                 {posix("RENAME_SOURCES"), 9},
                                                                 {posix("RENAME_TARGETS"), -1},
                                                                 {posix("RENAMED_FROM"), 0},
                                                                 {posix("BYTES_READ"), 700},
                                                                 {posix("BYTES_WRITTEN"), 300},
                                                                 {posix("MAX_BYTE_READ"), 99},
                                                                 {posix("MAX_BYTE_WRITTEN"), 199},
                                                                 {posix("CONSEC_READS"), 3},
                                                                 {posix("SEQ_READS"), 5},
                                                                 {posix("CONSEC_WRITES"), 1},
                                                                 {posix("SEQ_WRITES"), 1},
                                                                 {posix("RW_SWITCHES"), 11},
                                                                 {posix("MEM_NOT_ALIGNED"), 12},
                                                                 {posix("MEM_ALIGNMENT"), 8},
                                                                 {posix("FILE_NOT_ALIGNED"), 13},
                                                                 {posix("FILE_ALIGNMENT"), 4096},
                                                                 {posix("MAX_READ_TIME_SIZE"), 100},
                                                                 {posix("MAX_WRITE_TIME_SIZE"), 4096},
                                                                 {posix("SIZE_READ_0_100"), 7},
                                                                 {posix("SIZE_WRITE_1K_10K"), 3},
                                                                 {posix("ACCESS1_ACCESS"), 100},
                                                                 {posix("ACCESS1_COUNT"), 7},
                                                                 {posix("ACCESS2_ACCESS"), 4096},
                                                                 {posix("ACCESS2_COUNT"), 3},
                                                                 {posix("FASTEST_RANK"), 0},
                                                                 {posix("SLOWEST_RANK"), 0}};
        for (const auto& [place, value] : expected) {
            INFO(posix_numbers[place]);
            CHECK(number(record, place) == value);
        }
        const std::pair<std::size_t, double> times[] = {{transfer_time("OPEN_START_TIMESTAMP"), 1e-9},
                                                        {transfer_time("OPEN_END_TIMESTAMP"), 1},
                                                        {transfer_time("READ_START_TIMESTAMP"), 2},
                                                        {transfer_time("READ_END_TIMESTAMP"), 3},
                                                        {transfer_time("CLOSE_START_TIMESTAMP"), 0},
                                                        {transfer_time("READ_TIME"), 4},
                                                        {transfer_time("WRITE_TIME"), 3},
                                                        {transfer_time("META_TIME"), 2},
                                                        {transfer_time("MAX_READ_TIME"), 0.5},
                                                        {transfer_time("MAX_WRITE_TIME"), 0.25},
                                                        {transfer_time("SLOWEST_RANK_TIME"), 0},
                                                        {transfer_time("VARIANCE_RANK_TIME"), 0}};
        for (const auto& [place, value] : times) {
            INFO(transfer_times[place]);
            CHECK(record.times[place] == value);
        }
    });
    with_record(file, Module::mpiio, "/scratch/shared", [](const CounterRecord& record) {
        CHECK(record.rank == -1);
        const std::pair<std::size_t, std::int64_t> expected[] = {{mpiio("INDEP_OPENS"), 4},
                                                                 {mpiio("COLL_OPENS"), 4},
                                                                 {mpiio("INDEP_READS"), 11},
                                                                 {mpiio("COLL_READS"), 4},
                                                                 {mpiio("SPLIT_READS"), 3},
                                                                 {mpiio("NB_READS"), 2},
                                                                 {mpiio("INDEP_WRITES"), 0},
                                                                 {mpiio("COLL_WRITES"), 4},
                                                                 {mpiio("HINTS"), -1},
                                                                 {mpiio("FASTEST_RANK"), 1},
                                                                 {mpiio("SLOWEST_RANK"), 3},
                                                                 {mpiio("SLOWEST_RANK_BYTES"), 3000},
                                                                 {mpiio("FASTEST_RANK_BYTES"), 1000}};
        for (const auto& [place, value] : expected) {
            INFO(mpiio_numbers[place]);
            CHECK(number(record, place) == value);
        }
        CHECK(record.times[transfer_time("SLOWEST_RANK_TIME")] == 1);
        CHECK(record.times[transfer_time("FASTEST_RANK_TIME")] == 0.25);
        CHECK(record.times[transfer_time("VARIANCE_RANK_TIME")] == 0.25);
        CHECK(record.times[transfer_time("VARIANCE_RANK_BYTES")] == 100);
    });
    with_record(file, Module::stdio, "<STDOUT>", [](const CounterRecord& record) {
        CHECK(number(record, stdio("WRITES")) == 6);
        CHECK(number(record, stdio("BYTES_WRITTEN")) == 322);
        CHECK(number(record, stdio("MAX_BYTE_WRITTEN")) == 321);
        CHECK(number(record, stdio("FDOPENS")) == -1);
        CHECK(record.times[stdio_time("WRITE_TIME")] == 1);
    });
    CHECK(lines_of_module(file, Module::lustre) ==
          std::vector<std::string>{
              fmt::format("{} -1: 1048576 3 0 0 0 -1 0 'fast', 5 6 -1", record_id("/scratch/shared"))});
}

TEST_CASE("what Darshan has no place for is reported with its amount")
{
    const Sample sample;
    const Converted converted(sample.log);
    CHECK(converted.tells("counters of posix: unlinks 17"));
    CHECK(converted.tells("1 records of posix are of some of them"));
    CHECK(converted.tells("of 4 processes: program"));
    CHECK(converted.tells("1 burst"));
    CHECK(converted.tells("2 mounts"));
    CHECK(converted.tells("facts of the job: folder"));
    CHECK(converted.tells("later stripes of 1 files"));
    CHECK(!converted.tells("histograms"));
    const Log nothing;
    CHECK(Converted(nothing).told.empty());
}

TEST_CASE("bytes of time bins are shared out over the bins of a heatmap, and none is lost")
{
    Synthetic made;
    made.ranks(2);
    for (Process& process : made.log.rows<Process>()) {
        process.start = job_start + second / 8;  // half a bin after the slices begin
        process.end = job_start + 2 * second;
    }
    made.slice(0, Layer::posix, 0, second / 4, {100, 0, 0, 0, 0});
    made.slice(0, Layer::posix, 1, second / 4, {0, 101, 0, 0, 0});
    made.slice(1, Layer::stdio, 2, second / 4, {7, 0, 0, 0, 0});
    const Converted converted(made.log);
    const darshan::File file(converted.path);
    std::vector<std::int64_t> writes, reads;
    std::size_t records = 0;
    file.each_heatmap([&](const darshan::HeatmapRecord& record) {
        ++records;
        CHECK(record.bin_seconds == 0.25);
        CHECK(record.writes.size() == 8);
        if (record.rank == 0) {
            CHECK(file.name_of(record.id) == "heatmap:POSIX");
            writes.assign(record.writes.begin(), record.writes.end());
            reads.assign(record.reads.begin(), record.reads.end());
        }
        return true;
    });
    CHECK(records == 2);
    CHECK(reads == std::vector<std::int64_t>{100, 0, 0, 0, 0, 0, 0, 0});
    CHECK(writes == std::vector<std::int64_t>{50, 51, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a long job's heatmap has at most 200 bins")
{
    Synthetic made;
    made.ranks(1);
    made.log.rows<Process>()[0].end = job_start + 1000 * second;
    for (std::uint64_t at = 0; at < 4000; at += 7)
        made.slice(0, Layer::posix, at, second / 4, {0, 1000 + at, 0, 0, 0});
    std::uint64_t expected = 0;
    for (const Slice& slice : made.log.rows<Slice>()) expected += slice.bytes_written;
    const Converted converted(made.log);
    darshan::File(converted.path).each_heatmap([&](const darshan::HeatmapRecord& record) {
        CHECK(record.writes.size() <= 200);
        CHECK(record.writes.size() > 100);
        std::uint64_t bytes = 0;
        for (const std::int64_t one : record.writes) bytes += static_cast<std::uint64_t>(one);
        CHECK(bytes == expected);
        return true;
    });
}

TEST_CASE("a trace becomes DXT by file and process, writes before reads")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t a = made.file("/a"), b = made.file("/b");
    for (std::int64_t process = 0; process < 2; ++process) {
        sample::TracedThread thread(made.log, process, 0, 100);
        const auto at = [&](std::uint64_t n) { return job_start + n * second; };
        thread.add({a, Layer::posix, Kind::open, no_offset, 0, at(1), at(1) + 10});
        thread.add({a, Layer::posix, Kind::read, 0, 64, at(2), at(2) + 20});
        thread.add({b, Layer::posix, Kind::write, 64, 32, at(3), at(3) + 30});
        thread.add({a, Layer::posix, Kind::write, 128, 16, at(4), at(4) + 40});
        thread.add({a, Layer::mpiio, Kind::write, no_offset, 8, at(5), at(5) + 50});
        thread.add({a, Layer::stdio, Kind::write, 0, 8, at(6), at(6) + 50});
        thread.end();
    }
    const Converted converted(made.log);
    CHECK(converted.tells("traced operations of stdio: 2"));
    CHECK(converted.tells("traced operations that are neither read nor write: 2"));
    const darshan::File file(converted.path);
    CHECK(file.find(darshan::Module::dxt_posix)->version == 1);
    const auto lines = lines_of_module(file, darshan::Module::dxt_posix);
    REQUIRE(lines.size() == 4 + 6);
    const std::string id_of_a = std::to_string(darshan::record_id("/a"));
    CHECK(lines[0] == id_of_a + " 0 0 node0 1 1 false");
    CHECK_THAT(lines[1], Catch::StartsWith("true 128 16 "));
    CHECK_THAT(lines[2], Catch::StartsWith("false 0 64 "));
    CHECK_THAT(lines[4], Catch::StartsWith("true 64 32 "));
    const auto of_mpiio = lines_of_module(file, darshan::Module::dxt_mpiio);
    REQUIRE(of_mpiio.size() == 4);
    CHECK_THAT(of_mpiio[1], Catch::StartsWith("true -1 8 "));
}

TEST_CASE("who ran it and which job it was goes into Darshan's record of the job, and comes back")
{
    Sample sample;
    CHECK(darshan::File(Converted(sample.log).path).job().uid == -1);
    CHECK_FALSE(open_dataset(Converted(sample.log).path).fact("user"));
    identity::each_fact([&](std::string_view fact) {
        sample.log.add_fact(fact, fact == "user"     ? "1000"
                                  : fact == "job_id" ? "4711"
                                                     : "of alice=" + std::string(fact));
    });
    const Converted converted(sample.log);
    const darshan::JobRecord job = darshan::File(converted.path).job();
    CHECK(job.uid == 1000);
    CHECK(job.jobid == 4711);
    const Log back = open_dataset(converted.path);
    identity::each_fact([&](std::string_view fact) {
        INFO(fact);
        CHECK(back.fact(fact) == sample.log.fact(fact));
    });
    CHECK_FALSE(converted.tells("account"));
}

TEST_CASE("Darshan's job id is the number in that of the batch system, or else one made of it")
{
    const auto id_of = [](std::string_view id) {
        Sample sample;
        sample.log.add_fact("job_id", id);
        return darshan::File(Converted(sample.log).path).job().jobid;
    };
    CHECK(id_of("4711") == 4711);
    CHECK(id_of("4711.server") == 4711);
    CHECK(id_of("4711[3].server") == 4711);
    for (const char* const none : {"4711x", "server.4711", "f1", "."}) {
        CHECK(id_of(none) > 0);
        CHECK(id_of(none) != 4711);
        CHECK(id_of(none) == id_of(none));
    }
}

TEST_CASE("what Darshan can hold of a log of ours comes back from it")
{
    const Sample sample;
    const Converted converted(sample.log);
    const Log back = open_dataset(converted.path);
    CHECK(back.problems.empty());
    CHECK(back.fact("note") == "after tuning");
    CHECK(back.fact("command") == "./app --steps 3");
    REQUIRE(back.rows<Process>().size() == 4);
    CHECK(back.rows<Process>()[3].start == sample.log.rows<Process>()[3].start);
    CHECK(back.rows<Process>()[3].end == sample.log.rows<Process>()[3].end);

    const auto compare = [&](const auto& ours, const auto& theirs, std::string_view table) {
        REQUIRE(ours.size() == theirs.size());
        using Row = typename std::remove_cvref_t<decltype(ours)>::value_type;
        const Columns columns = columns_of<Row>();
        for (std::size_t at = 0; at < ours.size(); ++at)
            for (const Column& column : columns.all()) {
                if (column.type != ScalarType::u64 || column.label() == "file") continue;
                INFO(table << "." << column.label() << " of record " << at);
                if (!back.recorded(table, column.label())) continue;
                // Of a file that some processes share, Darshan tells that all do; of a process's own file our
                // own recorder tells its share.
                if (column.label() == "processes" || column.label().find("_process") != std::string::npos)
                    continue;
                const auto was = load<std::uint64_t>(&ours[at], column),
                           is = load<std::uint64_t>(&theirs[at], column);
                const bool never_is_a_ns_later =
                    column.unit == Unit::instant && was == job_start && is == was + 1;
                CHECK((was == is || never_is_a_ns_later));
            }
    };
    compare(sample.log.rows<PosixRecord>(), back.rows<PosixRecord>(), "posix");
    compare(sample.log.rows<StdioRecord>(), back.rows<StdioRecord>(), "stdio");
    compare(sample.log.rows<MpiioRecord>(), back.rows<MpiioRecord>(), "mpiio");
    // Columns that must be among those: none of them may be lost without a test that fails.
    for (const std::string_view column :
         {"posix.opens", "posix.dups", "posix.reads", "posix.syncs", "posix.bytes_written",
          "posix.highest_read", "posix.sequential_reads", "posix.memory_unaligned", "posix.first_open",
          "posix.slowest_read_time", "posix.common_size_1_count", "posix.renames", "posix.maps",
          "mpiio.collective_reads", "mpiio.reads", "mpiio.split_reads", "stdio.highest_written",
          "stdio.write_time"})
        CHECK(back.recorded(column));
}
