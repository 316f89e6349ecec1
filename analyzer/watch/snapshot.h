// What recordings that are under way have done so far, and what they did between two looks at them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom::watch {

// On files, as POSIX and stdio saw them. Bytes, calls, ns of all processes together.
struct Amounts {
    std::uint64_t read = 0, written = 0, reads = 0, writes = 0, metadata_calls = 0;
    std::uint64_t read_time = 0, write_time = 0, metadata_time = 0;

    std::uint64_t io_time() const { return read_time + write_time + metadata_time; }
    void add(const Amounts& more);
    // What is more here than there; nothing is less.
    Amounts since(const Amounts& before) const;
};

struct ProcessState {
    std::string name;  // "rank 3", "python3 (pid 871)"
    bool running = true;
    Amounts amounts;
};

// One recording at one moment.
struct Recording {
    std::string spool, command;
    std::string program;                              // its file name
    std::string job, step, project;                   // of the batch system; empty: none
    std::size_t nodes = 0;                            // of the step or the job; 0: not known
    std::uint64_t start = 0;                          // ns of UNIX time
    bool running = true;                              // or its last process has ended
    std::map<std::uint64_t, ProcessState> processes;  // by their id
    std::map<std::string, Amounts> files;             // by path
    Amounts amounts;
    std::size_t elsewhere = 0;  // processes that run on a node of which no more is known
    std::string node{};         // that told it; empty: this one
    double age = 0;             // s, since it did
    bool silent = false;        // for so long that nothing is said of now

    std::size_t processes_running() const;
};
Recording recording_of(const Job& job, std::string spool);

// A job of which nodes tell.
struct JobOnNodes {
    std::string id, user;   // the user is empty where it is not told
    std::size_t nodes = 0;  // that it has; 0: not known
};

struct Snapshot {
    std::uint64_t time = 0;             // ns of UNIX time
    std::vector<Recording> recordings;  // by spool
    std::optional<JobOnNodes> job{};    // then there is a recording a node and step
};
// Nodes that tell of now, and have processes that run.
std::size_t nodes_at_work(const Snapshot& snapshot);

enum class View : std::uint8_t { recordings, processes, files };

// A row of what is shown: in all, and since the snapshot before.
struct Row {
    std::string name;
    Amounts all, lately;
    std::size_t processes = 0;  // that ran lately
    bool running = true;
};
// Of all recordings. What was not there before has done all of it lately.
std::vector<Row> rows_of(const Snapshot& before, const Snapshot& now, View view);
// All recordings as one row.
Row sum_of(const Snapshot& before, const Snapshot& now);

}  // namespace fathom::watch
