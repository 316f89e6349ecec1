// Studies of sites whose jobs were made to have the numbers that the papers print: the document must print
// them back.
#include "analyzer/jobs/study/study.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "analyzer/document/renderers/renderers.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "tests/analyzer/temporary.h"

using namespace fathom::jobs;  // not fathom: it has jobs and layers of its own
namespace report = fathom::report;
using fathom::testing::Temporary;
using Json = nlohmann::json;

namespace {

constexpr Number second = 1'000'000'000, hour = 3600 * second, mebibyte = 1 << 20,
                 day_one = 1'264'204'800 * second;

// Rows of a site, and the database of them.
struct MadeSite {
    std::vector<Allocation> allocations;
    std::vector<Job> runs;
    std::vector<Layer> layers;
    std::vector<InMode> modes;
    std::vector<Shared> sharing;
    std::vector<Found> findings;

    Job& run(std::string project)
    {
        Job& job = runs.emplace_back();
        job.id = static_cast<Number>(runs.size());
        job.recorded = 1;
        job.project = std::move(project);
        job.start = day_one + job.id * second;
        return job;
    }

    std::unique_ptr<Database> in(const Temporary& folder, const std::string& name = "site.db") const
    {
        auto database = open_jobs(folder.path(name), Access::write);
        WriteTransaction transaction(*database);
        put(*database, allocations);
        put(*database, runs);
        put(*database, layers);
        put(*database, modes);
        put(*database, sharing);
        put(*database, findings);
        transaction.commit();
        return database;
    }

  private:
    template <class Row>
    static void put(Database& database, const std::vector<Row>& rows)
    {
        Values cells;
        for (const Row& row : rows) append(row, cells);
        insert(database, Row::table, cells);
    }
};

std::string rendered(const report::Document& document, std::string_view format, std::size_t width = 200)
{
    return report::renderer_of_format(format)->render(document, {width, true});
}

// A study in both forms that tests read.
struct Read {
    Json json;
    std::string text;

    explicit Read(Database& database, const StudyChoice& choice = {})
    {
        const report::Document document = make_study(database, choice, {});
        json = Json::parse(rendered(document, "json"));
        text = rendered(document, "text");
    }

    const Json& table(const std::string& id) const
    {
        for (const Json& section : json["sections"])
            for (const Json& block : section["blocks"])
                if (block.value("id", "") == id) return block;
        FAIL("no block " << id);
        return json;
    }
    const Json& row(const std::string& id, const std::string& first) const
    {
        const Json& block = table(id);
        const std::string key = block["columns"][0]["id"];
        for (const Json& one : block["rows"])
            if (one[key].is_string() ? one[key] == first : one[key].dump() == first) return one;
        FAIL("no row " << first << " in " << id);
        return json;
    }
    // The printed words of a row, below the title of its table.
    std::string printed(const std::string& title, const std::string& first) const
    {
        const std::size_t at = text.find(title);
        REQUIRE(at != std::string::npos);
        std::istringstream lines(text.substr(at));
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            std::string word, all;
            while (words >> word) all += (all.empty() ? "" : " ") + word;
            if (all.starts_with(first + " ")) return all.substr(first.size() + 1);
        }
        FAIL("no line " << first << " below " << title);
        return {};
    }
};

struct TableTwo {
    const char* project;
    Number with_log, jobs;
    double hours_with_log, hours;  // millions
    const char *apis, *printed_jobs, *printed_hours;
};
constexpr TableTwo table_two[] = {
    {"EarthScience", 779, 1488, 10.9, 11.8, "S,P", "779/1488", "10.9/11.8 M"},
    {"NuclearPhysics", 1653, 6159, 11.3, 62.7, "P", "1653/6159", "11.3/62.7 M"},
    {"Energy1", 994, 1340, 3.7, 5.7, "H,M,S,P", "994/1340", "3.7/5.7 M"},
    {"Climate", 32, 130, 2.0, 3.3, "S", "32/130", "2.0/3.3 M"},
    {"Energy2", 384, 1433, 3.9, 4.4, "S,P", "384/1433", "3.9/4.4 M"},
    {"Turbulence1", 242, 467, 2.6, 4.6, "M,S,P", "242/467", "2.6/4.6 M"},
    {"CombustionPhysics", 15, 42, 1.8, 2.4, "S,P", "15/42", "1.8/2.4 M"},
    {"Chemistry", 28, 144, 0.1, 0.6, "S", "28/144", "0.1/0.6 M"},
    {"Turbulence2", 70, 157, 0.3, 0.3, "M,P", "70/157", "0.3/0.3 M"},
    {"Turbulence3", 172, 418, 0.1, 13.3, "M,S,P", "172/418", "0.1/13.3 M"},
};

