// Accounting and logs of the same jobs come in any order, more than once and in pieces, and give the same
// rows.
#include "analyzer/jobs/accounting/accounting.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "analyzer/jobs/accounting/listed.h"
#include "analyzer/jobs/add/add_logs.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/store.h"
#include "tests/analyzer/temporary.h"
#include "tests/run_fathom.h"
#include "tests/skip.h"

using namespace fathom::jobs;
using Catch::Contains;
using fathom::testing::Temporary;

namespace {

constexpr Number s = 1'000'000'000, base = 1'800'000'000;
const std::string facility = FATHOM_SOURCES "/../shared/facility/";

// Sets the time zone of this process for as long as it lives.
class TimeZone {
  public:
    explicit TimeZone(const char* zone)
    {
        if (const char* const was = std::getenv("TZ")) was_ = was;
        setenv("TZ", zone, 1);
        tzset();
    }
    ~TimeZone()
    {
        if (was_.empty())
            unsetenv("TZ");
        else
            setenv("TZ", was_.c_str(), 1);
        tzset();
    }

  private:
    std::string was_;
};

// A database, and what adding to it said.
class Site {
  public:
    AccountingCount add(const std::string& path)
    {
        said.clear();
        const std::atomic<bool> stop{false};
        return add_accounting(*database, path, {[&](const std::string& line) { said += line + "\n"; }}, {},
                              stop);
    }
    AccountingCount add_text(const std::string& text, const std::string& name = "accounting")
    {
        const std::string path = folder.path(name);
        std::ofstream(path, std::ios::binary) << text;
        REQUIRE(is_accounting(path));
        return add(path);
    }
    // A log, as entry_of makes it.
    void add_log(const std::string& job, const std::string& step, Number start, Number end,
                 const std::string& tool = "darshan")
    {
        Entry entry;
        entry.job.recorded = 1;
        entry.job.tool = tool;
        entry.job.job = job;
        entry.job.step = step;
        entry.job.start = start * s;
        entry.job.end = end * s;
        entry.job.program = "app";
        entry.log.tool = tool;
        entry.log.identity = entry.log.path = fmt::format("log {}", ++logs);
        store(*database, std::span(&entry, 1));
    }

    std::vector<Allocation> allocations()
    {
        std::vector<Allocation> all;
        select<Allocation>(*database, "order by start_ns, job", {},
                           [&](Allocation row) { all.push_back(row); });
        return all;
    }
    std::vector<Job> jobs()
    {
        std::vector<Job> all;
        select<Job>(*database, "order by job, start_ns, step", {}, [&](Job row) { all.push_back(row); });
        return all;
    }
    // "4711.0 -, 4711.1 darshan": each job with its tool and whether it has an allocation.
    std::string rows()
    {
        std::string text;
        for (const Job& job : jobs())
            text += fmt::format("{}{}.{} {}{}", text.empty() ? "" : ", ", job.job, job.step,
                                job.recorded == 1 ? job.tool : "-", job.allocation ? "" : " alone");
        return text;
    }

    Temporary folder;
    std::unique_ptr<Database> database = open_jobs(folder.path("jobs.db"), Access::write);
    std::string said;
    int logs = 0;
};

constexpr std::string_view header =
    "JobID|JobIDRaw|JobName|User|Account|Partition|Cluster|State|Start|End|ElapsedRaw|AllocNodes|AllocCPUS|"
    "NTasks\n";

std::string end_of(Number end)
{
    return end == 0 ? "Unknown" : fmt::format("{}", end);
}

// A job as sacct prints it: the allocation, its batch step and extern, and `steps` numbered ones side by
// side.
std::string listed(const std::string& id, Number start, Number end, int steps = 1,
                   const std::string& state = "COMPLETED")
{
    const auto line = [&](const std::string& step, const std::string& name, bool whole, Number from,
                          Number to, const std::string& tasks) {
        return fmt::format("{0}{1}|{0}{1}|{2}|{3}|climate|{4}|mistral|{5}|{6}|{7}|{8}|4|96|{9}\n", id, step,
                           name, whole ? "anna" : "", whole ? "compute" : "", state, from, end_of(to),
                           to == 0 ? 0 : to - from, tasks);
    };
    std::string text = line("", "ocean", true, start, end, "") +
                       line(".batch", "batch", false, start, end, "1") +
                       line(".extern", "extern", false, start, end, "4");
    for (int step = 0; step < steps; ++step)
        text += line(fmt::format(".{}", step), "model.x", false, start + 10 + 100 * step,
                     end == 0 ? 0 : start + 100 + 100 * step, "48");
    return text;
}

std::string exported(const std::string& lines)
{
    return std::string(header) + lines;
}

}  // namespace

