// What a walk has still to do: folders, the newest first, and parts of windows that are being looked at.
//
// The newest first keeps few folders waiting, and those together that lie beside each other on the device. It
// is used under one lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analyzer/scan/walk/folder.h"
#include "analyzer/scan/walk/walk.h"

namespace fathom::scan {

// A window that is being read and looked at. Threads keep and reuse them.
struct WindowInWork {
    FolderRef folder;
    std::int64_t begin = 0;
    bool is_active = false;

    // From where to open the folder, when it is not open: by these names, one in the other.
    SharedDescriptor descriptor, base;
    std::vector<std::string> names;

    std::unique_ptr<char[]> bytes;  // the names
    struct Name {
        const char* name;
        std::uint64_t inode;
    };
    std::vector<Name> found;
    std::vector<Entry> entries;         // one each of `found`
    std::vector<Trouble> troubles;      // of the folder itself
    std::vector<std::uint16_t> errors;  // one each of `found`; 0: the entry is good
    std::int64_t next = 0;
    bool is_last = false, touched = false;
    std::atomic<std::size_t> left{0};  // parts that are not looked at yet
};

// Some of the names of a window.
struct WindowPart {
    WindowInWork* window = nullptr;
    std::size_t from = 0, to = 0;
};

class FolderQueue {
  public:
    explicit FolderQueue(std::size_t most_held) : most_held_(most_held) {}

    void add_root(Folder& root, SharedDescriptor descriptor);
    void add(FolderRef folder, std::int64_t begin);
    void add_parts(std::span<const WindowPart> parts);

    bool has_part() const { return !parts_.empty(); }
    bool has_folder() const { return !folders_.empty(); }
    WindowPart take_part();
    WindowInWork& take_folder();
    // What is in work: its folder's rest waits, and so do the folders found in it.
    void finish(WindowInWork& window, std::span<FolderRef> found);

    bool is_done() const { return folders_.empty() && active_ == 0; }
    std::size_t waiting() const { return folders_.size(); }
    std::vector<PendingFolder> pending() const;
    void add_pending(std::span<const PendingFolder> pending, std::span<const FolderRef> roots);

  private:
    struct Waiting {
        FolderRef folder;
        std::int64_t begin = 0;
    };
    void let_go(Folder& folder);

    std::vector<Waiting> folders_;
    std::vector<WindowPart> parts_;
    std::vector<std::unique_ptr<WindowInWork>> windows_;
    std::vector<WindowInWork*> idle_;
    std::size_t active_ = 0, held_ = 0, most_held_;
};

}  // namespace fathom::scan
