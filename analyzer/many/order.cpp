// Rows by the values of one column.
#include "analyzer/many/order.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>

#include "analyzer/document/units.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

constexpr std::string_view usual = "cost";

std::string names()
{
    std::string all;
    for (const JobColumn& column : job_columns()) add_to_list(all, column.name);
    return all;
}

}  // namespace

RowOrder parse_order(std::string_view text)
{
    const std::size_t colon = text.find(':');
    const std::string_view name = text.empty() ? usual : text.substr(0, colon);
    const std::string_view way = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    const auto all = job_columns();
    const auto column = std::find_if(all.begin(), all.end(), [&](const JobColumn& one) {
        return one.name == name || one.csv_name == name;
    });
    if (column == all.end())
        throw std::invalid_argument(fmt::format("--sort {}: no such column; there are: {}", text, names()));
    if (colon != std::string_view::npos && way != "asc" && way != "desc")
        throw std::invalid_argument(
            fmt::format("--sort {}: say {}:asc or {}:desc", text, column->name, column->name));
    return {&*column, way.empty() ? report::is_number(column->measure) : way == "desc"};
}

void sort_rows(std::vector<JobRow>& rows, const RowOrder& order)
{
    std::vector<report::Cell> keys;
    keys.reserve(rows.size());
    for (const JobRow& row : rows) keys.push_back(order.column->cell(row));
    std::vector<std::size_t> places(rows.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        if (!keys[a].known() || !keys[b].known()) return keys[a].known() && !keys[b].known();
        return order.descending ? keys[b].value < keys[a].value : keys[a].value < keys[b].value;
    });
    std::vector<JobRow> sorted;
    sorted.reserve(rows.size());
    for (const std::size_t place : places) sorted.push_back(std::move(rows[place]));
    rows = std::move(sorted);
}

}  // namespace fathom
