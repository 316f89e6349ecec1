// The folder in which the nodes of one launch meet, hidden beside its log, while they record.
#pragma once

#include <cstddef>
#include <string>

#include "logformat/log/log.h"

namespace fathom {

// ".fathom-KEY", which holds
//   nodes/XXXXXX       a mark of each node whose recorders are at work
//   output             a symbolic link: the log that all of them write
//   lock               held by the node that adds to that log
//   share.XXXXXX       what a node recorded, until it is in it
//   left.XXXXXX.COUNT  how many processes of the launch a node has recorded to their end
//   rank.*, verdict    of the ranks (libinterpose/mpi/roll_call.h)
// The file system is asked a handful of times by each node, by no rank. Nodes that do not share it each have
// a folder, and a log, of their own.
class LaunchFolder {
  public:
    // Of the launch with this key, whose log goes to that folder. `mark`: that of this node, if it has one
    // already.
    LaunchFolder(const std::string& folder, const std::string& key, std::string mark = "");
    const std::string& path() const { return path_; }

    // Leaves a mark of this node and returns its path; empty where it cannot.
    std::string enter();

    // The log of this launch: what the first one to ask proposed.
    std::string agree_on_output(const std::string& proposal) const;
    std::string output(const std::string& otherwise) const;

    // Puts what this node recorded into the launch's log. Nodes that wait for one another are served by the
    // one that comes to it first, all at once. Throws LogError.
    void put(Log log, const std::string& output) const;

    // Takes the mark away. True for the last node of the launch, and the folder is gone then; so it is for
    // every node that has no mark. Where those that `recorded` their part are fewer than were `started`,
    // others are given a moment to begin: launchers start one node after another. 0: it is not known how many
    // there are.
    bool leave(std::size_t recorded = 0, std::size_t started = 0) const;

  private:
    std::string path_, mark_;
};

}  // namespace fathom
