// I/O over time: slices of different lengths on one grid, each byte once, and what the report says of them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analyzer/book/book.h"
#include "analyzer/document/renderers/json.h"
#include "analyzer/document/renderers/renderers.h"
#include "analyzer/job/slices.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

nlohmann::json report_of(const Log& log)
{
    return nlohmann::json::parse(report::render_json(make_report(Job(log), {})));
}

// Null where there is none of that id.
nlohmann::json block_of(const nlohmann::json& report, const std::string& id)
{
    for (const auto& section : report.at("sections"))
        for (const auto& block : section.at("blocks"))
            if (block.value("id", "") == id) return block;
    return nullptr;
}

void all_forms_survive(const Log& log)
{
    const report::Document document = make_report(Job(log), {});
    for (const report::Renderer& one : report::renderers()) CHECK_FALSE(one.render(document, {}).empty());
}

constexpr std::uint64_t short_slice = shortest_slice_ns;

}  // namespace

TEST_CASE("time bins of different lengths meet on the longest one's grid, and no byte is lost")
{
    Synthetic made;
    made.ranks(2);
    for (std::uint64_t at = 0; at < 16; ++at)
        made.slice(0, Layer::posix, at, short_slice, {.bytes_read = mib});
    made.slice(1, Layer::posix, 0, 8 * short_slice, {.bytes_written = 5 * mib});
    const Job job(made.log);
    const JobSlices slices = slices_of(job, 1000, 64);
    CHECK(slices.grid.length == 8 * short_slice);
    CHECK(slices.grid.slices == 200);
    CHECK(slices.lowest[0].bytes_read == 8 * mib);
    CHECK(slices.lowest[0].bytes_written == 5 * mib);
    CHECK(slices.lowest[1].bytes_read == 8 * mib);
    CHECK_FALSE(slices.busy[2]);
    CHECK(slices_of(job, 50, 64).grid.length == 32 * short_slice);
    CHECK(slices_of(job, 50, 64).lowest[0].bytes() == 21 * mib);
}

TEST_CASE("what lies beneath MPI-IO counts once, and MPI-IO itself where nothing was seen beneath it")
{
    Synthetic made;
    made.ranks(1);
    made.slice(0, Layer::mpiio, 0, short_slice, {.bytes_read = 3 * mib, .bytes_written = 10 * mib});
    made.slice(0, Layer::posix, 0, short_slice, {.bytes_written = 12 * mib});
    made.total(0, Layer::mpiio, Scope::direct, {.bytes_read = 3 * mib, .bytes_written = 10 * mib});
    made.total(0, Layer::posix, Scope::beneath_mpiio, {.bytes_written = 12 * mib});
    const JobSlices slices = slices_of(Job(made.log), 2000, 64);
    CHECK(slices.lowest[0].bytes_read == 3 * mib);
    CHECK(slices.lowest[0].bytes_written == 12 * mib);
    CHECK(slices.mpiio[0].bytes() == 13 * mib);
}

TEST_CASE("streams, helpers and layers that nobody knows are in no time bin")
{
    Synthetic made;
    made.ranks(1);
    const std::int64_t launcher = made.process(-1);
    made.slice(launcher, Layer::posix, 0, short_slice, {.bytes_read = mib});
    made.slice(0, Layer::posix, 0, short_slice, {.bytes_read = mib}).streams = 1;
    made.slice(0, static_cast<Layer>(7), 0, short_slice, {.bytes_read = mib});
    made.slice(77, Layer::posix, 0, short_slice, {.bytes_read = mib});
    CHECK_FALSE(has_slices(Job(made.log)));
    CHECK(block_of(report_of(made.log), "rate_over_time").is_null());
    CHECK_THAT(report_text(made.log), !Contains("I/O over time"));
}

TEST_CASE("the report says the highest rate, when it was, and how many time bins hold half of the bytes")
{
    Synthetic made;
    made.ranks(2);
    made.slice(0, Layer::posix, 10, second, {.bytes_read = 60 * mib});
    made.slice(1, Layer::stdio, 10, second, {.bytes_written = 40 * mib});
    for (std::uint64_t at = 20; at < 25; ++at)
        made.slice(1, Layer::posix, at, second, {.bytes_written = 50 * mib});
    const auto report = report_of(made.log);
    const auto& values = report.at("values");
    CHECK(values.at("timeline.peak_rate") == 100);
    CHECK(values.at("timeline.peak_at") == 10);
    CHECK(values.at("timeline.half_in") == 0.03);  // 100 + 2 * 50 of 350 MiB
    CHECK(values.at("timeline.idle") == 0.94);
    CHECK(values.at("timeline.time_bin") == 1);
    const auto chart = block_of(report, "rate_over_time");
    CHECK(chart.at("series").at(0).at("values").at(10) == 60);
    CHECK(chart.at("series").at(1).at("values").at(10) == 40);
    CHECK(chart.at("time").at("time_bins") == 100);
    all_forms_survive(made.log);
}

