// The section of the report that lists what was found.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

report::Blocks findings_section(const Job& job);

}  // namespace fathom
