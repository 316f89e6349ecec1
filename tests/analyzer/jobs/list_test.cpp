// Filters as people say them, moments, and the rows that they choose.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "analyzer/jobs/list/page.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/jobs/list/table.h"
#include "analyzer/jobs/list/when.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using Catch::Matchers::Contains;
using fathom::jobs::Number;
using fathom::testing::Temporary;

namespace {

constexpr Number s = 1'000'000'000, noon = 1'795'435'200 * s;  // 2026-11-23T12:00:00

struct Filled {
    Temporary folder;
    std::unique_ptr<jobs::Database> database = jobs::open_jobs(folder.path("x.db"), jobs::Access::write);

    Filled()
    {
        const char* const users[] = {"anna", "ben", "Anna_2"};
        jobs::Values cells;
        for (Number id = 1; id <= 6; ++id) {
            jobs::Job job;
            job.id = id;
            job.recorded = id != 6;
            job.user = users[id % 3];
            job.program = id < 4 ? "lmp" : "ior";
            job.start = noon - id * 86400 * s;
            job.run = id * 100 * s;
            job.job = id < 5 ? "47" : "47.pbs";
            job.step = id < 5 ? std::to_string(id) : "";
            job.nodes = id * 32;
            job.bytes = id << 40;
            if (id % 2 == 0) job.finding_cost = id * 60 * s;
            jobs::append(job, cells);
        }
        jobs::insert(*database, jobs::Job::table, cells);
        cells.clear();
        jobs::append(jobs::Found{4, "small_requests", "high", "Small requests", 240 * s}, cells);
        jobs::insert(*database, jobs::Found::table, cells);
        cells.clear();
        jobs::Details details;
        details.job = 4;
        details.verdict = "I/O took all of it.";
        details.program_path = "/opt/bin/ior";
        details.bin_length = s;
        details.bins = "damaged";
        jobs::append(details, cells);
        jobs::insert(*database, jobs::Details::table, cells);
    }

    std::vector<Number> with(const std::string& name, const std::string& said) const
    {
        jobs::Choice choice;
        for (const jobs::Filter& filter : jobs::filters())
            if (name == filter.name) jobs::add_filter(filter, said, noon, choice);
        REQUIRE_FALSE(choice.empty());
        return jobs::ids_of(*database, choice);
    }
};

using Ids = std::vector<Number>;

}  // namespace

TEST_CASE("filters: each chooses what it says")
{
    const Filled filled;
    CHECK(filled.with("--user", "ben") == Ids{1, 4});
    CHECK(filled.with("--user", "ann*") == Ids{2, 3, 5, 6});
    CHECK(filled.with("--user", "anna_*") == Ids{2, 5});
    CHECK(filled.with("--user", "x' or '1'='1").empty());
    CHECK(filled.with("--program", "lmp") == Ids{1, 2, 3});
    CHECK(filled.with("--nodes", ">64") == Ids{3, 4, 5, 6});
    CHECK(filled.with("--nodes", "64") == Ids{2, 3, 4, 5, 6});
    CHECK(filled.with("--nodes", "= 64") == Ids{2});
    CHECK(filled.with("--bytes", "<2TiB") == Ids{1});
    CHECK(filled.with("--run-time", ">=8.3min") == Ids{5, 6});
    CHECK(filled.with("--cost", ">2min") == Ids{4, 6});
    CHECK(filled.with("--cost", "120") == Ids{2, 4, 6});
    CHECK(filled.with("--job", "47") == Ids{1, 2, 3, 4});
    CHECK(filled.with("--job", "47.3") == Ids{3});
    CHECK(filled.with("--job", "47.pbs") == Ids{5, 6});
    CHECK(filled.with("--finding", "small_requests") == Ids{4});
    CHECK(filled.with("--finding", "stragglers,small_requests") == Ids{4});
    CHECK(filled.with("--finding", "stragglers").empty());
    CHECK(filled.with("--cost", "<3min") == Ids{2});
    CHECK(filled.with("--cost", "<=0").empty());
    CHECK(filled.with("--since", "yesterday") == Ids{1});
    CHECK(filled.with("--since", "2026-11-20") == Ids{1, 2, 3});
    CHECK(filled.with("--until", "2026-11-20") == Ids{3, 4, 5, 6});
    CHECK(filled.with("--until", "2026-11-20T12:00") == Ids{4, 5, 6});
    filled.database->run(
        "update jobs set start_ns = start_ns + 8 * 86400000000000 where id = 5");  // a clock that is ahead
    CHECK(filled.with("--since", "yesterday") == Ids{1, 5});
    CHECK(filled.with("--until", "now") == Ids{1, 2, 3, 4, 6});
}

