// What was the case when a run ran: versions, nodes, file systems, striping, how it does its I/O; and when
// that changed for good.
//
// Source: METHODS section 17.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/history/kind.h"
#include "analyzer/jobs/schema/database.h"

namespace fathom::history {

// Something that may change: "mpi", "version of MPI".
struct Aspect {
    std::string_view id, words;
};
std::span<const Aspect> aspects();

// Of some runs: a text an aspect, empty where it is not known; in the order of the runs.
struct Circumstances {
    std::vector<std::vector<std::string>> of_run;  // as many texts as aspects
    std::vector<std::size_t> unknown;              // aspects of which nothing is known of any run
};
// Throws DatabaseError.
Circumstances circumstances_of(jobs::Database& database, std::span<const KindRun* const> runs);

// A change of one aspect that lasted: four of five of the up to eight runs before it, as far as this is known
// of them, had the one value, and of those from it on the other.
struct LastingChange {
    std::size_t aspect = 0, run = 0;  // the first with the new value
    std::string before, after;
};
// In the order of runs. A change at the last run needs no run after it.
std::vector<LastingChange> lasting_changes(const Circumstances& all);

// Those at most two runs before or after this one.
std::vector<LastingChange> changes_near(const std::vector<LastingChange>& all, std::size_t run);

}  // namespace fathom::history
