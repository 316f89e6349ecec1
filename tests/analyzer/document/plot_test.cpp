// Scales and colours of plots.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <tuple>

#include "analyzer/document/drawing/plot_colours.h"
#include "analyzer/document/drawing/plot_scale.h"

namespace fathom::report {

TEST_CASE("an axis of nothing but 0 does not go below it")
{
    Plot plot{.x = {"start", Measure::seconds}, .y = {"duration", Measure::seconds}};
    plot.series.push_back({.name = "all", .x = {0, 0}, .y = {0, 0}});
    for (const PlotScale& scale : {PlotScale::along_x(plot), PlotScale::along_y(plot)})
        for (const PlotTick& tick : scale.ticks(5)) CHECK(tick.label.find('-') == std::string::npos);
}

TEST_CASE("an axis of shares that are all alike is that of a whole")
{
    for (const double share : {0.0, 0.4, 1.0}) {
        const Plot plot{.y = {"share", Measure::share}, .series = {{.x = {1, 2}, .y = {share, share}}}};
        const PlotScale scale = PlotScale::along_y(plot);
        CHECK(scale.place(1) < 1);
        CHECK(scale.place(1) > 0.9);
        CHECK(scale.place(0) > 0);
        CHECK(scale.place(0) < 0.1);
    }
}

TEST_CASE("two names of a plot never share a colour, and what belongs to a name has its colour")
{
    Plot plot;
    for (int cluster = 0; cluster < 8; ++cluster)
        plot.series.push_back(
            {.name = "cluster " + std::to_string(cluster), .colour = static_cast<std::size_t>(cluster % 5)});
    plot.series.push_back({.name = "outliers", .colour = 5});
    const auto colours = colours_of(plot);
    CHECK(std::set<std::size_t>(colours.begin(), colours.end()).size() == plot.series.size());
    CHECK(colours[4] == 4);
    CHECK(colours[8] == 5);

    Plot lines;
    for (const char* const name : {"a", "", "b", "", "a"})
        lines.series.push_back({.name = name, .colour = 2});
    CHECK(colours_of(lines) == std::vector<std::size_t>{2, 2, 0, 0, 2});
}

TEST_CASE("colours are as many as are asked for")
{
    for (const Palette& palette : {on_white, on_black}) {
        std::set<std::tuple<int, int, int>> seen;
        for (std::size_t number = 0; number < 40; ++number) {
            const Colour one = class_colour(palette, number);
            for (const double part : {one.red, one.green, one.blue}) CHECK((part >= 0 && part <= 1));
            seen.emplace(std::lround(one.red * 255), std::lround(one.green * 255),
                         std::lround(one.blue * 255));
        }
        CHECK(seen.size() == 40);
    }
}

}  // namespace fathom::report
