// Looks at every inode below some folders, with many threads, and can say at any moment what is still to be
// done.
//
// The unit of work is a window: what one folder's next names are, as many as fit into a buffer, and the inode
// of each. A window is handed over whole, in one piece with the folders that were found in it; so what was
// handed over and what is pending never have a name in common, and together have all. Names are looked up in
// the order of their inodes, and large windows by several threads.
//
// Symbolic links are never followed, so that there are no loops. Folders are opened by their name in the
// folder above, so that paths may be of any length. Files are not opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analyzer/scan/walk/entry.h"
#include "analyzer/scan/walk/folder.h"

namespace fathom::scan {

struct WalkOptions {
    std::vector<std::string> roots;  // absolute paths, of which none lies in another
    unsigned threads = 1;
    unsigned lanes = 1;         // how many windows may be handed over at the same time
    bool other_mounts = false;  // also what is mounted below the roots
    double limit = 0;           // calls a second that may reach the file system; 0: no limit
};

// What was learnt of one window, valid during the call that hands it over.
struct Window {
    const Folder& folder;
    std::span<const Entry> entries;  // of a root itself, when it is opened first: one without a name
    std::span<const Trouble> troubles;
    bool touched;  // its access time may have changed: only who owns a folder may read it without
};

// A folder that is still to be read, or the rest of it: `begin` is where the directory goes on (d_off), 0 at
// its beginning. The path is that of the one before it in the list, of which the first `shared` names are
// kept, and `rest`: names with a '/' between.
struct PendingFolder {
    std::uint32_t root = 0, shared = 0;
    std::string rest;
    std::int64_t begin = 0;
    std::uint64_t device = 0;

    bool is_root() const { return shared == 0 && rest.empty(); }
};

class Walk {
  public:
    // Windows of one lane are handed over one after the other, those of different lanes at the same time.
    // Must not throw.
    using Take = std::function<void(std::size_t lane, const Window& window)>;

    // Throws std::runtime_error where a root cannot be opened.
    Walk(const WalkOptions& options, Take take);
    ~Walk();
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    // Starts at the roots, or with what was pending once; throws std::runtime_error where a root cannot be
    // read on.
    void begin();
    void go_on(std::span<const PendingFolder> pending);

    // Waits so long for its end; true: it came.
    bool wait(unsigned milliseconds);
    // Ends all threads soon, what they are at becomes pending again.
    void stop();

    // What is still to be done, none at the end. Meanwhile no window is handed over; calls `meanwhile` then.
    std::vector<PendingFolder> pending(const std::function<void()>& meanwhile);

    // So far, for a display: inodes looked at, folders that wait.
    std::uint64_t looked_at() const;
    std::size_t waiting() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace fathom::scan