TEST_CASE("a job of sacct is an allocation, its steps are jobs")
{
    Site site;
    const AccountingCount count = site.add_text(exported(listed("4711", base, base + 1000, 2)));
    CHECK(site.said.empty());
    CHECK(count.allocations == 1);
    CHECK(count.steps == 3);
    const auto allocations = site.allocations();
    REQUIRE(allocations.size() == 1);
    const Allocation& one = allocations[0];
    CHECK(one.job == "4711");
    CHECK(one.cluster == "mistral");
    CHECK(one.name == "ocean");
    CHECK(one.user == "anna");
    CHECK(one.account == "climate");
    CHECK(one.queue == "compute");
    CHECK(one.state == "COMPLETED");
    CHECK(one.start == base * s);
    CHECK(one.end == (base + 1000) * s);
    CHECK(one.nodes == 4);
    CHECK(one.cores == 96);
    CHECK(site.rows() == "4711.batch -, 4711.0 -, 4711.1 -");
    const Job job = site.jobs()[1];
    CHECK(job.allocation == one.id);
    CHECK(job.batch_system == "Slurm");
    CHECK(job.cluster == "mistral");
    CHECK(job.job_name == "ocean");
    CHECK(job.program == "model.x");
    CHECK(job.user == "anna");
    CHECK(job.account == "climate");
    CHECK(job.project == "climate");
    CHECK(job.queue == "compute");
    CHECK(job.start == (base + 10) * s);
    CHECK(job.end == (base + 100) * s);
    CHECK(job.run == 90 * s);
    CHECK(job.processes == 48);
    CHECK(job.nodes == 4);
    CHECK(job.cores == 96);
    CHECK(site.jobs()[0].program.empty());
}

TEST_CASE("an allocation goes with the last of its jobs")
{
    Site site;
    site.add_text(exported(listed("4711", base, base + 1000) + listed("4712", base, base + 900)));
    std::vector<Number> ids;
    for (const Job& job : site.jobs())
        if (job.job == "4711") ids.push_back(job.id);
    REQUIRE(ids.size() == 2);
    remove_jobs(*site.database, std::span(ids).first(1));
    CHECK(site.allocations().size() == 2);
    remove_jobs(*site.database, std::span(ids).last(1));
    REQUIRE(site.allocations().size() == 1);
    CHECK(site.allocations()[0].job == "4712");
    CHECK(site.rows() == "4712.batch -, 4712.0 -");
}

TEST_CASE("the same accounting twice, and lists that overlap, give the same rows")
{
    Site site;
    const std::string one = listed("4711", base, base + 1000), two = listed("4712", base + 50, base + 900),
                      three = listed("4713", base + 99, base + 2000);
    site.add_text(exported(one + two));
    const std::string rows = site.rows();
    const AccountingCount again = site.add_text(exported(one + two));
    CHECK(again.allocations + again.changed + again.steps + again.logs == 0);
    CHECK(site.rows() == rows);
    const AccountingCount next = site.add_text(exported(two + three));
    CHECK(next.allocations == 1);
    CHECK(next.steps == 2);
    CHECK(site.allocations().size() == 3);
    CHECK(site.jobs().size() == 6);
    // Two exports in one file, as cat makes it.
    CHECK(site.add_text(exported(one) + exported(three + one)).steps == 0);
    CHECK(site.said.empty());
}

TEST_CASE("a job that was running when it was listed gets its end")
{
    Site site;
    site.add_text(exported(listed("4711", base, 0, 1, "RUNNING")));
    CHECK(site.allocations()[0].end == 0);
    CHECK(site.jobs()[1].end == 0);
    CHECK(!site.jobs()[1].run);
    const std::string ended = exported(listed("4711", base, base + 1000, 2));
    const AccountingCount count = site.add_text(ended);
    CHECK(count.allocations == 0);
    CHECK(count.changed == 1);
    CHECK(count.steps == 1);
    CHECK(site.allocations()[0].state == "COMPLETED");
    CHECK(site.allocations()[0].end == (base + 1000) * s);
    CHECK(site.jobs()[1].run == 90 * s);
    // The older list once more changes nothing.
    const AccountingCount older = site.add_text(exported(listed("4711", base, 0, 1, "RUNNING")));
    CHECK(older.changed + older.steps == 0);
    CHECK(site.allocations()[0].state == "COMPLETED");
    CHECK(site.jobs()[1].end == (base + 100) * s);
    CHECK(site.jobs().size() == 3);
}

