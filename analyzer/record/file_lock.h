// A lock that the kernel lets go of when its holder dies.
#pragma once

#include <string>

namespace fathom {

// On a folder: among processes of this node. Network file systems lock files only: on a file, which is made
// where it is not there yet, among processes of all nodes. Where there are no locks, it holds nothing and
// says it does; so it does after a while, ten seconds, where everybody who may read a folder can lock it.
// Only the holder of a lock removes its file.
class FileLock {
  public:
    enum Patience { waits, waits_a_while, does_not_wait };
    enum Kind { folder, file };
    FileLock(Kind kind, const std::string& path, Patience patience = waits);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    bool held() const { return held_; }
    void wait();
    void wait_a_while();

  private:
    void take(int how);
    bool is_still_there() const;

    Kind kind_;
    std::string path_;
    int fd_ = -1;
    bool held_ = true;
};

// The folder that a path is in.
std::string folder_of(const std::string& path);

}  // namespace fathom
