// Numbers in the fewest digits that give the same number when read.
#include "analyzer/many/csv.h"

#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/csv_text.h"
#include "analyzer/document/printable.h"

namespace fathom {
namespace {

std::string number(const report::Cell& cell, std::uint64_t whole)
{
    if (cell.measure != report::Measure::instant) return fmt::format("{}", whole);
    return fmt::format("{}.{:09}", whole / 1'000'000'000, whole % 1'000'000'000);
}

}  // namespace

std::string csv_field(const report::Cell& cell)
{
    if (const auto* words = std::get_if<std::string>(&cell.value))
        return report::csv_text(report::escaped(*words));
    if (const auto* whole = std::get_if<std::uint64_t>(&cell.value)) return number(cell, *whole);
    const auto* value = std::get_if<double>(&cell.value);
    return value != nullptr && std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
}

void csv_of(std::span<const JobRow> rows, std::span<const JobColumn* const> columns,
            const std::function<void(std::string_view)>& sink)
{
    std::string line;
    for (const JobColumn* const column : columns) {
        line += line.empty() ? "" : ",";
        line += column->csv_name;
    }
    sink(line + '\n');
    for (const JobRow& row : rows) {
        line.clear();
        for (const JobColumn* const column : columns) line += csv_field(column->cell(row)) + ',';
        line.back() = '\n';
        sink(line);
    }
}

void csv_of(std::span<const JobRow> rows, const std::function<void(std::string_view)>& sink)
{
    std::vector<const JobColumn*> columns;
    for (const JobColumn& column : job_columns()) columns.push_back(&column);
    csv_of(rows, columns, sink);
}

std::string csv_of(const report::DataTable& table)
{
    std::string text;
    const auto add_line = [&](const auto& all, auto field) {
        for (const auto& one : all) text += field(one) + ',';
        if (!text.empty()) text.back() = '\n';
    };
    add_line(table.columns, [](const report::DataColumn& column) {
        return column.id + (column.measure == report::Measure::instant ? "_unix_seconds" : "");
    });
    for (const auto& row : table.rows) add_line(row, csv_field);
    return text;
}

}  // namespace fathom
