// Column charts: bars side by side or one upon the other.
#include "analyzer/document/drawing/chart.h"

#include <algorithm>
#include <cmath>

#include "analyzer/document/chart_ends.h"
#include "analyzer/document/drawing/axes.h"
#include "analyzer/document/drawing/chart_numbers.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr double heading_height = 14, value_steps = 4, widest_bar = 48;
constexpr Font small = axis_font;
constexpr std::size_t most_labelled_bars = 12;

struct Bars : Frame {
    const Chart& chart;

    double slot() const
    {
        return (right - left) / static_cast<double>(std::max<std::size_t>(chart.categories.size(), 1));
    }

    void box(double x, double from, double to, double width, const Colour& colour) const
    {
        cairo_rectangle(context, x, y_of(to), width, y_of(from) - y_of(to));
        set_colour(context, colour);
        cairo_fill(context);
    }
};

double top_of(const Chart& chart)
{
    double largest = 0;
    for (std::size_t at = 0; at < chart.categories.size(); ++at) {
        double sum = 0;
        for (const Series& series : chart.series) {
            sum += series.values[at];
            largest = std::max(largest, series.values[at]);
        }
        if (chart.shape == Shape::stacked) largest = std::max(largest, sum);
    }
    return largest;
}

// A few categories may have names of two lines.
double label_height(const Bars& bars)
{
    double highest = Words(bars.context, "0", small).height();
    if (bars.chart.categories.size() > most_labelled_bars) return highest;
    const double width = bars.right / static_cast<double>(bars.chart.categories.size() + 1) - 2;
    for (const std::string& name : bars.chart.categories)
        highest = std::max(highest, Words(bars.context, name, small, width).height());
    return highest;
}

void draw_grouped(const Bars& bars)
{
    const std::size_t series = bars.chart.series.size();
    const double bar =
        std::min(widest_bar, bars.slot() * 0.8 / static_cast<double>(std::max<std::size_t>(series, 1)));
    for (std::size_t at = 0; at < bars.chart.categories.size(); ++at)
        for (std::size_t one = 0; one < series; ++one) {
            const double value = bars.chart.series[one].values[at];
            if (!(value > 0)) continue;
            const double x = bars.left + bars.slot() * (static_cast<double>(at) + 0.5) +
                             bar * (static_cast<double>(one) - static_cast<double>(series) / 2);
            // What is there must be seen: at least a hairline.
            bars.box(x, 0, std::max(value, bars.axis_end * 0.006), bar - 1, bars.palette.series[one % 4]);
            if (bars.chart.categories.size() > most_labelled_bars) continue;
            const Words label(bars.context, format_tick(bars.chart.measure, value), {6.5});
            label.draw(
                std::clamp(x + bar / 2 - label.width() / 2, 0.0, std::max(bars.right - label.width(), 0.0)),
                bars.y_of(value) - label.height() - 1, bars.palette.ink);
        }
}

void draw_stacked(const Bars& bars)
{
    const double bar = std::min(bars.slot() * 0.8, widest_bar);
    for (std::size_t at = 0; at < bars.chart.categories.size(); ++at) {
        const double x = bars.left + bars.slot() * (static_cast<double>(at) + 0.5) - bar / 2;
        double sum = 0;
        for (std::size_t one = 0; one < bars.chart.series.size(); ++one) {
            const double value = bars.chart.series[one].values[at];
            bars.box(x, sum, sum + value, bar, bars.palette.series[one % 4]);
            sum += value;
        }
    }
}

void draw_categories(const Bars& bars)
{
    double widest = 0;
    const bool wrapped = bars.chart.categories.size() <= most_labelled_bars;
    if (!wrapped)
        for (const std::string& name : bars.chart.categories)
            widest = std::max(widest, Words(bars.context, name, small).width());
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((widest + 4) / bars.slot())));
    for (std::size_t at = 0; at < bars.chart.categories.size(); at += wrapped ? 1 : every) {
        const double centre = bars.left + bars.slot() * (static_cast<double>(at) + 0.5);
        if (wrapped) {
            const double width = bars.slot() - 2;
            Words(bars.context, bars.chart.categories[at], small, width, Place::centre)
                .draw(centre - width / 2, bars.bottom + 3, bars.palette.muted);
        } else {
            const Words name(bars.context, bars.chart.categories[at], small);
            name.draw(centre - name.width() / 2, bars.bottom + 3, bars.palette.muted);
        }
    }
    const Words heading(bars.context, bars.chart.category_heading, small);
    heading.draw((bars.left + bars.right - heading.width()) / 2, chart_height - heading.height() - 1,
                 bars.palette.muted);
}

// A category as high as the bars: small bars are hard to point at.
Spots spots_of(const Bars& bars)
{
    Spots spots;
    for (std::size_t at = 0; at < bars.chart.categories.size(); ++at)
        spots.spots.push_back(
            {bars.left + bars.slot() * static_cast<double>(at), bars.top, bars.slot(), bars.bottom - bars.top,
             bars.chart.categories[at] + ": " + values_at(bars.chart.series, bars.chart.measure, at)});
    return spots;
}

}  // namespace

Spots draw_chart(cairo_t* context, const Chart& whole, double width, const Palette& palette)
{
    const Chart chart = without_empty_ends(whole);
    Bars bars{{context, palette, 0, legend_height, width - 1}, chart};
    bars.bottom = chart_height - heading_height - label_height(bars) - 4;
    bars.left = value_axis_width(context, chart.measure, top_of(chart), value_steps);
    draw_value_axis(bars, chart.measure, top_of(chart), value_steps);
    draw_legend(bars, chart.series);
    if (chart.shape == Shape::stacked)
        draw_stacked(bars);
    else
        draw_grouped(bars);
    draw_categories(bars);
    return spots_of(bars);
}

}  // namespace fathom::report
