// Which logs are of one job, and which rows are there then.
#include "analyzer/jobs/store/store.h"

#include <catch2/catch.hpp>
#include <set>

#include "analyzer/jobs/entry/identity.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/paths.h"
#include "tests/analyzer/synthetic.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::testing;
using fathom::jobs::Access;
using fathom::jobs::Entry;
using fathom::jobs::Number;

namespace {

constexpr Number s = 1'000'000'000;

// A log of one run. Equal numbers make equal logs.
Entry entry(const std::string& path, const std::string& tool, const std::string& match, Number start,
            Number end, Number bytes = 1)
{
    Entry one;
    one.job.recorded = 1;
    one.job.tool = one.log.tool = tool;
    one.job.match = match;
    one.job.start = start * s;
    one.job.end = end * s;
    one.job.bytes = bytes;
    one.layers.push_back({.layer = "posix"});
    one.log.path = path;
    one.log.identity = tool + match + std::to_string(start) + "-" + std::to_string(bytes);
    return one;
}

struct Fixture {
    Temporary folder;
    std::unique_ptr<jobs::Database> database = jobs::open_jobs(folder.path("x.db"), Access::write);

    jobs::StoreCount store(std::vector<Entry> entries) { return jobs::store(*database, entries); }
    Number ask(const std::string& sql)
    {
        const jobs::Value value = database->one(sql, {}, jobs::ValueType::integer);
        return std::holds_alternative<Number>(value) ? std::get<Number>(value) : -1;
    }
    Number jobs() { return ask("select count(*) from jobs"); }
};

}  // namespace

TEST_CASE("store: a log that is there is one job, moved, copied or in one batch with itself")
{
    Fixture at;
    CHECK(at.store({entry("/a", "fathom", "m", 10, 20), entry("/b", "fathom", "m", 10, 20)}).jobs == 1);
    CHECK(at.store({entry("/c", "fathom", "m", 10, 20)}).copies == 1);
    CHECK(at.store({entry("/a", "fathom", "m", 10, 20)}).copies == 1);
    CHECK(at.jobs() == 1);
    CHECK(at.ask("select count(*) from logs where job = 1") == 3);
    CHECK(at.ask("select count(*) from job_layers") == 1);
}

TEST_CASE("store: logs of two tools of one run are one job, with the numbers of Fathom's")
{
    for (const bool fathom_first : {true, false})
        for (const bool at_once : {true, false}) {
            Fixture at;
            std::vector<Entry> logs = {entry("/a.fathom", "fathom", "m", 10, 20, 7),
                                       entry("/a.darshan", "darshan", "m", 11, 20, 5)};
            if (!fathom_first) std::swap(logs[0], logs[1]);
            if (at_once) {
                at.store(logs);
            } else {
                CHECK(at.store({logs[0]}).jobs == 1);
                CHECK(at.store({logs[1]}).logs == 1);
            }
            INFO(fathom_first << at_once);
            CHECK(at.jobs() == 1);
            CHECK(at.ask("select bytes from jobs") == 7);
            CHECK(at.ask("select count(*) from job_layers") == 1);
            CHECK(at.ask("select count(*) from logs where job = 1") == 2);
        }
}

TEST_CASE(
    "store: steps of a job one after the other are jobs of their own, each with its log of another tool")
{
    Fixture at;
    at.store({entry("/1.fathom", "fathom", "m", 10, 20, 1), entry("/2.fathom", "fathom", "m", 21, 31, 2),
              entry("/3.fathom", "fathom", "m", 32, 42, 3)});
    at.store(
        {entry("/2.darshan", "darshan", "m", 21, 31, 22), entry("/3.darshan", "darshan", "m", 32, 42, 33)});
    at.store(
        {entry("/other.darshan", "darshan", "m2", 10, 20), entry("/late.darshan", "darshan", "m", 100, 110)});
    CHECK(at.jobs() == 5);
    for (const Number which : {2, 3})
        CHECK(at.ask("select a.job - b.job from logs a join logs b on a.path = '/" + std::to_string(which) +
                     ".fathom' and b.path = '/" + std::to_string(which) + ".darshan'") == 0);
}

