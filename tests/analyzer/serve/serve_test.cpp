// Addresses and what they choose, the rows that a viewer sees, documents that are kept, series that are read.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/serve/address.h"
#include "analyzer/serve/choose.h"
#include "analyzer/serve/routes.h"
#include "analyzer/serve/servers.h"
#include "analyzer/serve/slow.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::serve;
using Catch::Matchers::Contains;
using fathom::testing::Temporary;
using jobs::Value;

namespace {

constexpr std::int64_t second = 1'000'000'000, now = 1'790'000'000 * second;

Viewer viewer_of(const std::string& user, std::vector<std::string> projects = {})
{
    Viewer viewer;
    viewer.user = user;
    viewer.projects = std::move(projects);
    return viewer;
}

// What somebody asks, without a server.
struct Question {
    Question(const std::string& url, std::multimap<std::string, std::string> parameters)
        : sessions(url, 5), slow(url), shared{slow, running, {}}
    {
        request.parameters = std::move(parameters);
    }
    Asked asked() { return {request, viewer, sessions, shared, 0, now}; }

    Request request;
    Viewer viewer = viewer_of("anna");
    Sessions sessions;
    Running running;
    SlowDocuments slow;
    Shared shared;
};

template <class Work>
std::string refusal(Work work)
{
    try {
        work();
    } catch (const BadAddress& error) {
        return error.what();
    }
    return {};
}

std::string made_database(const Temporary& folder)
{
    std::string url = folder.path("jobs.db");
    const auto database = jobs::open_jobs(url, jobs::Access::write);
    const auto job = [&](jobs::Number id, const char* user, const char* project) {
        jobs::Job row;
        row.id = id;
        row.user = user;
        row.project = project;
        row.program = std::string("of_") + user;
        jobs::Values cells;
        jobs::append(row, cells);
        jobs::insert(*database, jobs::Job::table, cells);
        jobs::Found found;
        found.job = id;
        found.title = std::string("secret of ") + user;
        cells.clear();
        jobs::append(found, cells);
        jobs::insert(*database, jobs::Found::table, cells);
        jobs::RunningStep step;
        step.key = user;
        step.user = user;
        step.project = project;
        cells.clear();
        jobs::append(step, cells);
        jobs::insert(*database, jobs::RunningStep::table, cells);
    };
    job(1, "anna", "climate");
    job(2, "ben", "climate");
    job(3, "carl", "energy");
    return url;
}

std::string texts_of(jobs::Database& database, const std::string& sql)
{
    std::string all;
    database.each(sql, {}, std::vector{jobs::ValueType::text}, [&](std::span<const Value> row) {
        all += (all.empty() ? "" : " ") + std::get<std::string>(row[0]);
    });
    return all;
}

}  // namespace

TEST_CASE("addresses: what a browser would read differently is written in another way")
{
    CHECK(encoded("a b&c=d/\xc3\xa4") == "a%20b%26c%3Dd%2F%C3%A4");
    CHECK(address_of("/user", {{"name", "an na"}, {"since", ""}}) == "/user?name=an%20na");
    CHECK(address_with("/jobs", {{"user", "anna"}, {"page", "3"}}, {{"page", ""}}) == "/jobs?user=anna");
    CHECK(address_with("/jobs", {{"page", "3"}}, {{"page", "4"}}) == "/jobs?page=4");
}

TEST_CASE("routes: a path is one of them in a form that it has, or none")
{
    const auto is = [](const char* path, const char* route, Form form, Number id = 0) {
        const Found found = find_route(path);
        return found.route != nullptr && found.route->path == route && found.form == form && found.id == id;
    };
    CHECK(is("/jobs", "/jobs", Form::html));
    CHECK(is("/jobs.csv", "/jobs", Form::csv));
    CHECK(is("/jobs/17", "/jobs/{id}", Form::html, 17));
    CHECK(is("/jobs/17/servers.json", "/jobs/{id}/servers", Form::json, 17));
    for (const char* const path :
         {"", "/nothing", "/jobs/", "/jobs/x", "/jobs/0", "/jobs/-1", "/jobs/17x", "/jobs/17/",
          "/jobs/17/report/", "/jobs/17.csv", "/.json", "/jobs/99999999999999999999", "/jobs//report"})
        CHECK(find_route(path).route == nullptr);
}

