// The one model of a report that every renderer draws: sections of paragraphs, notes, entries, findings,
// tables, charts, heatmaps and plots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fathom::report {

// What a value measures; units.h says how each is printed.
enum class Measure : std::uint8_t { text, path, count, bytes, seconds, rate, share, instant, number };

// A value with its measure. Seconds, rates (MiB/s) and numbers without a unit are doubles, a share is 0 to 1,
// an instant nanoseconds of UNIX time. Nothing inside: not known, or not applicable.
struct Cell {
    Measure measure = Measure::text;
    std::variant<std::monostate, std::string, std::uint64_t, double> value;
    int decimals = -1;  // of a share or a number as it is printed; below 0: as its measure has it

    bool known() const { return value.index() != 0; }
};

inline Cell text(std::string_view words)
{
    return {Measure::text, std::string(words)};
}
inline Cell path(std::string_view name)
{
    return {Measure::path, std::string(name)};
}
inline Cell count(std::uint64_t n)
{
    return {Measure::count, n};
}
inline Cell bytes(std::uint64_t n)
{
    return {Measure::bytes, n};
}
inline Cell seconds(double time)
{
    return {Measure::seconds, time};
}
inline Cell nanoseconds(std::uint64_t time)
{
    return seconds(static_cast<double>(time) / 1e9);
}
inline Cell rate(double mib_per_second)
{
    return {Measure::rate, mib_per_second};
}
inline Cell share(double part)
{
    return {Measure::share, part};
}
inline Cell instant(std::uint64_t unix_nanoseconds)
{
    return {Measure::instant, unix_nanoseconds};
}
inline Cell number(double value)
{
    return {Measure::number, value};
}
inline Cell unknown(Measure measure = Measure::text)
{
    return {measure, {}};
}
// The same value, printed with so many digits after the point; two significant ones where it would be 0.
inline Cell with_decimals(Cell cell, int decimals)
{
    cell.decimals = decimals;
    return cell;
}
// part / whole, unknown where the whole is 0.
inline Cell share_of(double part, double whole)
{
    return whole > 0 ? share(part / whole) : unknown(Measure::share);
}

struct Paragraph {
    std::string text;
};

// Something the reader must not overlook when using the numbers.
enum class Weight : std::uint8_t { information, warning };
struct Note {
    Weight weight = Weight::information;
    std::string text;
};

// Label and value, with a remark: the formula, the layer, what is meant. `id` names it in JSON.
struct Entry {
    std::string id;
    std::string label;
    Cell value;
    std::string remark;
};
struct Entries {
    std::vector<Entry> entries;
    bool for_programs = false;  // in JSON alone: other entries say the same to people in their words
};

// How sure a finding is of its cause and its cost.
enum class Confidence : std::uint8_t { low, medium, high };
inline constexpr std::string_view confidence_names[] = {"low", "medium", "high"};

// What one can do about a finding: a sentence, and lines to copy where there are any.
struct Advice {
    std::string text;
    std::vector<std::string> lines = {};
};

// Something that made the job slower than it had to be.
struct Finding {
    std::string id;                         // of the rule that found it: "small_requests"
    std::string title;                      // what it is, in a sentence
    Cell cost;                              // seconds of the run that it took; unknown where there is none
    std::optional<double> cost_least = {};  // s, where it may be anything between that and `cost`
    Cell share = {Measure::share, {}};      // of the run; unknown where it had no length
    std::string cost_basis;                 // how that was estimated
    Confidence confidence = Confidence::medium;
    std::vector<Entry> evidence;  // numbers from this log
    std::string why;              // why that is slow
    std::string doubt;            // what would make the finding wrong
    std::vector<Advice> advice;
};

struct DataColumn {
    std::string id;
    std::string heading;
    Measure measure = Measure::text;
};
struct DataTable {
    std::string id = {};
    std::string title = {};
    std::vector<DataColumn> columns = {};
    std::vector<std::vector<Cell>> rows = {};  // each as long as columns
    std::string remark = {};                   // what the table leaves out, how to read it
    std::vector<std::string> links = {};       // HTML: where the path of each row leads; none: nowhere
    bool for_programs = false;                 // in JSON alone: another table tells people the same
};

