// flock, which NFS and its kin translate for their servers.
#include "analyzer/record/file_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

namespace fathom {

FileLock::FileLock(Kind kind, const std::string& path, Patience patience)
{
    fd_ = open(path.c_str(), (kind == file ? O_RDWR | O_CREAT : O_RDONLY | O_DIRECTORY) | O_CLOEXEC, 0666);
    take(patience == waits ? LOCK_EX : LOCK_EX | LOCK_NB);
}

void FileLock::wait()
{
    take(LOCK_EX);
}

void FileLock::take(int how)
{
    int failed = 0;
    do failed = fd_ < 0 ? 0 : flock(fd_, how);
    while (failed != 0 && errno == EINTR);
    held_ = failed == 0 || errno != EWOULDBLOCK;
}

FileLock::~FileLock()
{
    if (fd_ >= 0) close(fd_);
}

std::string folder_of(const std::string& path)
{
    const auto parent = std::filesystem::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

}  // namespace fathom