TEST_CASE("filters: what cannot be understood is said, with what can")
{
    const auto refused = [](const char* name, const char* said) -> std::string {
        jobs::Choice choice;
        for (const jobs::Filter& filter : jobs::filters())
            if (std::string_view(name) == filter.name) try {
                    jobs::add_filter(filter, said, noon, choice);
                } catch (const std::invalid_argument& error) {
                    return error.what();
                }
        return {};
    };
    for (const char* const said : {"", ">", "x", "-1", "nan", "1e99", "64nodes", "1;2"})
        CHECK_THAT(refused("--nodes", said), Contains("--nodes") && Contains("say a number"));
    CHECK_THAT(refused("--cost", "10 parsec"), Contains("say a time"));
    CHECK_THAT(refused("--bytes", "10 s"), Contains("say a size"));
    CHECK_THAT(refused("--since", "tomorrow"), Contains("--since tomorrow: say 2026-11-01"));
}

TEST_CASE("moments: days, times, and so long ago, in UTC")
{
    using jobs::end_of_moment;
    using jobs::moment_of;
    constexpr Number day = 86400 * s, midnight = noon - day / 2;
    CHECK(moment_of("now", noon) == noon);
    CHECK(moment_of("today", noon) == midnight);
    CHECK(moment_of("yesterday", noon) == midnight - day);
    CHECK(end_of_moment("yesterday", noon) == midnight);
    CHECK(moment_of("3 days ago", noon) == noon - 3 * day);
    CHECK(moment_of("1 week ago", noon) == noon - 7 * day);
    CHECK(moment_of("2026-11-23", noon) == midnight);
    CHECK(end_of_moment("2026-11-23", noon) == midnight + day);
    CHECK(moment_of("2026-11-23T12:00", noon) == noon);
    CHECK(moment_of("2026-11-23 12:00:07", noon) == noon + 7 * s);
    CHECK(end_of_moment("2026-11-23T12:00", noon) == noon);
    CHECK(moment_of("@1795435200", noon) == noon);
    for (const char* const said :
         {"", "2026-02-30", "2026-13-01", "2026-11-23T25:00", "2026-11-23T12", "x days ago", "3 moons ago",
          "99999999999 days ago", "@x", "@99999999999999", "26-11-23"})
        CHECK_THROWS_AS(moment_of(said, noon), std::invalid_argument);
}

TEST_CASE("list: the costliest first, so many rows, and whether there are more")
{
    const Filled filled;
    const auto ids = [](const jobs::ChosenRows& chosen) {
        Ids all;
        for (const JobRow& row : chosen.rows) all.push_back(static_cast<Number>(row.id));
        return all;
    };
    const auto first = jobs::rows_of(*filled.database, {}, parse_order(""), 3);
    CHECK(ids(first) == Ids{6, 4, 2});
    CHECK(first.more);
    CHECK(first.rows[1].program == "/opt/bin/ior");
    CHECK(first.rows[1].finding_cost == 240);
    const auto all = jobs::rows_of(*filled.database, {}, parse_order("date:asc"), 6);
    CHECK(ids(all) == Ids{6, 5, 4, 3, 2, 1});
    CHECK_FALSE(all.more);
    for (const JobColumn& column : job_columns())
        CHECK_NOTHROW(jobs::rows_of(*filled.database, {}, parse_order(column.name), 2));
}