// Bars for every category, a value per series: side by side, or one upon the other.
enum class Shape : std::uint8_t { grouped, stacked };
struct Series {
    std::string name = {};
    std::vector<double> values = {};  // as many as categories
};
struct Chart {
    std::string id = {};
    std::string title = {};
    Shape shape = Shape::grouped;
    std::string category_heading = {};
    std::vector<std::string> categories = {};
    Measure measure = Measure::count;
    std::vector<Series> series = {};
    std::string remark = {};
};

// Slices of time, in seconds since the job's start. Their boundaries are the wall clock's, so that the first
// may begin before that; what lies outside of [0, end] is not drawn.
struct TimeAxis {
    double first = 0;   // where the first slice begins: 0 or before
    double length = 1;  // of a slice
    std::size_t slices = 0;
    double end = 0;           // of the job
    std::uint64_t began = 0;  // nanoseconds of UNIX time of second 0, for labels by UTC; 0: there is none
};

// Values over time, an area a series, one below the other. What is not finite is not known, and left open.
struct TimeChart {
    std::string id = {};
    std::string title = {};
    TimeAxis time = {};
    Measure measure = Measure::rate;
    std::vector<Series> series = {};  // as many values as slices
    std::string remark = {};
};

// Neighbours that share a row of a heatmap, by number, and how many there are.
struct Band {
    std::uint64_t first = 0, last = 0, members = 1;
    std::string name = {};  // in place of the numbers
};

// A class of values, up to the next one.
struct ValueClass {
    double from = 0;
    std::string name = {};
};

// Sums of a heatmap's rows or columns, drawn as bars along its side.
struct Margin {
    std::string name = {};
    Measure measure = Measure::bytes;
    std::vector<double> values = {};
};

// Who did how much in each slice of time: what stands out is more, 0 is left blank. With levels, what is not
// finite is left blank instead, and rows or slices that a form puts together show their largest value.
struct Heatmap {
    std::string id = {};
    std::string title = {};
    TimeAxis time = {};
    std::string row_heading = {};  // what the bands are of: "rank"
    std::vector<Band> rows = {};
    Measure measure = Measure::bytes;
    std::vector<std::vector<double>> values = {};  // a vector a row, as long as slices: mean of its members
    Margin by_slice = {};                          // above: over all rows
    Margin by_row = {};                            // at the right: over time
    std::vector<ValueClass> levels = {};           // four, ascending, the first from 0; none: a scale
    std::string remark = {};
};

enum class Scale : std::uint8_t { linear, logarithmic };
struct PlotAxis {
    std::string heading = {};
    Measure measure = Measure::number;
    Scale scale = Scale::linear;  // logarithmic: what is not above 0 is not drawn
    // Of a time: nanoseconds of UNIX time of its 0, and how many s one of its units is; 0: it is none.
    std::uint64_t began = 0;
    double unit = 0;
};

// Steps keep a value until the next point; an area is filled down to the foot of the plot.
enum class Mark : std::uint8_t { points, line, area, steps };
struct PlotSeries {
    std::string name = {};  // empty: not in the legend
    Mark mark = Mark::points;
    std::vector<double> x = {}, y = {};  // as long as each other; what is not finite is not drawn
    std::size_t colour = 0;              // the same for what belongs together
};

// A line across the plot, from its foot to its top.
struct PlotMark {
    std::string name = {};
    double x = 0;
};

// Points and lines over two axes of numbers. Later series are drawn upon earlier ones.
struct Plot {
    std::string id = {};
    std::string title = {};
    PlotAxis x = {}, y = {};
    std::vector<PlotSeries> series = {};
    std::vector<PlotMark> marks = {};
    std::string remark = {};
};

using Block = std::variant<Paragraph, Note, Entries, Finding, DataTable, Chart, TimeChart, Heatmap, Plot>;
using Blocks = std::vector<Block>;

// Whether text, HTML and PDF show it.
inline bool is_shown(const Block& block)
{
    if (const auto* const entries = std::get_if<Entries>(&block)) return !entries->for_programs;
    const auto* const table = std::get_if<DataTable>(&block);
    return table == nullptr || !table->for_programs;
}

struct Section {
    std::string id;
    std::string title;
    Blocks blocks;
};

// Whether text, HTML and PDF show any of it.
inline bool is_shown(const Section& section)
{
    for (const Block& block : section.blocks)
        if (is_shown(block)) return true;
    return false;
}

struct FirstPage;  // first_page.h

struct Document {
    std::string title;
    std::string subtitle;
    std::vector<Section> sections;
    std::shared_ptr<const FirstPage> first = {};  // before the sections; none: there is none
};

}  // namespace fathom::report
