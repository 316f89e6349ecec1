// Documents of databases that were made: table IV comes back, and what cannot be told is said.
#include "analyzer/history/report/report.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analyzer/history/read.h"
#include "analyzer/jobs/entry/bins.h"
#include "tests/analyzer/history/made_database.h"

using namespace fathom::history;
using namespace fathom::testing;
using Json = nlohmann::json;

namespace {

struct TableFour {
    const char* name;
    std::size_t samples;
    Number processes, files;
    double read, written, mean, least, most, deviation, cv;
    const char* printed;
};
constexpr TableFour table_four[] = {
    {"EarthScience_A", 571, 2048, 57349, 624.4, 2.8, 939.9, 185.9, 2034.5, 186.7, 0.199,
     "571 2,048 57,349 624.4 2.8 939.9 185.9 2034.5 186.7 19.9 %"},
    {"EarthScience_B", 171, 4096, 57349, 927.8, 2.8, 1157.4, 767.9, 1564.4, 111.0, 0.096,
     "171 4,096 57,349 927.8 2.8 1157.4 767.9 1564.4 111.0 9.6 %"},
    {"NuclearPhysics_A", 404, 2048, 4, 4.3, 0.0, 23.1, 19.1, 248.8, 21.28, 0.921,
     "404 2,048 4 4.3 0.0 23.1 19.1 248.8 21.3 92.1 %"},
    {"NuclearPhysics_B", 407, 4096, 4, 4.3, 0.0, 24.3, 19.1, 1291.7, 63.71, 2.622,
     "407 4,096 4 4.3 0.0 24.3 19.1 1291.7 63.7 262.2 %"},
    {"NuclearPhysics_C", 837, 4096, 10809, 791.1, 326.8, 450.4, 396.4, 3764.1, 134.3, 0.298,
     "837 4,096 10,809 791.1 326.8 450.4 396.4 3764.1 134.3 29.8 %"},
    {"NuclearPhysics_D", 809, 4096, 9815, 626.8, 122.5, 246.7, 225.4, 658.3, 29.5, 0.120,
     "809 4,096 9,815 626.8 122.5 246.7 225.4 658.3 29.5 12.0 %"},
    {"Climate_A", 8, 3888, 24455, 353.8, 100.5, 720.1, 662.1, 835.6, 56.9, 0.079,
     "8 3,888 24,455 353.8 100.5 720.1 662.1 835.6 56.9 7.9 %"},
};

// As many times as the row has, with its mean, smallest, largest and deviation: one of each end, and the rest
// of two values.
std::vector<double> times_of(const TableFour& row)
{
    const auto rest = static_cast<double>(row.samples - 2);
    const double middle = (row.mean * (rest + 2) - row.least - row.most) / rest;
    const auto square = [](double x) { return x * x; };
    const double left = square(row.deviation) * (rest + 1) - square(row.least - row.mean) -
                        square(row.most - row.mean) - rest * square(middle - row.mean);
    REQUIRE(left > 0);
    const double spread = std::sqrt(left / rest);
    for (std::size_t high = (row.samples - 2) / 2; high > 0; --high) {
        const auto k = static_cast<double>(high);
        const double low_value = middle - spread * std::sqrt(k / (rest - k)),
                     high_value = middle + spread * std::sqrt((rest - k) / k);
        if (low_value < row.least || high_value > row.most) continue;
        std::vector<double> times(row.samples - 2 - high, low_value);
        times.insert(times.end(), high, high_value);
        times.insert(times.end(), {row.least, row.most});
        std::mt19937_64 random(4);
        std::shuffle(times.begin(), times.end(), random);
        return times;
    }
    FAIL("no two values");
    return {};
}

// The printed words of each line that begins with this one.
std::string line_of(const std::string& text, const std::string& first)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word, all;
        while (words >> word) all += (all.empty() ? "" : " ") + word;
        if (all.starts_with(first + " ")) return all.substr(first.size() + 1);
    }
    return "no line of " + first;
}

std::string text_of(const fathom::history::HistoryReport& made)
{
    return rendered(made.document, "text");
}

bool contains(const std::string& text, const std::string& words)
{
    return text.find(words) != std::string::npos;
}

