// What spools of a node come to, and what of it is in a job database for others.
#include <catch2/catch.hpp>

#include "analyzer/jobs/schema/schema.h"
#include "analyzer/running/spools.h"
#include "analyzer/running/store.h"
#include "analyzer/running/tally.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::running;
using fathom::testing::Temporary;
using watch::NodeRow;

namespace {

constexpr std::uint64_t second = 1'000'000'000, minute = 60 * second, start = 1000 * second;

SpoolRow spool(const std::string& name, std::uint64_t written, std::size_t processes = 2,
               const std::string& step = "0")
{
    NodeRow row;
    row.user = "anna";
    row.job = "4711";
    row.step = step;
    row.command = "lmp";
    row.start = start;
    row.processes = processes;
    row.nodes = 4;
    row.all.written = written;
    row.all.writes = written / 1000;
    row.all.write_time = written;
    return {name, row};
}

NodeRow of_node(const std::string& user, const std::string& job, std::uint64_t written)
{
    NodeRow row = spool("", written).row;
    row.user = user;
    row.job = job;
    row.from = 2000 * second;
    row.until = 2010 * second;
    row.lately.written = written / 2;
    return row;
}

}  // namespace

TEST_CASE("tally: the spools of a step are one row, those of two steps are two")
{
    Tally tally;
    const auto rows =
        tally.add(std::vector{spool("a", 1000), spool("b", 500, 1), spool("c", 70, 1, "1")}, start + minute);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].all.written == 1500);
    CHECK(rows[0].processes == 3);
    CHECK(rows[0].nodes == 4);
    CHECK(rows[1].step == "1");
    CHECK(rows[1].all.written == 70);
    // At the first look all of it is what was done since the start.
    CHECK(rows[0].lately.written == 1500);
    CHECK(rows[0].from == start);
    const auto later = tally.add(std::vector{spool("a", 1800), spool("b", 500, 1)}, start + 2 * minute);
    CHECK(later[0].lately.written == 800);
    CHECK(later[0].from == start + minute);
    CHECK(later[0].until == start + 2 * minute);
}

TEST_CASE("tally: a spool that is gone stays in the sums of its step, and goes ten minutes after its end")
{
    Tally tally;
    tally.add(std::vector{spool("a", 1000), spool("b", 500)}, start + minute);
    CHECK(tally.running() == std::set<std::string>{"a", "b"});
    auto rows = tally.add(std::vector{spool("a", 1100)}, start + 2 * minute);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].all.written == 1600);
    CHECK(rows[0].processes == 2);
    CHECK(tally.running() == std::set<std::string>{"a"});
    rows = tally.add({}, start + 3 * minute);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].processes == 0);
    CHECK(rows[0].lately.written == 0);
    CHECK(tally.add({}, start + 13 * minute)[0].all.written == 1100);  // b ended eleven minutes ago
    CHECK(tally.add({}, start + 13 * minute + second).empty());
}

