// The columns of a table of many logs, a row each: names for --sort and programs, heading, and the cell.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/document/document.h"
#include "analyzer/many/row.h"

namespace fathom {

// Where a column stands: in CSV and JSON all do. Of those for people, some only if any row has a value there.
enum class Shown : std::uint8_t { always, where_known, to_programs };

struct JobColumn {
    std::string_view name;      // in JSON, and for --sort
    std::string_view csv_name;  // the same with its unit
    std::string_view heading;
    report::Measure measure;
    Shown shown;
    report::Cell (*cell)(const JobRow& row);
    std::string_view meaning;  // for the help and the documentation
};

std::span<const JobColumn> job_columns();

}  // namespace fathom
