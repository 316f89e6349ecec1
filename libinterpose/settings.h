// What the environment tells the library, read once: `fathom record` sets it, a site may set it by itself.
#pragma once

#include <cstddef>

#include "libinterpose/text.h"

namespace fathom {

struct Settings {
    PathText spool;           // FATHOM_SPOOL: folder for parts; somebody else makes a log of them
    PathText output;          // FATHOM_OUTPUT: the log that MPI_Finalize writes
    PathText log_folder;      // FATHOM_LOGDIR: without a spool, each process or MPI job leaves a log here
    PathText ranks_folder;    // FATHOM_RANKS: where the ranks of a node leave their marks, see roll_call.h
    FixedText<64> job;        // FATHOM_JOB: tells the parts and logs of one job from those of others
    FixedText<256> streams;   // FATHOM_STREAMS: " device:inode" in hex for each standard stream of the job
                              // that is a regular file
    bool every_rank = false;  // FATHOM_EVERY_RANK: the site promises that all ranks are recorded
    bool inside = false;      // FATHOM_INSIDE: each rank was started by `fathom record` itself
    bool collected = false;   // FATHOM_COLLECT: `output` is one of several logs that will be merged
    std::size_t arena_bytes = std::size_t{2} << 20;  // FATHOM_ARENA_KIB
};

// The settings of this process. The first call reads the environment.
const Settings& settings();

}  // namespace fathom
