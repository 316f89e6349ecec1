// What recordings of this user left in the spool places of this node, and which of it is still in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

enum class Use {
    recording,  // a `fathom record` is at work with it, or has just made it
    running,    // processes write to it whose `fathom record` has ended
    unsure,     // it was made in another container, where its processes cannot be seen from here
    left,       // nobody uses it
};

struct Leftover {
    std::string path;
    Use use{};
    bool is_spool = true;  // or the folder in which ranks leave marks (libinterpose/mpi/roll_call.h)
    std::string job, command;
    std::uint64_t started_ns = 0;  // UNIX time
    std::size_t processes = 0;
    std::uint64_t bytes = 0;  // of memory or disk
};

// Throws std::runtime_error where it is no folder of this user's, but somebody else's, or a link.
void check_owner(const std::string& folder);

// What one folder is. Throws std::runtime_error if it is nothing of ours.
Leftover look_at(const std::string& folder);

// All there are, in the order of their names.
std::vector<Leftover> leftovers();

// Removes a leftover, with the logs that MPI ranks of its job left under hidden names.
void remove(const Leftover& leftover);

}  // namespace fathom