TEST_CASE("sacct -X after a list of what ran ends the steps too")
{
    Site site;
    site.add_text(exported(listed("4711", base, 0, 1, "RUNNING")));
    const std::string all = listed("4711", base, base + 1000);
    site.add_text(exported(all.substr(0, all.find('\n') + 1)));
    CHECK(site.rows() == "4711.batch -, 4711.0 -");
    CHECK(site.jobs()[1].end == (base + 1000) * s);
    CHECK(site.jobs()[1].run == 990 * s);
}

TEST_CASE("an allocation without steps has one row until steps are listed")
{
    Site site;
    const std::string all = listed("4711", base, base + 1000);
    site.add_text(exported(all.substr(0, all.find('\n') + 1)));
    CHECK(site.rows() == "4711. -");
    CHECK(site.jobs()[0].nodes == 4);
    site.add_text(exported(all));
    CHECK(site.rows() == "4711.batch -, 4711.0 -");
    site.add_text(exported(all.substr(0, all.find('\n') + 1)));
    CHECK(site.rows() == "4711.batch -, 4711.0 -");
}

TEST_CASE("steps alone make their allocation, which a list of it replaces")
{
    Site site;
    const std::string all = listed("4711", base, base + 1000, 2);
    std::string steps = all.substr(all.find("4711.0"));
    site.add_text(exported(steps));
    REQUIRE(site.allocations().size() == 1);
    CHECK(site.allocations()[0].start == (base + 10) * s);
    CHECK(site.allocations()[0].end == (base + 200) * s);
    CHECK(site.add_text(exported(all)).allocations == 0);
    CHECK(site.allocations()[0].start == base * s);
    CHECK(site.add_text(exported(steps)).changed == 0);
    CHECK(site.allocations()[0].end == (base + 1000) * s);
    CHECK(site.rows() == "4711.batch -, 4711.0 -, 4711.1 -");
}

TEST_CASE("a log finds its step whichever comes first")
{
    const bool log_first = GENERATE(true, false);
    const std::string step = GENERATE("", "1");
    INFO(log_first << " " << step);
    Site site;
    const std::string accounting = exported(listed("4711", base, base + 1000, 3));
    const auto log = [&] { site.add_log("4711", step, base + 115, base + 198); };
    if (log_first) log();
    const AccountingCount count = site.add_text(accounting);
    CHECK(count.logs == (log_first ? 1 : 0));
    if (!log_first) log();
    const std::string rows = "4711.batch -, 4711.0 -, 4711.1 darshan, 4711.2 -";
    CHECK(site.rows() == rows);
    const Job job = site.jobs()[2];
    CHECK(job.cluster == "mistral");
    CHECK(job.account == "climate");
    CHECK(job.project == "climate");
    CHECK(job.user == "anna");
    CHECK(job.cores == 96);
    CHECK(job.start == (base + 115) * s);
    const AccountingCount again = site.add_text(accounting);
    CHECK(again.steps + again.logs + again.changed == 0);
    CHECK(site.rows() == rows);
}

TEST_CASE("logs of one step, and of the batch script, make no second rows")
{
    const bool log_first = GENERATE(true, false);
    Site site;
    const std::string accounting = exported(listed("4711", base, base + 1000, 1));
    if (!log_first) site.add_text(accounting);
    site.add_log("4711", "0", base + 11, base + 50, "fathom");
    site.add_log("4711", "0", base + 51, base + 99, "fathom");
    site.add_log("4711", "", base + 500, base + 900);
    site.add_text(accounting);
    // The second log of step 0 is a row of its own; the one without a step is of the batch script.
    CHECK(site.rows() == "4711.0 fathom, 4711.0 fathom, 4711.batch darshan");
    site.add_text(accounting);
    CHECK(site.jobs().size() == 3);
}

TEST_CASE("the log of a job that was running finds its step")
{
    Site site;
    site.add_text(exported(listed("4711", base, 0, 1, "RUNNING")));
    site.add_log("4711", "0", base + 12, base + 90);
    CHECK(site.rows() == "4711.batch -, 4711.0 darshan");
    site.add_text(exported(listed("4711", base, base + 1000, 1)));
    CHECK(site.rows() == "4711.batch -, 4711.0 darshan");
}

