// flock, which NFS and its kin translate for their servers.
#include "analyzer/record/file_lock.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace fathom {

FileLock::FileLock(Kind kind, const std::string& path, Patience patience) : kind_(kind), path_(path)
{
    take(patience == waits ? LOCK_EX : LOCK_EX | LOCK_NB);
    if (patience == waits_a_while && !held_) wait_a_while();
}

FileLock::~FileLock()
{
    if (fd_ >= 0) close(fd_);
}

void FileLock::wait()
{
    take(LOCK_EX);
}

void FileLock::wait_a_while()
{
    constexpr std::chrono::milliseconds most{10'000}, between{20};
    const auto until = std::chrono::steady_clock::now() + most;
    while (!held_ && std::chrono::steady_clock::now() < until) {
        take(LOCK_EX | LOCK_NB);
        if (!held_) std::this_thread::sleep_for(between);
    }
    held_ = true;
}

// A file may have been removed by the one that was waited for: then the next one counts.
void FileLock::take(int how)
{
    const int flags = kind_ == file ? O_RDWR | O_CREAT : O_RDONLY | O_DIRECTORY;
    do {
        if (fd_ >= 0) close(fd_);
        fd_ = open(path_.c_str(), flags | O_CLOEXEC, 0666);
        int failed = 0;
        do failed = fd_ < 0 ? 0 : flock(fd_, how);
        while (failed != 0 && errno == EINTR);
        held_ = failed == 0 || errno != EWOULDBLOCK;
    } while (kind_ == file && held_ && fd_ >= 0 && !is_still_there());
}

bool FileLock::is_still_there() const
{
    struct stat ours {
    }, there{};
    return fstat(fd_, &ours) == 0 && ours.st_nlink > 0 && stat(path_.c_str(), &there) == 0 &&
           ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

std::string folder_of(const std::string& path)
{
    const auto parent = std::filesystem::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

}  // namespace fathom