// 40 runs with a step after twenty of them, and another MPI library from then on.
MadeDatabase stepped()
{
    MadeDatabase made;
    std::mt19937_64 random(1);
    const std::vector<double> factors = noisy_factors(random, 40, {0.05, 0});
    for (std::size_t at = 0; at < 40; ++at) {
        const Number id = made.run("wrf.exe", factors[at] * (at < 20 ? 100 : 130)).id;
        made.environment(id).mpi = at < 20 ? "Open MPI 4.1.4" : "Open MPI 5.0.1";
        made.environments.back().node_names = at % 2 == 0 ? "n1, n2" : "n3, n4";
        made.environments.back().striping = at < 5 ? "1 server, 1 MiB each" : "4 servers, 1 MiB each";
    }
    return made;
}

}  // namespace

TEST_CASE("history: a database with the runs of Carns et al. prints table IV")
{
    MadeDatabase made;
    for (const TableFour& row : table_four) {
        const std::vector<double> times = times_of(row);
        for (std::size_t at = 0; at < times.size(); ++at) {
            fathom::jobs::Job& job = made.run(row.name, times[at]);
            job.processes = row.processes;
            job.files = row.files;
            // Not the same bytes, but within 1 %.
            const bool last = at + 1 == times.size();
            const double vary = last && at % 2 == 0 ? 1 : at % 2 == 0 ? 1.004 : 0.996;
            job.bytes_read = std::llround(row.read * 0x1p30 * vary);
            job.bytes_written = std::llround(row.written * 0x1p30 * vary);
        }
    }
    const Temporary folder;
    const auto database = made.in(folder);
    const HistoryReport report = report_on_all(*database, {}, {});
    const std::string text = text_of(report);
    for (const TableFour& row : table_four) {
        CAPTURE(row.name);
        const std::string line = line_of(text, std::string(row.name) + " anna");
        CHECK(line.starts_with(std::string(row.printed) + " "));
    }
    const Json json = Json::parse(rendered(report.document, "json"));
    CHECK(json["values"]["summary.kinds"] == 7);
}

TEST_CASE("history: times of milliseconds have digits of their own in table IV")
{
    MadeDatabase made;
    for (const double seconds : {0.0259, 0.0738, 0.041, 4.567}) made.run("quick", seconds);
    const Temporary folder;
    const auto database = made.in(folder);
    const std::string text = text_of(report_on_all(*database, {}, {}));
    CHECK(contains(text, " 1.18 "));   // mean
    CHECK(contains(text, " 0.026 "));  // min
    CHECK(contains(text, " 4.57 "));   // max
    CHECK(contains(text, " 2.26 "));   // stddev
}

TEST_CASE("history: a change is told with its date and what changed then")
{
    const Temporary folder;
    const auto database = stepped().in(folder);
    const auto today = run_in(*database, 40);
    REQUIRE(today);
    const HistoryReport report = report_on(*database, *today, {}, {});
    const std::string text = text_of(report);
    CHECK(contains(text, "Warning: Since 2026-10-12 runs of wrf.exe take"));
    CHECK(contains(text, "What changed 2026-10-12: MPI library: Open MPI 5.0.1, before Open MPI 4.1.4."));
    CHECK(contains(text, "files striped over  1 server, 1 MiB each"));
    CHECK_FALSE(contains(text, "n3, n4"));  // that changes all the time
    CHECK(contains(text, "Not known of any of these runs: path of the program"));
    CHECK(contains(text, "its log has no time bins"));
    CHECK(report.alarms.empty());

    HistoryChoice choice;
    choice.rule = SlowerRule{.share = 0.2};
    CHECK(report_on(*database, *today, {}, choice).alarms.size() == 1);
    HistoryReport all = report_on_all(*database, choice, {});
    REQUIRE(all.alarms.size() == 1);
    CHECK(contains(all.alarms[0], "Open MPI 5.0.1"));
    CHECK(contains(text_of(all), "false alarms"));
    choice.rule->share = 0.5;
    all = report_on_all(*database, choice, {});
    CHECK(all.alarms.empty());
    CHECK(contains(text_of(all), "Nothing became slower by 50 % or more."));
    choice.rule = SlowerRule{.share = 0.2, .since = first_day + 30 * day_ns};
    CHECK(report_on_all(*database, choice, {}).alarms.empty());
}

