// A lock on a folder, which the kernel lets go of when its holder dies.
#pragma once

#include <string>

namespace fathom {

// Holds the lock for as long as it lives. Where the file system has no locks, it holds nothing and says it does.
class FolderLock {
  public:
    enum Patience { waits, does_not_wait };
    explicit FolderLock(const std::string& folder, Patience patience = waits);
    ~FolderLock();
    bool held() const { return held_; }
    void wait();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    void take(int how);

    int fd_ = -1;
    bool held_ = true;
};

// The folder that a path is in.
std::string folder_of(const std::string& path);

}  // namespace fathom