// Of the hours of all jobs of a kind the first has what is left over.
Allocation made_allocation(MadeSite& site, const TableTwo& row, Number cores)
{
    Allocation one;
    one.id = static_cast<Number>(site.allocations.size()) + 1;
    one.account = row.project;
    one.cores = cores;
    one.start = day_one;
    one.end = day_one + hour;
    return one;
}

void add_project(MadeSite& site, const TableTwo& row, Number rank)
{
    for (Number at = 0; at < row.jobs; ++at) {
        const bool logged = at < row.with_log;
        const double hours = (logged ? row.hours_with_log : row.hours - row.hours_with_log) * 1e6;
        const Number jobs = logged ? row.with_log : row.jobs - row.with_log;
        const auto whole = static_cast<Number>(std::llround(hours));
        const Number cores = whole / jobs + (at == 0 || at == row.with_log ? whole % jobs : 0);
        site.allocations.push_back(made_allocation(site, row, cores));
        if (!logged) continue;
        Job& run = site.run(row.project);
        run.allocation = site.allocations.back().id;
        run.bytes_read = 1000 - rank;  // in the order of the table
        const std::string_view apis = row.apis;
        // No single run has all of them.
        run.hdf5 = at == 0 && apis.find('H') != std::string_view::npos;
        run.mpiio = at == 1 && apis.find('M') != std::string_view::npos;
        run.stdio = at % 2 == 0 && apis.find('S') != std::string_view::npos;
        run.posix = apis.find('P') != std::string_view::npos;
    }
}

struct TableSix {
    const char* project;
    double rate, io_share, metadata, files, creates, sequential, aligned, volume;
    const char* printed;
};
constexpr TableSix table_six[] = {
    {"EarthScience", 0.69, .3618, .95, 140.67, 98.87, .64, .97, 1779.48,
     "0.69 36.18 % 95 % 140.67 98.87 64 % 97 % 1779.48"},
    {"NuclearPhysics", 1.53, .0055, .55, 1.72, 0.63, 1, 0, 234.57,
     "1.53 0.55 % 55 % 1.72 0.63 100 % 0 % 234.57"},
    {"Energy1", 0.77, .3922, .31, 0.26, 0.16, .87, .36, 66.35, "0.77 39.22 % 31 % 0.26 0.16 87 % 36 % 66.35"},
    {"Climate", 0.31, .0397, .82, 3.17, 2.44, .97, .05, 1034.92,
     "0.31 3.97 % 82 % 3.17 2.44 97 % 5 % 1034.92"},
    {"Energy2", 0.44, .00001, .03, 0.02, 0.01, .86, .11, 24.49, "0.44 0.001 % 3 % 0.02 0.01 86 % 11 % 24.49"},
    {"Turbulence1", 0.54, .0013, .64, 0.26, 0.13, .77, .25, 117.92,
     "0.54 0.13 % 64 % 0.26 0.13 77 % 25 % 117.92"},
    {"CombustionPhysics", 1.34, .1173, .67, 6.74, 2.73, 1, 0, 657.37,
     "1.34 11.73 % 67 % 6.74 2.73 100 % 0 % 657.37"},
    {"Chemistry", 0.86, .0168, .21, 0.20, 0.18, .42, .47, 321.36,
     "0.86 1.68 % 21 % 0.20 0.18 42 % 47 % 321.36"},
    {"Turbulence2", 1.16, .0585, .81, 0.53, 0.03, .67, .50, 37.36,
     "1.16 5.85 % 81 % 0.53 0.03 67 % 50 % 37.36"},
    {"Turbulence3", 0.58, .0001, .01, 0.03, 0.01, 1, .01, 40.40, "0.58 0.01 % 1 % 0.03 0.01 100 % 1 % 40.40"},
};

// `scale` is that of what may exceed 1: runs of scales 0.5 and 1.5 have the mean of the row.
Job& add_large_run(MadeSite& site, const TableSix& row, double scale)
{
    constexpr Number processes = 20000, accesses = 100;
    const auto times = [](double value, Number whole) {
        return static_cast<Number>(std::llround(value * static_cast<double>(whole)));
    };
    Job& run = site.run(row.project);
    run.processes = processes;
    run.rate_per_node = row.rate * scale;
    run.io_share = row.io_share * scale;
    run.read_time = 100 - times(row.metadata, 100);
    run.metadata_time = times(row.metadata, 100);
    run.files = times(row.files * scale, processes);
    run.files_written = *run.files;
    run.files_created = times(row.creates * scale, processes);
    run.accesses = accesses;
    run.sequential = times(row.sequential, accesses);
    run.aligned = times(row.aligned, accesses);
    run.bytes_read = times(row.volume * scale, processes * mebibyte) / 2;
    run.bytes_written = times(row.volume * scale, processes * mebibyte) - run.bytes_read;
    return run;
}

