// A table of series in long form, a row a sample, and in short, a line for each series.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/series/table.h"

namespace fathom::series {

// Which series are written; empty: all. A name may end in *: "OST*", "bytes_*".
struct Wanted {
    std::vector<std::string> quantities, components;
};
bool is_wanted(const Wanted& wanted, const Table& table, const Series& series);

using Write = std::function<void(std::string_view)>;

// system,host,type,component,on,quantity,unit,begin,end,value: times are seconds of UNIX time.
void write_csv(const Table& table, const Wanted& wanted, const Write& write);

// A line for each component and quantity: samples, gaps, times, total or mean.
void write_summary(const Table& table, const Wanted& wanted, const Write& write);

// The rows of quantities(), as docs/SERIES.md has them.
std::string quantities_in_markdown();

// How often an amount begins behind the end of the one before, or a level comes later than 1.5 times the
// usual interval after the one before.
std::size_t gaps_of(const Series& series);

}  // namespace fathom::series
