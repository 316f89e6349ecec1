// Which columns of a table a log lacks: marked by those who make logs, asked for by those who show them.
#pragma once

#include <string>
#include <vector>

#include "logformat/blocks/columns.h"
#include "logformat/log/log.h"

namespace fathom {

// The columns of Row's table for which has(column) does not hold.
template <class Row, class Has>
ColumnSet columns_without(Has has)
{
    static const Columns columns = columns_of<Row>();
    ColumnSet without;
    for (const Column& column : columns.all())
        if (!has(column)) without.insert(std::string(table_name<Row>()) + "." + std::string(column.label()));
    return without;
}

// Marks the columns of Row's table for which has(column) does not hold as not recorded.
template <class Row, class Has>
void mark_lacking(Log& log, Has has)
{
    log.not_recorded.merge(columns_without<Row>(has));
}

// All of them.
template <class Row>
void mark_lacking(Log& log)
{
    static const ColumnSet all = columns_without<Row>([](const Column&) { return false; });
    log.not_recorded.merge(all);
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
