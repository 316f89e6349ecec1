// How often each kind of call was made, and what each layer cost, as pictures.
#pragma once

#include <optional>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// Calls on files by kind, a bar a layer. Nothing where there were just a few.
std::optional<report::Chart> calls_by_layer(const Job& job);

// Time in reads, writes and metadata of each layer as the program called it: seconds of the mean rank, of all
// processes without MPI. Nothing where the program called one layer alone.
std::optional<report::Chart> time_by_layer(const Job& job);

}  // namespace fathom
