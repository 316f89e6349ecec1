// Column charts: bars side by side or one upon the other.
#include "analyzer/report/chart.h"

#include <algorithm>
#include <cmath>

#include "analyzer/report/axes.h"
#include "analyzer/report/chart_numbers.h"
#include "analyzer/report/document_units.h"

namespace fathom::report {
namespace {

constexpr double heading_height = 14, value_steps = 4;
constexpr Font small = axis_font;
constexpr std::size_t most_labelled_bars = 12;

struct Plot : Frame {
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
double label_height(const Plot& plot)
{
    double highest = Words(plot.context, "0", small).height();
    if (plot.chart.categories.size() > most_labelled_bars) return highest;
    const double width = plot.right / static_cast<double>(plot.chart.categories.size() + 1) - 2;
    for (const std::string& name : plot.chart.categories)
        highest = std::max(highest, Words(plot.context, name, small, width).height());
    return highest;
}

void draw_grouped(const Plot& plot)
{
    const std::size_t series = plot.chart.series.size();
    const double bar = plot.slot() * 0.8 / static_cast<double>(std::max<std::size_t>(series, 1));
    for (std::size_t at = 0; at < plot.chart.categories.size(); ++at)
        for (std::size_t one = 0; one < series; ++one) {
            const double value = plot.chart.series[one].values[at];
            if (!(value > 0)) continue;
            const double x =
                plot.left + plot.slot() * (static_cast<double>(at) + 0.1) + bar * static_cast<double>(one);
            // What is there must be seen: at least a hairline.
            plot.box(x, 0, std::max(value, plot.axis_end * 0.006), bar - 1, plot.palette.series[one % 4]);
            if (plot.chart.categories.size() > most_labelled_bars) continue;
            const Words label(plot.context, format_tick(plot.chart.measure, value), {6.5});
            label.draw(x + bar / 2 - label.width() / 2, plot.y_of(value) - label.height() - 1,
                       plot.palette.ink);
        }
}

void draw_stacked(const Plot& plot)
{
    const double bar = std::min(plot.slot() * 0.8, 48.0);
    for (std::size_t at = 0; at < plot.chart.categories.size(); ++at) {
        const double x = plot.left + plot.slot() * (static_cast<double>(at) + 0.5) - bar / 2;
        double sum = 0;
        for (std::size_t one = 0; one < plot.chart.series.size(); ++one) {
            const double value = plot.chart.series[one].values[at];
            plot.box(x, sum, sum + value, bar, plot.palette.series[one % 4]);
            sum += value;
        }
    }
}

void draw_categories(const Plot& plot)
{
    double widest = 0;
    const bool wrapped = plot.chart.categories.size() <= most_labelled_bars;
    if (!wrapped)
        for (const std::string& name : plot.chart.categories)
            widest = std::max(widest, Words(plot.context, name, small).width());
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((widest + 4) / plot.slot())));
    for (std::size_t at = 0; at < plot.chart.categories.size(); at += wrapped ? 1 : every) {
        const double centre = plot.left + plot.slot() * (static_cast<double>(at) + 0.5);
        if (wrapped) {
            const double width = plot.slot() - 2;
            Words(plot.context, plot.chart.categories[at], small, width, Place::centre)
                .draw(centre - width / 2, plot.bottom + 3, plot.palette.muted);
        } else {
            const Words name(plot.context, plot.chart.categories[at], small);
            name.draw(centre - name.width() / 2, plot.bottom + 3, plot.palette.muted);
        }
    }
    const Words heading(plot.context, plot.chart.category_heading, small);
    heading.draw((plot.left + plot.right - heading.width()) / 2, chart_height - heading.height() - 1,
                 plot.palette.muted);
}

// A category as high as the plot: small bars are hard to point at.
Spots spots_of(const Plot& plot)
{
    Spots spots;
    for (std::size_t at = 0; at < plot.chart.categories.size(); ++at)
        spots.spots.push_back(
            {plot.left + plot.slot() * static_cast<double>(at), plot.top, plot.slot(), plot.bottom - plot.top,
             plot.chart.categories[at] + ": " + values_at(plot.chart.series, plot.chart.measure, at)});
    return spots;
}

}  // namespace

Spots draw_chart(cairo_t* context, const Chart& chart, double width, const Palette& palette)
{
    Plot plot{{context, palette, 0, legend_height, width - 1}, chart};
    plot.bottom = chart_height - heading_height - label_height(plot) - 4;
    plot.left = value_axis_width(context, chart.measure, top_of(chart), value_steps);
    draw_value_axis(plot, chart.measure, top_of(chart), value_steps);
    draw_legend(plot, chart.series);
    if (chart.shape == Shape::stacked)
        draw_stacked(plot);
    else
        draw_grouped(plot);
    draw_categories(plot);
    return spots_of(plot);
}

}  // namespace fathom::report
