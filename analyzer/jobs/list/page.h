// The page of one job, from what the database keeps of it: for when its log is gone.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/jobs/schema/database.h"
#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

// The first page of the job's report, and tables of all that the database has. Throws DatabaseError where
// there is no such job.
report::Document page_of(Database& database, Number id);

}  // namespace fathom::jobs
