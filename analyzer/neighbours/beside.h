// Who ran beside a job on the same file system, and what that did to its I/O: numbers, and no words.
//
// METHODS section 18. Rates are of time bins, which have the bytes of all file systems together: they are
// taken for those of one file system where that has 90 % of the bytes of both jobs.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "analyzer/neighbours/running.h"

namespace fathom::neighbours {

inline constexpr double most_of_it = 0.9;

// Bytes a second that a job moves while nobody else is active on its file system.
struct UsualRate {
    enum class From : std::uint8_t { nothing, own_bins, runs_alike } from = From::nothing;
    double rate = 0;       // bytes a second; NaN: not known
    double seconds = 0;    // alone, in which that was seen
    std::size_t runs = 0;  // alike, whose median it is
};

// How two jobs' I/O took together by the model and by the clock: [0] of this job, [1] of the neighbour.
struct ModelledPair {
    enum class Lack : std::uint8_t { nothing, usual_rate, computes, others } lack = Lack::nothing;
    std::array<double, 2> processes{};  // active at once
    std::array<double, 2> predicted{};  // s together, by the usual rates: (1), (2)
    std::array<double, 2> by_nodes{};   // the same if each node has the same share; NaN: nodes not known
    std::array<double, 2> observed{};   // s from the first active bin to the last
    std::array<double, 2> alone_predicted{};  // s alone, by what was seen together: (3), (4)
    std::array<double, 2> alone{};            // s alone, by the usual rates
};

struct Neighbour {
    RunningJob job;
    Place place;             // as this job has it
    double share_there = 0;  // of the neighbour's bytes
    double bytes_there = 0;
    bool timed = false;  // its bins can be laid beside this job's
    PairOverlap pair;    // first: this job
    NeighbourPart part;  // while this job was active
    UsualRate usual;     // of the first ones alone
    std::optional<ModelledPair> model;
    // Relative standard deviation of bytes per process in the active overlap; [0] this job. From the logs.
    std::array<std::optional<double>, 2> spread{};
};

struct Beside {
    RunningJob job;
    UsualRate usual;
    Disturbance disturbance;
    std::vector<Neighbour> neighbours;  // on a file system of the job: those that it lost most to first
    // Others that ran at the time: on file systems of their own; of which it is not known whether they shared
    // one; of which activity is not known, by Lack; that were never active in the same bins.
    std::size_t elsewhere = 0, unsure = 0, apart = 0;
    std::array<std::size_t, std::size(lack_words)> lacking{};
    std::vector<Place> unsure_places;  // of this job, on which the unsure ones may have been too
};

// `with_model`: for so many neighbours the usual rate and the model are looked for. Throws DatabaseError.
Beside look_beside(jobs::Database& database, Number id, std::size_t with_model);

// METHODS 18: of bins in which nobody else was active where these are half of its active time or more; else
// the median of the last runs of its kind of which that is true; else of its own bins, where these are a
// twentieth and a second or more.
UsualRate usual_rate(SeenJobs& seen, const RunningJob& job, const Moved& alone, const Moved& beside);

// Seconds between the first and the last moment of activity, and the part of it in which the job was active.
struct ActiveSpan {
    double start = 0, seconds = 0, share = 0;  // start: s of UNIX time
};
ActiveSpan span_of(const ActiveBins& bins);

// What the model says of two jobs that begin at these moments.
ModelledPair model_of(const RunningJob& first, const UsualRate& first_usual, const RunningJob& second,
                      const UsualRate& second_usual, const PairOverlap& pair);

}  // namespace fathom::neighbours