TEST_CASE("a log with a step takes the row of an allocation without steps")
{
    const bool log_first = GENERATE(true, false);
    Site site;
    const std::string all = listed("4711", base, base + 1000);
    const std::string only = exported(all.substr(0, all.find('\n') + 1));
    if (!log_first) site.add_text(only);
    site.add_log("4711", "0", base + 12, base + 900);
    site.add_text(only);
    CHECK(site.rows() == "4711.0 darshan");
}

TEST_CASE("a number that comes back is another allocation")
{
    Site site;
    site.add_log("4711", "0", base + 1'000'010, base + 1'000'099);
    const std::string old_job = listed("4711", base, base + 1000),
                      new_job = listed("4711", base + 1'000'000, base + 1'001'000);
    // In one file, as after a requeue with sacct --duplicates, and in two.
    const bool one_file = GENERATE(true, false);
    if (one_file) {
        site.add_text(exported(old_job + new_job));
    } else {
        site.add_text(exported(new_job));
        site.add_text(exported(old_job));
    }
    CHECK(site.allocations().size() == 2);
    CHECK(site.rows() == "4711.batch -, 4711.0 -, 4711.batch -, 4711.0 darshan");
    CHECK(site.jobs()[0].allocation != site.jobs()[3].allocation);
    CHECK(site.jobs()[2].allocation == site.jobs()[3].allocation);
    CHECK(site.add_text(exported(new_job + old_job)).steps == 0);
    // One of which nobody has seen the end.
    site.add_text(exported(listed("4712", base, 0)));
    site.add_text(exported(listed("4712", base + 5000, base + 6000)));
    CHECK(site.allocations().size() == 4);
    // Another cluster has the same numbers.
    std::string elsewhere = listed("4711", base, base + 1000);
    for (std::size_t at = 0; (at = elsewhere.find("mistral", at)) != std::string::npos;)
        elsewhere.replace(at, 7, "levante");
    site.add_text(exported(elsewhere));
    CHECK(site.allocations().size() == 5);
}

TEST_CASE("columns in any order, trailing bars, arrays and what never started")
{
    const TimeZone zone("America/Los_Angeles");
    Site site;
    const AccountingCount count = site.add_text(
        "End|NNodes|Start|JobID|State|JobIDRaw|Comment|\r\n"
        "2017-03-20T02:11:38|128|2017-03-20T01:59:02|4711_3|TIMEOUT|4714|x|\r\n"
        "\r\n"
        "Unknown|1|Unknown|4711_[4-9]|PENDING|4711||\r\n"
        "None|1|None|4720|CANCELLED by 500|4720||\r\n"
        "2017-03-20T02:11:38|1|2017-03-20T01:59:02|4730|RUNNING|4730||\r\n");
    CHECK(site.said.empty());
    CHECK(count.unstarted == 2);
    const auto allocations = site.allocations();
    REQUIRE(allocations.size() == 2);
    CHECK(allocations[0].job == "4714");
    CHECK(allocations[0].start == 1490000342 * s);
    CHECK(allocations[0].end == 1490001098 * s);
    CHECK(allocations[0].nodes == 128);
    CHECK(!allocations[0].cores);
    CHECK(allocations[1].end == 0);  // --truncate prints an end of what runs still
    CHECK(site.jobs()[0].array_job == "4711");
    CHECK(site.jobs()[0].array_index == "3");
}

