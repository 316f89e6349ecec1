// Which numbers a log has: what it lacks is not recorded, rather than 0.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "analyzer/document/document.h"
#include "analyzer/job/source.h"
#include "logformat/log/log.h"

namespace fathom {

// Whether the records of a layer have a counter: that every layer has, or a layer that knows offsets.
template <class Value>
bool tells(const Log& log, Layer layer, Value Transfers::*counter, std::string_view part = {})
{
    return log.not_recorded.empty() ||
           log.recorded(layer_names[static_cast<std::size_t>(layer)], column_name(counter, part));
}
inline bool tells(const Log& log, Layer layer, std::uint64_t Pattern::*counter)
{
    return log.recorded(layer_names[static_cast<std::size_t>(layer)], counter_name(counter));
}
inline bool tells(const Log& log, Layer layer, std::uint64_t Sharing::*counter)
{
    return log.recorded(layer_names[static_cast<std::size_t>(layer)], counter_name(counter));
}
// One that only these layers have.
inline bool tells(const Log& log, std::uint64_t PosixCounters::*counter)
{
    return log.recorded(table_name<PosixRecord>(), counter_name(counter));
}
inline bool tells(const Log& log, std::uint64_t MpiioCounters::*counter)
{
    return log.recorded(table_name<MpiioRecord>(), counter_name(counter));
}

// By layer, for those that ask of many records.
template <class Counter>
std::array<bool, layers> layers_that_tell(const Log& log, Counter counter)
{
    return {tells(log, Layer::posix, counter), tells(log, Layer::stdio, counter),
            tells(log, Layer::mpiio, counter)};
}

// A value where it is known.
inline report::Cell cell_if(bool known, report::Cell cell)
{
    return known ? std::move(cell) : report::unknown(cell.measure);
}

// Of a log of another tool: leaves out the columns, but for the first, of which no row has a value.
inline void drop_unknown_columns(const Log& log, report::DataTable& table)
{
    if (source_of(log).own) return;
    for (std::size_t at = table.columns.size(); at-- > 1;) {
        bool any = table.rows.empty();
        for (const auto& row : table.rows) any = any || row[at].known();
        if (any) continue;
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(at));
        for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

}  // namespace fathom
