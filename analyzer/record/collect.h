// Makes one log of what a job left: the parts in its spool and the logs that its MPI ranks wrote.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "logformat/log.h"

namespace fathom {

struct Collected {
    Log log;
    std::size_t parts = 0;       // processes that were seen
    bool anything = false;       // some file was used
    std::string written_by_mpi;  // the log that MPI_Finalize wrote for a process of this spool, if any
    bool rank_zero = false;      // …and that process was rank 0
};

// Adds every part to a log; damaged ones become problems of it. A part that MPI_Finalize has put into another
// log already is left out where `relied_on` says that this log holds it. Throws std::runtime_error if the
// spool cannot be read.
Collected collect_parts(const std::string& spool, Log into,
                        const std::function<bool(const std::string&)>& relied_on);

// Adds the rows of another log of the same job. Its processes are numbered on from ours; a rank that went on
// after MPI_Finalize stays one process.
void append_log(Log& log, Log&& other);

// Adds what the node knows: its mounts, unless the log has some.
void add_mounts(Log& log);

}  // namespace fathom
