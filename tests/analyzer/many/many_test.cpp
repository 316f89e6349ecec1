// Tables of many logs: the row of a log agrees with its report, rows come in the order that was asked for,
// and CSV can be read back whatever the names are.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analyzer/book/book.h"
#include "analyzer/document/renderers/json.h"
#include "analyzer/document/renderers/renderers.h"
#include "analyzer/document/units.h"
#include "analyzer/many/csv.h"
#include "analyzer/many/find_logs.h"
#include "analyzer/many/gather.h"
#include "analyzer/many/order.h"
#include "analyzer/many/table.h"
#include "parsers/open.h"
#include "tests/analyzer/imported.h"
#include "tests/analyzer/synthetic.h"
#include "tests/analyzer/temporary.h"
#include "tests/parsers/darshan_logs.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Two ranks that write a file each, one of them for much longer, with a burst each.
Log uneven_job(std::uint64_t seconds_of_the_slow = 40)
{
    Synthetic made;
    made.ranks(2, 1);
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        const std::uint64_t id = made.file("/data/out." + std::to_string(rank));
        const std::uint64_t time = (rank == 0 ? seconds_of_the_slow : 1) * second;
        made.io<PosixRecord>(id, rank, {.bytes_written = 100 * mib, .write_time = time}).writes = 100;
        made.burst(rank, 0, rank == 0 ? static_cast<double>(seconds_of_the_slow) : 1);
    }
    return std::move(made.log);
}

Log quick_job()
{
    Synthetic made;
    made.process(-1);
    made.io<PosixRecord>(made.file("/data/in"), 0, {.bytes_read = 5 * mib, .read_time = second / 100});
    return std::move(made.log);
}

// A value as the row has it and as the flat list of the report's JSON has it.
void expect_same(const nlohmann::json& values, const char* name, const report::Cell& cell)
{
    INFO(name);
    if (!values.contains(name)) return;  // a report of next to nothing leaves out what it has not
    const nlohmann::json& reported = values.at(name);
    REQUIRE(reported.is_null() == !cell.known());
    if (const auto* whole = std::get_if<std::uint64_t>(&cell.value)) CHECK(reported == *whole);
    if (const auto* number = std::get_if<double>(&cell.value)) CHECK(reported == *number);
    if (const auto* words = std::get_if<std::string>(&cell.value)) CHECK(reported == *words);
}

report::Cell cell_of(const JobRow& row, std::string_view column)
{
    return parse_order(column).column->cell(row);
}

void expect_agreement(const Log& log)
{
    const Job job(log);
    const JobRow row = row_of(job, "x.fathom");
    const auto json = nlohmann::json::parse(report::render_json(make_report(job, {})));
    const nlohmann::json& values = json.at("values");
    const std::pair<const char*, const char*> same[] = {
        {"job.run_time", "run_time"},
        {"rate.bytes", "bytes"},
        {"summary.bytes_read", "bytes_read"},
        {"summary.bytes_written", "bytes_written"},
        {"rate.rate_window", "rate_window"},
        {"rate.rate_per_node", "rate_per_node"},
        {"modes.application_reads", "read_mode"},
        {"modes.application_writes", "write_mode"},
        {"rate.rate_by_slowest", "rate_by_slowest"},
        {"summary.io_share", "io_share"},
        {"job.program", "executable"},
        {"findings.count", "findings"},
        {job.mpi ? "job.ranks" : "job.processes", "processes"},
    };
    for (const auto& [reported, column] : same) expect_same(values, reported, cell_of(row, column));
    for (const auto& section : json.at("sections"))
        for (const auto& block : section.at("blocks"))
            if (block.at("type") == "finding") {
                CHECK(block.at("id") == row.finding);
                CHECK(block.at("title") == row.finding_title);
                CHECK(block.at("cost") == row.finding_cost.value());
                return;  // the first is the costliest
            }
    CHECK(row.finding.empty());
    CHECK_FALSE(row.finding_cost);
}

JobRow named(const std::string& log, std::optional<double> cost, std::uint64_t bytes = 0)
{
    JobRow row;
    row.log = log;
    row.finding_cost = cost;
    row.bytes = bytes;
    return row;
}

std::string logs_of(const std::vector<JobRow>& rows)
{
    std::string all;
    for (const JobRow& row : rows) all += row.log;
    return all;
}

std::string logs_in_order(std::string_view order)
{
    std::vector<JobRow> rows = {named("a", 1, 30), named("b", std::nullopt, 10), named("c", 5, 20),
                                named("d", 1, 30)};
    sort_rows(rows, parse_order(order));
    return logs_of(rows);
}

std::string csv_of_all(const std::vector<JobRow>& rows)
{
    std::string all;
    csv_of(rows, [&](std::string_view piece) { all += piece; });
    return all;
}

}  // namespace

