// Which columns of a table a log lacks: marked by those who make logs, asked for by those who show them.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "logformat/blocks/columns.h"
#include "logformat/log/log.h"

namespace fathom {

// The names, "table.column", of the columns of Row's table for which has(column) does not hold: sorted.
template <class Row, class Has>
std::vector<std::string> columns_without(Has has)
{
    static const Columns columns = columns_of<Row>();
    std::vector<std::string> names;
    for (const Column& column : columns.all())
        if (!has(column)) names.push_back(std::string(table_name<Row>()) + "." + std::string(column.label()));
    std::sort(names.begin(), names.end());
    return names;
}

// Marks them as not recorded; sorted, since names of one table stand together.
inline void mark_lacking(Log& log, const std::vector<std::string>& sorted_names)
{
    if (sorted_names.empty()) return;
    auto place = log.not_recorded.lower_bound(sorted_names.front());
    for (const std::string& name : sorted_names)
        place = std::next(log.not_recorded.emplace_hint(place, name));
}

// Marks the columns of Row's table for which has(column) does not hold as not recorded.
template <class Row, class Has>
void mark_lacking(Log& log, Has has)
{
    mark_lacking(log, columns_without<Row>(has));
}

// All of them.
template <class Row>
void mark_lacking(Log& log)
{
    static const std::vector<std::string> names = columns_without<Row>([](const Column&) { return false; });
    mark_lacking(log, names);
}

// In the order of the columns.
template <class Row>
std::vector<bool> lacking_columns(const Log& log)
{
    static const Columns columns = columns_of<Row>();
    std::vector<bool> lacking;
    for (const Column& column : columns.all())
        lacking.push_back(!log.recorded(table_name<Row>(), column.label()));
    return lacking;
}

}  // namespace fathom
