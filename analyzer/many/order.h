// In which order a table of many logs has its rows.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/many/columns.h"

namespace fathom {

// By which column rows are put in order; those without a value there come last.
struct RowOrder {
    const JobColumn* column;
    bool descending;
};

// "COLUMN", "COLUMN:asc" or "COLUMN:desc"; empty: what cost most first. Of numbers the largest comes first
// where nothing is said, of texts the first letter. Throws std::invalid_argument, which names what there is.
RowOrder parse_order(std::string_view text);

// Rows that are alike stay in their order.
void sort_rows(std::vector<JobRow>& rows, const RowOrder& order);

}  // namespace fathom
