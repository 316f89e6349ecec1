// What becomes of Darshan's records, one trap after the other.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "logformat/path_id.h"
#include "made_darshan_log.h"

using namespace fathom;
using namespace fathom::darshan;
using Catch::Contains;
using Catch::VectorContains;
using testing::MadeDarshanLog;

namespace {

constexpr std::uint64_t file = 77, other = 78;
constexpr std::uint64_t s = 1'000'000'000;

template <class Row>
std::vector<Row> of_process(const Log& log, std::int64_t process)
{
    std::vector<Row> rows;
    for (const Row& row : log.rows<Row>())
        if (row.process == process) rows.push_back(row);
    return rows;
}

std::string problems_of(const Log& log)
{
    std::string all;
    for (const std::string& problem : log.problems) all += problem + "\n";
    return all;
}

}  // namespace

TEST_CASE("a rank's record keeps every number, and its times become nanoseconds")
{
    constexpr std::int64_t many = std::numeric_limits<std::int64_t>::max() - 7;
    const Log log = MadeDarshanLog(2)
                        .name(file, "/scratch/out")
                        .record(Module::posix, file, 1,
                                {{posix("OPENS"), 9},
                                 {posix("FILENOS"), 2},
                                 {posix("DUPS"), 3},
                                 {posix("WRITES"), 5},
                                 {posix("BYTES_WRITTEN"), many},
                                 {posix("MAX_BYTE_WRITTEN"), 4095},
                                 {posix("SEQ_WRITES"), 4},
                                 {posix("CONSEC_WRITES"), 3},
                                 {posix("FSYNCS"), 1},
                                 {posix("FDSYNCS"), 2},
                                 {posix("SIZE_WRITE_1K_10K"), 5},
                                 {posix("ACCESS1_ACCESS"), 4096},
                                 {posix("ACCESS1_COUNT"), 5},
                                 {posix("MAX_WRITE_TIME_SIZE"), 4096}},
                                {{transfer_time("WRITE_START_TIMESTAMP"), 0.5},
                                 {transfer_time("WRITE_END_TIMESTAMP"), 1.000000001},
                                 {transfer_time("WRITE_TIME"), 0.25},
                                 {transfer_time("META_TIME"), 0.125},
                                 {transfer_time("MAX_WRITE_TIME"), 0.2}})
                        .read();
    CHECK(problems_of(log).empty());
    REQUIRE(log.rows<PosixRecord>().size() == 1);
    const PosixRecord& row = log.rows<PosixRecord>()[0];
    CHECK(row.process == 1);
    CHECK(row.file == path_id("/scratch/out"));
    CHECK(row.opens == 4);
    CHECK(row.dups == 3);
    CHECK(row.bytes_written == static_cast<std::uint64_t>(many));
    CHECK(row.highest_written == 4096);
    CHECK(row.highest_read == 0);
    CHECK(row.sequential_writes == 1);
    CHECK(row.consecutive_writes == 3);
    CHECK(row.syncs == 3);
    CHECK(row.write_size.count[2] == 5);
    CHECK(row.common_size.slot[0].size == 4096);
    CHECK(row.common_size.slot[0].count == 5);
    CHECK(row.slowest_write.time == 200'000'000);
    CHECK(row.slowest_write.size == 4096);
    CHECK(row.first_write == MadeDarshanLog::start + s / 2);
    CHECK(row.last_write == MadeDarshanLog::start + s + 1);
    CHECK(row.first_read == 0);
    CHECK(row.write_time == s / 4);
    CHECK(row.metadata_time == s / 8);
    CHECK(row.writers == 1);
    CHECK(row.slowest.process == 1);
    CHECK(row.slowest.time == s * 3 / 8);
    REQUIRE(of_process<Totals>(log, 1).size() == 1);
    CHECK(of_process<Totals>(log, 1)[0].bytes_written == row.bytes_written);
    CHECK(of_process<Totals>(log, 1)[0].syncs == 3);
    REQUIRE(log.rows<Process>().size() == 2);
    CHECK(log.rows<Process>()[1].rank == 1);
    CHECK(log.rows<Process>()[1].start == MadeDarshanLog::start);
    CHECK(log.rows<Process>()[1].end == MadeDarshanLog::start + 10 * s + s / 2);
    for (const std::string_view column :
         {"posix.closes", "posix.failed", "posix.strided_reads", "posix.sync_time", "posix.common_size_5",
          "posix.common_size_1_error", "totals.failed", "stdio.sequential_reads", "stdio.read_size_0_100",
          "processes.threads"})
        CHECK_FALSE(log.recorded(column));
    for (const std::string_view column : {"posix.opens", "posix.common_size_4_count", "posix.readers",
                                          "stdio.syncs", "mpiio.split_reads", "posix.maps"})
        CHECK(log.recorded(column));
}

