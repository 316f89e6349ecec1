// Points and lines in text: a field of characters, one sign for each colour.
#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/drawing/plot_colours.h"
#include "analyzer/document/drawing/plot_scale.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/text/text.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t rows = 14, label_width = 10, y_ticks = 4, room_for_tick = 12;
constexpr std::string_view signs = "*o+x#@%&=$~ABCDEFGHIJKLMNPQRSTUVWYZ";

// Of the series of a plot: a sign for each colour.
class Signs {
  public:
    explicit Signs(const Plot& plot) : plot_(plot), colours_(colours_of(plot)) {}
    std::string_view of(const PlotSeries& one) const
    {
        const auto at = static_cast<std::size_t>(&one - plot_.series.data());
        return signs.substr(colours_[at] % signs.size(), 1);
    }

  private:
    const Plot& plot_;
    std::vector<std::size_t> colours_;
};

class Field {
  public:
    Field(const Plot& plot, std::size_t columns)
        : across_(PlotScale::along_x(plot)),
          up_(PlotScale::along_y(plot)),
          signs_(plot),
          columns_(columns),
          cells_(rows * columns, " ")
    {
        for (const PlotMark& one : plot.marks)
            if (across_.has(one.x))
                for (std::size_t row = 0; row < rows; ++row) cells_[row * columns_ + column_of(one.x)] = "│";
        for (const PlotSeries& one : plot.series) draw(one);
    }

    std::string line(std::size_t row) const
    {
        std::string all;
        for (std::size_t at = 0; at < columns_; ++at) all += cells_[row * columns_ + at];
        all.erase(all.find_last_not_of(' ') + 1);
        return all;
    }
    std::string label(std::size_t row) const
    {
        for (const PlotTick& tick : up_.ticks(y_ticks))
            if (cell(tick.place, rows) == rows - 1 - row) return tick.label;
        return {};
    }
    std::string ticks() const
    {
        std::string line;
        for (const PlotTick& tick : across_.ticks(columns_ / room_for_tick)) {
            const std::size_t at = cell(tick.place, columns_);
            const std::size_t width = display_width(tick.label) + 1;
            if (at + width > columns_ || (!line.empty() && at < display_width(line) + 1)) continue;
            line = pad(line, at) + "|" + tick.label;
        }
        return line;
    }

  private:
    static std::size_t cell(double place, std::size_t cells)
    {
        const double at = std::clamp(place, 0.0, 1.0) * static_cast<double>(cells);
        return std::min(static_cast<std::size_t>(at), cells - 1);
    }
    std::size_t column_of(double x) const { return cell(across_.place(x), columns_); }
    std::size_t row_of(double y) const { return rows - 1 - cell(up_.place(y), rows); }

    void draw(const PlotSeries& one)
    {
        for (std::size_t at = 0; at < one.x.size(); ++at) {
            if (!across_.has(one.x[at]) || !up_.has(one.y[at])) continue;
            const std::size_t column = column_of(one.x[at]), row = row_of(one.y[at]);
            set(row, column, one);
            if (one.mark == Mark::area)
                for (std::size_t below = row + 1; below < rows; ++below) set(below, column, one);
            if (one.mark == Mark::points || at == 0) continue;
            if (across_.has(one.x[at - 1]) && up_.has(one.y[at - 1])) join(one, at);
        }
    }

    // The columns between a point and the one before it.
    void join(const PlotSeries& one, std::size_t at)
    {
        const double x0 = across_.place(one.x[at - 1]), x1 = across_.place(one.x[at]);
        const double y0 = up_.place(one.y[at - 1]), y1 = up_.place(one.y[at]);
        const std::size_t from = cell(x0, columns_), to = cell(x1, columns_);
        for (std::size_t column = std::min(from, to) + 1; column < std::max(from, to); ++column) {
            const double part =
                ((static_cast<double>(column) + 0.5) / static_cast<double>(columns_) - x0) / (x1 - x0);
            const double y = one.mark == Mark::steps ? y0 : y0 + std::clamp(part, 0.0, 1.0) * (y1 - y0);
            const std::size_t row = rows - 1 - cell(y, rows);
            set(row, column, one);
            if (one.mark == Mark::area)
                for (std::size_t below = row + 1; below < rows; ++below) set(below, column, one);
        }
    }

    void set(std::size_t row, std::size_t column, const PlotSeries& one)
    {
        cells_[row * columns_ + column] = signs_.of(one);
    }

    PlotScale across_, up_;
    Signs signs_;
    std::size_t columns_;
    std::vector<std::string_view> cells_;
};

std::string legend_of(const Plot& plot)
{
    std::string all;
    const Signs names(plot);
    const auto add = [&](const std::string& what) { all += (all.empty() ? "" : ";  ") + what; };
    for (const PlotSeries& one : plot.series)
        if (!one.name.empty()) add(std::string(names.of(one)) + " " + printable(one.name));
    for (const PlotMark& one : plot.marks)
        add("│ " + printable(one.name) + " " + format(cell_of(plot.x.measure, one.x)));
    return all;
}

}  // namespace

std::string text_of(const Plot& plot, const TextStyle& style)
{
    std::string out = wrapped(printable(plot.title), style.width, "  ", "  ");
    const std::size_t indent = 2 + label_width + 2;
    const Field field(plot, style.width - std::min(style.width - 10, indent));
    if (!plot.y.heading.empty()) out += "  " + printable(plot.y.heading) + "\n";
    for (std::size_t row = 0; row < rows; ++row)
        out += "  " + pad(field.label(row), label_width, Align::right) + " │" + field.line(row) + "\n";
    out += std::string(indent, ' ') + field.ticks() + "\n";
    if (!plot.x.heading.empty()) out += std::string(indent, ' ') + printable(plot.x.heading) + "\n";
    const std::string legend = legend_of(plot);
    if (!legend.empty()) out += wrapped(legend, style.width, "  ", "  ");
    if (!plot.remark.empty()) out += wrapped(printable(plot.remark), style.width, "  ", "  ");
    return out;
}

}  // namespace fathom::report
