// What a reader of any number of the report must not overlook.
#pragma once

#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// Ranks that are missing, clocks that differ, processes that ended early, calls and parts of the log that are
// lost.
std::vector<report::Note> notes_on_recording(const Job& job);

}  // namespace fathom
