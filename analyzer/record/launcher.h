// Which launcher started this very process, and what it says of the launch: `mpirun fathom record -- ./app`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fathom {

// One process of a launch, as its launcher describes it.
struct Launched {
    std::string launch;  // the same in all of its processes, on every node, and in no other launch
    std::string step;    // of a batch system, for a log's name: "1234.0"; empty: none
    std::string rank;    // its number among all of them
    std::string size;    // how many they are; empty: not known
};

// What a process sees of how it was started.
struct Surroundings {
    std::function<std::string(const char* name)> variable;  // empty where it is not set
    // The command lines of its parent, of that one's parent…, blanks between words.
    std::vector<std::string> ancestors;
    std::string parent;  // its parent, in words that name no other process of the node
};
Surroundings surroundings_of_this_process();

// Nothing where no launcher has started the process, and in a step of Slurm of a single task: `srun --pty
// bash` is a shell in which users start launchers.
std::optional<Launched> launched(const Surroundings& here = surroundings_of_this_process());

}  // namespace fathom