TEST_CASE("store: runs side by side in one job are known by their process")
{
    const auto run = [](const char* path, const char* tool, const char* process, Number start, Number bytes) {
        Entry one = entry(path, tool, "m", start, start + 10, bytes);
        one.job.start += 5;  // no whole seconds
        one.job.process = process;
        return one;
    };
    Fixture at;
    at.store({run("/1.darshan", "darshan", "u/1/x", 10, 1)});
    at.store({run("/2.fathom", "fathom", "u/2/x", 10, 22)});
    at.store({run("/2.darshan", "darshan", "u/2/x", 10, 2), run("/1.fathom", "fathom", "u/1/x", 11, 11)});
    CHECK(at.jobs() == 2);
    for (const Number which : {1, 2})
        CHECK(at.ask("select a.job - b.job from logs a join logs b on a.path = '/" + std::to_string(which) +
                     ".fathom' and b.path = '/" + std::to_string(which) + ".darshan'") == 0);
    // The batch system's number, which one of the tools does not know, does not matter then.
    Entry other = run("/3.darshan", "darshan", "u/3/x", 10, 3),
          ours = run("/3.fathom", "fathom", "u/3/x", 10, 33);
    other.job.match = "m3";
    at.store({other});
    CHECK(at.store({ours}).logs == 1);
}

TEST_CASE("store: a run that follows within a second is another one")
{
    Fixture at;
    Entry first = entry("/1.darshan", "darshan", "m", 10, 11, 1),
          second = entry("/2.fathom", "fathom", "m", 11, 12, 2);
    first.job.start += 7;
    second.job.start += 50'000'000;
    second.job.end += 50'000'000;
    at.store({first});
    CHECK(at.store({second}).jobs == 1);
    CHECK(at.jobs() == 2);
}

TEST_CASE("store: two runs at the same time, of one tool, are two jobs")
{
    Fixture at;
    CHECK(at.store({entry("/a", "darshan", "m", 10, 20, 1), entry("/b", "darshan", "m", 10, 20, 2)}).jobs ==
          2);
    CHECK(at.store({entry("/c", "darshan", "", 10, 20, 3), entry("/d", "fathom", "", 10, 20, 4)}).jobs == 2);
}

TEST_CASE("store: a file that has changed replaces what it said before")
{
    Fixture at;
    at.store({entry("/a", "fathom", "m", 10, 20, 1)});
    CHECK(at.store({entry("/a", "fathom", "m", 10, 25, 9)}).changed == 1);
    CHECK(at.jobs() == 1);
    CHECK(at.ask("select bytes from jobs") == 9);
    CHECK(at.ask("select count(*) from logs") == 1);
    // Another run under that name is another job.
    CHECK(at.store({entry("/a", "fathom", "m", 500, 525, 9)}).jobs == 1);
    CHECK(at.jobs() == 2);
}

TEST_CASE("store: a log that is read again renews its job's numbers, unless these are of another tool's log")
{
    Fixture at;
    at.store({entry("/a.fathom", "fathom", "m", 10, 20, 1), entry("/a.darshan", "darshan", "m", 10, 20, 2)});
    at.database->run("update jobs set bytes = 77, project = 'climate'");
    std::vector<Entry> again = {entry("/a.darshan", "darshan", "m", 10, 20, 2)};
    CHECK(jobs::store(*at.database, again, true).renewed == 0);
    CHECK(at.ask("select bytes from jobs") == 77);
    again = {entry("/a.fathom", "fathom", "m", 10, 20, 1), entry("/copy.fathom", "fathom", "m", 10, 20, 1)};
    CHECK(jobs::store(*at.database, again, true).renewed == 1);
    CHECK(at.ask("select bytes from jobs where project = 'climate'") == 1);
    CHECK(at.ask("select count(*) from job_layers") == 1);
    CHECK(at.jobs() == 1);
}

TEST_CASE("store: a broken log is known, and becomes a job once it is whole")
{
    Fixture at;
    Entry broken;
    broken.log.path = "/logs/a";
    broken.log.trouble = "/logs/a: damaged";
    broken.log.size = 5;
    CHECK(at.store({broken}).broken == 1);
    CHECK(at.store({broken}).broken == 1);
    CHECK(at.jobs() == 0);
    std::unordered_map<std::string, jobs::KnownLog> known;
    jobs::known_logs(*at.database, "/logs", known);
    REQUIRE(known.size() == 1);
    CHECK(known.at("/logs/a").broken);
    CHECK(known.at("/logs/a").size == 5);
    known.clear();
    jobs::known_logs(*at.database, "/log", known);
    CHECK(known.empty());
    CHECK(at.store({entry("/logs/a", "fathom", "m", 10, 20)}).jobs == 1);
    CHECK(at.ask("select count(*) from logs") == 1);
}