TEST_CASE("lines that cannot be used are named, and all others taken")
{
    Site site;
    const auto line = [](const std::string& id, const std::string& name, const std::string& start,
                         const std::string& end, const std::string& nodes) {
        return fmt::format("{}|{}|{}|{}|{}|COMPLETED\n", id, name, start, end, nodes);
    };
    const AccountingCount count =
        site.add_text("JobID|JobName|Start|End|AllocNodes|State\n" +              // 1
                      line("1", "a", "1800000000", "1800000100", "2") +           // 2
                      "2|cut off|18000000\n" +                                    // 3
                      line("3", "a|b", "1800000000", "1800000100", "2") +         // 4
                      line("x4", "a", "1800000000", "1800000100", "2") +          // 5
                      line("5", "a", "1800000100", "1800000000", "2") +           // 6
                      line("6", "a", "2026-02-30T00:00:00", "1800000000", "2") +  // 7
                      line("7", "a", "99999999999999", "1800000000", "2") +       // 8
                      line("8", "a", "1800000000", "1800000100", "many") +        // 9
                      line("9", "a", "1800000000", "1800000100", "0") +           // 10: not known
                      line("10", "Robert'); drop table jobs;--", "1800000000", "1800000100", "2") +  // 11
                      line("11", "M\xfcnchen", "1800000000", "1800000100", "2") +                    // 12
                      line("12", "a", "soon", "1800000100", "2") +                                   // 13
                      line("13", "a", "1800000000", "1800000000", "0") +  // 14: never started
                      line("14", "a", "-5", "1800000100", "-1"));         // 15
    CHECK(count.allocations == 4);
    CHECK(count.broken == 9);
    CHECK(count.unstarted == 1);
    CHECK_THAT(site.said,
               Contains("accounting, line 3: 3 fields where the header has 6; the line is not whole"));
    CHECK_THAT(site.said, Contains("line 4: 7 fields where the header has 6; a name with a '|'"));
    CHECK_THAT(site.said, Contains("line 5: 'x4' is no id of a job; the line is left out"));
    CHECK_THAT(site.said, Contains("line 6: job 5 ends 100 s before it starts"));
    CHECK_THAT(site.said, Contains("line 7: '2026-02-30T00:00:00' is no time"));
    CHECK_THAT(site.said, Contains("line 8: 99999999999999 is no time in seconds"));
    CHECK_THAT(site.said, Contains("line 9: 'many' is no count"));
    CHECK_THAT(site.said, Contains("line 13: 'soon' is no time"));
    CHECK_THAT(site.said, Contains("line 15: '-5' is no time"));
    const auto jobs = site.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(jobs[0].job == "1");
    CHECK(jobs[1].job_name == "Robert'); drop table jobs;--");
    CHECK_THAT(jobs[2].job_name, Contains("\\x"));
    CHECK(!jobs[3].nodes);
    const AccountingCount again = site.add(site.folder.path("accounting"));
    CHECK(again.changed + again.steps == 0);
}

TEST_CASE("an absurd run time is named")
{
    Site site;
    site.add_text("JobID|Start|End|ElapsedRaw\n1|1800000000|1800000100|180000000574636\n");
    CHECK_THAT(site.said, Contains("line 2: 180000000574636 is no time in seconds"));
}

TEST_CASE("a file of many broken lines names the first ones")
{
    Site site;
    std::string text(header);
    for (int line = 0; line < 1000; ++line) text += "broken\n";
    CHECK(site.add_text(text).broken == 1000);
    CHECK(std::count(site.said.begin(), site.said.end(), '\n') == 11);
    CHECK_THAT(site.said, Contains("990 more that cannot be used"));
}

TEST_CASE("sacct without a column that is needed, or without any names, is an error that says what to do")
{
    Site site;
    CHECK(site.add_text("User|State|Start|End\nanna|COMPLETED|1|2\n").broken == 1);
    CHECK_THAT(site.said, Contains("line 1: there is no column JobID; ask for it: sacct -P -o JobID,"));
    CHECK(site.add_text("JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode\n").broken == 1);
    CHECK_THAT(site.said, Contains("no column Start"));
    CHECK(site.add_text("4711|ocean|compute|1800000000|1800000001\n").broken == 1);
    CHECK_THAT(site.said, Contains("without --noheader"));
    CHECK(site.allocations().empty());
}

