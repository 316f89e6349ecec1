// What Darshan's logs hold, as plain values: the job, and a record of each kind. Numbers are in this
// machine's byte order, records in the order of the newest version of their module (modules.h); -1 is "not
// recorded".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom::darshan {

// Texts of fixed length in records: the pool of a Lustre layout, the host of a traced file.
inline constexpr std::size_t pool_bytes = 16, host_bytes = 64;

struct MountEntry {
    std::string path, type;
};

struct JobRecord {
    std::int64_t uid = 0;
    std::int64_t start = 0, start_ns = 0, end = 0, end_ns = 0;  // UNIX time: seconds, and ns of the second
    bool has_ns = false;                                        // logs before 3.41 have whole seconds only
    std::int64_t processes = 0, jobid = 0;
    std::vector<std::pair<std::string, std::string>> metadata;  // lib_ver, h (MPI-IO hints), fork_parent
    std::string command;
    std::vector<MountEntry> mounts;  // in the log's order

    // Seconds. Where only whole seconds are known, the one that was begun last counts too.
    double run_time() const
    {
        if (!has_ns) return static_cast<double>(end - start + 1);
        return static_cast<double>(end - start) + static_cast<double>(end_ns - start_ns) / 1e9;
    }
};

struct NameRecord {
    std::uint64_t id = 0;
    std::string_view name;
};

// A record of POSIX, STDIO, MPI-IO, H5F, H5D, PNETCDF_FILE or PNETCDF_VAR: see Counters for what its numbers
// and times are. Rank -1: reduced over all ranks that used the file.
struct CounterRecord {
    std::uint64_t id = 0;
    std::int64_t rank = 0;
    std::uint64_t container = 0;
    std::span<const std::int64_t> numbers;
    std::span<const double> times;
};

struct LustreComponent {
    std::int64_t stripe_size = 0, stripe_count = 0, pattern = -1, flags = -1;
    std::int64_t extent_start = 0, extent_end = -1, mirror = -1;
    std::string_view pool = {};
};

// How Lustre spreads a file; stripes of the components follow one another in `osts`. Logs whose module is of
// version 1 know one component, and besides it what is in `old`.
struct LustreRecord {
    std::uint64_t id = 0;
    std::int64_t rank = 0;
    std::vector<LustreComponent> components;
    std::vector<std::int64_t> osts;
};

// Bytes moved in each bin of time since the job's start, by one rank in the layer that the record's name
// says: heatmap:POSIX, heatmap:STDIO, heatmap:MPIIO.
struct HeatmapRecord {
    std::uint64_t id = 0;
    std::int64_t rank = 0;
    double bin_seconds = 0;
    std::span<const std::int64_t> writes, reads;  // of equal length
};

// The operations of one rank on one file; the operations follow one by one.
struct DxtRecord {
    std::uint64_t id = 0;
    std::int64_t rank = 0;
    std::int64_t shared = 0;
    std::string_view host;
    std::int64_t writes = 0, reads = 0;
    bool has_threads = false;
    // Of the operations: 0 where they have none, or too many follow to look at before they are visited.
    std::size_t threads = 0;
};

struct DxtSegment {
    bool write = false;
    std::int64_t offset = 0;  // -1: not recorded
    std::int64_t length = 0;
    double start = 0, end = 0;  // seconds since the job's start
    std::uint64_t thread = 0;   // where the record has threads
};

}  // namespace fathom::darshan