TEST_CASE("history: a run that is the first of another version is said to be")
{
    MadeDatabase made;
    for (int at = 0; at < 12; ++at)
        made.environment(made.run("wrf.exe", 10 + 0.1 * (at % 4)).id).kernel = at < 11 ? "6.1.0" : "6.12.0";
    const Temporary folder;
    const auto database = made.in(folder);
    const std::string text = text_of(report_on(*database, *run_in(*database, 12), {}, {}));
    CHECK(contains(
        text, "Job 12 is the first of this kind with kernel: 6.12.0, before 6.1.0. Whether it is slower"));
    CHECK_FALSE(
        contains(text_of(report_on(*database, *run_in(*database, 11), {}, {})), "is the first of this kind"));
}

TEST_CASE("history: one and two runs are no history, and seven tell no change")
{
    for (const std::size_t runs : {1, 2, 3, 7, 8}) {
        MadeDatabase made;
        for (std::size_t at = 0; at < runs; ++at) made.run("wrf.exe", 10 + 0.1 * static_cast<double>(at % 3));
        const Temporary folder;
        const auto database = made.in(folder);
        const std::string text = text_of(report_on(*database, *run_in(*database, 1), {}, {})),
                          all = text_of(report_on_all(*database, {}, {}));
        CAPTURE(runs, text, all);
        CHECK(contains(text, "1 run is no history") == (runs == 1));
        CHECK(contains(text, "2 runs are no history") == (runs == 2));
        CHECK(contains(all, "2 runs are no history") == (runs < 3));
        CHECK(contains(text, "Over time") == (runs >= 3));
        CHECK(contains(text, "that takes 8") == (runs >= 3 && runs < 8));
        CHECK(contains(text, "Nothing became slower") == (runs >= 8));
        CHECK(contains(text, "within what is usual") == false);
    }
}

TEST_CASE("history: runs whose time in I/O is not known are said to be")
{
    MadeDatabase made;
    for (int at = 0; at < 10; ++at) made.run("wrf.exe", 10).slowest_time = {};
    const Temporary folder;
    const auto database = made.in(folder);
    const std::string text = text_of(report_on(*database, *run_in(*database, 3), {}, {}));
    CHECK(contains(text, "The time in I/O of none of these runs is known"));
    CHECK(contains(text_of(report_on_all(*database, {}, {})), "wrf.exe"));
}

TEST_CASE("history: a phase that is like none before is an anomaly, with who ran beside it")
{
    MadeDatabase made;
    std::mt19937_64 random(8);
    for (int at = 0; at < 20; ++at) {
        const Number id = made.run("wrf.exe", 90).id;
        const auto phases = phases_with(random, 90, 0.01);
        for (const RunPhase& phase : phases) {
            const bool odd = id == 20 && phase.start == 1000 * second_ns;
            made.phases.push_back({id, phase.start, std::llround(phase.seconds * (odd ? 4e9 : 1e9)), 0,
                                   std::llround(phase.bytes)});
        }
    }
    fathom::jobs::Job& other = made.run("find", 1);
    other.user = "eve";
    other.start = made.runs[19].start + 900 * second_ns;
    other.run = 1000 * second_ns;
    other.end = other.start + *other.run;
    const Number other_id = other.id;
    made.environment(other_id).metadata_calls = 300'001;  // more than 300 a second
    fathom::jobs::Job& calm = made.run("idle", 1);
    calm.start = made.runs[19].start + 900 * second_ns;
    calm.run = 1000 * second_ns;
    calm.end = calm.start + *calm.run;
    made.environment(calm.id).metadata_calls = 300'000;
    fathom::jobs::Job& earlier = made.run("shared", 1);
    earlier.start = made.runs[19].start;
    earlier.run = 999 * second_ns;
    earlier.end = earlier.start + *earlier.run;
    earlier.writes_mode = "N-1";
    const Temporary folder;
    const auto database = made.in(folder);
    std::string text = text_of(report_on(*database, *run_in(*database, 20), {}, {}));
    CHECK(contains(
        text, "Warning: Job 20 has a phase, 16 min 40 s into the run, that is like none of 19 other runs"));
    CHECK(contains(text, "find"));
    CHECK_FALSE(contains(text, "idle"));
    CHECK_FALSE(contains(text, "shared"));
    text = text_of(report_on(*database, *run_in(*database, 19), {}, {}));
    CHECK_FALSE(contains(text, "Warning: Job 19"));
    CHECK(contains(text, "Every phase of this run is in one of them."));
}