TEST_CASE("the row of a log has the numbers of its report")
{
    expect_agreement(uneven_job());
    expect_agreement(quick_job());
    expect_agreement(Log());
}

TEST_CASE("the rows of logs of other tools have the numbers of their reports")
{
    Imported made(4);
    made.own<PosixRecord>(made.file("/data/out"), 1, {.bytes_written = 50 * mib, .write_time = 3 * second});
    expect_agreement(made.log);
}

TEMPLATE_TEST_CASE("the rows of logs of Darshan have the numbers of their reports", "", MadeLogs, RealLogs)
{
    const std::vector<std::string> logs = darshan_logs<TestType>();
    for (std::size_t at = 0; at < logs.size(); at += TestType::some) {  // some of each kind
        INFO(logs[at]);
        expect_agreement(open_dataset(logs[at]));
    }
}

TEST_CASE("the program of a log that has no path of it is the first word of its command")
{
    Imported made(2);
    for (Process& process : made.log.rows<Process>()) process.program = {};
    made.log.add_fact("command", "/apps/ior -a POSIX");
    CHECK(report::format(cell_of(row_of(Job(made.log), "x"), "program")) == "ior");
}

TEST_CASE("the row of a log says its costliest finding")
{
    const Log log = uneven_job();
    const JobRow row = row_of(Job(log), "x.fathom");
    CHECK(row.finding == "stragglers");
    CHECK(*row.finding_cost > 10);
    CHECK(row.findings >= 1);
}

TEST_CASE("a damaged log is marked in its row")
{
    Log log = quick_job();
    CHECK_FALSE(cell_of(row_of(Job(log), "x"), "state").known());
    log.problems = {"x: at byte 7: gone"};
    const JobRow row = row_of(Job(log), "x");
    CHECK(report::format(cell_of(row, "state")) == "partial");
    CHECK(row.problem == "x: at byte 7: gone");
}

TEST_CASE("what cost most comes first, and rows without a value last")
{
    CHECK(logs_in_order("") == "cadb");
    CHECK(logs_in_order("cost:asc") == "adcb");
    CHECK(logs_in_order("cost_seconds:desc") == "cadb");
    CHECK(logs_in_order("bytes") == "adcb");
    CHECK(logs_in_order("bytes:asc") == "bcad");
    CHECK(logs_in_order("log:desc") == "dcba");
    CHECK(logs_in_order("log") == "abcd");
}

TEST_CASE("an order that there is not is refused with those that there are")
{
    CHECK_THROWS_WITH(parse_order("speed"), Contains("no such column") && Contains("rate_window"));
    CHECK_THROWS_WITH(parse_order("bytes:up"), Contains("bytes:asc or bytes:desc"));
    CHECK_THROWS_WITH(parse_order(":asc"), Contains("no such column"));
}

TEST_CASE("CSV keeps numbers exact and quotes what must be quoted")
{
    CHECK(csv_field(report::count(18446744073709551615u)) == "18446744073709551615");
    CHECK(csv_field(report::seconds(0.1)) == "0.1");
    CHECK(std::stod(csv_field(report::rate(1.0 / 3))) == 1.0 / 3);
    CHECK(csv_field(report::instant(1800000000000000042u)) == "1800000000.000000042");
    CHECK(csv_field(report::unknown()).empty());
    CHECK(csv_field(report::path("a,b")) == "\"a,b\"");
    CHECK(csv_field(report::text("=HYPERLINK(\"http://x\")")) == "\"'=HYPERLINK(\"\"http://x\"\")\"");
    CHECK(csv_field(report::text("@SUM(1)")) == "'@SUM(1)");
    CHECK(csv_field(report::text("-")) == "-");
    CHECK(csv_field(report::path("say \"hi\"")) == "\"say \"\"hi\"\"\"");
    CHECK(csv_field(report::path("a\nb\x1b[2J\xff\\")) == "a\\nb\\x1b[2J\\xff\\\\");
}

TEST_CASE("CSV has a line for each row, with as many fields as the first line has names")
{
    const std::string csv = csv_of_all({named("a", 1), named("b\r\nc", std::nullopt)});
    std::istringstream in(csv);
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line); ++lines)
        CHECK(std::count(line.begin(), line.end(), ',') + 1 ==
              static_cast<std::ptrdiff_t>(job_columns().size()));
    CHECK(lines == 3);
    CHECK_THAT(csv, Catch::StartsWith("id,job,user,program,date,run_time_seconds,processes,nodes,io_share,cost_"
                                      "seconds,worst_finding,state,log,"));
}