Job& add_rated_run(MadeSite& site, const char* project, Number processes, double rate)
{
    Job& run = site.run(project);
    run.processes = processes;
    run.rate_per_node = rate;
    run.bytes_read = 600 * mebibyte;
    return run;
}

}  // namespace

TEST_CASE("study: a site made to have the coverage of Carns et al. prints table II")
{
    MadeSite site;
    Number rank = 0;
    for (const TableTwo& row : table_two) add_project(site, row, rank++);
    const Temporary folder;
    const Read study(*site.in(folder));
    for (const TableTwo& row : table_two) {
        INFO(row.project);
        const Json& shown = study.row("coverage", row.project);
        CHECK(shown["jobs"] == row.printed_jobs);
        CHECK(shown["core_hours"] == row.printed_hours);
        CHECK(shown["apis"] == row.apis);
        CHECK(study.printed("Coverage by project", row.project).find(row.printed_hours) != std::string::npos);
        const Json& numbers = study.row("coverage_numbers", row.project);
        CHECK(numbers["jobs_with_log"] == row.with_log);
        CHECK(numbers["jobs"] == row.jobs);
        CHECK(numbers["core_hours_with_log"].get<double>() ==
              Approx(row.hours_with_log * 1e6).epsilon(1e-12));
        CHECK(numbers["core_hours"].get<double>() == Approx(row.hours * 1e6).epsilon(1e-12));
    }
    CHECK(study.text.find(
              "4,369 of 11,778 jobs (37.1 %) have a log, with 36.7 M of 109.1 M core-hours (33.6 %).") !=
          std::string::npos);
    CHECK(study.text.find("coverage_numbers") == std::string::npos);
}

TEST_CASE("study: coverage of a site without a log, and of a time of which accounting has nothing")
{
    MadeSite site;
    for (const TableTwo& row : table_two)
        site.allocations.push_back(made_allocation(site, row, static_cast<Number>(row.hours * 10)));
    site.allocations.back().cores = {};
    const Temporary folder;
    const auto database = site.in(folder);
    const Read study(*database, {.top = 1});
    CHECK(study.row("coverage", "NuclearPhysics")["jobs"] == "0/1");  // most core-hours
    CHECK(study.row("coverage", "9 others")["core_hours"] == "0.0/331.0");
    CHECK(study.text.find("Accounting does not say the cores of 1 job") != std::string::npos);
    CHECK(Read(*database, {.since = day_one + 48 * hour}).text.find("has no job of this time") !=
          std::string::npos);
}

TEST_CASE("study: a site made to have the large jobs of Carns et al. prints table VI")
{
    MadeSite site;
    for (const TableSix& row : table_six) {
        add_large_run(site, row, 0.5);
        add_large_run(site, row, 1.5);
        Job& unknown = add_large_run(site, row, 1);  // of which less is known
        unknown.rate_per_node = unknown.io_share = {};
        unknown.files = unknown.files_created = unknown.aligned = {};
        Job& small = add_large_run(site, row, 1.9);
        small.processes = 1023;
        Job& trivial = add_large_run(site, row, 1.9);
        trivial.bytes_read = 500 * mebibyte - 1;
        trivial.bytes_written = 0;
    }
    const Temporary folder;
    const Read study(*site.in(folder));
    for (const TableSix& row : table_six) {
        INFO(row.project);
        CHECK(study.printed("Means over large runs", row.project) == "3 " + std::string(row.printed));
        const Json& shown = study.row("large_jobs", row.project);
        const std::pair<const char*, double> numbers[] = {
            {"rate", row.rate},       {"io_share", row.io_share}, {"metadata", row.metadata},
            {"files", row.files},     {"creates", row.creates},   {"sequential", row.sequential},
            {"aligned", row.aligned}, {"volume", row.volume}};
        for (const auto& [id, value] : numbers) {
            INFO(id);
            CHECK(shown[id].get<double>() == Approx(value).margin(1e-8));
        }
    }
    CHECK(study.text.find("30 runs of 10 projects had 1,024 or more processes and 500 MiB or more.") !=
          std::string::npos);
}

TEST_CASE("study: large runs are those of the processes and bytes that were asked for")
{
    MadeSite site;
    add_rated_run(site, "a", 16, 1);
    add_rated_run(site, "a", 17, 3).bytes_read = 10;
    const Temporary folder;
    const auto database = site.in(folder);
    CHECK(Read(*database).text.find("No run here is that large") != std::string::npos);
    CHECK(Read(*database, {.large_processes = 16, .large_bytes = 0}).row("large_jobs", "a")["rate"] == 2.0);
    CHECK(Read(*database, {.large_processes = 16, .large_bytes = 11}).row("large_jobs", "a")["rate"] == 1.0);
}

