// Who ran the job, and which job it was of the batch system.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// What is known of that, in a line each for people.
std::vector<report::Entry> owner_entries(const Job& job);

// The same for programs, each fact by its name.
report::Entries owner_facts(const Job& job);

}  // namespace fathom