TEST_CASE("a record of all ranks has the slowest, the fastest and how they vary")
{
    const Log log = MadeDarshanLog(4)
                        .name(file, "/scratch/out")
                        .record(Module::mpiio, file, -1,
                                {{mpiio("COLL_OPENS"), 4},
                                 {mpiio("INDEP_READS"), 1},
                                 {mpiio("COLL_READS"), 8},
                                 {mpiio("SPLIT_READS"), 2},
                                 {mpiio("NB_READS"), 3},
                                 {mpiio("BYTES_READ"), 4000},
                                 {mpiio("SLOWEST_RANK"), 3},
                                 {mpiio("SLOWEST_RANK_BYTES"), 1200},
                                 {mpiio("FASTEST_RANK"), 0},
                                 {mpiio("FASTEST_RANK_BYTES"), 900}},
                                {{transfer_time("READ_TIME"), 6},
                                 {transfer_time("META_TIME"), 2},
                                 {transfer_time("SLOWEST_RANK_TIME"), 3},
                                 {transfer_time("FASTEST_RANK_TIME"), 1.5},
                                 {transfer_time("VARIANCE_RANK_TIME"), 0.25},
                                 {transfer_time("VARIANCE_RANK_BYTES"), 100}})
                        .read();
    REQUIRE(log.rows<MpiioRecord>().size() == 1);
    const MpiioRecord& row = log.rows<MpiioRecord>()[0];
    CHECK(row.process == reduced);
    CHECK(row.processes == 4);
    CHECK(row.opens == 4);
    CHECK(row.collective_opens == 4);
    CHECK(row.reads == 14);
    CHECK(row.collective_reads == 8);
    CHECK(row.slowest.process == 3);
    CHECK(row.slowest.time == 3 * s);
    CHECK(row.slowest.bytes == 1200);
    CHECK(row.fastest.process == 0);
    CHECK(row.time.n == 4);
    CHECK(row.time.mean() == Approx(2e9));
    CHECK(row.time.variance() == Approx(0.25e18));
    CHECK(row.bytes.sum == 4000);
    CHECK(row.bytes.variance() == Approx(100));
    CHECK_FALSE(log.recorded("mpiio.readers"));
    CHECK(log.recorded("mpiio.writers"));
    REQUIRE(log.rows<Totals>().size() == 1);
    CHECK(log.rows<Totals>()[0].process == reduced);
    CHECK(log.rows<Totals>()[0].bytes_read == 4000);
    CHECK(log.rows<Process>()[0].ending == static_cast<std::uint64_t>(Ending::finalized));
}

TEST_CASE("a slowest rank that the job does not have is nobody")
{
    const Log log =
        MadeDarshanLog(4)
            .record(Module::posix, file, -1, {{posix("SLOWEST_RANK"), 4}, {posix("FASTEST_RANK"), -1}},
                    {{transfer_time("VARIANCE_RANK_TIME"), std::nan("")}})
            .read();
    CHECK(log.rows<PosixRecord>()[0].slowest.process == -1);
    CHECK(log.rows<PosixRecord>()[0].fastest.process == -1);
    CHECK(log.rows<PosixRecord>()[0].time.squares == 0);
}

