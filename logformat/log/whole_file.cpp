// Writes beside the file that is to be, so that renaming never crosses file systems.
#include "logformat/log/whole_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "logformat/log/log.h"

namespace fathom {
namespace {

std::string place_of(const std::string& path)
{
    struct stat there {};
    if (stat(path.c_str(), &there) != 0) return path;
    if (S_ISDIR(there.st_mode)) throw LogError(path + ": this is a folder; name a file in it");
    if (!S_ISREG(there.st_mode))
        throw LogError(path + ": this is no regular file; name one that is, or is not there yet");
    const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
    return real == nullptr ? path : real.get();
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(place_of(path))
{
    temporary_ = fmt::format("{}.{}.tmp", path_, getpid());
    fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0) fail("create", errno);
}

WholeFile::~WholeFile()
{
    if (fd_ >= 0) {
        close(fd_);
        unlink(temporary_.c_str());
    }
}

void WholeFile::fail(const char* what, int why) const
{
    throw LogError(fmt::format("{}: cannot {} the log: {}", path_, what, std::strerror(why)));
}

void WholeFile::write(std::span<const std::byte> bytes)
{
    write_at(size_, bytes);
}

void WholeFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("write", written == 0 ? ENOSPC : errno);
        offset += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        size_ = std::max(size_, offset);
    }
}

void WholeFile::finish()
{
    // Some file systems have nothing to flush to.
    if (fsync(fd_) != 0 && errno != EINVAL) fail("flush", errno);
    const int fd = std::exchange(fd_, -1);
    const bool closed = close(fd) == 0;
    if (closed && std::rename(temporary_.c_str(), path_.c_str()) == 0) return;
    const int why = errno;
    unlink(temporary_.c_str());
    fail(closed ? "rename" : "flush", why);
}

}  // namespace fathom
