// Series in time bins: what is shared out, what is a gap, and sums that lack nobody.
#include "analyzer/series/bins.h"

#include <catch2/catch.hpp>

#include "analyzer/series/by_component.h"

using namespace fathom::series;

namespace {

constexpr Nanoseconds s = one_second;

Series amounts(std::vector<Sample> samples, std::uint32_t component = 0)
{
    return {component, Kind::amount, "bytes_read", std::move(samples), 10 * s};
}

}  // namespace

TEST_CASE("bins: a grid begins at a multiple of its length and covers the window")
{
    CHECK(grid_over({25 * s, 31 * s}, 10 * s).begin == 20 * s);
    CHECK(grid_over({25 * s, 31 * s}, 10 * s).count == 2);
    CHECK(grid_over({20 * s, 40 * s}, 10 * s).count == 2);
    CHECK(grid_over({-5 * s, 5 * s}, 10 * s).begin == -10 * s);
    CHECK(grid_over({-5 * s, 5 * s}, 10 * s).count == 2);
    CHECK(grid_over({5 * s, 5 * s}, 10 * s).count == 0);
}

TEST_CASE("bins: a sample in two bins is shared out by time, one outside of the grid is cut")
{
    const Grid grid{0, 10 * s, 3};
    std::vector<Bin> bins(3);
    add_to_bins(amounts({{-5 * s, 5 * s, 100}, {5 * s, 15 * s, 30}, {25 * s, 35 * s, 8}}), grid, bins);
    CHECK(bins[0].amount == Approx(50 + 15));
    CHECK(bins[0].covered == Approx(10));
    CHECK(bins[1].amount == Approx(15));
    CHECK(bins[1].covered == Approx(5));
    CHECK(bins[1].rate() == Approx(3));
    CHECK(bins[2].amount == Approx(4));
    CHECK(bins[2].covered == Approx(5));
}

TEST_CASE("bins: a sample of more than one and a half intervals is a gap")
{
    const Grid grid{0, 10 * s, 4};
    std::vector<Bin> bins(4);
    add_to_bins(amounts({{0, 15 * s, 15}, {15 * s, 31 * s, 1000}, {31 * s, 40 * s, 9}}), grid, bins);
    CHECK(bins[0].amount == Approx(10));
    CHECK(bins[1].covered == Approx(5));
    CHECK(bins[2].covered == 0);
    CHECK(bins[2].rate() == 0);
    CHECK(bins[3].amount == Approx(9));
}

TEST_CASE("bins: sums are of the time in which nobody is missing")
{
    const Grid grid{0, 10 * s, 4};
    Table table;
    table.components.resize(3);
    table.series = {amounts({{0, 10 * s, 100}, {10 * s, 20 * s, 100}, {20 * s, 30 * s, 100}}, 0),
                    amounts({{0, 10 * s, 10}, {20 * s, 25 * s, 5}}, 1), amounts({{0, 10 * s, 7}}, 2)};
    const std::vector<std::uint32_t> both = {0, 1}, none;
    const ByComponent series(table);
    const std::vector<Bin> sum = sum_in_bins(series.of(both, "bytes_read"), grid);
    CHECK(sum[0].amount == Approx(110));
    CHECK(sum[1].covered == 0);  // the second one was there before and after
    CHECK(sum[2].covered == Approx(5));
    CHECK(sum[2].rate() == Approx(11));
    CHECK(sum[3].covered == 0);
    CHECK(sum_in_bins(series.of(none, "bytes_read"), grid)[0].covered == 0);
    CHECK(sum_in_bins(series.of(both, "bytes_written"), grid)[0].covered == 0);
}

TEST_CASE("bins: an instant of a level stands for the time since the one before")
{
    const Grid grid{0, 10 * s, 2};
    std::vector<Bin> bins(2);
    const Series level{
        0, Kind::level, "memory_free", {{0, 0, 5}, {10 * s, 10 * s, 7}, {20 * s, 20 * s, 9}}, 10 * s};
    add_level_to_bins(level, grid, bins);
    CHECK(bins[0].rate() == Approx(7));
    CHECK(bins[1].rate() == Approx(9));
    CHECK(bins[1].covered == Approx(10));
}
