// Jobs side by side on one file system: when both were active, what each moved meanwhile, what that cost, and
// a model of how long their I/O takes together.
//
// Source: METHODS section 18; the LWM2 study of two jobs on one file server: section 4.2 for the active
// overlap, section 4.3 for the model, equations (1) to (4). What a job lost to its neighbours is ours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fathom {

// ---- the model ----

// Seconds of the I/O of two jobs: L has no fewer processes than S.
struct PairSeconds {
    double large = 0, small = 0;
};

// Equations (1) and (2): together, from each alone. Every process has the same share of the bandwidth, both
// begin at once, move as many bytes, do nothing else, and each alone uses all of the bandwidth; so L ends
// first. Times are above 0, processes 1 or more, large no fewer than small; else NaN.
PairSeconds seconds_together(PairSeconds alone, double large_processes, double small_processes);
// Equations (3) and (4): alone, from together. What no two jobs can have taken gives a time below 0.
PairSeconds seconds_alone(PairSeconds together, double large_processes, double small_processes);

// A job with I/O that takes `seconds` alone, and begins at `start`, both in seconds.
struct Contender {
    double seconds = 0, processes = 1, start = 0;
};

// The same for any number of jobs, volumes and starts: seconds from each one's start to its end. While jobs
// are active together, each gets on at the share that its processes are of all. Equal to (1) and (2) for two
// that begin at once where L ends first. NaN for a job without a time above 0 or a process, which disturbs
// nobody. Takes time n^2.
std::vector<double> seconds_side_by_side(std::span<const Contender> jobs);

// The other direction for any starts and volumes: what the I/O of a job takes alone that was active for
// `apart` seconds by itself and for `together` beside processes of others. Equal to (3) and (4) for two that
// begin at once where L ends first.
double seconds_alone(double apart, double together, double processes, double others);

// (predicted - observed) / observed; NaN where that is not above 0.
double relative_error(double predicted, double observed);

// ---- time bins ----

// What a job did in the time bin [number * length, (number + 1) * length). It is active in a bin where it
// moved bytes or had a process in a read, write or sync.
struct ActiveBin {
    std::uint64_t number = 0;
    double bytes = 0;
    double processes = 0;  // that were active: this many at least
};

// Bins ascend. Without a length there are none.
struct ActiveBins {
    std::uint64_t length = 0;  // ns
    std::vector<ActiveBin> bins;
};

// In bins of another length. Bytes are shared out by time; of bins that become one, the largest number of
// processes counts.
ActiveBins on_grid(const ActiveBins& bins, std::uint64_t length);

// Most processes that were active in one bin.
double most_active(const ActiveBins& bins);

struct Moved {
    double bytes = 0, seconds = 0;

    // Bytes a second; NaN without seconds.
    double rate() const;
    void add(double more_bytes, double more_seconds);
};

// [from, to) in numbers of bins.
struct BinStretch {
    std::uint64_t from = 0, to = 0;

    std::uint64_t length() const { return to - from; }
    bool operator==(const BinStretch&) const = default;
};

// One of two jobs.
struct PairSide {
    double processes = 0;  // most_active()
    Moved together;        // in bins in which both were active
    Moved apart;           // in its other active bins
    Moved overlap;         // in the active overlap
};

struct PairOverlap {
    std::uint64_t length = 0;                    // ns, of the bins of both: the longer ones of the two
    double together = 0;                         // s in which both were active
    std::optional<BinStretch> first_to_last;     // of these bins
    std::optional<BinStretch> active_overlap{};  // the longest stretch in which all processes of both were
    PairSide first, second;
};

// All processes of a job are as many as were active at once in some bin of it: those that do its I/O.
PairOverlap overlap_of(const ActiveBins& first, const ActiveBins& second);

// ---- what neighbours cost ----

// What one neighbour did in bins in which this job was active.
struct NeighbourPart {
    std::size_t neighbour = 0;  // index
    double bytes = 0, seconds = 0;
    Moved own{};      // of this job beside it: its part of `beside`, where others were active too
    double lost = 0;  // s, own.seconds - own.bytes / usual; below 0: the job was quicker
};

struct Disturbance {
    Moved alone;                       // in the job's active bins in which no neighbour was active
    Moved beside;                      // in the others
    std::vector<NeighbourPart> parts;  // those that were active then, by index

    // Seconds lost: over the bins beside others, the sum of (1 - rate of the bin / usual rate) * length. Adds
    // up the parts. NaN where there is no usual rate.
    double lost = 0;
};

// `usual`: bytes a second that the job moves alone, NaN or 0 where that is not known; then no losses are.
// They are divided over neighbours by the bytes of each, in windows of a second or a bin, whichever is
// longer.
Disturbance disturbance_of(const ActiveBins& job, std::span<const ActiveBins* const> neighbours,
                           double usual);

}  // namespace fathom
