// Why a run took longer than others of its kind: seconds by cause. Plain numbers.
//
// Source: METHODS section 19 (ours).
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace fathom::slowdown {

// What of a run is laid beside others. Times are seconds; NaN: not known.
struct RunNumbers {
    static constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

    double run = not_known, io = not_known;  // run time; in I/O of the slowest rank
    double window = not_known;               // with I/O of some rank under way
    struct Data {
        double seconds = 0, bytes = 0, requests = 0;  // of all processes
    };
    std::array<Data, 2> data{};                // reads; writes, with syncs
    double syncs = 0, sequential = not_known;  // of all processes; a share of the requests
    double metadata_seconds = 0, metadata_calls = not_known;
    double core_wait = not_known;  // of the rank that waited longest for a core
};

// What of the time is explained by more than the run's own numbers.
struct Outside {
    std::vector<double> neighbours{};  // s lost to each
    double active = 0;                 // s of which these are a part
    double servers = 0;                // s lost to ill servers
    double storage = 1;                // what it moved for all, of what it did beside earlier runs
    bool circumstance = false;         // something else is new with this run
};

enum class Cause : unsigned char {
    outside_io,      // more time outside of I/O
    cores,           // more waiting for a core
    bytes,           // `which`: 0 read, 1 written
    metadata_calls,  // more of them
    neighbour,       // `which` of them
    server,
    storage,       // slower as a whole than beside earlier runs
    requests,      // of another size; `which` as for bytes
    order,         // fewer of them in order
    syncs,         // more of them
    circumstance,  // came with something else that is new
    slower,    // the same work took longer, nobody knows why; `which`: bits, reads, writes, metadata calls
    few_runs,  // the rest, where too few runs show how much they usually differ
    usual,     // the rest, within the usual spread
};

struct Part {
    Cause cause = Cause::usual;
    std::size_t which = 0;
    double seconds = 0;
    double own = 0, others = 0;  // what differs: bytes, calls, bytes a request, share, syncs, s of I/O
};

struct Explanation {
    bool of_run_time = false;  // else of the time in I/O of the slowest rank
    double seconds = 0, median = 0;
    std::optional<double> limit{};  // of what is usual; nothing of too few runs
    bool slow = false;              // beyond it, and beyond all others
    std::vector<Part> parts{};      // add up to seconds - median; the largest first, the rest last

    double difference() const { return seconds - median; }
};

// Nothing where the time in I/O of the run, or of all others, is not known.
std::optional<Explanation> explain(const RunNumbers& run, std::span<const RunNumbers> others,
                                   const Outside& outside);

}  // namespace fathom::slowdown