TEST_CASE("a heatmap has a row a rank, with sums above and beside it")
{
    Synthetic made;
    made.ranks(3);
    made.slice(0, Layer::posix, 1, second, {.bytes_read = mib});
    made.slice(2, Layer::posix, 1, second, {.bytes_read = 2 * mib});
    made.slice(2, Layer::posix, 7, second, {.bytes_written = 4 * mib});
    const auto map = block_of(report_of(made.log), "bytes_by_rank_and_time");
    REQUIRE(map.at("rows").size() == 3);
    CHECK(map.at("rows").at(2).at("values").at(7) == 4 * mib);
    CHECK(map.at("rows").at(1).at("values").at(1) == 0);
    CHECK(map.at("by_time_bin").at("values").at(1) == 3 * mib);
    CHECK(map.at("by_row").at("values").at(2) == 6 * mib);
}

TEST_CASE("of many ranks a heatmap shows the mean of neighbours")
{
    Synthetic made;
    made.ranks(3000);
    for (std::int64_t rank = 0; rank < 3000; ++rank)
        made.slice(rank, Layer::posix, 3, second, {.bytes_read = rank < 47 ? 4 * mib : mib});
    const auto map = block_of(report_of(made.log), "bytes_by_rank_and_time");
    REQUIRE(map.at("rows").size() == 64);
    CHECK(map.at("rows").at(0).at("last") == 46);
    CHECK(map.at("rows").at(0).at("values").at(3) == 4 * mib);
    CHECK(map.at("rows").at(63).at("first") == 2961);
    CHECK(map.at("rows").at(63).at("last") == 2999);
    CHECK(map.at("rows").at(63).at("values").at(3) == mib);
    CHECK(map.at("by_time_bin").at("values").at(3) == (3000.0 + 3 * 47) * mib);
    all_forms_survive(made.log);
}

TEST_CASE("one process has no heatmap, and a moment no chart")
{
    Synthetic made;
    made.process(-1);
    made.slice(0, Layer::posix, 0, second, {.bytes_read = mib});
    CHECK(block_of(report_of(made.log), "bytes_by_rank_and_time").is_null());
    CHECK_FALSE(block_of(report_of(made.log), "rate_over_time").is_null());
    for (Process& process : made.log.rows<Process>()) process.end = process.start + second / 100;
    CHECK(block_of(report_of(made.log), "rate_over_time").is_null());
    CHECK_THAT(report_text(made.log), Contains("too short"));
    // The rate of a job shorter than its slice divides by the job's time.
    CHECK(report_of(made.log).at("values").at("timeline.peak_rate") == 100);
}

TEST_CASE("metadata gets charts where it takes much of the time, also without any bytes")
{
    Synthetic made;
    made.ranks(2);
    for (std::uint64_t at = 0; at < 50; ++at)
        made.slice(1, Layer::posix, at, second, {.metadata_time = second / 2}).metadata = 40;
    const auto report = report_of(made.log);
    CHECK(block_of(report, "metadata_over_time").at("series").at(0).at("values").at(49) == 40);
    CHECK(block_of(report, "rate_over_time").is_null());
    CHECK(report.at("values").count("timeline.peak_rate") == 0);
    const auto map = block_of(report, "time_by_rank_and_time");
    CHECK(map.at("rows").at(1).at("values").at(0) == 0.5);
    CHECK(map.at("by_time_bin").at("values").at(0) == 0.25);
    CHECK(map.at("by_row").at("values").at(1) == 0.25);
    all_forms_survive(made.log);
}

TEST_CASE("MPI-IO has a chart of its own where what it was asked for differs from what was done beneath")
{
    Synthetic made;
    made.ranks(1);
    made.total(0, Layer::posix, Scope::beneath_mpiio, {.bytes_written = 10 * mib});
    made.slice(0, Layer::mpiio, 5, second, {.bytes_written = 10 * mib});
    made.slice(0, Layer::posix, 5, second, {.bytes_written = 10 * mib});
    CHECK(block_of(report_of(made.log), "mpiio_rate_over_time").is_null());
    made.log.rows<Slice>().back().start += second;
    CHECK_FALSE(block_of(report_of(made.log), "mpiio_rate_over_time").is_null());
}

TEST_CASE("time bins that make no sense do no harm")
{
    Synthetic made;
    made.ranks(2);
    made.slice(0, Layer::posix, 0, second, {.bytes_read = mib}).start = 0;
    all_forms_survive(made.log);
    made.slice(1, Layer::posix, 0, second, {.bytes_read = mib}).start = ~std::uint64_t{0};
    made.slice(1, Layer::posix, 0, second, {.bytes_read = ~std::uint64_t{0}}).length = ~std::uint64_t{0};
    made.slice(1, Layer::posix, 0, second, {}).length = 0;
    all_forms_survive(made.log);
    for (Process& process : made.log.rows<Process>()) process.start = process.end = 0;
    all_forms_survive(made.log);
    made.log.rows<Process>().clear();
    all_forms_survive(made.log);
}

TEST_CASE("operations that are in no time bin are reported")
{
    Synthetic made;
    made.ranks(2);
    made.slice(0, Layer::posix, 0, second, {.bytes_read = mib});
    CHECK_THAT(report_text(made.log), !Contains("For want of room"));
    made.log.rows<Process>()[1].untimed = 1234;
    CHECK_THAT(report_text(made.log), Contains("For want of room 1,234 operations"));
}
