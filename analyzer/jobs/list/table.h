// The document of `fathom jobs list`: one table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/many/columns.h"

namespace fathom::jobs {

// Which columns there are where nobody names any: a line of a terminal has less room than a page.
enum class Room : std::uint8_t { line, page, all };

// "id,user,cost": the columns of that name. Throws std::invalid_argument, which names what there is.
std::vector<const JobColumn*> parse_columns(const std::string& said, Room room);

// `about`: what the jobs have in common. Of columns that nobody asked for, those without any value are left
// out.
report::Document list_document(const ChosenRows& chosen, const RowOrder& order,
                               std::span<const JobColumn* const> columns, bool asked,
                               const std::string& about);

}  // namespace fathom::jobs
