// A table of many logs as CSV: names that stay, exact numbers, the unit in the name.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/document/document.h"
#include "analyzer/many/columns.h"

namespace fathom {

// RFC 4180, but that lines end with \n. Of texts and paths, what is no printable UTF-8 is \n, \xNN and the
// like, and a backslash doubled. What is not known is empty.
std::string csv_field(const report::Cell& cell);

// Gives the heading and a line for each row, in pieces.
void csv_of(std::span<const JobRow> rows, std::span<const JobColumn* const> columns,
            const std::function<void(std::string_view)>& sink);
void csv_of(std::span<const JobRow> rows, const std::function<void(std::string_view)>& sink);  // all columns

// A table of a document: the ids of its columns, and a line for each row. Times are seconds, moments those of
// UNIX time.
std::string csv_of(const report::DataTable& table);

}  // namespace fathom
