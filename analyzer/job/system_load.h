// What the servers, devices and networks that a job used did while it ran, as the site's own series have it
// (`fathom report --system`). Plain numbers: analyzer/system makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

// A server, a device, a mount.
struct LoadMember {
    std::string name;              // "OST0014", "vda on node1"
    double read = 0, written = 0;  // bytes while the job was in I/O, of the time that is known
    double best_rate = 0;          // bytes/s: the best that it gave while the job was in I/O (ill_servers.h)
    double at_best = 0;            // s that its bytes take at that
    double peak = 0;               // bytes/s: the highest of one interval in all of its series; 0: not known
    double busy = -1;              // s of the job's time in I/O with a request in flight; below 0: not known

    double bytes() const { return read + written; }
};

// Those of one kind that the job's files lie on.
struct LoadGroup {
    std::string name;          // "OSTs of scratch"
    std::string member;        // what one of them is called: "OST"
    std::string known_by;      // how they were found to be the job's: "its files' layouts"
    bool serves_files = true;  // what it moves is file data, and nothing else: no network
    std::vector<LoadMember> members;

    // On bins that begin at multiples of their length, from the job's first to its last.
    std::int64_t begin = 0, length = 0;  // ns of UNIX time, ns
    struct Bin {
        double read = 0, written = 0;          // bytes/s of all members
        double metadata = 0;                   // operations/s
        double known = 0;                      // s of it in which nothing is missing
        double job_read = 0, job_written = 0;  // bytes/s of the job on these
        double job_time = 0;                   // s that the job's processes were in I/O, added up
        double job_metadata = 0;               // calls/s
        bool job_active() const { return job_time > 0 || job_read + job_written > 0; }
    };
    std::vector<Bin> bins;

    double peak = 0;           // bytes/s of all members together, the highest of one interval in all series
    bool peak_stated = false;  // by the user
    bool has_metadata = false;
    // Of the bins in which the job was in I/O.
    double job_io = 0, known = 0, saturated = 0;  // s
    double read = 0, written = 0, metadata = 0;   // of all members, while known
    double job_read = 0, job_written = 0;         // by the bins, while known
    double job_metadata = 0;
    // Of all members while earlier runs like the job were in I/O: bytes/s, the median; and of how many runs.
    double usual_rate = 0;
    std::size_t usual_runs = 0;
    // From one interval before the job to one behind it, whose caches write later and read ahead.
    double around_read = 0, around_written = 0;
    // What the job moved on these by its records: in all, not only while something is known.
    double job_all_read = 0, job_all_written = 0;
    // What that is of all that the job read and wrote. Its bins are those of all of its files, times this;
    // where a log has no time bins, its records, from the first read or write of each to the last.
    double part_of_reads = 0, part_of_writes = 0;
    bool by_time_bins = true;
};

// A server that served much more slowly than the others of its group.
struct IllServer {
    std::size_t group = 0, member = 0;
    double seconds = 0;     // that it was at its best rate
    double share = 0;       // of the median of the others' best rates
    double usual_rate = 0;  // bytes/s: that median
    double lost = 0;        // s beyond what its bytes take at that rate
};

struct SystemLoad {
    std::vector<LoadGroup> groups;
    std::vector<IllServer> ill;
    std::vector<std::string> without;   // mounts of the job of which there is no series, in words
    std::vector<std::string> problems;  // of reading the series
    std::string span;                   // from when to when there are series, in words
};

}  // namespace fathom
