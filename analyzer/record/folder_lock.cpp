// flock on the folder itself: nothing to make, nothing to remove.
#include "analyzer/record/folder_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

namespace fathom {

FolderLock::FolderLock(const std::string& folder, Patience patience)
{
    fd_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    take(patience == waits ? LOCK_EX : LOCK_EX | LOCK_NB);
}

void FolderLock::wait()
{
    take(LOCK_EX);
}

void FolderLock::take(int how)
{
    int failed = 0;
    do failed = fd_ < 0 ? 0 : flock(fd_, how);
    while (failed != 0 && errno == EINTR);
    held_ = failed == 0 || errno != EWOULDBLOCK;
}

FolderLock::~FolderLock()
{
    if (fd_ >= 0) close(fd_);
}

std::string folder_of(const std::string& path)
{
    const auto parent = std::filesystem::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

}  // namespace fathom
