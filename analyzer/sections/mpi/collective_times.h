// Where the time of collective MPI-IO went, as a table.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// A row for each file and direction, most time first; no rows where there was none by several ranks.
report::DataTable collective_times(const Job& job);

}  // namespace fathom
