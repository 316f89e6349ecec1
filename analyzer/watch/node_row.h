// What a node tells of a job that runs there, some hundred bytes; and what several nodes told as two looks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/watch/snapshot.h"

namespace fathom::watch {

struct NodeRow {
    std::string user, project;  // empty: not told
    std::string job, step;      // of the batch system
    std::string node;
    std::string command;                // or the program
    std::uint64_t start = 0;            // ns of UNIX time
    std::uint64_t from = 0, until = 0;  // of `lately`
    std::size_t processes = 0;          // that run there; 0: it has ended there
    std::size_t nodes = 0;              // of the job; 0: not known
    Amounts all, lately;
    double age = 0;  // s, since it was told

    double seconds() const { return until > from ? static_cast<double>(until - from) / 1e9 : 0; }
    // For so long without news that nothing is known of now.
    bool is_silent() const;
};

// All but the node, the interval and what was done in it.
NodeRow node_row_of(const Recording& recording);

// One line, of at most 4 KiB, and back. Nothing of what is no such line, or cannot be.
std::string json_of(const NodeRow& row);
std::optional<NodeRow> node_row_from(std::string_view json);

// Nodes look at different moments: what each did in its interval is laid into one length of time. A node that
// is silent did nothing lately.
struct Looks {
    Snapshot before, now;
};
Looks looks_of(std::span<const NodeRow> rows, std::uint64_t now, JobOnNodes job);

}  // namespace fathom::watch
