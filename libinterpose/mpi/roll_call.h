// Whether every rank of a job carries this library. A collective that one rank does not join would hang the
// others, so it takes proof: each rank leaves a mark before MPI_Init, and looks for those of all others at
// MPI_Finalize.
#pragma once

namespace fathom {

// Leaves this rank's mark in the folder that FATHOM_RANKS names. Called before MPI_Init, which no rank leaves
// before all have entered it.
void answer_roll_call();

// True if all ranks of this node have answered and no other node has any, or each was started by `fathom
// record` itself as the same program, or the site says that every rank is recorded (FATHOM_EVERY_RANK). The
// same on every rank of a node.
bool every_rank_is_recorded();

}  // namespace fathom
