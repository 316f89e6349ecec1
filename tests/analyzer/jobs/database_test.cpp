// Values, many rows at once, transactions, what goes wrong; of PostgreSQL the tests of whole programs have as
// much.
#include "analyzer/jobs/schema/database.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::jobs;
using Catch::Matchers::Contains;
using fathom::testing::Temporary;

namespace {

std::string error_of(const std::string& url, Access access)
{
    try {
        open_jobs(url, access);
    } catch (const DatabaseError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("database: values of every type come back, and what is not known stays so")
{
    const Temporary folder;
    Database database(folder.path("x.db"), Access::write);
    database.run("create table t (a bigint, b double precision, c text)");
    const std::string hostile = "Robert'); drop table t; --?:v0 \xc3\xa4\n";
    database.run("insert into t (a, b, c) values (?, ?, ?)",
                 Values{std::int64_t{-9'000'000'000'000'000'000}, 0.1 + 0.2, hostile});
    database.run("insert into t (a, b, c) values (?, ?, ?)", Values{{}, {}, {}});
    std::vector<Values> rows;
    database.each("select a, b, c from t order by a desc nulls last", {},
                  std::vector{ValueType::integer, ValueType::real, ValueType::text},
                  [&](std::span<const Value> row) { rows.emplace_back(row.begin(), row.end()); });
    REQUIRE(rows.size() == 2);
    CHECK(rows[0] == Values{std::int64_t{-9'000'000'000'000'000'000}, 0.1 + 0.2, hostile});
    CHECK(rows[1] == Values{{}, {}, {}});
    CHECK(database.one("select max(a) from t where a > ?", Values{std::int64_t{0}}, ValueType::integer) ==
          Value());
}

TEST_CASE("database: any number of rows goes in at once")
{
    const Temporary folder;
    Database database(folder.path("x.db"), Access::write);
    database.run("create table t (a bigint, b text)");
    constexpr std::string_view columns[] = {"a", "b"};
    constexpr ValueType types[] = {ValueType::integer, ValueType::text};
    for (const std::int64_t count : {0, 1, 7, 8, 9, 64, 65, 200}) {
        database.run("delete from t");
        Values cells;
        for (std::int64_t at = 0; at < count; ++at) {
            cells.emplace_back(at);
            cells.emplace_back(fmt::format("{}", at));
        }
        database.insert("t", columns, types, cells);
        CHECK(database.one("select count(*) from t where cast(b as bigint) = a", {}, ValueType::integer) ==
              Value(count));
    }
}

TEST_CASE("database: each of any number of keys is asked for once")
{
    const Temporary folder;
    Database database(folder.path("x.db"), Access::write);
    database.keep_plans();
    database.run("create table t (a bigint)");
    jobs::Values cells;
    for (std::int64_t at = 0; at < 700; ++at) cells.emplace_back(at);
    constexpr std::string_view columns[] = {"a"};
    database.insert("t", columns, std::vector{ValueType::integer}, cells);
    for (const std::size_t number : {0, 1, 2, 8, 9, 64, 65, 256, 257, 513, 700}) {
        jobs::Values found;
        jobs::each_of(database, "select a from t where a in (@keys)", std::span(cells).first(number),
                      std::vector{ValueType::integer},
                      [&](std::span<const Value> row) { found.push_back(row[0]); });
        std::ranges::sort(found);
        INFO(number);
        CHECK(std::ranges::equal(found, std::span(cells).first(number)));
    }
}

TEST_CASE("database: of very many statements that are asked again some are kept")
{
    const Temporary folder;
    Database database(folder.path("x.db"), Access::write);
    const auto ask = [&](int number) {
        return database.one_again(fmt::format("select {} + ?", number), std::vector<Value>{std::int64_t{1}},
                                  ValueType::integer);
    };
    std::size_t right = 0;
    // One that is being read stays, whatever is asked meanwhile.
    std::int64_t rows = 0;
    database.each_again("select 1 union select 2", {}, std::vector{ValueType::integer},
                        [&](std::span<const Value> row) {
                            rows += std::get<std::int64_t>(row[0]);
                            for (int number = 0; number < 1000; ++number)
                                right += ask(number) == Value(std::int64_t{number + 1});
                        });
    CHECK(rows == 3);
    CHECK(right == 2000);
}

TEST_CASE("database: what was not committed is not there")
{
    const Temporary folder;
    Database database(folder.path("x.db"), Access::write);
    database.run("create table t (a bigint)");
    {
        const WriteTransaction dropped(database);
        database.run("insert into t (a) values (1)");
    }
    WriteTransaction kept(database);
    database.run("insert into t (a) values (2)");
    kept.commit();
    CHECK(database.one("select sum(a) from t", {}, ValueType::integer) == Value(std::int64_t{2}));
}

TEST_CASE("database: an error names the database and what to do, and no password")
{
    const Temporary folder;
    CHECK_THAT(error_of(folder.path("none.db"), Access::read), Contains("there is no such database"));
    CHECK_THAT(error_of(folder.path("no/folder/x.db"), Access::write), Contains("its folder must be there"));
    std::ofstream(folder.path("text.db")) << std::string(5000, 'x');
    CHECK_THAT(error_of(folder.path("text.db"), Access::write),
               Contains("text.db: file is not a database; name a database that `fathom jobs add"));
    CHECK_THAT(error_of("oracle://anna:secret@db/x", Access::read),
               Contains("oracle://anna:...@db/x: no database of this kind") && !Contains("secret"));
    const std::string refused =
        error_of("postgresql://anna:secret@127.0.0.1:1/x?password=secret", Access::read);
    CHECK_THAT(refused,
               Contains("postgresql://anna:...@127.0.0.1:1/x?password=...: ") && !Contains("secret"));
    CHECK_THAT(refused,
               Contains(": connection to server at \"127.0.0.1\", port 1 failed: Connection refused; "
                        "see that the server runs"));
    CHECK(without_password("postgresql://db/x@y:z") == "postgresql://db/x@y:z");
    CHECK(without_password("jobs.db") == "jobs.db");
}

TEST_CASE("schema: a database of a newer version is refused, in one sentence")
{
    const Temporary folder;
    const std::string url = folder.path("x.db");
    Database(url, Access::write);
    for (const Access access : {Access::read, Access::change})
        CHECK_THAT(error_of(url, access), Contains("there are no jobs in this database"));
    open_jobs(url, Access::write);
    CHECK(error_of(url, Access::read).empty());
    Database(url, Access::write).run("update fathom_schema set version = version + 1");
    for (const Access access : {Access::read, Access::write})
        CHECK_THAT(error_of(url, access), Contains("a newer Fathom made this database"));
}

TEST_CASE(
    "schema: a database of an older version is brought to this one where it is written, and keeps its rows")
{
    const Temporary folder;
    const std::string url = folder.path("x.db");
    open_jobs(url, Access::write);
    constexpr std::string_view added[] = {
        "jobs_by_run_time",      "jobs_by_processes",      "jobs_by_io_share",      "jobs_by_bytes",
        "jobs_by_rate",          "jobs_by_time",           "jobs_by_length",        "jobs_by_kind",
        "jobs_by_node_count",    "jobs_by_bytes_read",     "jobs_by_bytes_written", "jobs_by_rate_of_slowest",
        "jobs_by_rate_per_node", "jobs_by_rate_in_window", "jobs_by_findings",      "jobs_by_finding",
        "jobs_by_reads",         "jobs_by_writes",         "jobs_by_queue",         "jobs_by_group",
        "jobs_by_batch_system",  "jobs_by_step",           "jobs_by_job_name",      "jobs_by_account",
        "jobs_by_array_job",     "jobs_by_array_index",    "jobs_by_ranks_missing", "jobs_by_problems",
        "jobs_by_user_start",    "jobs_by_user_bytes"};
    const auto ask = [&](const std::string& sql) {
        return Database(url, Access::read).one(sql, {}, ValueType::integer);
    };
    const auto change = [&](const std::string& sql) { Database(url, Access::write).run(sql); };
    const std::string indexes =
        "select count(*) from sqlite_master where type = 'index' and name like '%_by_%'";
    const Value all = ask(indexes);
    for (const std::string_view index : added) change(fmt::format("drop index {}", index));
    change("alter table job_mounts drop column source");
    change("drop view fathom_job_environment");
    change("drop table job_environment");
    change("drop view fathom_running_jobs");
    change("drop table running_jobs");
    change(
        "insert into job_mounts (job, mount, type, files, bytes_read, bytes_written, read_ns, write_ns, "
        "metadata_ns) values (7, '/scratch', 'lustre', 1, 2, 3, 4, 5, 6)");
    change("update fathom_schema set version = 1");
    CHECK_THAT(error_of(url, Access::read), Contains("an older Fathom made this database"));
    CHECK(ask("select version from fathom_schema") == Value(std::int64_t{1}));
    open_jobs(url, Access::change);
    CHECK(ask("select version from fathom_schema") == Value(schema_version));
    CHECK(ask(indexes) == all);
    CHECK(ask("select bytes_written from job_mounts where job = 7 and source = ''") ==
          Value(std::int64_t{3}));
    CHECK(ask("select count(*) from fathom_job_environment") == Value(std::int64_t{0}));
    CHECK(ask("select count(*) from fathom_job_mounts") == Value(std::int64_t{1}));
    CHECK(ask("select count(*) from fathom_running_jobs") == Value(std::int64_t{0}));
    CHECK(error_of(url, Access::read).empty());
}

TEST_CASE("schema: the database of another program stays as it is")
{
    const Temporary folder;
    const std::string url = folder.path("x.db");
    Database(url, Access::write).run("create table other (a bigint)");
    for (const Access access : {Access::read, Access::change, Access::write})
        CHECK_THAT(error_of(url, access), Contains("another program's tables are in this database"));
    CHECK(Database(url, Access::read).one("select count(*) from sqlite_master", {}, ValueType::integer) ==
          Value(std::int64_t{1}));
}

TEST_CASE("schema: views have no paths, commands and sentences of a log")
{
    const Temporary folder;
    const auto database = open_jobs(folder.path("x.db"), Access::write);
    std::size_t views = 0;
    for (const jobs::TableWords& table : all_tables()) {
        if (table.view.empty()) continue;
        ++views;
        for (const ColumnWords& column : table.columns) {
            const auto ask = [&] {
                database->run(fmt::format("select {} from {}", column.name, table.view));
            };
            INFO(table.view << "." << column.name);
            bool there = true;
            try {
                ask();
            } catch (const DatabaseError&) {
                there = false;
            }
            CHECK(there == (column.seen == Seen::in_view));
            CHECK((column.name.find("path") == std::string::npos || column.seen == Seen::in_table));
        }
    }
    CHECK(views == 11);
}
