// Whether every rank of a job carries this library. A collective that one rank does not join would hang the
// others, so it takes proof: each rank leaves a mark before MPI_Init, and looks for those of all others at
// MPI_Finalize.
#pragma once

namespace fathom {

// Leaves this rank's mark in the folder that FATHOM_RANKS names, and the last rank of a node one for that
// node in the folder that FATHOM_LAUNCH names. Called before MPI_Init, which no rank leaves before all have
// entered it.
void answer_roll_call();

// True if all ranks have answered, or the site says that every rank is recorded (FATHOM_EVERY_RANK). The same
// on every rank of the job.
bool every_rank_is_recorded();

// Whether a file system of this type (f_type of statfs) shows what one node did to all others at once. Those
// of NFS and of servers in user space (GlusterFS) do not: a rank that missed the others' verdict would leave
// them waiting for ever, so there the ranks of several nodes do not gather.
bool shows_at_once(long type);

// The tasks of one node, from 0, as Slurm lists them: "4,2(x3)". -1 where that is not known.
int tasks_of_node(const char* tasks, int node);

}  // namespace fathom