TEST_CASE("tally: sums never become less, and of very many rows those that run stay")
{
    Tally tally;
    tally.add(std::vector{spool("a", 100'000)}, start + minute);
    CHECK(tally.add(std::vector{spool("a", 0)}, start + 2 * minute)[0].all.written == 100'000);
    std::vector<SpoolRow> many;
    for (std::size_t at = 0; at < Tally::most_rows + 5; ++at)
        many.push_back(spool("s" + std::to_string(at), 1, at % 2, std::to_string(at)));
    const auto rows = Tally().add(many, start + minute);
    CHECK(rows.size() == Tally::most_rows);
    CHECK(std::ranges::count_if(rows, [](const NodeRow& row) { return row.processes > 0; }) ==
          static_cast<std::ptrdiff_t>(Tally::most_rows / 2 + 2));
}

TEST_CASE("running jobs: a node's rows replace those that it left before, and no others")
{
    const Temporary folder;
    const auto database = jobs::open_jobs(folder.path("jobs.db"), jobs::Access::write);
    write_rows(*database, "node1", {}, std::vector{of_node("anna", "4711", 1000), of_node("ben", "4712", 5)});
    write_rows(*database, "node2", {}, std::vector{of_node("anna", "4711", 3000)});
    Told told = rows_told(*database, "4711");
    REQUIRE(told.rows.size() == 2);
    CHECK(told.rows[0].node == "node1");
    CHECK(told.rows[0].all.written == 1000);
    CHECK(told.rows[0].lately.written == 500);
    CHECK(told.rows[0].seconds() == 10);
    CHECK(told.rows[1].all.written == 3000);
    CHECK(told.rows[1].nodes == 4);
    CHECK(told.rows[0].age < 30);
    CHECK(rows_told(*database, {}).rows.size() == 3);
    CHECK(rows_told(*database, "4711.0").rows.size() == 2);
    CHECK(rows_told(*database, "4711.1").rows.empty());
    CHECK(rows_told(*database, "471").rows.empty());
    write_rows(*database, "node1", {}, std::vector{of_node("anna", "4711", 2000)});
    told = rows_told(*database, {});
    REQUIRE(told.rows.size() == 2);
    CHECK(told.rows[0].all.written == 2000);
    write_rows(*database, "node1", "ben", {});  // ben's own monitor takes nothing of anna's away
    CHECK(rows_told(*database, {}).rows.size() == 2);
    write_rows(*database, "node1", {}, {});
    CHECK(rows_told(*database, {}).rows.size() == 1);
}

TEST_CASE("running jobs: rows that are ten minutes old show no more, and any node takes them away")
{
    const Temporary folder;
    const auto database = jobs::open_jobs(folder.path("jobs.db"), jobs::Access::write);
    write_rows(*database, "node1", {}, std::vector{of_node("anna", "4711", 1000)});
    database->run("update running_jobs set written_ns = written_ns - 100000000000");
    Told told = rows_told(*database, "4711");
    REQUIRE(told.rows.size() == 1);
    CHECK(told.rows[0].age == Approx(100).margin(20));
    CHECK(told.rows[0].is_silent());
    database->run("update running_jobs set written_ns = written_ns - 600000000000");
    CHECK(rows_told(*database, "4711").rows.empty());
    CHECK(database->one("select count(*) from running_jobs", {}, jobs::ValueType::integer) ==
          jobs::Value(std::int64_t{1}));
    write_rows(*database, "node2", {}, {});
    CHECK(database->one("select count(*) from running_jobs", {}, jobs::ValueType::integer) ==
          jobs::Value(std::int64_t{0}));
}

TEST_CASE("running jobs: names with hostile letters are kept as they are")
{
    const Temporary folder;
    const auto database = jobs::open_jobs(folder.path("jobs.db"), jobs::Access::write);
    NodeRow row = of_node("anna", "4711'; drop table running_jobs; --", 1);
    row.command = "<b>:v0?\xc3\xa4";
    write_rows(*database, "node'1", {}, std::vector{row});
    const Told told = rows_told(*database, row.job);
    REQUIRE(told.rows.size() == 1);
    CHECK(told.rows[0].command == row.command);
    CHECK(told.rows[0].node == "node'1");
}

TEST_CASE("spools: of a site's folder all of this user's are found, and no links, hidden ones or files")
{
    const Temporary folder;
    namespace fs = std::filesystem;
    fs::create_directories(folder.path("spools/anna-4711.0"));
    fs::create_directories(folder.path("spools/.waiting"));
    fs::create_directories(folder.path("elsewhere"));
    fs::create_directory_symlink(folder.path("elsewhere"), folder.path("spools/link"));
    fs::create_directories(folder.path("spools/open"));
    fs::permissions(folder.path("spools/open"), fs::perms::all);
    fs::permissions(folder.path("spools/anna-4711.0"), fs::perms::owner_all);
    std::vector<std::string> found;
    for (const OwnSpools& own : spools_here(std::vector{folder.path("spools")}))
        for (const std::string& path : own.folders)
            if (path.starts_with(folder.path("spools"))) found.push_back(path);
    CHECK(found == std::vector{folder.path("spools/anna-4711.0")});
    CHECK(look_as_owner({geteuid(), getegid(), found}, {found[0]}, 5).empty());  // nothing is in it
}