TEST_CASE("list: few or many that fit, the same come first")
{
    const Temporary folder;
    const auto database = jobs::open_jobs(folder.path("x.db"), jobs::Access::write);
    constexpr Number all = 12'000;
    jobs::Values cells, found;
    std::vector<jobs::Job> made;
    for (Number id = 1; id <= all; ++id) {
        jobs::Job job;
        job.id = id;
        job.recorded = 1;
        job.user = id % 2 == 0 ? "many" : id % 3000 == 1 ? "few" : "others";
        job.nodes = id % 1000;
        if (id % 3 != 0) job.finding_cost = id * 7919 % all * s;
        job.bytes = id * 104'729 % all;
        if (id % 5 != 0) job.ranks_missing = id % 700 == 1 ? id % 13 : 0;
        job.problems = id % 800 == 0 ? id % 3 : 0;
        if (id % 900 == 0) job.array_job = std::to_string(id % 7);
        jobs::append(job, cells);
        made.push_back(job);
        if (id % 2 == 0) jobs::append(jobs::Found{id, "stragglers", "", "", {}}, found);
        if (id % 1000 == 0) jobs::append(jobs::Found{id, "bursts", "", "", {}}, found);
    }
    jobs::insert(*database, jobs::Job::table, cells);
    jobs::insert(*database, jobs::Found::table, found);
    const auto check = [&](std::vector<std::pair<std::string, std::string>> said, auto fits) {
        jobs::Choice choice;
        for (const auto& [name, value] : said)
            for (const jobs::Filter& filter : jobs::filters())
                if (name == filter.name) jobs::add_filter(filter, value, noon, choice);
        for (const char* const order : {"cost", "bytes:asc", "user:asc", "ranks_missing", "ranks_missing:asc",
                                        "problems:asc", "array_job"}) {
            std::vector<jobs::Job> expected;
            std::copy_if(made.begin(), made.end(), std::back_inserter(expected), fits);
            std::sort(expected.begin(), expected.end(), [&](const jobs::Job& a, const jobs::Job& b) {
                const Number cost_a = a.finding_cost.value_or(-1), cost_b = b.finding_cost.value_or(-1);
                if (order == std::string("cost") && cost_a != cost_b) return cost_a > cost_b;
                if (order == std::string("bytes:asc") && a.bytes != b.bytes) return a.bytes < b.bytes;
                const Number missing_a = a.ranks_missing.value_or(-1),
                             missing_b = b.ranks_missing.value_or(-1);
                if (order == std::string("ranks_missing") && missing_a != missing_b)
                    return missing_a > missing_b;
                if (order == std::string("ranks_missing:asc") && missing_a != missing_b)
                    return missing_a < missing_b;
                if (order == std::string("problems:asc") && a.problems != b.problems)
                    return a.problems < b.problems;
                if (order == std::string("array_job") && a.array_job != b.array_job)
                    return a.array_job < b.array_job;
                if (order == std::string("user:asc") && a.user != b.user) return a.user < b.user;
                return a.id > b.id;
            });
            expected.resize(std::min<std::size_t>(expected.size(), 50));
            Ids ids, of_rows;
            for (const jobs::Job& job : expected) ids.push_back(job.id);
            for (const JobRow& row : jobs::rows_of(*database, choice, parse_order(order), 50).rows)
                of_rows.push_back(static_cast<Number>(row.id));
            INFO(choice.where() << " " << order);
            CHECK_FALSE(ids.empty());
            CHECK(ids == of_rows);
            Ids of_few;
            choice.of_few = true;
            for (const JobRow& row : jobs::rows_of(*database, choice, parse_order(order), 50).rows)
                of_few.push_back(static_cast<Number>(row.id));
            choice.of_few = false;
            CHECK(ids == of_few);
            const auto last = jobs::rows_of(*database, choice, parse_order(order), 50, ids.size() - 1).rows;
            CHECK((!last.empty() && static_cast<Number>(last[0].id) == ids.back()));
        }
    };
    using jobs::Job;
    check({{"--user", "many"}}, [](const Job& job) { return job.user == "many"; });
    check({{"--user", "few"}}, [](const Job& job) { return job.user == "few"; });
    check({{"--nodes", ">990"}}, [](const Job& job) { return *job.nodes > 990; });
    check({{"--finding", "stragglers"}}, [](const Job& job) { return job.id % 2 == 0; });
    check({{"--finding", "bursts"}}, [](const Job& job) { return job.id % 1000 == 0; });
    check({{"--finding", "bursts,stragglers"}, {"--nodes", "<500"}},
          [](const Job& job) { return job.id % 2 == 0 && *job.nodes < 500; });
    check({{"--cost", "<100min"}, {"--user", "many"}}, [](const Job& job) {
        return job.user == "many" && job.finding_cost && *job.finding_cost < 6000 * s;
    });
}

