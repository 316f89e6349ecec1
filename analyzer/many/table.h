// The document of `fathom report` of many logs: one section with one table, a row a log.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/many/gather.h"
#include "analyzer/many/order.h"

namespace fathom {

// Columns of text that the table of a folder takes where nobody says --width: no more than this.
inline constexpr std::size_t widest_table = 120;

// What a form of the report can show: "text", "json", "html", "pdf".
struct TableForm {
    std::size_t most_rows;
    bool all_columns;
};
TableForm table_form_of(std::string_view format);

// `gathered.rows` are in the order of `order`, the first `shown` of them are asked for. `pages`: where the
// report of each row is, beside the table; none: there are no such reports.
report::Document make_table(const GatheredRows& gathered, const RowOrder& order, std::size_t shown,
                            const TableForm& form, std::span<const std::string> pages = {});

}  // namespace fathom
