// What reports tell of files: the pattern of accesses to them, their kinds, and the file systems they lie on.
#include <catch2/catch.hpp>

#include "analyzer/document/units.h"
#include "analyzer/job/mounts.h"
#include "analyzer/sections/files/file_categories.h"
#include "analyzer/sections/files/servers.h"
#include "analyzer/sections/files/stripe_layouts.h"
#include "analyzer/sections/mpi/collective_times.h"
#include "analyzer/sections/sections.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
using Row = std::vector<std::string>;

namespace {

std::vector<Row> rows_of(const report::DataTable& table)
{
    std::vector<Row> rows;
    for (const auto& row : table.rows) {
        Row& shown = rows.emplace_back();
        for (const report::Cell& cell : row) shown.push_back(report::format(cell));
    }
    return rows;
}

// The table of this id; nullptr where the study has none.
const report::DataTable* table_in(const Blocks& blocks, std::string_view id)
{
    for (const report::Block& block : blocks)
        if (const auto* const table = std::get_if<report::DataTable>(&block))
            if (table->id == id) return table;
    return nullptr;
}

PosixRecord& reads(Synthetic& made, std::uint64_t file, std::int64_t process, std::uint64_t n)
{
    PosixRecord& record = made.io<PosixRecord>(file, process, {.bytes_read = n * 10, .read_time = 1});
    record.reads = n;
    return record;
}

}  // namespace

TEST_CASE("first, consecutive, strided and irregular accesses make up all of them")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/data/x");
    for (const std::int64_t rank : {0, 1}) {
        PosixRecord& record = reads(made, file, rank, 50);
        record.consecutive_reads = 10;
        record.sequential_reads = 30;
        record.strided_reads = 20;
        record.file_unaligned = 25;
        record.memory_unaligned = 50;
    }
    const Blocks blocks = access_pattern(Job(made.log), {});
    REQUIRE(table_in(blocks, "pattern") != nullptr);
    CHECK(rows_of(*table_in(blocks, "pattern")) ==
          std::vector<Row>{{"POSIX", "reads", "100", "2 %", "20 %", "40 %", "38 %"}});
    // 18 went back, and the 40 that were strided may have been among them, or not
    CHECK(rows_of(*table_in(blocks, "pattern_ways")) ==
          std::vector<Row>{{"POSIX", "reads", "60 %", "18 %", "0 % to 18 %"}});
    CHECK(rows_of(*table_in(blocks, "alignment")) == std::vector<Row>{{"100", "50 %", "0 %"}});
}

TEST_CASE("what goes back without any step is random for certain")
{
    Synthetic made;
    made.ranks(1);
    reads(made, made.file("/data/x"), 0, 101).sequential_reads = 40;
    const Blocks blocks = access_pattern(Job(made.log), {});
    const auto rows = rows_of(*table_in(blocks, "pattern_ways"));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0][4] == rows[0][3]);
}

TEST_CASE("a log that does not have strides leaves them open")
{
    Synthetic made;
    made.ranks(1);
    reads(made, made.file("/data/x"), 0, 10).consecutive_reads = 9;
    made.log.not_recorded = {"posix.strided_reads", "posix.strided_writes"};
    const Blocks blocks = access_pattern(Job(made.log), {});
    CHECK(rows_of(*table_in(blocks, "pattern")) ==
          std::vector<Row>{{"POSIX", "reads", "10", "10 %", "90 %", "-", "-"}});
}

TEST_CASE("a job without reads and writes has no access pattern")
{
    Synthetic made;
    made.ranks(1);
    made.io<PosixRecord>(made.file("/data/x"), 0, {.metadata_time = 5});
    CHECK(access_pattern(Job(made.log), {}).empty());
}

TEST_CASE("files are counted by each kind that they are of")
{
    Synthetic made;
    made.ranks(3);
    const std::uint64_t shared = made.file("/data/shared"), partly = made.file("/data/partly"),
                        own = made.file("/data/own"), untouched = made.file("/data/untouched");
    for (const std::int64_t rank : {0, 1, 2})
        made.io<PosixRecord>(shared, rank, {.bytes_read = mib}).highest_read = 3 * mib;
    for (const std::int64_t rank : {0, 2}) {
        PosixRecord& record = made.io<PosixRecord>(partly, rank, {.bytes_written = mib});
        record.highest_written = mib;
        record.creates = 1;
    }
    StdioRecord& both = made.io<StdioRecord>(own, 1, {.bytes_read = 10, .bytes_written = mib});
    both.highest_written = 2 * mib;
    made.io<PosixRecord>(untouched, 0, {.metadata_time = 5});
    CHECK(rows_of(file_categories(Job(made.log))) ==
          std::vector<Row>{{"all", "4", "2 MiB", "3 MiB", "3.00 MiB", "3 MiB"},
                           {"unique", "1", "2 MiB", "2 MiB", "10 B", "1 MiB"},
                           {"partly shared", "1", "1 MiB", "1 MiB", "0 B", "2 MiB"},
                           {"shared", "1", "3 MiB", "3 MiB", "3 MiB", "0 B"},
                           {"only read", "1", "3 MiB", "3 MiB", "3 MiB", "0 B"},
                           {"only written", "1", "1 MiB", "1 MiB", "0 B", "2 MiB"},
                           {"read and written", "1", "2 MiB", "2 MiB", "10 B", "1 MiB"},
                           {"created", "1", "1 MiB", "1 MiB", "0 B", "2 MiB"}});
}

