// Which columns of a table a log does not have: they are not recorded, rather than 0.
#pragma once

#include <string>
#include <string_view>

#include "logformat/blocks/columns.h"
#include "logformat/log/log.h"

namespace fathom {

// Marks the columns of a table for which has(label) does not hold as not recorded.
template <class Row, class Has>
void mark_lacking(Log& log, std::string_view table, Has has)
{
    static const Columns columns = columns_of<Row>();
    for (const Column& column : columns.all())
        if (!has(column.label())) log.not_recorded.insert(std::string(table) + "." + column.name);
}

}  // namespace fathom