TEST_CASE("in a job of one process, a record of all ranks is its own")
{
    const Log log = MadeDarshanLog(1)
                        .name(file, "/scratch/out")
                        .record(Module::posix, file, -1, {{posix("READS"), 2}, {posix("BYTES_READ"), 10}})
                        .record(Module::posix, file, 0, {{posix("READS"), 3}, {posix("BYTES_READ"), 5}})
                        .record(Module::posix, other, 0, {{posix("READS"), 1}})
                        .read();
    REQUIRE(log.rows<PosixRecord>().size() == 2);
    const PosixRecord& row = log.rows<PosixRecord>()[0];
    CHECK(row.process == 0);
    CHECK(row.reads == 5);
    CHECK(row.bytes_read == 15);
    CHECK(row.readers == 1);
    CHECK(row.processes == 1);
    CHECK(row.bytes.sum == 15);
    CHECK(log.recorded("posix.readers"));
    REQUIRE(log.rows<Totals>().size() == 1);
    CHECK(log.rows<Totals>()[0].files == 2);
    CHECK(log.rows<Totals>()[0].reads == 6);
}

TEST_CASE("a record of all ranks and one of a rank may have the same file")
{
    const Log log = MadeDarshanLog(2)
                        .record(Module::stdio, file, -1, {{stdio("WRITES"), 2}, {stdio("BYTES_WRITTEN"), 20}})
                        .record(Module::stdio, file, 1, {{stdio("WRITES"), 1}, {stdio("BYTES_WRITTEN"), 5}})
                        .read();
    REQUIRE(log.rows<StdioRecord>().size() == 2);
    CHECK(log.rows<StdioRecord>()[0].file == log.rows<StdioRecord>()[1].file);
    CHECK(of_process<Totals>(log, reduced)[0].bytes_written == 20);
    CHECK(of_process<Totals>(log, 1)[0].bytes_written == 5);
}

TEST_CASE("files that were looked at and never opened have records")
{
    const Log log = MadeDarshanLog(2).record(Module::posix, file, 0, {{posix("STATS"), 3}}).read();
    REQUIRE(log.rows<PosixRecord>().size() == 1);
    CHECK(log.rows<PosixRecord>()[0].opens == 0);
    CHECK(log.rows<PosixRecord>()[0].stats == 3);
    CHECK(log.problems.empty());
}

TEST_CASE("a counter that no record has is not recorded, one that some have is, and the log says so")
{
    const Log none = MadeDarshanLog(2)
                         .record(Module::posix, file, 0, {{posix("MMAPS"), -1}},
                                 {{transfer_time("OPEN_END_TIMESTAMP"), -1}})
                         .record(Module::posix, other, 0, {{posix("MMAPS"), -1}},
                                 {{transfer_time("OPEN_END_TIMESTAMP"), -1}})
                         .read();
    CHECK_FALSE(none.recorded("posix.maps"));
    CHECK_FALSE(none.recorded("posix.last_open"));
    CHECK(none.problems.empty());

    const Log some =
        MadeDarshanLog(2)
            .record(Module::posix, file, 0, {{posix("READS"), -1}, {posix("FILE_ALIGNMENT"), -1}})
            .record(Module::posix, other, 0, {{posix("READS"), 4}, {posix("FILE_ALIGNMENT"), 4096}})
            .read();
    CHECK(some.recorded("posix.reads"));
    CHECK(some.rows<PosixRecord>()[0].reads == 0);
    CHECK(some.rows<PosixRecord>()[0].file_alignment == 0);
    REQUIRE(some.problems.size() == 1);
    CHECK_THAT(some.problems[0], Contains("1 of 2 records do not have READS"));
}

TEST_CASE("values that cannot be never become large ones")
{
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double time : {-0.5, std::nan(""), infinity, -infinity, 1e300, -1e300, 1e11}) {
        const Log log = MadeDarshanLog(2)
                            .record(Module::posix, file, 0,
                                    {{posix("BYTES_READ"), -12345},
                                     {posix("MAX_BYTE_READ"), std::numeric_limits<std::int64_t>::min()}},
                                    {{transfer_time("READ_TIME"), time},
                                     {transfer_time("READ_START_TIMESTAMP"), time},
                                     {transfer_time("MAX_READ_TIME"), time}})
                            .read();
        INFO(time);
        const PosixRecord& row = log.rows<PosixRecord>()[0];
        CHECK(row.bytes_read == 0);
        CHECK(row.highest_read == 0);
        CHECK(row.read_time == 0);
        CHECK(row.first_read == 0);
        CHECK(row.slowest_read.time == 0);
        CHECK_THAT(problems_of(log),
                   Contains("BYTES_READ that cannot be") && Contains("READ_TIME that cannot be"));
    }
}