TEST_CASE("the forms of sacct --json say the same")
{
    // data_parser v0.0.38, v0.0.39, and v0.0.40 with v0.0.41.
    const std::string forms[] = {
        R"({"meta": {"Slurm": {"version": {}}}, "errors": [], "jobs": [{
            "account": "climate", "allocation_nodes": 4, "array": {"job_id": 0, "task_id": null},
            "association": {"account": "climate", "cluster": "mistral", "user": "anna"}, "cluster": "mistral",
            "job_id": 4711, "name": "ocean", "partition": "compute", "state": {"current": "COMPLETED", "reason": "None"},
            "time": {"elapsed": 1000, "start": 1800000000, "end": 1800001000},
            "tres": {"allocated": [{"type": "cpu", "count": 96}, {"type": "node", "count": 4}]}, "user": "anna",
            "steps": [{"time": {"elapsed": 1000, "start": 1800000000, "end": 1800001000}, "nodes": {"count": 1},
                       "step": {"job_id": 4711, "id": "batch", "name": "batch"}, "tasks": {"count": 1}, "state": "COMPLETED"},
                      {"time": {"elapsed": 90, "start": 1800000010, "end": 1800000100}, "nodes": {"count": 4},
                       "step": {"job_id": 4711, "id": 0, "name": "model.x"}, "tasks": {"count": 48}, "state": "COMPLETED"}]}]})",
        R"({"jobs": [{
            "account": "climate", "array": {"job_id": 0, "task_id": {"set": false, "infinite": false, "number": 0}},
            "allocation_nodes": 4, "association": {"user": "anna"}, "cluster": "mistral", "job_id": 4711,
            "name": "ocean", "partition": "compute", "state": {"current": "COMPLETED"},
            "time": {"elapsed": 1000, "start": {"set": true, "infinite": false, "number": 1800000000}, "end": 1800001000},
            "tres": {"allocated": [{"type": "cpu", "count": 96}]},
            "steps": [{"time": {"start": 1800000000, "end": 1800001000}, "nodes": {"count": 1}, "tasks": {"count": 1},
                       "step": {"id": {"job_id": 4711, "step_id": "batch"}, "name": "batch"}},
                      {"time": {"start": 1800000000, "end": 1800001000}, "step": {"id": {"job_id": 4711, "step_id": 4294967292}}},
                      {"time": {"start": 1800000010, "end": 1800000100}, "nodes": {"count": 4}, "tasks": {"count": 48},
                       "step": {"id": {"job_id": 4711, "step_id": "0"}, "name": "model.x"}}]}],
           "meta": {"plugins": {"data_parser": "data_parser/v0.0.39"}}, "warnings": []})",
        R"({"jobs": [{
            "account": "climate", "array": {"job_id": 0, "task_id": {"set": false, "infinite": false, "number": 0}},
            "allocation_nodes": 4, "association": {"user": "anna"}, "cluster": "mistral", "job_id": 4711,
            "name": "ocean", "partition": "compute", "state": {"current": ["COMPLETED"], "reason": "None"},
            "time": {"elapsed": 1000, "start": 1800000000, "end": 1800001000},
            "tres": {"allocated": [{"type": "cpu", "count": 96}]}, "user": "anna",
            "steps": [{"time": {"start": {"set": true, "infinite": false, "number": 1800000000},
                                "end": {"set": true, "infinite": false, "number": 1800001000}},
                       "nodes": {"count": 1}, "tasks": {"count": 1}, "state": ["COMPLETED"],
                       "step": {"id": "4711.batch", "name": "batch"}},
                      {"time": {"start": {"set": true, "infinite": false, "number": 1800000010},
                                "end": {"set": true, "infinite": false, "number": 1800000100}},
                       "nodes": {"count": 4}, "tasks": {"count": 48}, "state": ["COMPLETED"],
                       "step": {"id": "4711.0", "name": "model.x"}}]}],
           "meta": {"slurm": {"release": "24.05"}}})"};
    Site by_text;
    by_text.add_text(exported(listed("4711", base, base + 1000)));
    const Allocation expected = by_text.allocations()[0];
    for (const std::string& form : forms) {
        Site site;
        site.add_text(form);
        CHECK(site.said.empty());
        CHECK(site.rows() == by_text.rows());
        fathom::jobs::Values values, others;
        append(expected, values);
        append(site.allocations()[0], others);
        CHECK(values == others);
        values.clear();
        others.clear();
        append(by_text.jobs()[1], values);
        append(site.jobs()[1], others);
        // What the text says of nodes of the batch step differs in these.
        CHECK(values == others);
        CHECK(site.add_text(form).changed == 0);
    }
}

TEST_CASE("what sacct --json could not answer is said in its words")
{
    Site site;
    const AccountingCount count = site.add_text(
        R"({"meta": {"plugin": {}, "Slurm": {"release": "22.05.8"}}, "errors": [{
            "description": "Unable to parse time format", "error_number": 9000,
            "error": "Query empty or not RFC7320 compliant", "source": "end_time"}]})");
    CHECK(count.broken == 1);
    CHECK_THAT(site.said,
               Contains("sacct could not answer: Unable to parse time format (end_time); run sacct "
                        "--json without SLURM_TIME_FORMAT"));
    CHECK(site.add_text(R"({"meta": {"slurm": {}}, "errors": [{"error": "Unspecified error"}]})").broken ==
          1);
    CHECK_THAT(site.said, Contains("could not answer: Unspecified error\n"));
    CHECK(site.add_text(R"({"meta": {"slurm": {}}, "errors": [], "jobs": []})").broken == 0);
}

