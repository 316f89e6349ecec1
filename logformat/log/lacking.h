// Which columns of a table a log lacks: marked by those who make logs, asked for by those who show them.
#pragma once

#include <vector>

#include "logformat/blocks/columns.h"
#include "logformat/log/log.h"

namespace fathom {

// Marks the columns of Row's table for which has(column) does not hold as not recorded.
template <class Row, class Has>
void mark_lacking(Log& log, Has has)
{
    static const Columns columns = columns_of<Row>();
    for (const Column& column : columns.all())
        if (!has(column)) log.mark_lacking(table_name<Row>(), column.label());
}

// All of them.
template <class Row>
void mark_lacking(Log& log)
{
    mark_lacking<Row>(log, [](const Column&) { return false; });
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
