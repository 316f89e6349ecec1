// How processes ended, in words.
#pragma once

#include <string>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// "exit 0", "SIGKILL (9)", "MPI_Abort(3)", "MPI_Finalize", "replaced by exec", "not seen", …
std::string ending_of(const Process& process);

// "4 MPI_Finalize, 1 exit 0": how often each ending came, the most frequent first.
std::string endings_of(const Job& job);

// How many processes a signal or MPI_Abort ended, or exited without the MPI_Finalize that ranks owe. Not
// those that got a SIGTERM and whose parent then ended well: that is how pools end their workers.
std::size_t early_endings_of(const Job& job);

// Programs whose libraries' calls are not recorded, as they are loaded with RTLD_DEEPBIND (docs/PRELOAD.md).
bool has_php(const Job& job);

// What must not be overlooked: those processes, and those that still ran.
std::vector<report::Note> notes_on_endings(const Job& job);

}  // namespace fathom
