// The dump as one JSON document, made row by row: a log of 100,000 files must not become a tree in memory.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/dump/dump.h"
#include "analyzer/dump/subject.h"
#include "logformat/log/lacking.h"

namespace fathom {
namespace {

using Json = nlohmann::ordered_json;

// Seconds as the nearest double to the exact decimal fraction.
double seconds_of(std::uint64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e9;
}

struct Context {
    const Log& log;
    Paths paths;
    std::uint64_t start;
};

Json value_of(const Context& context, const void* row, const Column& column)
{
    switch (column.type) {
        case ScalarType::text:
            return column.unit == Unit::code ? hexadecimal(load<std::string_view>(row, column))
                                             : report::valid_utf8(load<std::string_view>(row, column));
        case ScalarType::f64:
            return load<double>(row, column);
        case ScalarType::i64:
            return load<std::int64_t>(row, column);
        case ScalarType::u64:
            break;
    }
    const std::uint64_t number = load<std::uint64_t>(row, column);
    if (column.label() == "file" || column.label() == "container" || column.label() == "shape")
        return fmt::format("{:016x}", number);  // a double does not hold 64 bits
    if (column.unit == Unit::duration) return seconds_of(number);
    if (column.unit != Unit::instant) return number;
    if (number == 0) return nullptr;
    return number < context.start ? -seconds_of(context.start - number) : seconds_of(number - context.start);
}

// Adds the columns of a row but for those that are 0, where these are not wanted.
void add_values(Json& json, const Context& context, const Columns& columns, const std::vector<bool>& missing,
                const void* row, bool nonzero)
{
    for (std::size_t at = 0; at < columns.count; ++at) {
        const Column& column = columns.column[at];
        Json value = missing[at] ? Json() : value_of(context, row, column);
        const bool zero = value.is_null() || (value.is_number() && value.get<double>() == 0) ||
                          (value.is_string() && value.get_ref<const std::string&>().empty());
        if (!(nonzero && zero) || column.rule == Rule::key)
            json[std::string(column.label())] = std::move(value);
    }
}

template <class Row>
Json row_of(const Context& context, const Columns& columns, const std::vector<bool>& missing, const Row& row,
            bool nonzero)
{
    Json json;
    if constexpr (RecordRow<Row> || std::is_same_v<Row, TracePlace> || std::is_same_v<Row, Layout> ||
                  std::is_same_v<Row, Hints> || std::is_same_v<Row, LibraryCounter>)
        json["path"] = report::valid_utf8(subject_of(context.paths, row));
    if constexpr (std::is_same_v<Row, Totals> || std::is_base_of_v<OperationClass, Row>)
        json["subject"] = subject_of(context.paths, row);
    add_values(json, context, columns, missing, &row, nonzero);
    return json;
}

std::string line_of(const Json& json)
{
    return report::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void dump_json(const Log& log, const DumpChoice& choice, const Sink& sink)
{
    const Context context{log, Paths(log), start_of(log)};
    Json head;
    head["fathom_dump"] = 1;
    head["job_start_unix_seconds"] = context.start == 0 ? Json() : Json(seconds_of(context.start));
    head["job_start"] = context.start == 0 ? Json() : Json(report::format_instant(context.start));
    head["times"] = "seconds; instants since the job's start, null for never";
    head["problems"] = Json::array();
    for (const std::string& problem : log.problems) head["problems"].push_back(report::valid_utf8(problem));
    head["not_recorded"] = log.not_recorded.names();
    std::string out = line_of(head);
    out.back() = ',';  // the document goes on where the head would end
    out += "\n\"tables\":{";
    bool going = true;
    const char* between_tables = "\n";
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        if (!going || !choice.wants(table.name) || (!choice.file.empty() && !has_path<Row>)) return;
        const Columns columns = columns_of<Row>();
        const std::vector<bool> missing = lacking_columns<Row>(log);
        out += fmt::format("{}\"{}\":[", std::exchange(between_tables, ",\n"), table.name);
        const char* between_rows = "\n";
        for (const Row& row : log.rows<Row>()) {
            if (!choice.file.empty() && subject_of(context.paths, row).find(choice.file) == std::string::npos)
                continue;
            out += std::exchange(between_rows, ",\n");
            out += line_of(row_of(context, columns, missing, row, choice.nonzero));
            if (out.size() < (1u << 16)) continue;
            going = sink(out);
            out.clear();
            if (!going) return;
        }
        out += "]";
    });
    out += "\n}}\n";
    if (going) sink(out);
}

}  // namespace fathom
