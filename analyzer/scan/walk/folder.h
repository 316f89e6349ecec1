// A folder that a walk has found, in memory as long as it or a folder beneath it is still to be read.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace fathom::scan {

// A file descriptor that is closed when nobody uses it any more.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { ::close(fd_); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int fd() const { return fd_; }

  private:
    int fd_;
};
using SharedDescriptor = std::shared_ptr<const Descriptor>;

class Folder;

// Keeps a folder, and with it all those above it.
class FolderRef {
  public:
    FolderRef() = default;
    explicit FolderRef(Folder* folder);  // counts one more
    FolderRef(const FolderRef& other);
    FolderRef(FolderRef&& other) noexcept : folder_(std::exchange(other.folder_, nullptr)) {}
    FolderRef& operator=(FolderRef other) noexcept
    {
        std::swap(folder_, other.folder_);
        return *this;
    }
    ~FolderRef();

    Folder* get() const { return folder_; }
    Folder* operator->() const { return folder_; }
    Folder& operator*() const { return *folder_; }
    explicit operator bool() const { return folder_ != nullptr; }

  private:
    friend class Folder;
    Folder* folder_ = nullptr;
};

class Folder {
  public:
    // One where a walk begins: `name` is its absolute path.
    Folder(std::string name, std::uint32_t root) : name_(std::move(name)), root_(root) {}
    Folder(FolderRef above, std::string_view name, std::uint64_t device);

    const std::string& name() const { return name_; }
    const Folder* above() const { return above_.get(); }
    Folder* above() { return above_.get(); }
    std::uint32_t root() const { return root_; }    // number of the path that the walk began at
    std::uint32_t depth() const { return depth_; }  // 0: that path
    std::string path() const;
    // This folder or the one above it that lies in the root; of a root, nothing.
    const Folder* top() const;
    // The names from the root to here; none of a root.
    std::vector<std::string_view> names() const;

    // What the walk keeps here, under the lock of its queue.
    std::uint64_t device = 0;
    SharedDescriptor descriptor;  // while folders in it are to be opened, or it has more to read
    std::uint32_t unopened = 0;   // folders in it that are still to be opened
    bool has_more = false;        // it is being read, or has more to read

  private:
    friend class FolderRef;
    FolderRef above_;
    std::string name_;
    std::uint32_t root_ = 0, depth_ = 0;
    std::atomic<std::uint32_t> references_{0};
};

}  // namespace fathom::scan