TEST_CASE("parameters: numbers have bounds, times are moments, and what cannot be is said")
{
    const Temporary folder;
    const std::string url = made_database(folder);
    Question some(url, {{"top", "20"}, {"page", "0"}, {"since", "@1789999000"}, {"until", "@1789999500"}});
    CHECK(number_in(some.asked(), "top", 50, 1000) == 20);
    CHECK(number_in(some.asked(), "rows", 50, 1000) == 50);
    CHECK_THAT(refusal([&] { number_in(some.asked(), "page", 1, 200); }), Contains("from 1 to 200"));
    CHECK_THAT(refusal([&] { number_in(some.asked(), "top", 50, 10); }), Contains("from 1 to 10"));
    const TimeSpan span = span_in(some.asked(), "30 days ago");
    CHECK(span.since == 1'789'999'000 * second);
    CHECK(*span.before >= 1'789'999'500 * second);
    const jobs::Choice starts = starts_in(span);
    Question none(url, {});
    CHECK(span_in(none.asked(), "1 hour ago").since == now - 3600 * second);
    CHECK(span_in(none.asked(), "").words == "of all time");
    Question bad(url, {{"since", "the day before"}, {"cost", "much"}});
    CHECK_THAT(refusal([&] { span_in(bad.asked(), ""); }), Contains("since"));
    CHECK_THAT(refusal([&] { filters_in(bad.asked()); }), !Contains("Choice"));
    CHECK_FALSE(refusal([&] { filters_in(bad.asked()); }).empty());
}

TEST_CASE("scope: a viewer finds own rows in every table, and of others what ran beside without names")
{
    const Temporary folder;
    Sessions sessions(made_database(folder), 5);
    const Viewer anna = viewer_of("anna"), ben = viewer_of("ben"), member = viewer_of("anna", {"climate"});
    Viewer staff = viewer_of("staff");
    staff.everything = true;
    const auto users = [&](const Viewer& viewer, const char* table) {
        return texts_of(sessions.of(viewer, serve::Scope::own),
                        fmt::format("select user_name from {} order by user_name", table));
    };
    for (const char* const table : {"jobs", "running_jobs"}) {
        CHECK(users(anna, table) == "anna");
        CHECK(users(ben, table) == "ben");
        CHECK(users(member, table) == "anna ben");
        CHECK(users(anna, table) == "anna");
        CHECK(users(viewer_of("' or 1=1 --"), table).empty());
        CHECK(users(staff, table) == "anna ben carl");
    }
    const std::string titles = "select title from job_findings order by job";
    CHECK(texts_of(sessions.of(anna, serve::Scope::own), titles) == "secret of anna");
    jobs::Database& beside = sessions.of(anna, serve::Scope::beside);
    CHECK(texts_of(beside, titles) == "secret of anna");
    CHECK(texts_of(beside, "select user_name from running_jobs") == "anna");
    CHECK(texts_of(beside, "select user_name from jobs order by id") ==
          fmt::format("anna {0} {0}", somebody));
    CHECK(texts_of(beside, "select program from jobs where program <> '' order by id") == "of_anna");
}

TEST_CASE("slow documents: made once, kept while they are fresh, made anew behind that")
{
    const Temporary folder;
    SlowDocuments slow(made_database(folder));
    std::atomic<int> times{0};
    const auto make = [&](Sessions&) {
        report::Document document;
        document.title = fmt::format("{}", ++times);
        return document;
    };
    const Made first = slow.get("a", std::chrono::seconds(60), Reach::some_jobs, make);
    REQUIRE(first.document);
    CHECK(first.document->title == "1");
    CHECK(slow.get("a", std::chrono::seconds(60), Reach::some_jobs, make).document->title == "1");
    CHECK(slow.get("b", std::chrono::seconds(60), Reach::some_jobs, make).document->title == "2");
    // One that is no longer fresh is given at once, and a new one made meanwhile.
    CHECK(slow.get("a", std::chrono::seconds(0), Reach::some_jobs, make).document->title == "1");
    for (int tries = 0; tries < 500 && times < 3; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(times == 3);
    // Nobody waits behind those of all jobs for one of some.
    std::atomic<bool> some_made{false}, beside{false};
    std::thread other([&] {
        slow.get("some", std::chrono::seconds(60), Reach::some_jobs, make);
        some_made = true;
    });
    slow.get("all", std::chrono::seconds(60), Reach::all_jobs, [&](Sessions&) {
        for (int tries = 0; tries < 200 && !some_made; ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        beside = some_made.load();
        return report::Document();
    });
    other.join();
    CHECK(beside);
    const Made failed = slow.get("c", std::chrono::seconds(60), Reach::some_jobs,
                                 [](Sessions&) -> report::Document { throw BadAddress("no"); });
    CHECK(failed.error);
    CHECK_FALSE(failed.document);
}

TEST_CASE(
    "servers: of a site's series the files of the job's days are read, and of too many those of its hosts")
{
    const Temporary folder;
    std::filesystem::create_directories(folder.path("series/more"));
    const auto file = [&](const std::string& name, std::size_t bytes) {
        std::ofstream(folder.path("series/" + name)) << std::string(bytes, 'x');
        return folder.path("series/" + name);
    };
    const std::string node = file("node1-2026-09-21.monitor", 100),
                      server = file("more/oss1.site.org-2026-09-21.monitor", 100),
                      other = file("node2-2026-09-22.monitor", 1000), text = file("iostat.txt", 10);
    file("node1-2026-09-19.monitor", 100);
    file(".node1-2026-09-21.monitor", 100);
    const series::Window window{now - 3600 * second, now + 86'400 * second};  // from the 21st
    const std::vector<std::string> places{folder.path("series"), "mysql://db/lmt"}, hosts{"node1", "oss1"};
    ChosenSeries chosen = choose_series(places, window, hosts, 10'000);
    std::vector<std::string> all{node, server, other, text};
    std::ranges::sort(all);
    all.insert(all.begin(), "mysql://db/lmt");
    CHECK(chosen.paths == all);
    CHECK(chosen.left_out == 0);
    chosen = choose_series(places, window, hosts, 500);
    CHECK(chosen.left_out == 1);
    CHECK(std::ranges::count(chosen.paths, other) == 0);
    CHECK(chosen.paths.size() == 4);
    CHECK_FALSE(chosen.too_much);
    chosen = choose_series(places, window, hosts, 150);
    CHECK(chosen.too_much);
    CHECK(chosen.paths.empty());
}