TEST_CASE("JSON that runs, waits, belongs to an array or is broken")
{
    Site site;
    const auto job = [](int id, const std::string& rest) {
        return fmt::format(R"({{"job_id": {}, "name": "ocean", {}}})", id, rest);
    };
    const std::string running =
        R"("state": {"current": ["RUNNING"]}, "time": {"start": 1800000000, "end": 0})";
    const std::string ended =
        R"("state": {"current": ["FAILED"]}, "time": {"start": 1800000000, "end": 1800000010})";
    const AccountingCount count = site.add_text(
        "{\"jobs\": [\n" + job(1, running) + ",\n" +
        job(2, R"("state": {"current": ["PENDING"]}, "time": {"start": 0, "end": 0})") + ",\n" +
        job(3, R"("array": {"job_id": 2, "task_id": {"set": true, "number": 7}}, )" + ended) + ",\n" +
        job(4, R"("job_state": ["RUNNING"], "start_time": 5)") + ",\n" +
        job(5, R"("state": "COMPLETED", "time": {"start": 1800000000, "end": "never"})") + ",\n" +
        job(6, R"("user": "M)"
               "\xfc"
               R"(ller", )" +
                   ended) +
        ",\n" + job(7, ended) + ",\n{\"job_id\": 8, \"ti");
    CHECK(count.allocations == 4);
    CHECK(count.unstarted == 1);
    CHECK(count.broken == 3);
    CHECK_THAT(site.said, Contains("line 5: job 4 has no times: make the file with sacct --json"));
    CHECK_THAT(site.said, Contains("line 6: 'never' is no time"));
    CHECK_THAT(site.said, Contains("line 9: no JSON from here on"));
    const auto jobs = site.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(jobs[0].end == 0);
    CHECK(jobs[1].array_job == "2");
    CHECK(jobs[1].array_index == "7");
    CHECK(jobs[2].user == "M\\xFCller");
    CHECK(site.allocations()[1].state == "FAILED");
}

TEST_CASE("a table of jobs in SQLite is accounting")
{
    Site site;
    const std::string path = site.folder.path("summary.db");
    {
        Database made(path, Access::write);
        made.run(
            "create table summary (stepid primary key, hostname, start integer, completion integer, "
            "numnodes integer)");
        const auto add = [&](const char* id, std::int64_t start, std::int64_t end, std::int64_t nodes) {
            made.run("insert into summary values (?, ?, ?, ?, ?)",
                     Values{std::string(id), std::string("edison"), start, end, nodes});
        };
        add("4711.edison", base, base + 1000, 4);
        add("4712.edison", base + 5, 0, 0);
        add("none", base + 5, 0, 0);
        add("4713.edison", 0, 0, 0);
    }
    REQUIRE(is_accounting(path));
    const AccountingCount count = site.add(path);
    CHECK(count.allocations == 2);
    CHECK(count.unstarted == 1);
    CHECK_THAT(site.said, Contains("row 3: 'none' is no id of a job"));
    CHECK(site.allocations()[0].cluster == "edison");
    CHECK(site.allocations()[0].nodes == 4);
    CHECK(site.rows() == "4711. -, 4712. -");
    CHECK(site.add(path).steps == 0);
    CHECK(!is_accounting(site.folder.path("jobs.db")));
}

TEST_CASE("other files are no accounting")
{
    const Temporary folder;
    const auto is = [&](const std::string& text) {
        std::ofstream(folder.path("file"), std::ios::binary) << text;
        return is_accounting(folder.path("file"));
    };
    CHECK(!is(""));
    CHECK(!is("FATHOM log"));
    CHECK(!is("12345 1800000000.5 openat(AT_FDCWD, \"a|b|c|d\", O_RDONLY) = 3\n"));
    CHECK(!is("{\"summary\": {}}"));
    CHECK(!is("a|b|c\n"));
    CHECK(!is_accounting(folder.path("not there")));
    CHECK(!is_accounting("/dev/null"));
    CHECK(!is_accounting(std::filesystem::temp_directory_path().string()));
}

TEST_CASE("many lines are stored in pieces")
{
    Site site;
    std::string text(header);
    for (int job = 0; job < 5000; ++job)
        text += listed(fmt::format("{}", 1000 + job), base + job, base + job + 500);
    CHECK(site.add_text(text).steps == 10000);
    CHECK(site.allocations().size() == 5000);
    CHECK(site.add_text(text).steps == 0);
}

TEST_CASE("local times of the hour that clocks repeat")
{
    const TimeZone zone("Europe/Berlin");
    Listed job;
    job.job = "1";
    job.start = time_of("2026-10-25T02:50:00");
    job.end = time_of("2026-10-25T02:10:00");
    job.elapsed = 1200 * s;
    REQUIRE(has_started(job));
    CHECK(job.end - job.start == 1200 * s);
}

