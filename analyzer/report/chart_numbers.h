// The numbers behind drawings as tables, for those who do not see them.
#pragma once

#include "analyzer/report/document.h"

namespace fathom::report {

DataTable numbers_of(const Chart& chart);
DataTable numbers_of(const TimeChart& chart);
// Of a heatmap the sums: its cells are in the JSON.
DataTable sums_by_row(const Heatmap& map);
DataTable sums_by_slice(const Heatmap& map);

}  // namespace fathom::report
