// Phases of past runs in clusters by duration and volume, and phases of a run that lie outside of them.
//
// Source: METHODS section 17; Yang et al. (NSDI 2019), section 4.2 and appendix B.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analyzer/history/kind.h"
#include "analyzer/jobs/schema/database.h"
#include "analyzer/methods/dbscan.h"

namespace fathom::history {

// A stretch in which a run moved data.
struct RunPhase {
    Number start = 0;  // ns of UNIX time
    double seconds = 0, bytes = 0;
};

// Of each run, in the order of `runs`: what the database keeps of its phases; where it has not all, those of
// its time bins, with the method of METHODS 8. None of runs whose log has no time bins. Throws DatabaseError.
std::vector<std::vector<RunPhase>> phases_of(jobs::Database& database, std::span<const KindRun* const> runs);

// Phases of a run from its amounts in time bins; `first` is the number of the first bin, all of one length.
std::vector<RunPhase> phases_in_bins(std::span<const double> bytes, std::uint64_t first,
                                     std::uint64_t length);

struct PhaseCluster {
    std::size_t phases = 0, runs = 0;
    double seconds = 0, bytes = 0;  // medians
};

// A phase of today's run that is in no cluster.
struct OddPhase {
    RunPhase phase;
    double distance = 0;  // to the nearest core point of a cluster, in units of the axes
};

struct PhaseStudy {
    double seconds_scale = 0, bytes_scale = 0;  // medians over all past phases: the units of the axes
    DbscanChoice choice = {};
    std::vector<std::vector<RunPhase>> past;  // of runs that have phases
    Dbscan found = {};                        // of the past phases, run by run
    std::vector<PhaseCluster> clusters = {};
    std::vector<RunPhase> today = {};
    std::vector<OddPhase> odd = {};
    // Past runs of which a phase is nearly as far from all clusters of the other runs as today's furthest,
    // four fifths or more: (as_odd + 1) / (runs + 1) is at most how often a run like them has such a one.
    std::size_t as_odd = 0;

    double chance() const { return static_cast<double>(as_odd + 1) / static_cast<double>(past.size() + 1); }
    // An anomaly: odd, and odder than any run before.
    bool anomaly() const { return !odd.empty() && as_odd == 0; }
};

// Both axes are divided by their medians. Fewer past runs with phases than `fewest_to_judge` have clusters
// like any, and today's run is not laid beside them.
PhaseStudy study_phases(std::vector<std::vector<RunPhase>> past, std::vector<RunPhase> today,
                        const DbscanChoice& choice = {});

// What other jobs did while a phase lasted, and which of it disturbs others (Yang, appendix B).
struct Neighbour {
    Number id = 0;
    std::string program, user;
    double metadata_rate = 0;  // calls a second over its run
    double rate = 0;           // MiB/s over its run
    double operations = 0;     // reads and writes a second over its run
    bool shared_file = false;  // N-1
    std::string why;           // which of these are high
};
struct NeighbourLimits {
    double metadata_rate = 300;  // calls a second
    double rate = 1024;          // MiB/s
    double operations = 10000;   // a second
};

// Jobs that ran at the time of a phase, but this one, of which something is above the limits; those that
// moved most first. Throws DatabaseError.
std::vector<Neighbour> neighbours_of(jobs::Database& database, const KindRun& run, const RunPhase& phase,
                                     const NeighbourLimits& limits = {});

}  // namespace fathom::history