TEST_CASE("files that stand for many count as many, and have no size")
{
    Synthetic made;
    made.ranks(1);
    PosixRecord& record = made.io<PosixRecord>(made.file("/data/<further files>", NameKind::overflow), 0,
                                               {.bytes_written = mib});
    record.highest_written = mib;
    made.log.rows<FileName>().back().files = 5000;
    const auto rows = rows_of(file_categories(Job(made.log)));
    CHECK(rows[0] == Row{"all", "5,000", "-", "-", "0 B", "1 MiB"});
}

TEST_CASE("only files that were opened again and again are reported by their opens")
{
    Synthetic made;
    made.ranks(20);
    const std::uint64_t once = made.file("/data/once_each"), often = made.file("/data/often");
    for (std::int64_t rank = 0; rank < 20; ++rank) made.io<PosixRecord>(once, rank, {.bytes_read = 1});
    CHECK(table_in(file_tables(Job(made.log), {}), "files_by_opens") == nullptr);
    PosixRecord& record = made.io<PosixRecord>(often, 3, {.bytes_read = 7, .metadata_time = second});
    record.opens = 50;
    record.creates = 2;
    const Blocks blocks = file_tables(Job(made.log), {});
    REQUIRE(table_in(blocks, "files_by_opens") != nullptr);
    CHECK(rows_of(*table_in(blocks, "files_by_opens")) ==
          std::vector<Row>{{"/data/often", "50", "1", "2", "1.00 s", "7 B"}});
}

TEST_CASE("paths that calls failed on are reported, also where no file was used")
{
    Synthetic made;
    made.process(-1);
    made.log.rows<FailedPath>() = {{"/lib/a", 5, 0, 2}, {"/lib/b", 90, 10, 13}, {"/lib/none", 3, 3, 2}};
    const Blocks blocks = file_tables(Job(made.log), SectionChoice{});
    REQUIRE(blocks.size() == 2);
    const auto& table = std::get<report::DataTable>(blocks[1]);
    REQUIRE(table.rows.size() == 2);
    CHECK(report::format(table.rows[0][0]) == "/lib/b");
    CHECK(report::format(table.rows[0][1]) == "80");
    CHECK(report::format(table.rows[0][2]) == "permission denied");
    CHECK_THAT(table.remark, Contains("at least these"));
    made.log.rows<FailedPath>()[1].error = 0;
    const Blocks exact = file_tables(Job(made.log), SectionChoice{});
    CHECK_THAT(std::get<report::DataTable>(exact[1]).remark, !Contains("at least"));
}

TEST_CASE("file systems are reported with the block size of their files")
{
    Synthetic made;
    made.ranks(1);
    made.log.rows<Mount>() = {
        {"/", "ext4", "sda"}, {"/scratch", "lustre", "mds"}, {"/scratch", "nfs", "top"}};
    made.io<PosixRecord>(made.file("/scratch/x"), 0, {.bytes_written = mib, .write_time = second / 2})
        .file_alignment = 4 * mib;
    made.io<PosixRecord>(made.file("/home/x"), 0, {.bytes_read = 10});
    CHECK(rows_of(*table_in(file_systems(Job(made.log), {}), "file_systems")) ==
          std::vector<Row>{{"/scratch", "nfs", "top", "4 MiB", "1", "0 B", "1 MiB", "500 ms", "2.00 MiB/s"},
                           {"/", "ext4", "sda", "-", "1", "10 B", "0 B", "0 s", "-"}});
}

TEST_CASE("a file's mount is the longest path above it")
{
    Synthetic made;
    made.log.rows<Mount>() = {{"/", "ext4", "sda"}, {"/home", "nfs", "filer"}, {"/home/a b", "xfs", "sdb"}};
    const Mounts mounts(made.log);
    const auto type_at = [&](std::string_view path) {
        const Mount* const mount = mounts.of(path);
        return mount == nullptr ? std::string_view{} : mount->type;
    };
    CHECK(type_at("/home/x/y") == "nfs");
    CHECK(type_at("/home") == "nfs");
    CHECK(type_at("/home2/x") == "ext4");
    CHECK(type_at("/home/a b/c") == "xfs");
    CHECK(type_at("/") == "ext4");
    CHECK(type_at("").empty());
    CHECK(type_at("<stdout>").empty());
    CHECK(mounts.type_of({.path = "/home/x"}) == "nfs");
}