TEST_CASE("POSIX and STDIO on files of MPI-IO lie beneath it, standard streams stand by themselves")
{
    const Log log = MadeDarshanLog(2)
                        .name(file, "/scratch/out")
                        .name(other, "<STDOUT>")
                        .record(Module::posix, file, 0, {{posix("WRITES"), 1}})
                        .record(Module::mpiio, file, 0, {{mpiio("INDEP_WRITES"), 1}})
                        .record(Module::stdio, other, 0, {{stdio("WRITES"), 1}})
                        .record(Module::stdio, 79, 0, {{stdio("WRITES"), 1}})
                        .read();
    const auto& totals = log.rows<Totals>();
    REQUIRE(totals.size() == 4);
    CHECK(totals[0].layer == static_cast<std::uint64_t>(Layer::posix));
    CHECK(totals[0].scope == static_cast<std::uint64_t>(Scope::beneath_mpiio));
    CHECK(totals[1].scope == static_cast<std::uint64_t>(Scope::direct));
    CHECK(totals[2].scope == static_cast<std::uint64_t>(Scope::streams));
    CHECK(totals[3].layer == static_cast<std::uint64_t>(Layer::mpiio));
    CHECK(totals[3].scope == static_cast<std::uint64_t>(Scope::direct));
}

TEST_CASE("names are those of files with records, one that is missing or there twice does no harm")
{
    const Log log = MadeDarshanLog(2)
                        .name(file, "/scratch/out")
                        .name(other, "/scratch/out")
                        .name(80, "/scratch/never/used")
                        .name(81, "<STDERR>")
                        .record(Module::posix, file, 0, {})
                        .record(Module::posix, other, 0, {})
                        .record(Module::posix, 0xabc, 0, {})
                        .record(Module::stdio, 81, 0, {})
                        .read();
    const auto& names = log.rows<FileName>();
    REQUIRE(names.size() == 4);
    CHECK(names[0].file == path_id("/scratch/out"));
    CHECK(names[1].path == "/scratch/out");
    CHECK(names[1].file == other);
    CHECK(names[2].path == "<file 0000000000000abc>");
    CHECK(names[3].kind == static_cast<std::uint64_t>(NameKind::stream));
    CHECK(log.rows<PosixRecord>()[2].file == names[2].file);
}

TEST_CASE("records of ranks that the job does not have are left out, and the log says so")
{
    const Log log = MadeDarshanLog(2)
                        .record(Module::posix, file, 2, {{posix("READS"), 1}})
                        .record(Module::posix, file, -7, {{posix("READS"), 1}})
                        .record(Module::posix, file, 1, {{posix("READS"), 1}})
                        .read();
    CHECK(log.rows<PosixRecord>().size() == 1);
    CHECK_THAT(problems_of(log), Contains("2 records are of ranks that the job does not have"));
}

TEST_CASE("a number of processes that no machine has makes no rows but for ranks with records")
{
    const Log log = MadeDarshanLog(std::int64_t{1} << 40)
                        .record(Module::posix, file, 12345678, {{posix("READS"), 1}})
                        .record(Module::posix, file, -1, {{posix("READS"), 1}})
                        .read();
    REQUIRE(log.rows<Process>().size() == 1);
    CHECK(log.rows<Process>()[0].rank == 12345678);
    for (const std::int64_t processes : {std::int64_t{0}, std::int64_t{-1}}) {
        const Log lost = MadeDarshanLog(processes).record(Module::posix, file, 3, {}).read();
        CHECK(lost.rows<Process>().size() == 1);
        CHECK_THAT(problems_of(lost), Contains("number of processes"));
    }
}

