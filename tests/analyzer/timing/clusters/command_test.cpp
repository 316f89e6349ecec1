// `fathom clusters` as users type it, its numbers beside those of R.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/analyzer/methods/reference.h"
#include "tests/analyzer/temporary.h"
#include "tests/run_fathom.h"

using namespace fathom::testing;
using Catch::Contains;

namespace {

Ran run_clusters(const std::string& arguments)
{
    return run_fathom("clusters " + arguments);
}

nlohmann::json block_of(const nlohmann::json& report, const std::string& id)
{
    for (const auto& section : report.at("sections"))
        for (const auto& block : section.at("blocks"))
            if (block.value("id", "") == id) return block;
    return {};
}

std::string rows_of(const std::string& header, std::size_t rows, const std::string& row)
{
    std::string text = header + "\n";
    for (std::size_t at = 0; at < rows; ++at) text += row + "\n";
    return text;
}

}  // namespace

TEST_CASE("the command finds the clusters that R finds")
{
    for (const std::string& name : SmallSets::densities()) {
        INFO(name);
        const auto expected = reference(name).expected;
        const Ran outcome = run_clusters(SmallSets::folder() + "/" + name + ".csv --format json");
        REQUIRE(outcome.status == 0);
        const auto report = nlohmann::json::parse(outcome.said);
        const auto rows = block_of(report, "clusters_1").at("rows");
        const auto maxima = expected.at("cluster_maxima"), splits = expected.at("split_points");
        const double step =
            expected.at("grid_x").at(1).get<double>() - expected.at("grid_x").at(0).get<double>();
        // One row a cluster, then outliers, without outliers, all.
        REQUIRE(rows.size() == maxima.size() + 3);
        const auto near = [&](const nlohmann::json& seconds, const nlohmann::json& log) {
            CHECK(std::fabs(std::log10(seconds.get<double>()) - log.get<double>()) < 1.01 * step);
        };
        for (std::size_t one = 0; one < maxima.size(); ++one) {
            near(rows[one].at("peak"), maxima[one]);
            if (one < splits.size()) near(rows[one].at("to"), splits[one]);
            CHECK(rows[one].at("operations") == expected.at("cluster_sizes").at(one));
        }
        near(rows[maxima.size()].at("above"), expected.at("cutoff"));
        CHECK(rows[maxima.size()].at("operations") == expected.at("n_outliers"));
        CHECK(rows[maxima.size() + 2].at("operations") == expected.at("n"));
        const auto plot = block_of(report, "density_1");
        CHECK(plot.at("marks").size() == splits.size() + 1);
    }
}

TEST_CASE("all forms are made, of as many classes as were asked for")
{
    const Temporary folder;
    std::ofstream csv(folder.path("a.csv"));
    csv << "operation,size,start_s,duration_s\n";
    for (std::size_t at = 0; at < 300; ++at)
        for (const std::size_t size : {1024, 4096, 65536})
            csv << "read," << size << "," << at << ","
                << (at % 3 == 0 ? 0.01 : 0.0001) * (1 + static_cast<double>(at % 10) / 20) << "\n";
    csv.close();
    const Ran outcome = run_clusters(folder.path("a.csv") + " --top 2 -o - -o " + folder.path("a.html") +
                                     " -o " + folder.path("a.pdf") + " -o " + folder.path("a.json"));
    REQUIRE(outcome.status == 0);
    CHECK_THAT(outcome.said, Contains("read of 4 KiB") && Contains("cutoff") && Contains("When they were") &&
                                 Contains("33.3 % of the reads of"));
    std::ifstream json(folder.path("a.json"));
    const auto report = nlohmann::json::parse(json);
    CHECK(report.at("sections").size() == 3);
    CHECK(block_of(report, "classes").at("rows").size() == 3);
    const auto timeline = block_of(report, "timeline_2");
    REQUIRE(timeline.at("series").size() == 2);
    CHECK(timeline.at("series")[0].at("colour") != timeline.at("series")[1].at("colour"));
    CHECK_THAT(run_clusters(folder.path("a.csv") + " --size 64K").said,
               Contains("read of 64 KiB") && !Contains("read of 4 KiB"));
    CHECK(std::ifstream(folder.path("a.pdf")).get() == '%');
    CHECK(std::ifstream(folder.path("a.html")).get() == '<');
}

TEST_CASE("durations that are all equal are said to be, and too few are no distribution")
{
    const Temporary folder;
    std::ofstream(folder.path("equal.csv")) << rows_of("duration_s", 60, "0.004");
    const Ran equal = run_clusters(folder.path("equal.csv"));
    CHECK(equal.status == 0);
    CHECK_THAT(equal.said, Contains("All took the same time"));
    std::ofstream(folder.path("one.csv")) << rows_of("duration_s", 1, "0.004");
    CHECK_THAT(run_clusters(folder.path("one.csv")).said, Contains("No class has 50 operations"));
    CHECK_THAT(run_clusters(folder.path("one.csv") + " --least 1").said, Contains("All took the same time"));
}

TEST_CASE("what cannot be done is reported in a line, with what to do")
{
    const Temporary folder;
    std::ofstream(folder.path("a.csv")) << rows_of("operation,duration_s", 5, "read,0.1");
    const auto fails = [&](const std::string& arguments, int status, const std::string& words) {
        const Ran outcome = run_clusters(arguments);
        INFO(arguments);
        CHECK(outcome.status == status);
        CHECK_THAT(outcome.said, Contains(words));
        CHECK(std::count(outcome.said.begin(), outcome.said.end(), '\n') == 1);
    };
    fails(folder.path("a.csv") + " --operation write", 1, "has no such operations; there are: read");
    fails(folder.path("a.csv") + " --duration took", 1, "there are: operation, duration_s");
    fails(folder.path("b.csv"), 1, "b.csv: No such file");
    fails(folder.path("a.csv") + " --format gif", 2, "no such form");
    fails("", 2, "clusters --help");
    std::ofstream(folder.path("names.csv")) << "duration_s\n";
    fails(folder.path("names.csv"), 1, "has no rows");
    std::ofstream(folder.path("words.csv")) << rows_of("duration_s", 1, "quick");
    fails(folder.path("words.csv"), 1, "line 2: duration_s is 'quick', which is no number");
}
