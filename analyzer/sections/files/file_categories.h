// How many files there are of each kind: shared or not, read or written, made by the job.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// A row a kind that there is; a file may be in several.
report::DataTable file_categories(const Job& job);

}  // namespace fathom
