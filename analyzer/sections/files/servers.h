// How fast the servers of Lustre were, as a table.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// The slowest first; no rows where no layout is known, or one server alone.
report::DataTable server_table(const Job& job);

}  // namespace fathom
