// The numbers behind drawings as tables, for those who do not see them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/document/document.h"

namespace fathom::report {

DataTable numbers_of(const Chart& chart);
DataTable numbers_of(const TimeChart& chart);
// Of a heatmap the sums: its cells are in the JSON.
DataTable sums_by_row(const Heatmap& map);
DataTable sums_by_slice(const Heatmap& map);
// Of a plot how far each series reaches: its points are in the JSON.
DataTable ranges_of(const Plot& plot);

// One category or slice in words: "read 12.3 MiB/s, written 0 MiB/s".
std::string values_at(const std::vector<Series>& series, Measure measure, std::size_t at);

}  // namespace fathom::report
