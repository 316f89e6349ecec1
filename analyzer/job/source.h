// What reports must know of the tool that made a log. Which counters a log lacks it says itself
// (recorded.h).
#pragma once

#include <string_view>

#include "logformat/log/log.h"

namespace fathom {

struct Source {
    std::string_view fact = {};  // value of the fact "source" in its logs; our own have none
    std::string_view name = {};  // as one calls it
    bool own = false;

    // Clock and processes.
    bool whole_seconds = false;       // may have the job's start and end in whole seconds
    bool times_may_be_wrong = false;  // logs are known whose times of I/O exceed the run for no reason
    bool serial_is_rank_0 = false;    // the one process of a program without MPI is called rank 0
    bool knows_mpi = false;           // says of a process without a rank that it did not use MPI
    bool knows_nodes = false;         // a log without nodes had none, rather than not naming them

    // How finely it counts.
    bool shared_in_sum = false;          // of files that all ranks share: a sum, the slowest and the fastest
    std::string_view rate_formula = {};  // how the tool itself computes a rate; empty: it does not
    bool four_sizes_a_file = false;      // of the commonest sizes four for each file and rank, and no more
    bool timed_in_part = false;          // only reads and writes are timed one by one, and perhaps not all

    // What to bear in mind with such logs, behind the tool's name; empty: nothing.
    std::string_view caution = {};
    // A sentence on what such logs never have and no counter stands for; empty: nothing.
    std::string_view never_sees = {};
    // Beside logs of other tools: a sentence on what differs, and what makes findings differ.
    std::string_view beside_others = {}, not_in_findings = {};
};

// Logs of a tool that has no row get one that takes nothing for granted.
const Source& source_of(const Log& log);

}  // namespace fathom
