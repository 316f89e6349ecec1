// Who ran what, in a few words.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/job/job.h"

namespace fathom {

// mpirun and the like, which start ranks.
bool is_launcher(std::string_view path);
// By name, else by number; empty where the log does not say.
std::string user_of(const Job& job);
// "Slurm job 4711.0", "job 4711"; empty where the log knows of none.
std::string batch_job_of(const Job& job);
// Of MPI jobs the ranks; else the rows of processes less those that exec replaced by another program: it has
// a row of its own.
std::uint64_t processes_of(const Job& job);
// The process that did the work: rank 0, or without MPI the one with most time in I/O that is no launcher or
// shell, or the only one. nullptr where the log has no process.
const Process* main_process_of(const Job& job);
// Its file name: "lmp". Empty where it is not known.
std::string program_name_of(const Job& job);
// "checkpoint --mode N-1": the ranks' program with its arguments; without MPI the command as it was given.
std::string command_of(const Job& job);

}  // namespace fathom