TEST_CASE("study: runs of Turbulence1 by performance print table VII")
{
    struct RunOfSeven {
        const char* run;
        Number processes;
        double rate, metadata;
        Number key_size;
        const char *direction, *printed;
    };
    constexpr RunOfSeven table_seven[] = {
        {"A", 8192, 2.92, .28, 74 << 10, "", "8,192 2.92 28 % 74 KiB -"},
        {"B", 2048, 1.12, .02, 20, "w", "2,048 1.12 2 % 20 B w"},
        {"C", 1024, 0.64, .06, 20, "w", "1,024 0.64 6 % 20 B w"},
        {"D", 4096, 0.38, .41, 20, "w", "4,096 0.38 41 % 20 B w"},
        {"E", 2048, 0.11, .36, 700, "r+w", "2,048 0.11 36 % 700 B r+w"},
        {"F", 32768, 0.0009, .01, 4, "r", "32,768 0.0009 1 % 4 B r"},
    };
    MadeSite site;
    for (const std::size_t at : {3, 0, 5, 1, 4, 2}) {
        const RunOfSeven& row = table_seven[at];
        Job& run = add_rated_run(site, "Turbulence1", row.processes, row.rate);
        run.write_time = 100 - std::llround(row.metadata * 100);
        run.metadata_time = std::llround(row.metadata * 100);
        run.key_size = row.key_size;
        run.key_direction = row.direction;
    }
    // As fast and as slow, and all alike.
    for (int at = 0; at < 6; ++at) add_rated_run(site, "EarthScience", 4096, 9);
    const Temporary folder;
    const auto database = site.in(folder);
    // It has the widest spread.
    for (const char* const project : {"", "Turbulence1"}) {
        const Read study(*database, {.project = project});
        for (const RunOfSeven& row : table_seven) {
            CHECK(study.printed("Runs by performance", row.run) ==
                  "- (no program) " + std::string(row.printed));
            CHECK(study.row("by_performance", row.run)["rate"] == row.rate);
            CHECK(study.row("by_performance", row.run)["key_size"] == row.key_size);
        }
    }
    const Read three(*database, {.top = 3, .project = "Turbulence1"});
    CHECK(three.table("by_performance")["rows"].size() == 3);
    CHECK(three.row("by_performance", "A")["rate"] == 2.92);
    CHECK(three.row("by_performance", "C")["rate"] == 0.0009);
    CHECK(Read(*database, {.project = "Turbulence9"}).text.find("no large run of that project") !=
          std::string::npos);
}

TEST_CASE("study: a program on six sizes of jobs prints table VIII")
{
    struct SizeOfEight {
        Number nodes;
        std::vector<double> rates;
        const char* printed;
        double mean;
    };
    const SizeOfEight table_eight[] = {
        {1024, {2.5, 3.5, 3.0}, "3 3.00", 3.0}, {2048, {1.0, 1.6, 1.3}, "3 1.30", 1.3},
        {4096, {0.30, 0.42}, "2 0.36", 0.36},   {8192, {0.08}, "1 0.08", 0.08},
        {16384, {0.03}, "1 0.03", 0.03},        {32768, {0.01}, "1 0.01", 0.01}};
    MadeSite site;
    for (const SizeOfEight& size : table_eight)
        for (const double rate : size.rates) {
            Job& run = add_rated_run(site, "CombustionPhysics", 4 * size.nodes, rate);
            run.nodes = size.nodes;
            run.program = "flame";
        }
    for (int at = 0; at < 20; ++at) {
        Job& run = add_rated_run(site, "other", 4096, 5);
        run.nodes = 1024;
        run.program = "other";
    }
    const Temporary folder;
    const auto database = site.in(folder);
    for (const char* const program : {"", "flame"}) {
        const Read study(*database, {.program = program});
        for (const SizeOfEight& size : table_eight) {
            const std::string nodes = std::to_string(size.nodes);
            CHECK(study.printed("flame: MiB/s/CN by nodes", report::format_count(static_cast<std::uint64_t>(
                                                                size.nodes))) == size.printed);
            CHECK(study.row("by_job_size", nodes)["rate"].get<double>() == Approx(size.mean).margin(1e-9));
            CHECK(study.row("by_job_size", nodes)["runs"] == size.rates.size());
        }
    }
    CHECK(Read(*database, {.program = "other"}).row("by_job_size", "1024")["runs"] == 20);
}

