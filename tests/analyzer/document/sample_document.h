// Documents that have everything a report can have: every kind of block, every measure.
#pragma once

#include <cmath>
#include <limits>

#include "analyzer/book/book.h"
#include "analyzer/document/first_page.h"
#include "tests/analyzer/synthetic.h"

namespace fathom::testing {

inline std::vector<report::Cell> one_of_each_measure()
{
    using namespace report;
    return {text("words"),
            path("/a/file"),
            count(1'234'567),
            bytes(1536),
            seconds(0.001234),
            rate(123.456),
            share(0.12345),
            instant(1'800'000'000'123'456'789),
            unknown(Measure::bytes),
            count(18'000'000'000'000'000'001U),
            bytes(9'007'199'254'740'993),
            seconds(7261),
            share(0.00001),
            number(-16382.04),
            number(0.012345)};
}

// A hill with a foothill, a cutoff and points below them, over logarithmic seconds.
inline report::Plot densities_and_points()
{
    using namespace report;
    Plot plot{.id = "p",
              .title = "A plot",
              .x = {"duration", Measure::seconds, Scale::logarithmic},
              .y = {"density"},
              .series = {{"quick", Mark::area, {}, {}, 0},
                         {"slow", Mark::area, {}, {}, 1},
                         {"each", Mark::points, {}, {}, 2},
                         {"model", Mark::line, {1e-5, 1e-2}, {0.2, 1}, 3},
                         {"held", Mark::steps, {1e-5, 1e-3, 1e-2}, {0.1, 0.6, 0.3}, 4}},
              .marks = {{"split", 5e-4}, {"cutoff", 8e-3}},
              .remark = "How to read it."};
    for (int at = 0; at <= 100; ++at) {
        const double log = -5 + 0.03 * at;
        const double hill = std::exp(-(log + 4) * (log + 4) * 8),
                     foothill = 0.4 * std::exp(-(log + 2.5) * (log + 2.5) * 12);
        PlotSeries& side = plot.series[log < -3.3 ? 0 : 1];
        side.x.push_back(std::pow(10, log));
        side.y.push_back(hill + foothill);
        plot.series[2].x.push_back(std::pow(10, log));
        plot.series[2].y.push_back(0.5 + 0.4 * std::sin(at * at));
    }
    return plot;
}

// Every kind of block, most of them with a cell of every measure.
inline report::Document every_block()
{
    using namespace report;
    const std::vector<Cell> cells = one_of_each_measure();
    Entries entries;
    DataTable tables[2] = {{.id = "t", .title = "A table", .remark = "How to read it."}, {.id = "u"}};
    for (std::size_t at = 0; at < cells.size(); ++at) {
        entries.entries.push_back({"e" + std::to_string(at), "an entry", cells[at], "a remark"});
        DataTable& table = tables[at % 2];
        table.columns.push_back({"c" + std::to_string(at), "a column", cells[at].measure});
        Cell third = cells[at];
        if (auto* whole = std::get_if<std::uint64_t>(&third.value)) *whole /= 3;
        table.rows.resize(2);
        table.rows[0].push_back(cells[at]);
        table.rows[1].push_back(third);
    }

    Finding finding{.id = "small_requests",
                    .title = "Most writes are small",
                    .cost = seconds(12.345),
                    .share = share(0.321),
                    .cost_basis = "how it was estimated",
                    .confidence = Confidence::high,
                    .evidence = entries.entries,
                    .why = "why",
                    .doubt = "doubt",
                    .advice = {{"Do this.", {"lfs setstripe -c 8 /scratch/run"}}}};
    Finding cheaper = finding;
    cheaper.id = "stragglers";
    cheaper.cost = seconds(0.0456);
    cheaper.evidence.clear();

    const TimeAxis time{-0.5, 2, 3, 5};
    const std::vector<Series> series = {{"read", {1, 0, 3.5}}, {"written", {0, 12.5, 2}}};
    Chart chart{.id = "c",
                .title = "A chart",
                .category_heading = "size",
                .categories = {"a", "b", "d"},
                .series = series};
    TimeChart rates{.id = "r", .title = "Rates", .time = time, .series = series};
    Heatmap map{.id = "h",
                .title = "A heatmap",
                .time = time,
                .row_heading = "rank",
                .rows = {{0, 4, 5}, {5, 5, 1}},
                .values = {{1024, 0, 5}, {0, 0, 77}},
                .by_slice = {"all", Measure::bytes, {5120, 0, 102}},
                .by_row = {"one", Measure::bytes, {1029, 77}}};
    // By the clock, with what is not known.
    const double open = std::numeric_limits<double>::quiet_NaN();
    const TimeAxis days{0, 43200, 3, 129600, 1'774'915'200'000'000'000};  // 2026-03-31 00:00:00 UTC
    TimeChart with_gap{.id = "g",
                       .title = "With a gap",
                       .time = days,
                       .series = {{"read", {open, 1, 2}}, {"written", {3, open, open}}}};
    Heatmap classes{.id = "l",
                    .title = "Classes",
                    .time = days,
                    .row_heading = "OST",
                    .rows = {{0, 0, 1, "OST0000"}, {1, 2, 2, "OST0001 .. OST0002"}},
                    .measure = Measure::share,
                    .values = {{0, 0.49, 0.95}, {open, 0.5, 0.9}},
                    .by_slice = {"mean", Measure::share, {0, 0.5, 0.9}},
                    .by_row = {"bytes", Measure::bytes, {1029, 77}},
                    .levels = {{0, "idle"}, {0.1, "low"}, {0.5, "mid"}, {0.9, "high"}}};
    FirstPage first{.recorded = "all 2 ranks recorded",
                    .verdict = "I/O took 2.00 s of 5.00 s.",
                    .notes = {{Weight::warning, "Mind this."}},
                    .bars = {{"mean of 2 ranks", 0.5, 1, 0.5, 5}, {"rank 1", 0, 3, 0.25, 5}},
                    .numbers = {{"written", "written", bytes(1536), "1 file", "12.5 MiB/s"},
                                {"metadata", "metadata", seconds(0.75), "3 opens", ""}},
                    .findings = {{"Most writes are small", "about 12.3 s", 1, Confidence::high, "Do this."}},
                    .findings_in_all = 2,
                    .on_findings = "1 more below.",
                    .over_time = rates,
                    .by_rank = map,
                    .sizes = chart,
                    .layers = {{"POSIX", 0.75}, {"stdio", 0.25}}};
    return {"A report",
            "when and where",
            {{"findings", "Findings", {Paragraph{"Words."}, finding, cheaper}},
             {"facts", "Facts", {Note{Weight::warning, "Mind this."}, entries, tables[0], tables[1]}},
             {"charts", "Charts", {chart, rates, map, with_gap, classes, densities_and_points()}}},
            std::make_shared<FirstPage>(std::move(first))};
}

// A job of four ranks that does a bit of everything.
inline Log small_job()
{
    Synthetic made;
    made.ranks(4, 2);
    made.log.rows<Mount>() = {{"/", "ext4", "sda"}, {"/scratch", "lustre", "mds"}};
    const std::uint64_t shared = made.file("/scratch/shared.nc");
    made.reduced_io<MpiioRecord>(shared, 4, 0, 4, {.bytes_written = 333 * mib, .write_time = 7 * second});
    made.reduced_io<PosixRecord>(shared, 4, 0, 2, {.bytes_written = 333 * mib, .write_time = 6 * second});
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        const auto more = static_cast<std::uint64_t>(rank + 1);
        made.total(rank, Layer::mpiio, Scope::direct,
                   {.bytes_written = 83 * mib, .write_time = second * more});
        made.io<PosixRecord>(made.file("/scratch/own." + std::to_string(rank)), rank,
                             {.bytes_read = 12'345'678 * more,
                              .bytes_written = 7'777'777 * more,
                              .read_time = second / 7 * more,
                              .write_time = second / 3,
                              .metadata_time = second / 13});
        made.io<StdioRecord>(made.file("/log." + std::to_string(rank)), rank, {.bytes_written = 999 * more});
        made.burst(rank, 1, 2.5 + static_cast<double>(rank));
        for (std::uint64_t at = 0; at < 5; ++at)
            made.slice(rank, Layer::posix, at * more, second,
                       {.bytes_written = 1'234'567, .write_time = second / 9});
    }
    made.operations(Layer::posix, Kind::write, 4, {1000, 2000, 3456, 7'000'000});
    made.operations(Layer::posix, Kind::open, 0, {50'000, 61'000});
    return std::move(made.log);
}

}  // namespace fathom::testing
