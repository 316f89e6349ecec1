// Makes one log of what a job left: the parts in its spool, what was folded of them, and the logs that its
// MPI ranks wrote.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/record/liveness.h"
#include "logformat/log/log.h"

namespace fathom {

struct Collected {
    Log log;
    std::size_t processes = 0;   // that were seen
    bool anything = false;       // a log of these processes written before lacks something that this one has
    std::string written_by_mpi;  // the log that MPI_Finalize wrote for a process of this spool, if any
    bool rank_zero = false;      // one of the processes is rank 0
};

// Adds every part to a log; damaged ones become problems of it. A part that MPI_Finalize has put into another
// log already is left out where `relied_on` says that this log holds it. `users` are the processes that still
// write to the spools; `tick` is called for each part. Throws std::runtime_error if a spool cannot be read.
Collected collect_parts(const std::vector<std::string>& spools, const std::vector<User>& users, Log into,
                        const std::function<bool(const std::string&)>& relied_on, const Tick& tick = {});

// What the recorders of these spools kept of a job, as the facts of one: those of a program that failed come
// first.
Log facts_kept_in(const std::vector<std::string>& spools);

// The same for a whole job: the logs that its MPI ranks left under hidden names in a folder are used where
// they are whole, and the node's mounts are added.
Collected collect_job(const std::vector<std::string>& spools, const std::vector<User>& users,
                      const std::string& folder, const std::string& job, Log facts, const Tick& tick = {});

// Gives processes of the program that has just ended a moment to end too, as MPI's helpers do. Returns those
// that did not. No process that began before `first_tick` is looked at.
std::vector<User> wait_for_users(const std::vector<std::string>& spools, std::uint64_t first_tick);

// Adds the rows of another log of the same job. Its processes are numbered on from ours; a rank that went on
// after MPI_Finalize stays one process.
void append_log(Log& log, Log&& other);

// Adds what the node knows: its mounts, unless the log has some.
void add_mounts(Log& log);

}  // namespace fathom