TEST_CASE("study: a site made to have the jobs of Beacon prints its table 3")
{
    struct ClassOfThree {
        const char* name;
        Number cores;  // for an hour
        double read, written;
        const char* printed;
    };
    constexpr ClassOfThree table_three[] = {{"(0,1K]", 1000, 8.1, 18.2, "2 8.1 18.2"},
                                            {"(1K,10K]", 1001, 101.0, 83.9, "2 101.0 83.9"},
                                            {"(10K,100K]", 100'000, 166.9, 426.6, "2 166.9 426.6"},
                                            {"(100K,1000K]", 1'000'000, 1172.9, 615.9, "2 1172.9 615.9"},
                                            {"(1000K,∞)", 1'000'001, 2010.6, 41458.8, "2 2010.6 41458.8"}};
    MadeSite site;
    for (const ClassOfThree& row : table_three) {
        Allocation& lease = site.allocations.emplace_back();
        lease.id = static_cast<Number>(site.allocations.size());
        lease.cores = row.cores;
        lease.start = day_one;
        lease.end = day_one + hour;
        const auto gigabytes = [](double value) { return static_cast<Number>(std::llround(value * 1e9)); };
        // Two runs in an allocation are one job, of half of the mean; another one has no allocation.
        for (int step = 0; step < 2; ++step) {
            Job& run = site.run("p");
            run.allocation = lease.id;
            run.processes = 1;
            run.bytes_read = gigabytes(row.read / 4);
            run.bytes_written = gigabytes(row.written / 4);
        }
        Job& run = site.run("p");
        run.processes = row.cores;
        run.run = hour;
        run.bytes_read = gigabytes(row.read * 1.5);
        run.bytes_written = gigabytes(row.written * 1.5);
        Job& trivial = site.run("p");
        trivial.processes = row.cores;
        trivial.run = hour;
        trivial.bytes_read = 200'000'000;
    }
    const Temporary folder;
    const Read study(*site.in(folder));
    for (const ClassOfThree& row : table_three) {
        CHECK(study.printed("Mean bytes a job", row.name) == row.printed);
        CHECK(study.row("core_hours", row.name)["read_gb"].get<double>() == Approx(row.read).epsilon(1e-9));
        CHECK(study.row("core_hours", row.name)["written_gb"].get<double>() ==
              Approx(row.written).epsilon(1e-9));
    }
    CHECK(study.text.find(
              "Core-hours are the allocation's for 5 of them, and processes times run time for 5.") !=
          std::string::npos);
}

TEST_CASE("study: a site made to have the jobs of Beacon prints its table 4")
{
    struct ModeOfFour {
        const char* mode;
        double read, written;
        Number jobs;
        const char* printed;
    };
    constexpr ModeOfFour table_four[] = {{"N-N", 96.8, 120.1, 11073, "96.8 120.1 11,073"},
                                         {"N-M", 36.2, 63.2, 324, "36.2 63.2 324"},
                                         {"N-1", 19.6, 19.3, 2382, "19.6 19.3 2,382"},
                                         {"1-1", 33.0, 142.3, 16251, "33.0 142.3 16,251"}};
    MadeSite site;
    double read = 0, written = 0;
    for (const ModeOfFour& row : table_four) {
        for (Number at = 0; at < row.jobs; ++at) {
            Job& run = site.run("p");
            run.bytes_read = std::llround(row.read * 1e9);
            run.bytes_written = std::llround(row.written * 1e9);
            site.modes.push_back({run.id, "reads", row.mode, 1, run.bytes_read});
            site.modes.push_back({run.id, "writes", row.mode, 1, run.bytes_written});
        }
        read += row.read * static_cast<double>(row.jobs);
        written += row.written * static_cast<double>(row.jobs);
    }
    const Temporary folder;
    const Read study(*site.in(folder));
    for (const ModeOfFour& row : table_four) {
        CHECK(study.printed("Mean bytes a run", row.mode).starts_with(row.printed));
        const Json& shown = study.row("io_modes", row.mode);
        CHECK(shown["runs"] == row.jobs);
        CHECK(shown["read_gb"].get<double>() == Approx(row.read).epsilon(1e-9));
        const auto jobs = static_cast<double>(row.jobs);
        CHECK(shown["read_share"].get<double>() == Approx(row.read * jobs / read).epsilon(1e-9));
        CHECK(shown["written_share"].get<double>() == Approx(row.written * jobs / written).epsilon(1e-9));
    }
}

TEST_CASE("study: rates of a project have the quartiles that were worked out by hand")
{
    MadeSite site;
    for (const double rate : {4.0, 1.0, 3.0, 2.0}) add_rated_run(site, "four", 1024, rate);
    for (const double rate : {0.2, 0.8, 0.4, 0.1, 1.6}) add_rated_run(site, "five", 1024, rate);
    add_rated_run(site, "one", 1024, 7);
    const Temporary folder;
    const Read study(*site.in(folder));
    // R: quantile(1:4) gives 1, 1.75, 2.5, 3.25, 4.
    CHECK(study.printed("MiB/s/CN of large runs", "1 five") == "5 0.10 0.20 0.40 0.80 1.60 0.60");
    CHECK(study.printed("MiB/s/CN of large runs", "2 four") == "4 1.00 1.75 2.50 3.25 4.00 1.50");
    CHECK(study.printed("MiB/s/CN of large runs", "3 one") == "1 7.00 7.00 7.00 7.00 7.00 0.00");
}

TEST_CASE("study: access sizes without the projects that dominate them, by name")
{
    MadeSite site;
    const auto add = [&](const char* project, std::array<Number, 10> reads, std::array<Number, 10> writes) {
        Layer& layer = site.layers.emplace_back();
        layer.job = site.run(project).id;
        layer.layer = "posix";
        layer.read_size = reads;
        layer.write_size = writes;
    };
    add("small", {}, {900});
    add("middle", {10, 0, 0, 0, 30}, {0, 0, 0, 0, 50});
    add("other", {10, 0, 0, 0, 30}, {0, 0, 0, 0, 50});
    add("third", {0, 0, 0, 0, 20}, {});
    site.layers.push_back(site.layers.back());  // that of MPI-IO is not counted
    site.layers.back().layer = "mpiio";
    site.layers.back().read_size = {7777};
    const Temporary folder;
    const auto database = site.in(folder);
    const Read study(*database, {.without = {"small"}});
    CHECK(study.row("access_sizes", "up to 100 B")["writes"].get<double>() == Approx(.9));
    CHECK(study.row("access_sizes", "up to 100 B")["writes_without"].get<double>() == 0);
    CHECK(study.row("access_sizes", "100 KiB to 1 MiB")["writes_without"].get<double>() == 1);
    CHECK(study.row("access_sizes", "up to 100 B")["reads"].get<double>() == Approx(.2));
    CHECK(study.text.find("Without small, the most popular size is 100 KiB to 1 MiB of reads, 100 KiB to 1 "
                          "MiB of writes.") != std::string::npos);
    const Read by_itself(*database);
    CHECK(by_itself.text.find("small and middle dominate; without them,") != std::string::npos);
    CHECK(Read(*database, {.without = {"nobody"}}).text.find("--without nobody: no project of that name") !=
          std::string::npos);
}

TEST_CASE("study: nobody dominates a size that has less than a tenth of the accesses")
{
    MadeSite site;
    const auto add = [&](const char* project, std::array<Number, 10> reads) {
        Layer& layer = site.layers.emplace_back();
        layer.job = site.run(project).id;
        layer.layer = "posix";
        layer.read_size = reads;
    };
    add("few", {1});
    for (const char* const project : {"a", "b", "c"}) add(project, {0, 0, 0, 0, 6});
    const Temporary folder;
    const Read study(*site.in(folder));
    CHECK(study.text.find("few dominates") == std::string::npos);
    CHECK(study.row("access_sizes", "up to 100 B")["reads"].get<double>() == Approx(1. / 19));
}

TEST_CASE("study: access sizes of large runs are shares of the reads and of the writes of each project")
{
    MadeSite site;
    for (const Number reads : {1, 2}) {
        Layer& layer = site.layers.emplace_back();
        layer.job = add_rated_run(site, "p", 1024, 1).id;
        layer.layer = reads == 1 ? "posix" : "stdio";
        layer.read_size = {reads, 0, 0, 1, 0, 0, 0, 0, 0, 0};
        layer.write_size = {0, 0, 0, 0, 0, 0, 4, 0, 0, 0};
    }
    site.layers.push_back(site.layers.back());
    site.layers.back().job = add_rated_run(site, "p", 1, 1).id;  // a small one
    const Temporary folder;
    const Read study(*site.in(folder));
    CHECK(study.row("large_reads", "p")["accesses"] == 5);
    CHECK(study.row("large_reads", "p")["size_0_100"].get<double>() == .6);
    CHECK(study.row("large_reads", "p")["size_10K_100K"].get<double>() == .4);
    CHECK(study.row("large_writes", "p")["size_4M_10M"].get<double>() == 1);
    const Json& chart = study.table("large_reads_chart");
    CHECK(chart["series"][0]["values"] == Json({.6}));
    CHECK(chart["series"][1]["values"] == Json({.4}));
}

TEST_CASE("study: interfaces and access modes of jobs of a size add up to their files and bytes")
{
    MadeSite site;
    Job& mpi = site.run("p");
    mpi.processes = 2000;
    mpi.mpiio = mpi.posix = mpi.hdf5 = 1;
    mpi.files = 4;
    mpi.bytes_read = 1000;
    mpi.bytes_written = 100;
    const Number mpi_id = mpi.id;
    Job& plain = site.run("p");
    plain.processes = 4096;
    plain.posix = plain.stdio = 1;
    plain.files = 6;
    plain.bytes_read = 3000;
    const Number plain_id = plain.id;
    site.layers = {{.job = mpi_id, .layer = "mpiio", .files = 3, .bytes_read = 800, .bytes_written = 100},
                   {.job = mpi_id, .layer = "posix", .files = 4, .bytes_read = 1000, .bytes_written = 100},
                   {.job = plain_id, .layer = "stdio", .files = 2, .bytes_read = 200}};
    site.sharing = {{mpi_id, "shared", 1, 1000, 1, 100}, {plain_id, "unique", 6, 3000, 0, 0}};
    const Temporary folder;
    const Read study(*site.in(folder));
    const Json& rows = study.table("interfaces")["rows"];
    REQUIRE(rows.size() == 4);
    const auto row = [&](std::size_t at) {
        std::vector<double> shares;
        for (const char* const id : {"runs_share", "files_share", "read_share", "written_share"})
            shares.push_back(rows[at][id].get<double>());
        return shares;
    };
    CHECK(rows[0]["processes"] == "1,025 to 4,096");
    CHECK(row(0) == std::vector<double>{1, .5, .75, 0});   // POSIX
    CHECK(row(1) == std::vector<double>{.5, .2, .05, 0});  // stdio
    CHECK(row(2) == std::vector<double>{.5, .3, .2, 1});   // MPI-IO
    CHECK(row(3) == std::vector<double>{.5, .4, .25, 1});  // HDF5
    CHECK(study.printed("Runs, files and bytes by access mode", "1,025 to 4,096 2 unique") ==
          "50 % 75 % 75 % 0 %");
    CHECK(study.printed("Runs, files and bytes by access mode", "1,025 to 4,096 2 shared") ==
          "50 % 25 % 25 % 100 %");
}

TEST_CASE("study: hours lost to findings are their cost times the processes and the nodes")
{
    MadeSite site;
    const auto add = [&](const char* program, Number processes, Number nodes, Number cost) {
        Job& run = site.run("p");
        run.program = program;
        run.user = "anna";
        run.processes = processes;
        run.nodes = nodes;
        run.run = 10 * hour;
        run.finding = "small_requests";
        run.finding_cost = cost;
        site.findings.push_back({run.id, "small_requests", "high", "small", cost});
        site.findings.push_back({run.id, "stragglers", "low", "late", {}});
    };
    add("a.out", 100, 2, hour);
    add("b.out", 10, 1, 3 * hour);
    add("a.out", 40, 1, hour / 2);
    const Temporary folder;
    const auto database = site.in(folder);
    const Read study(*database, {.top = 2});
    CHECK(study.printed("Hours lost by finding", "small requests") == "3 150 10 % 5.50");
    CHECK(study.printed("Hours lost by finding", "stragglers") == "3 0 0 % 0");
    CHECK(study.text.find("3 findings are without a known cost") != std::string::npos);
    CHECK(study.printed("Programs whose repair", "a.out") == "2 120 small requests");
    const Json& runs = study.table("repair_runs")["rows"];
    REQUIRE(runs.size() == 2);
    CHECK(runs[0]["core_hours"] == 100.0);
    CHECK(runs[1]["core_hours"] == 30.0);
    CHECK(runs[1]["program"] == "b.out");
}

TEST_CASE("study: files made or emptied among those written, where both are known")
{
    MadeSite site;
    Job& one = site.run("p");
    one.files_written = 1000;
    one.files_created = 993;
    site.run("q").files_written = 5000;  // of a tool that does not tell
    const Temporary folder;
    const Read study(*site.in(folder));
    CHECK(study.text.find("Of 1,000 files written, 99.3 % were made or emptied") != std::string::npos);

    MadeSite darshan;
    darshan.run("p").files_written = 3;
    CHECK(Read(*darshan.in(folder, "darshan.db")).text.find("No log here says which of the files") !=
          std::string::npos);
}

TEST_CASE("study: an empty database, and jobs of which next to nothing is known, give sentences")
{
    const Temporary folder;
    const Read empty(*MadeSite().in(folder, "empty.db"));
    CHECK(empty.json["sections"].size() == 1);
    CHECK(empty.text.find("There is no run with a log in this database; `fathom jobs add` brings some.") !=
          std::string::npos);

    MadeSite site;
    site.run("");
    site.run("p").processes = 0;
    Job& odd = site.run("");
    odd.processes = 0;
    odd.files = odd.files_written = odd.files_created = 0;
    odd.finding_cost = 0;
    Job& large = add_rated_run(site, "", 1024, 0);
    large.rate_per_node = {};
    site.layers.push_back({.job = large.id, .layer = "posix"});
    site.sharing.push_back({.job = large.id, .sharing = "unique"});
    site.modes.push_back({large.id, "reads", "N-N", 0, 0});
    site.findings.push_back({large.id, "stragglers", "low", "", {}});
    const auto database = site.in(folder, "odd.db");
    for (const By by : {By::project, By::user, By::program})
        for (const bool anonymize : {false, true}) {
            const Read study(*database, {.by = by, .anonymize = anonymize});
            CHECK(study.json["sections"].size() == 16);
            for (const char* const wrong : {"nan", "NaN", "inf ", "-0.0"})
                CHECK(study.text.find(wrong) == std::string::npos);
        }
    const auto html = rendered(make_study(*database, {}, {}), "html");
    CHECK(html.find("(no project)") != std::string::npos);
    CHECK(Read(*database, {.since = day_one + hour}).text.find("There is no run with a log in this time.") !=
          std::string::npos);
}

TEST_CASE("study: the document is the same whatever order the jobs came in")
{
    std::mt19937_64 random(7);
    MadeSite site;
    for (int at = 0; at < 300; ++at) {
        Job& run = add_rated_run(site,
                                 at % 3 == 0   ? "Zürich"
                                 : at % 3 == 1 ? "alpha"
                                               : "Beta",
                                 1024 + at % 7 * 512, static_cast<double>(random() % 1000) / 997);
        run.program = at % 2 == 0 ? "b" : "A";
        run.user = at % 5 == 0 ? "" : "u" + std::to_string(at % 4);
        run.start = day_one + at / 10 * second;
        run.io_share = static_cast<double>(random() % 1000) / 1001;
        run.nodes = 1 << at % 5;
        run.files = at % 11;
        run.posix = 1;
        run.finding = "stragglers";
        run.finding_cost = at % 13 * hour;
        site.layers.push_back({.job = run.id, .layer = "posix", .files = at % 11, .read_size = {at, 2, 3}});
        site.sharing.push_back({run.id, "shared", 1, at, 2, 3});
        site.modes.push_back({run.id, "reads", "N-1", 1, at});
        site.findings.push_back({run.id, "stragglers", "high", "", at % 13 * hour});
    }
    const Temporary folder;
    const std::string before = rendered(make_study(*site.in(folder, "a.db"), {}, {}), "json");
    std::vector<Number> place(site.runs.size());
    for (std::size_t at = 0; at < place.size(); ++at) place[at] = static_cast<Number>(at + 1);
    std::shuffle(place.begin(), place.end(), random);
    const auto moved = [&](Number& id) { id = place[static_cast<std::size_t>(id - 1)]; };
    for (Job& run : site.runs) moved(run.id);
    for (auto& one : site.layers) moved(one.job);
    for (auto& one : site.sharing) moved(one.job);
    for (auto& one : site.modes) moved(one.job);
    for (auto& one : site.findings) moved(one.job);
    std::shuffle(site.runs.begin(), site.runs.end(), random);
    std::shuffle(site.layers.begin(), site.layers.end(), random);
    CHECK(rendered(make_study(*site.in(folder, "b.db"), {}, {}), "json") == before);
}

TEST_CASE("study: without names there are ranks of volume, and no paths, commands or ids of jobs")
{
    MadeSite site;
    const auto add = [&](const char* project, const char* user, const char* program, Number bytes) {
        Job& run = add_rated_run(site, project, 2048, 1);
        run.user = user;
        run.program = program;
        run.job = "secret-4711";
        run.nodes = 16;
        run.finding = "small_requests";
        run.finding_cost = hour;
        run.bytes_written = bytes;
        site.layers.push_back({.job = run.id, .layer = "posix", .read_size = {1}});
    };
    add("secret-a", "secret-u", "secret-x", 100);
    add("secret-b", "secret-v", "secret-y", 2000);
    Allocation& lease = site.allocations.emplace_back();
    lease.id = 1;
    lease.account = "secret-c";
    lease.start = day_one;
    lease.end = day_one + hour;
    const Temporary folder;
    const auto database = site.in(folder);
    for (const By by : {By::project, By::user, By::program}) {
        const report::Document document =
            make_study(*database, {.by = by, .without = {"secret-a", "secret-z"}, .anonymize = true}, {});
        const std::string json = rendered(document, "json");
        CHECK(json.find("secret") == std::string::npos);
        CHECK(json.find("4711") == std::string::npos);
    }
    const Read study(*database, {.anonymize = true});
    CHECK(study.row("volumes", "project1")["bytes_written"] == 2000);
    CHECK(study.row("volumes", "project2")["bytes_written"] == 100);
    CHECK(study.text.find("project3") != std::string::npos);  // that of the accounting alone
    CHECK(study.text.find("user1") != std::string::npos);
    CHECK(study.text.find("program1") != std::string::npos);
}