TEST_CASE("pytokio's sacct and the log of the same job, in either order")
{
    const std::string log =
        FATHOM_DARSHAN_LOGS "/glock_vpicio_uni_id4478544_3-20-7667-18385393005962577517_1.darshan";
    const std::string accounting = facility + "sample.slurm";
    if (!std::filesystem::exists(accounting) || !std::filesystem::exists(log)) {
        fathom::testing::skip("sample.slurm or the log of its job is not there");
        return;
    }
    const TimeZone zone("America/Los_Angeles");
    const bool log_first = GENERATE(true, false);
    Site site;
    const auto add_log = [&] {
        const std::atomic<bool> stop{false};
        add_logs(*site.database, std::vector{log}, {1, false, [](const std::string&) {}}, {}, stop);
    };
    if (log_first) add_log();
    REQUIRE(is_accounting(accounting));
    site.add(accounting);
    if (!log_first) add_log();
    CHECK(site.said.empty());
    // Step 6 is the one that was recorded; 02:07:41 is local time in California.
    CHECK(site.rows() ==
          "4478544.batch -, 4478544.0 -, 4478544.1 -, 4478544.2 -, 4478544.3 -, 4478544.4 -, 4478544.5 -, "
          "4478544.6 darshan, 4478544.7 -");
    CHECK(site.allocations().size() == 1);
    CHECK(site.allocations()[0].nodes == 128);
    CHECK(site.add(accounting).steps == 0);
    const std::string summary = facility + "sample_nersc_jobsdb.sqlite3";
    REQUIRE(is_accounting(summary));
    CHECK(site.add(summary).allocations == 484);
    CHECK(site.jobs()[0].cluster == "edison");
    CHECK(site.add(summary).steps == 0);
}

TEST_CASE("the extern step alone stands for its allocation")
{
    const bool log_first = GENERATE(true, false);
    Site site;
    const std::string text =
        R"({"4711.extern": {"jobidraw": "4711.extern", "start": 1800000000, "end": 1800001000,
        "nodelist": ["n1", "n2"]}})";
    if (log_first) site.add_log("4711", "", base + 100, base + 900);
    site.add_text(text);
    CHECK(site.rows() == (log_first ? "4711. darshan" : "4711. -"));
    if (!log_first) site.add_log("4711", "", base + 100, base + 900);
    site.add_text(text);
    CHECK(site.rows() == "4711. darshan");
    CHECK(site.allocations()[0].nodes == 2);
}

TEST_CASE("fathom jobs add takes accounting among the named files")
{
    const Temporary folder;
    const std::string path = folder.path("accounting.txt"), database = " --db " + folder.path("jobs.db");
    std::ofstream(path) << exported(listed("4711", base, base + 1000));
    fathom::testing::Ran ran = fathom::testing::run_fathom("jobs add " + path + database);
    CHECK(ran.status == 0);
    CHECK_THAT(ran.said, Contains("jobs.db: 1 new allocation, 2 new steps without a log\n"));
    CHECK_THAT(ran.said, !Contains("new job"));
    std::ofstream(path, std::ios::app) << "4712|\n";
    ran = fathom::testing::run_fathom("jobs add " + path + " " + folder.path("none.fathom") + database);
    CHECK(ran.status == 1);
    CHECK_THAT(ran.said, Contains("accounting.txt, line 6: 2 fields where the header has 14"));
    CHECK_THAT(ran.said,
               Contains("0 new allocations, 0 new steps without a log, 1 line that cannot be used"));
    CHECK_THAT(ran.said, Contains("0 new jobs, 1 that cannot be read"));
    // Folders are for logs.
    ran = fathom::testing::run_fathom("jobs add " + folder.path("") + database);
    CHECK_THAT(ran.said, Contains("no file in this folder"));
}

TEST_CASE("JSON whose numbers have a point, or are something else")
{
    Site site;
    site.add_text(
        R"({"4711": {"jobidraw": "4711", "start": 1800000000.0, "end": 1800000100.0, "nnodes": 2.0}})");
    CHECK(site.allocations()[0].end == (base + 100) * s);
    CHECK(site.allocations()[0].nodes == 2);
    site.add_text(R"({"jobs": [{"job_id": 1, "time": {"start": [], "end": 5}}]})");
    CHECK_THAT(site.said, Contains("line 1: a value of type array stands where a count or a time should"));
}
