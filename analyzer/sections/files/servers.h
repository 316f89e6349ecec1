// How fast the servers of Lustre were, as a table and as a chart.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/job/servers.h"

namespace fathom {

// The slowest first; no rows where no layout is known, or one server alone.
report::DataTable server_table(const ServerStudy& study);

// By number; where there are many, the slowest of each group of neighbours. No bars where the table is empty.
report::Chart server_chart(const ServerStudy& study);

}  // namespace fathom
