// Opens and reads a log's file.
#include "parsers/darshan/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "logformat/log/log.h"

namespace fathom::darshan {

Source::Source(const std::string& path) : path_(path)
{
    // Opening a FIFO would wait for its writer.
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about {};
    if (fd_ < 0 || fstat(fd_, &about) != 0) {
        const int why = errno;
        if (fd_ >= 0) close(fd_);
        throw LogError(fmt::format("{}: cannot open: {}; check the path", path, std::strerror(why)));
    }
    size_ = static_cast<std::uint64_t>(about.st_size);
    constexpr std::uint64_t small = 32 * 1024;
    if (!S_ISREG(about.st_mode) || size_ > small) return;
    std::vector<std::byte> all(size_);
    if (read(0, all) == size_) small_ = std::move(all);
}

Source::~Source()
{
    close(fd_);
}

std::size_t Source::read(std::uint64_t offset, std::span<std::byte> to) const
{
    if (!small_.empty()) {
        const std::uint64_t from = std::min<std::uint64_t>(offset, small_.size());
        const std::size_t bytes = std::min<std::size_t>(to.size(), small_.size() - from);
        std::copy_n(small_.begin() + static_cast<std::ptrdiff_t>(from), bytes, to.begin());
        return bytes;
    }
    std::size_t done = 0;
    while (done < to.size() && offset + done < size_) {
        const ssize_t got = pread(fd_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

}  // namespace fathom::darshan
