// The one model of a report that every renderer draws: sections of paragraphs, notes, entries, tables and
// charts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fathom::report {

// What a value measures; units.h says how each is printed.
enum class Measure : std::uint8_t { text, path, count, bytes, seconds, rate, share, instant };

// A value with its measure. Seconds and rates (MiB/s) are doubles, a share is 0 to 1, an instant nanoseconds
// of UNIX time. Nothing inside: not known, or not applicable.
struct Cell {
    Measure measure = Measure::text;
    std::variant<std::monostate, std::string, std::uint64_t, double> value;

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
inline Cell unknown(Measure measure = Measure::text)
{
    return {measure, {}};
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

using Block = std::variant<Paragraph, Note, Entries, DataTable, Chart>;

struct Section {
    std::string id;
    std::string title;
    std::vector<Block> blocks;
};

struct Document {
    std::string title;
    std::string subtitle;
    std::vector<Section> sections;
};

}  // namespace fathom::report