TEST_CASE("list: an index has the order of every column")
{
    const Filled filled;
    for (const JobColumn& column : job_columns())
        for (const jobs::ListPart& part : jobs::parts_of(parse_order(column.name))) {
            bool sorts = false;
            filled.database->each(
                fmt::format("explain query plan select id from jobs where recorded <> 0 {}{} {} limit 51",
                            part.where.empty() ? "" : "and ", part.where, part.order),
                {}, std::vector(4, jobs::ValueType::text), [&](std::span<const jobs::Value> row) {
                    sorts = sorts || std::get<std::string>(row[3]) == "USE TEMP B-TREE FOR ORDER BY";
                });
            INFO(column.name << " " << part.where);
            CHECK_FALSE(sorts);
        }
}

TEST_CASE("list: an index has one user's jobs in the order of their dates, bytes and costs")
{
    const Filled filled;
    for (const char* const order : {"date:desc", "bytes", "cost"}) {
        std::string plan;
        filled.database->each(
            fmt::format("explain query plan select id from jobs where recorded <> 0 and user_name = 'ben' {} "
                        "limit 51",
                        jobs::in_order(parse_order(order))),
            {}, std::vector(4, jobs::ValueType::text),
            [&](std::span<const jobs::Value> row) { plan += std::get<std::string>(row[3]) + "\n"; });
        INFO(order << ": " << plan);
        CHECK_THAT(plan, Contains("jobs_by_user") && !Contains("TEMP B-TREE"));
    }
    CHECK(jobs::has_index("user_name", "start_ns"));
    CHECK(jobs::has_index("user_name", "coalesce(finding_cost_ns, -1)"));
    CHECK_FALSE(jobs::has_index("user_name", "bytes_read"));
}

TEST_CASE("list: a page without the texts of other tables is the same")
{
    const Filled filled;
    filled.database->run("update jobs set finding = 'small_requests' where id = 4");
    filled.database->run("update job_details set finding_title = 'Small requests' where job = 4");
    const RowOrder order = parse_order("date:desc");
    const auto columns = jobs::parse_columns("", jobs::Room::page);
    const auto text = [&](jobs::Texts texts) {
        return fathom::testing::text_of_document(jobs::list_document(
            jobs::rows_of(*filled.database, {}, order, 50, 0, texts), order, columns, false, ""));
    };
    CHECK_THAT(text(jobs::Texts::finding), Contains("Small requests") && Contains("ior"));
    CHECK(text(jobs::Texts::finding) == text(jobs::Texts::all));
}

TEST_CASE("list: columns by name, and the names where there is none of that name")
{
    CHECK(jobs::parse_columns("cost,id", jobs::Room::line).size() == 2);
    CHECK(jobs::parse_columns("cost_seconds", jobs::Room::page)[0]->name == "cost");
    CHECK(jobs::parse_columns("", jobs::Room::all).size() == job_columns().size());
    CHECK_THROWS_WITH(jobs::parse_columns("id,cots", jobs::Room::line),
                      Contains("--columns cots") && Contains("cost"));
}

TEST_CASE("list: of a job without a log it is not known what it read and wrote")
{
    const Filled filled;
    const auto rows = jobs::rows_of(*filled.database, {}, parse_order("id"), 2).rows;
    REQUIRE(rows.size() == 2);
    for (const JobColumn* const column :
         jobs::parse_columns("bytes,bytes_read,bytes_written,findings", jobs::Room::all)) {
        CHECK_FALSE(column->cell(rows[0]).known());
        CHECK(column->cell(rows[1]).known());
    }
}

TEST_CASE("page: what the database keeps of a job, with its verdict first")
{
    const Filled filled;
    const std::string text = fathom::testing::text_of_document(jobs::page_of(*filled.database, 4));
    CHECK_THAT(text, Contains("There is no rate over time: the time bins of a job are damaged."));
    CHECK_THAT(text, Contains("I/O took all of it.") && Contains("Small requests") && Contains("ben"));
    CHECK_THAT(fathom::testing::text_of_document(jobs::page_of(*filled.database, 6)),
               Contains("nothing recorded"));
    CHECK_THROWS_WITH(jobs::page_of(*filled.database, 7), Contains("no job has the id 7"));
}
