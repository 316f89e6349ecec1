// The I/O rate of a job per compute node, and the rate over the time in which its I/O was under way.
//
// Source: Carns et al., "Understanding and Improving Computational Science Storage Access through Continuous
// Characterization" (ACM TOS 2011),
// section 2.4:
//     MiB/s/CN = (sum over ranks of bytes read and written) / (largest rank's time in I/O) / compute nodes
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fathom {

inline constexpr double mebibyte = 1024.0 * 1024.0;

// What one rank moved, and its time in reads, writes and metadata calls, in nanoseconds.
struct RankIo {
    std::uint64_t bytes = 0;
    std::uint64_t time = 0;
};

struct Rate {
    std::uint64_t bytes = 0;  // of all ranks
    std::uint64_t time = 0;   // ns: of the slowest rank, or of the window
    std::size_t slowest = 0;  // index of the slowest rank; nothing where the time is a window's
    std::uint64_t nodes = 0;
    bool has_total = false;  // false without bytes or time: then there is no rate
    bool defined = false;    // likewise, and without nodes
    double total = 0;        // MiB/s
    double per_node = 0;     // MiB/s per compute node
};

Rate rate_of(std::uint64_t bytes, std::uint64_t time, std::uint64_t nodes);
Rate rate_by_slowest_rank(std::span<const RankIo> ranks, std::uint64_t nodes);

// Bytes of one direction as each layer saw them, over all ranks.
struct LayerBytes {
    std::uint64_t posix_direct = 0, posix_beneath_mpiio = 0;
    std::uint64_t stdio_direct = 0, stdio_beneath_mpiio = 0;
    std::uint64_t mpiio = 0;
};

// The bytes of the lowest layer that moved them: each is counted once. MPI-IO's own count where nothing was
// seen beneath it (a library that does its I/O by other means).
std::uint64_t lowest_layer_bytes(const LayerBytes& bytes);

}  // namespace fathom
