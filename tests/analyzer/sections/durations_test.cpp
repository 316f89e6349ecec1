// How long operations took: tables from histograms, and what a log that has none gets.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analyzer/book/book.h"
#include "analyzer/document/renderers/json.h"
#include "analyzer/document/renderers/renderers.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

nlohmann::json section_of(const Log& log)
{
    const auto report = nlohmann::json::parse(report::render_json(make_report(Job(log), {})));
    for (const auto& section : report.at("sections"))
        if (section.at("id") == "durations") return section.at("blocks");
    return nullptr;
}

}  // namespace

TEST_CASE("each class of operations has a row with its quantiles, most time first")
{
    Synthetic made;
    made.ranks(1);
    std::vector<std::uint64_t> quick(99, 1000);
    quick.push_back(5000);
    made.operations(Layer::posix, Kind::read, 3, quick);
    made.operations(Layer::posix, Kind::open, 0, {1'000'000});
    made.operations(Layer::stdio, Kind::write, 9, {20});
    const auto blocks = section_of(made.log);
    const auto& posix = blocks.at(0);
    CHECK(posix.at("id") == "durations_posix");
    REQUIRE(posix.at("rows").size() == 2);
    CHECK(posix.at("rows").at(0).at("operation") == "open");
    CHECK(posix.at("rows").at(0).at("p50") == 0.001);
    const auto& reads = posix.at("rows").at(1);
    CHECK(reads.at("operation") == "read ≤ 100 KiB");
    CHECK(reads.at("operations") == 100);
    CHECK(reads.at("time") == Approx(104e-6));
    CHECK(reads.at("share") == Approx(104.0 / 1104));
    CHECK(reads.at("p50").get<double>() == Approx(1e-6).epsilon(0.016));
    CHECK(reads.at("p99").get<double>() == Approx(1e-6).epsilon(0.016));
    CHECK(reads.at("p99_9") == 5e-6);
    CHECK(reads.at("longest") == 5e-6);
    CHECK(blocks.at(1).at("rows").at(0).at("operation") == "write > 1 GiB");
}

TEST_CASE("streams are left out, and the section says so")
{
    Synthetic made;
    made.ranks(1);
    made.operations(Layer::posix, Kind::read, 0, {1000});
    CHECK_THAT(report_text(made.log), !Contains("pipes are left out here"));
    made.operations(Layer::posix, Kind::write, 0, {1000, 2000}, true);
    CHECK_THAT(report_text(made.log), Contains("pipes are left out here"));
    CHECK(section_of(made.log).at(0).at("rows").size() == 1);
}

TEST_CASE("histograms are those of all processes, and the report says so where some are no ranks")
{
    Synthetic made;
    made.ranks(2);
    made.operations(Layer::posix, Kind::read, 0, {1000});
    CHECK_THAT(report_text(made.log), !Contains("no ranks"));
    made.process(-1);
    CHECK_THAT(report_text(made.log), Contains("By all processes, also those that are no ranks") &&
                                          Contains("numbers above but those on how long operations took"));
    made.log.rows<OperationTimes>().clear();
    CHECK_THAT(report_text(made.log), Contains("none of the numbers above."));
}

TEST_CASE("a log without histograms has no such section")
{
    Synthetic made;
    made.ranks(1);
    CHECK(section_of(made.log).is_null());
    made.operations(Layer::posix, Kind::write, 0, {1000}, true);
    CHECK(section_of(made.log).is_null());
}

TEST_CASE("a log of a version without timings says so, and counts them as no counters")
{
    Synthetic made;
    made.ranks(1);
    made.log.not_recorded = {"operations.time", "time_bins.start", "trace_times.code"};
    CHECK_THAT(report_text(made.log), Contains("those sections are missing") && !Contains("count as 0"));
    made.log.mark_lacking("posix.reads");
    CHECK_THAT(report_text(made.log), Contains("1 counter that"));
}

TEST_CASE("a class whose histogram is lost has no quantiles, rather than zeros")
{
    Synthetic made;
    made.ranks(1);
    made.operations(Layer::posix, Kind::close, 0, {1000});
    made.log.rows<DurationBin>().clear();
    const auto row = section_of(made.log).at(0).at("rows").at(0);
    CHECK(row.at("p50").is_null());
    CHECK(row.at("longest") == 1e-6);
}

TEST_CASE("of many classes those with most time are shown and the rest counted")
{
    Synthetic made;
    made.ranks(1);
    for (std::size_t size = 0; size < SizeHistogram::classes; ++size) {
        made.operations(Layer::mpiio, Kind::read, size, {1000 + size});
        made.operations(Layer::mpiio, Kind::write, size, {1'000'000 + size});
    }
    CHECK(section_of(made.log).at(0).at("rows").size() == 12);
    CHECK_THAT(report_text(made.log), Contains("Not shown: 8 more"));
}

TEST_CASE("classes that make no sense do no harm")
{
    Synthetic made;
    made.ranks(1);
    made.operations(Layer::posix, static_cast<Kind>(99), 0, {1000});
    made.operations(static_cast<Layer>(9), Kind::read, 0, {1000});
    made.operations(Layer::posix, Kind::read, 5000, {1000});
    CHECK(section_of(made.log).at(0).at("rows").size() == 1);
}

TEST_CASE("the job's facts have a trace, and of what did not fit into it")
{
    Synthetic made;
    made.ranks(2);
    CHECK_THAT(report_text(made.log), !Contains("trace"));
    made.log.rows<Process>()[0].traced = 1000;
    made.log.rows<Process>()[1].traced = 500;
    CHECK_THAT(report_text(made.log),
               Contains("operations in the trace") && Contains("1,500") && !Contains("--trace-memory"));
    made.log.rows<Process>()[1].untraced = 7;
    CHECK_THAT(report_text(made.log), Contains("7 operations did not fit") && Contains("--trace-memory"));
}
