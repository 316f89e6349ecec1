// Lines to copy that depend on the MPI library and on the file system; none where those are not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

enum class MpiKind { unknown, open_mpi, romio };  // romio: MPICH and those made from it

MpiKind mpi_of(const Job& job);

// Has collective MPI-IO put requests together, for a program that calls the …_all functions.
std::vector<std::string> collective_buffering(const Job& job);
// Has each rank of a program that calls those functions move its own.
std::vector<std::string> no_collective_buffering(const Job& job);
// Has so many ranks do the I/O of all.
std::vector<std::string> aggregator_count(const Job& job, std::uint64_t wanted);

// A line as the job's own launcher needs it, where that is not Slurm: what srun runs once on each node by its
// means; and a variable, which Open MPI's mpirun gives to other nodes by -x alone.
std::string started_as_here(const Job& job, std::string line);

// A sentence on the program's hint that has those ranks move little at a time; empty where it gave none.
std::string without_small_buffers(const Job& job);
// The same of one that has no pieces put together.
std::string without_disabled(const Job& job);
// The same of one that leaves nodes without a rank that does I/O.
std::string without_few_aggregators(const Job& job);

// Whether a file system of this type is of one node: on a disk of its own, or in its memory.
bool is_local(std::string_view type_of_mount);
// Whether the file lies on such a file system. Of many files, ask Mounts, which are made once.
bool on_local_file_system(const Job& job, const FileUse& use);
// The same where the job ran on that node alone.
bool on_own_disk(const Job& job, const FileUse& use);
// On such a node, collective calls of so many bytes for each rank gain nothing from other ways of putting
// them together: pieces go into memory as quickly as from rank to rank, and what more they take is ranks that
// share cores. But under a hint that has little moved at a time.
bool gains_nothing_alone(const Job& job, const FileUse& use, std::uint64_t bytes);
// Of what collective calls save there, this part is left at least, which is assumed: passing data between
// ranks that share cores takes the rest.
inline constexpr double saved_alone = 0.4;
// Whether the file lies on Lustre, by the mounts of the log.
bool on_lustre(const Job& job, const FileUse& use);
// Spreads files that are made below this folder over so many servers.
std::vector<std::string> lustre_stripes(std::string_view folder, std::uint64_t count);

std::string folder_of(std::string_view path);

}  // namespace fathom
