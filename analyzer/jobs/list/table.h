// The document of `fathom jobs list`: one table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/many/columns.h"

namespace fathom::jobs {

// "id,user,cost": the columns of that name. Empty: those for people, or all of them. Throws
// std::invalid_argument, which names what there is.
std::vector<const JobColumn*> parse_columns(const std::string& said, bool all);

// `about`: what the jobs have in common. Of columns that nobody asked for, those without any value are left
// out.
report::Document list_document(const ChosenRows& chosen, const RowOrder& order,
                               std::span<const JobColumn* const> columns, bool asked,
                               const std::string& about);

}  // namespace fathom::jobs
