// How files lay on the servers of a Lustre file system.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// A row for each layout that files have in common, most bytes first. No rows where the log has none.
report::DataTable stripe_layouts(const Job& job);

}  // namespace fathom