TEST_CASE("names of columns are there once, and say the unit in CSV")
{
    std::set<std::string_view> names, csv_names;
    for (const JobColumn& column : job_columns()) {
        CHECK(names.insert(column.name).second);
        CHECK(csv_names.insert(column.csv_name).second);
        if (column.measure == report::Measure::seconds) CHECK(column.csv_name.ends_with("_seconds"));
        if (column.measure == report::Measure::rate) CHECK(column.csv_name.ends_with("_mib_per_second"));
    }
}

TEST_CASE("a table says how many rows it leaves out, JSON leaves out none")
{
    GatheredRows gathered;
    for (int number = 0; number < 5010; ++number)
        gathered.rows.push_back(named("log " + std::to_string(number), std::nullopt));
    const auto table_in = [&](std::string_view format, std::size_t shown) {
        const auto document = make_table(gathered, parse_order(""), shown, table_form_of(format));
        return std::get<report::DataTable>(document.sections.at(0).blocks.back());
    };
    constexpr std::size_t all = 1'000'000;
    CHECK(table_in("html", all).rows.size() == 5000);
    CHECK_THAT(table_in("html", all).remark, Contains("first 5,000 of 5,010") && Contains("10 are left out"));
    CHECK(table_in("json", all).rows.size() == 5010);
    CHECK(table_in("json", all).columns.size() == job_columns().size());
    CHECK(table_in("text", 3).rows.size() == 3);
    CHECK_THAT(table_in("text", all).remark, !Contains("left out"));
}

TEST_CASE("a table of logs can be had in every form")
{
    GatheredRows gathered;
    const Log log = uneven_job();
    gathered.rows = {row_of(Job(log), "one.fathom"), row_of(Job(log), "two\x1b.fathom")};
    gathered.troubles = {"three.fathom: the file is empty"};
    for (const report::Renderer& form : report::renderers()) {
        const std::string out = form.render(
            make_table(gathered, parse_order("log"), 10, table_form_of(form.format)), {.width = 80});
        CHECK_FALSE(out.empty());
        if (form.format == "pdf") continue;  // compressed
        CHECK_THAT(out, !Contains("\x1b"));
        CHECK_THAT(out, Contains("one.fathom") && Contains("three.fathom: the file is empty"));
    }
}

TEST_CASE("many logs are read side by side, those that cannot be are named, and the rest is there")
{
    const Temporary folder;
    std::vector<std::string> logs;
    for (int number = 0; number < 40; ++number) {
        logs.push_back(folder.path(std::to_string(number) + ".fathom"));
        if (number % 10 == 3)
            std::ofstream(logs.back()) << "no log\n";
        else
            write_log(number % 2 == 0 ? uneven_job() : quick_job(), logs.back());
    }
    const GatheredRows all = gather_rows(logs, 4, {});
    REQUIRE(all.rows.size() == 36);
    REQUIRE(all.troubles.size() == 4);
    CHECK_THAT(all.troubles[0], Contains(logs[3]) && Contains("a text file"));
    // Of several threads the one that tells of progress may find nothing left to do.
    std::uint64_t told = 0;
    const GatheredRows alone =
        gather_rows(logs, 1, [&](std::uint64_t done, std::uint64_t) { told = std::max(told, done); });
    CHECK(told > 0);
    CHECK(csv_of_all(all.rows) == csv_of_all(alone.rows));
    CHECK(alone.rows[3].log == logs[4]);
}

TEST_CASE("a folder stands for the logs in it and below it, by name")
{
    const Temporary folder;
    const auto make = [&](const std::string& name) { std::ofstream(folder.path(name)) << "x"; };
    std::filesystem::create_directories(folder.path("b/c"));
    std::filesystem::create_directory(folder.path("none"));
    std::filesystem::create_directory_symlink(folder.path(""), folder.path("b/again"));
    for (const char* const name : {"z.darshan", "a.fathom", "notes.txt", "b/c/d.darshan"}) make(name);
    const std::vector<std::string> words = {folder.path("."), folder.path("notes.txt"), folder.path("none")};
    const FoundLogs found = find_logs(words);
    CHECK(found.logs == std::vector<std::string>{folder.path("./a.fathom"), folder.path("./b/c/d.darshan"),
                                                 folder.path("./z.darshan"), folder.path("notes.txt")});
    REQUIRE(found.troubles.size() == 1);
    CHECK_THAT(found.troubles[0], Contains("none: no file in this folder"));
}

TEST_CASE("a list names a log a line")
{
    const Temporary folder;
    std::ofstream(folder.path("list")) << "a b.fathom\n\n/c.darshan";
    CHECK(read_list(folder.path("list")) == std::vector<std::string>{"a b.fathom", "/c.darshan"});
    CHECK_THROWS_WITH(read_list(folder.path("gone")), Contains("gone: cannot read: No such file"));
    CHECK_THROWS_WITH(read_list(folder.path(".")), Contains("cannot read: Is a directory"));
}
