// The paths that calls failed on most, on their way between ranks: one item of each rank, which all come to
// rank 0 and merge on the way. No MPI here.
#pragma once

#include "libinterpose/mpi/item_run.h"
#include "logformat/blocks/bytes.h"
#include "logformat/part/part.h"

namespace fathom {

void append_failed_paths(PartRows& rows, Bytes& items);

// One item of two.
void append_merged_failed_paths(const Run& a, const Run& b, Bytes& merged);

// Replaces the rows by what is in these runs.
void read_failed_paths(RunView runs, PartRows& rows);

}  // namespace fathom