TEST_CASE("store: a log that cannot be read for a while keeps its job")
{
    Fixture at;
    at.store({entry("/a", "fathom", "m", 10, 20, 1)});
    Entry broken;
    broken.log.path = "/a";
    broken.log.trouble = "/a: the file is empty";
    CHECK(at.store({broken}).broken == 1);
    CHECK(at.store({entry("/a", "fathom", "m", 10, 20, 1)}).copies == 1);
    CHECK(at.jobs() == 1);
}

TEST_CASE("paths: each is another text, and comes back")
{
    const std::string paths[] = {
        "/a/b.darshan", "k\xff.darshan",   "k\xFF.darshan",   "k\xff", "k\\xff", "a\nb", "a\\nb",
        "\\",           "x\xe2\x80\xae.y", "\xc3\xa4\x01\x7f"};
    std::set<std::string> stored;
    for (const std::string& path : paths) {
        const std::string text = jobs::stored_path(path);
        CHECK(jobs::path_of_stored(text) == path);
        stored.insert(text);
    }
    CHECK(stored.size() == std::set<std::string>(std::begin(paths), std::end(paths)).size());
    CHECK(jobs::stored_path("/a/b c.darshan") == "/a/b c.darshan");
}

TEST_CASE("store: jobs that are removed leave nothing, and may come again")
{
    Fixture at;
    at.store({entry("/a", "fathom", "m", 10, 20, 1), entry("/b", "fathom", "n", 10, 20, 2)});
    jobs::remove_jobs(*at.database, std::vector<Number>{1});
    CHECK(at.jobs() == 1);
    CHECK(at.ask("select count(*) from job_layers") == 1);
    CHECK(at.ask("select count(*) from logs") == 1);
    CHECK(at.store({entry("/a", "fathom", "m", 10, 20, 1)}).jobs == 1);
    CHECK(at.ask("select count(distinct id) from jobs") == 2);
}

TEST_CASE("store: invalid UTF-8, zero bytes and SQL in names are kept as text")
{
    Fixture at;
    Entry odd = entry(std::string("/x\xff'; drop table jobs; --"), "fathom", "m", 10, 20);
    odd.job.program = std::string("a\0b\xfe", 4);
    at.store({odd});
    CHECK(at.ask("select count(*) from jobs where program = 'ab\\xFE' or program = 'ab\\xfe'") == 1);
    CHECK(at.store({odd}).copies == 1);
}

TEST_CASE("identity: the same of a log in other order of files, another where anything was counted otherwise")
{
    const auto made = [](std::uint64_t bytes, const char* user) {
        Synthetic log;
        log.ranks(2);
        log.log.add_fact("user", user);
        for (std::int64_t rank = 0; rank < 2; ++rank)
            log.io<PosixRecord>(log.file("/f" + std::to_string(rank)), rank, {.bytes_written = bytes});
        return log;
    };
    const Synthetic one = made(5, "7"), same = made(5, "7"), more = made(6, "7"), other = made(5, "8");
    const auto identity = [](const Synthetic& log) { return jobs::identity_of(Job(log.log)); };
    CHECK(identity(one).size() == 32);
    CHECK(identity(one) == identity(same));
    CHECK(identity(one) != identity(more));
    CHECK(identity(one) != identity(other));
    CHECK(jobs::match_key_of(Job(one.log)) == "7/1000/2/app");
    CHECK(jobs::process_key_of(Job(one.log), "/x") == "7/1000/app");
}

TEST_CASE("identity: a log without a user, or of nothing, matches no other one")
{
    Synthetic made;
    CHECK(jobs::match_key_of(Job(made.log)).empty());
    made.ranks(1);
    CHECK(jobs::match_key_of(Job(made.log)).empty());
    made.log.add_fact("user", "5");
    made.log.add_fact("job_id", "4711.server");
    CHECK(jobs::match_key_of(Job(made.log)) == "5/4711/1/app");
    Process& process = made.log.rows<Process>()[0];
    process.command = "/opt/bin/python3 x.py";
    CHECK(jobs::match_key_of(Job(made.log)) == "5/4711/1/python3");
    process.pid = 0;
    const auto key = [&](const char* path) { return jobs::process_key_of(Job(made.log), path); };
    CHECK(key("/logs/anna_python3_id4711-22842_11-23-57763-1_1.darshan") == "5/22842/python3");
    CHECK(key("/logs/anna_my_id5_app_id4711-7_x.darshan") == "5/7/python3");
    for (const char* const path :
         {"/logs/anna_id4711_11-23.darshan", "/id1-2_/x.darshan", "x_id-7_.darshan", "x_id1-7", ""})
        CHECK(key(path).empty());
}
