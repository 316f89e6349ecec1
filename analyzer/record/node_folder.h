// The recorders of one launch on one node: the last one to end collects what all of them recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fathom {

// What the first recorder of a node settles for the others, see launch_folder.h.
struct Beginning {
    std::string output;  // the log
    std::string mark;    // of this node; empty: none
};

// What is left to do for the one that ends last.
struct LastOnNode {
    // Of all recorders of this node, its own included; empty: another is at work.
    std::vector<std::string> spools;
    std::uint64_t first_tick = 0;  // at or after which their programs began
};

// The folder in memory in which the ranks of a launch leave their marks (libinterpose/mpi/roll_call.h). It
// holds also
//   recorder.SPOOL  who records into that spool, from its start to its end
//   ended.SPOOL     the same once it has handed the spool over
//   beginning       what was settled
// A recorder that died has handed over what it had.
class NodeFolder {
  public:
    // `path`: see make_ranks_folder() in spool.h; empty: none could be made, and each recorder is by itself.
    explicit NodeFolder(std::string path) : path_(std::move(path)) {}

    // `identity`: of the process that will leave (liveness.h). `begin` is called where nobody has settled
    // anything yet.
    Beginning join(const std::string& spool, const std::string& identity,
                   const std::function<Beginning()>& begin);
    // Hands the spool over. The last one takes all, and the folder is gone.
    LastOnNode leave(const std::string& spool) const;

    // The spools that recorders of such folders have handed over and that will be collected by others.
    std::vector<std::string> handed_over() const;

  private:
    std::string path_;
    bool alone_ = false;  // there is something else of that name
};

}  // namespace fathom
