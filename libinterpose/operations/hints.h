// Hints (MPI_Info): what a program asks of MPI-IO for a file, and what the MPI library makes of it. One rank
// of those that open a file asks, after the call and outside of its time.
#pragma once

#include "libinterpose/mpi/mpi_library.h"
#include "logformat/part/part.h"

namespace fathom {

// The file was opened with this info by the ranks of a communicator.
void note_hints_of_open(NameChunk& file, mpi::Handle communicator, mpi::Handle handle, mpi::Handle info);

// The program gave further hints for an open file.
void note_hints(NameChunk& file, mpi::Handle handle, mpi::Handle info);

}  // namespace fathom