TEST_CASE("files of one layout share a row, with the servers that they use together")
{
    Synthetic made;
    made.ranks(1);
    const auto striped = [&](std::string_view path, std::uint64_t bytes, const Layout& layout) {
        const std::uint64_t file = made.file(path);
        made.io<PosixRecord>(file, 0, {.bytes_written = bytes});
        Layout& row = made.log.rows<Layout>().emplace_back(layout);
        row.file = file;
    };
    const Blocks none = file_systems(Job(made.log), {});
    CHECK(table_in(none, "stripe_layouts") == nullptr);
    striped("/s/a", mib, {0, mib, 2, 1, "1,2", ""});
    striped("/s/b", mib, {0, mib, 2, 2, "2,3", ""});
    striped("/s/c", 5 * mib, {0, 4 * mib, 1, 9, "9", "flash"});
    made.log.rows<Layout>().push_back({12345, mib, 2, 1, "7,8", ""});  // of a file without records
    const report::DataTable table = stripe_layouts(Job(made.log));
    CHECK(rows_of(table) == std::vector<Row>{{"1", "4 MiB", "flash", "1", "5 MiB", "1"},
                                             {"2", "1 MiB", "-", "2", "2 MiB", "3"}});
    CHECK_THAT(table.remark, !Contains("64"));
    CHECK(table_in(file_systems(Job(made.log), {}), "stripe_layouts") != nullptr);
    striped("/s/wide", mib, {0, mib, 100, 1, "1,2,3", ""});
    CHECK_THAT(stripe_layouts(Job(made.log)).remark, Contains("first 64"));
}

namespace {

report::DataTable table_of(const Synthetic& made)
{
    const Job job(made.log);
    return server_table(servers_of(job));
}

}  // namespace

TEST_CASE("servers: the ten slowest have a row, with the rates that their files say")
{
    Synthetic made;
    made.ranks(1);
    CHECK(table_of(made).rows.empty());
    for (std::uint64_t server = 0; server < 12; ++server) {
        const std::uint64_t file = made.file("/lustre/" + std::to_string(server));
        made.io<PosixRecord>(file, 0,
                             {.bytes_written = 10 * mib, .write_time = (server == 7 ? 10 : 1) * second});
        made.log.rows<Layout>().push_back({file, mib, 1, server, made.log.keep(std::to_string(server)), ""});
    }
    const report::DataTable table = table_of(made);
    REQUIRE(table.rows.size() == 10);
    CHECK(report::format(table.rows[0][0]) == "7");
    CHECK(report::format(table.rows[0][3]) == "1.00 MiB/s");
    CHECK(report::format(table.rows[1][3]) == "10.0 MiB/s");
    CHECK_THAT(table.remark, Contains("10 of 12 servers"));
    const Job job(made.log);
    const report::Chart chart = server_chart(servers_of(job));
    REQUIRE(chart.categories.size() == 12);
    CHECK(chart.categories[7] == "7");
    CHECK(chart.series[0].values[7] == Approx(1));
    CHECK(chart.series[0].values[8] == Approx(10));
    for (std::uint64_t server = 12; server < 100; ++server) {
        const std::uint64_t file = made.file("/lustre/" + std::to_string(server));
        made.io<PosixRecord>(file, 0,
                             {.bytes_written = 10 * mib, .write_time = (server == 99 ? 5 : 1) * second});
        made.log.rows<Layout>().push_back({file, mib, 1, server, made.log.keep(std::to_string(server)), ""});
    }
    const Job larger(made.log);
    const report::Chart neighbours = server_chart(servers_of(larger));
    CHECK(neighbours.categories.size() == 48);
    CHECK(std::count(neighbours.categories.begin(), neighbours.categories.end(), "7") == 1);
    CHECK(neighbours.categories.back() == "99");
    CHECK_THAT(neighbours.remark, Contains("48 of 100: the slowest"));
}

TEST_CASE("collective calls: file system, exchange and waiting are reported for each file and direction")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t file = made.file("/shared");
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        auto& row = made.io<MpiioRecord>(file, rank,
                                         {.bytes_written = mib, .write_time = (rank == 0 ? 8 : 10) * second});
        row.writes = row.collective_writes = 5;
    }
    made.io<PosixRecord>(file, 1, {.bytes_written = 2 * mib, .write_time = 3 * second}, Scope::beneath_mpiio);
    const report::DataTable table = collective_times(Job(made.log));
    REQUIRE(table.rows.size() == 1);
    const auto cell = [&](std::size_t at) { return report::format(table.rows[0][at]); };
    CHECK(cell(1) == "writes");
    CHECK(cell(2) == "5");
    CHECK(cell(4) == "9.00 s");
    CHECK(cell(5) == "3.00 s");
    CHECK(cell(6) == "5.00 s");
    CHECK(cell(7) == "1.00 s");
    CHECK_THAT(table.remark, Contains("at most"));
}