TEST_CASE("times of the job that cannot be are not known")
{
    MadeDarshanLog made(1);
    made.job.start = std::numeric_limits<std::int64_t>::max();
    made.job.end = std::numeric_limits<std::int64_t>::min();
    const Log log =
        made.record(Module::posix, file, 0, {}, {{transfer_time("READ_END_TIMESTAMP"), 2}}).read();
    CHECK(log.rows<Process>()[0].start == 0);
    CHECK(log.rows<PosixRecord>()[0].last_read == 2 * s);
    CHECK_THAT(problems_of(log), Contains("when the job started is not known"));
}

TEST_CASE("of a file's layout the last part that lies on servers is reported")
{
    const Log log = MadeDarshanLog(2)
                        .name(file, "/scratch/out")
                        .lustre({file, 0, {{1 << 20, 2, 0, 0, 0, -1, 0, "slow"}}, {3, 7}})
                        .lustre({file, 1, {{1 << 20, 1, 0, 0, 0, -1, 0, ""}}, {9}})
                        .lustre({other,
                                 0,
                                 {{1 << 20, 1, 0, 0x10, 0, 1 << 30, 0, ""},
                                  {4 << 20, 3, 0, 0x10, 1 << 30, std::int64_t{1} << 40, 0, "fast"},
                                  {16 << 20, 8, 0, 0, std::int64_t{1} << 40, -1, 0, ""}},
                                 {5, 21, 22, 23}})
                        .lustre({79, 0, {{1 << 20, -1, 0, 0, 0, -1, 0, ""}}, {}})
                        .read();
    const auto& layouts = log.rows<Layout>();
    REQUIRE(layouts.size() == 2);
    CHECK(layouts[0].file == path_id("/scratch/out"));
    CHECK(layouts[0].stripe_size == 1 << 20);
    CHECK(layouts[0].stripe_count == 2);
    CHECK(layouts[0].first_server == 3);
    CHECK(layouts[0].servers == "3,7");
    CHECK(layouts[0].pool == "slow");
    CHECK(layouts[1].stripe_size == 4 << 20);
    CHECK(layouts[1].servers == "21,22,23");
    CHECK(layouts[1].pool == "fast");
}

TEST_CASE("what a library counted is there by name, -1 for what it did not")
{
    const Log log =
        MadeDarshanLog(2)
            .name(file, "/scratch/out.h5")
            .name(other, "/scratch/out.h5:data")
            .record(Module::h5d, other, -1, {{1, 5}, {4, -1}}, {{transfer_time("READ_TIME"), 0.5}}, file)
            .record(Module::h5f, file, 1, {})
            .read();
    const auto& rows = log.rows<LibraryCounter>();
    REQUIRE(rows.size() == 5);
    CHECK(rows[0].library == "H5F");
    CHECK(rows[0].counter == "OPENS");
    CHECK(rows[0].number == 0);
    CHECK(rows[0].process == 1);
    CHECK(rows[1].counter == "OPENS");
    CHECK(rows[2].counter == "READS");
    CHECK(rows[2].number == 5);
    CHECK(rows[2].process == reduced);
    CHECK(rows[2].container == path_id("/scratch/out.h5"));
    CHECK(rows[3].counter == "BYTES_READ");
    CHECK(rows[3].number == -1);
    CHECK(rows[4].counter == "READ_TIME");
    CHECK(rows[4].seconds == 0.5);
    for (const FileName& name : log.rows<FileName>())
        CHECK(name.kind ==
              static_cast<std::uint64_t>(name.path == "/scratch/out.h5" ? NameKind::file : NameKind::object));
}

TEST_CASE("a module that Darshan had no room for makes the log incomplete")
{
    const Log log = MadeDarshanLog(2).record(Module::posix, file, 0, {}).partial(Module::posix).read();
    REQUIRE(log.problems.size() == 1);
    CHECK_THAT(log.problems[0], Contains("module POSIX is incomplete") && Contains("DARSHAN_MODMEM"));
    CHECK(log.fact("source") == "darshan");
    CHECK(log.fact("job_id") == "4711");
    CHECK(log.fact("command") == "./app -n 2");
}
