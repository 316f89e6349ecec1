// Column charts: an axis with round steps, a legend, and bars side by side or one upon the other.
#include "analyzer/report/chart.h"

#include <algorithm>
#include <cmath>

#include "analyzer/report/document_units.h"

namespace fathom::report {
namespace {

constexpr double legend_height = 24, heading_height = 14, tick_gap = 5;
constexpr Font small{7.5};
constexpr std::size_t most_labelled_bars = 12;

// Round steps (1, 2 or 5 times a power of ten), about four of them.
double round_step(double largest)
{
    const double rough = largest / 4;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * 0.999) return factor * power;
    return 10 * power;
}

struct Plot {
    cairo_t* context;
    const Chart& chart;
    const Palette& palette;
    double left = 0, top = legend_height, right = 0, bottom = 0;
    double axis_end = 1;  // value at the top

    double y_of(double value) const { return bottom - value / axis_end * (bottom - top); }
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

void draw_legend(const Plot& plot)
{
    double x = plot.left;
    for (std::size_t at = 0; at < plot.chart.series.size(); ++at) {
        set_colour(plot.context, plot.palette.series[at % 4]);
        cairo_rectangle(plot.context, x, 2, 9, 9);
        cairo_fill(plot.context);
        const Words name(plot.context, plot.chart.series[at].name, small);
        name.draw(x + 13, 6.5 - name.height() / 2, plot.palette.ink);
        x += 13 + name.width() + 16;
    }
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

// Chooses the axis, leaves room for its labels, and draws both.
void draw_axis(Plot& plot, double largest)
{
    const double step = largest > 0 ? round_step(largest) : 1;
    const double steps = std::max(1.0, std::ceil(largest / step * 0.999));
    plot.axis_end = step * steps;
    plot.bottom = chart_height - heading_height - label_height(plot) - 4;
    double widest = 0;
    for (double at = 0; at <= steps; ++at)
        widest =
            std::max(widest, Words(plot.context, format_tick(plot.chart.measure, at * step), small).width());
    plot.left = widest + tick_gap;
    cairo_set_line_width(plot.context, 0.5);
    for (double at = 0; at <= steps; ++at) {
        const double y = plot.y_of(at * step);
        const Words label(plot.context, format_tick(plot.chart.measure, at * step), small);
        label.draw(plot.left - tick_gap - label.width(), y - label.height() / 2, plot.palette.muted);
        set_colour(plot.context, at == 0 ? plot.palette.muted : plot.palette.grid);
        cairo_move_to(plot.context, plot.left, y);
        cairo_line_to(plot.context, plot.right, y);
        cairo_stroke(plot.context);
    }
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

void replace_all(std::string& text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

void draw_chart(cairo_t* context, const Chart& chart, double width, const Palette& palette)
{
    Plot plot{context, chart, palette};
    plot.right = width - 1;
    draw_axis(plot, top_of(chart));
    draw_legend(plot);
    if (chart.shape == Shape::stacked)
        draw_stacked(plot);
    else
        draw_grouped(plot);
    draw_categories(plot);
}

std::string chart_svg(const Chart& chart, double width, const Palette& palette, const std::string& prefix)
{
    std::string svg;
    {
        const Surface surface = svg_surface(svg, width, chart_height);
        const Context context(cairo_create(surface.get()));
        draw_chart(context.get(), chart, width, palette);
        finish(context.get(), surface.get());
    }
    // Without the XML declaration; ids that are this chart's own; the page sets the size.
    svg.erase(0, svg.find("<svg"));
    replace_all(svg, " id=\"", " id=\"" + prefix);
    replace_all(svg, "href=\"#", "href=\"#" + prefix);
    replace_all(svg, "url(#", "url(#" + prefix);
    const std::size_t end = svg.find('>');
    for (const char* attribute : {" width=\"", " height=\""}) {
        const std::size_t at = svg.find(attribute);
        if (at < end) svg.erase(at, svg.find('"', at + std::string_view(attribute).size()) + 1 - at);
    }
    return svg.substr(0, svg.find_last_of('>') + 1);
}

}  // namespace fathom::report
