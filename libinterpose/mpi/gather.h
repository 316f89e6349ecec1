// One log of all ranks, written by all of them together at MPI_Finalize.
#pragma once

namespace fathom {

// Reduces the records of files that several ranks used, writes the log and leaves this rank's part spent.
// Does nothing where there is no place for a log, where this MPI is unknown, or where some rank may be
// without this library; the parts are kept then. Collective: every rank of MPI_COMM_WORLD calls it.
void gather_at_finalize();

}  // namespace fathom
