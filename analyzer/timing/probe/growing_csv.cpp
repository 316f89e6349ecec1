// Checks what is there before it writes the first byte.
#include "analyzer/timing/probe/growing_csv.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "logformat/log/new_file.h"

namespace fathom {
namespace {

// More than a line of any path.
constexpr std::uint64_t tail_bytes = 1 << 16;

std::string bytes_at(int fd, std::uint64_t from, std::uint64_t size)
{
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < bytes.size()) {
        const ssize_t more =
            pread(fd, bytes.data() + got, bytes.size() - got, static_cast<off_t>(from + got));
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) break;
        got += static_cast<std::size_t>(more);
    }
    bytes.resize(got);
    return bytes;
}

}  // namespace

GrowingCsv::GrowingCsv(std::string path, std::string_view header) : path_(std::move(path))
{
    if (const std::string trouble = trouble_with_owner(path_); !trouble.empty())
        throw std::runtime_error(fmt::format("{}: {}", path_, trouble));
    const bool standard = path_ == "-";
    fd_ = standard ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                   : open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    struct stat about {};
    if (fd_ < 0 || fstat(fd_, &about) != 0) {
        const int error = errno;
        if (fd_ >= 0) close(fd_);
        throw std::runtime_error(
            fmt::format("{}: cannot be written: {}; name another file with -o", path_, std::strerror(error)));
    }
    try {
        is_file_ = !standard && S_ISREG(about.st_mode);
        if (is_file_) {
            if (flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
                throw std::runtime_error(
                    fmt::format("{}: another probe is writing it; name another file with -o", path_));
            end_ = static_cast<std::uint64_t>(about.st_size);
            check_header(header);
            if (end_ > 0) cut_torn_end();
        }
        if (end_ == 0) header_ = header;
    } catch (...) {
        close(fd_);
        throw;
    }
}

GrowingCsv::~GrowingCsv()
{
    close(fd_);
}

void GrowingCsv::check_header(std::string_view header)
{
    const std::string first = bytes_at(fd_, 0, std::min<std::uint64_t>(end_, header.size()));
    if (first == header) {
        goes_on_ = true;
        return;
    }
    // Killed before its first line was whole, or nothing there yet.
    if (header.starts_with(first) && first.size() == end_) {
        cut_off_ = end_;
        if (end_ > 0 && ftruncate(fd_, 0) != 0)
            throw std::runtime_error(fmt::format("{}: {}", path_, std::strerror(errno)));
        end_ = 0;
        return;
    }
    throw std::runtime_error(
        fmt::format("{}: its first line is not that of a probe ({}), so nothing is added to it; name another "
                    "file with -o",
                    path_, header.substr(0, header.size() - 1)));
}

// A crash of the machine may also have left zeros where lines were to be.
void GrowingCsv::cut_torn_end()
{
    const std::uint64_t from = end_ - std::min(end_, tail_bytes);
    const std::string tail = bytes_at(fd_, from, end_ - from);
    const std::size_t whole = std::min(tail.find('\0'), tail.size());
    const std::size_t last = whole == 0 ? std::string::npos : tail.rfind('\n', whole - 1);
    if (last == std::string::npos)
        throw std::runtime_error(
            fmt::format("{}: its end is no line of a probe; repair it, or name another file with -o", path_));
    const std::uint64_t keep = from + last + 1;
    if (keep == end_) return;
    if (ftruncate(fd_, static_cast<off_t>(keep)) != 0)
        throw std::runtime_error(fmt::format("{}: {}", path_, std::strerror(errno)));
    cut_off_ = end_ - keep;
    end_ = keep;
}

bool GrowingCsv::append(std::string_view lines)
{
    if (lines.empty()) return true;
    if (header_.empty()) return write_all(lines);
    if (!write_all(header_ + std::string(lines))) return false;
    header_.clear();
    return true;
}

bool GrowingCsv::write_all(std::string_view lines)
{
    std::size_t written = 0;
    while (written < lines.size()) {
        const ssize_t more = write(fd_, lines.data() + written, lines.size() - written);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) {
            const int error = errno;
            // A part of a line on a full disk would be taken for a whole one once there is room again.
            if (is_file_ && written > 0 && ftruncate(fd_, static_cast<off_t>(end_)) != 0) end_ += written;
            errno = error;
            return false;
        }
        written += static_cast<std::size_t>(more);
    }
    end_ += written;
    return true;
}

void GrowingCsv::sync()
{
    if (is_file_) fdatasync(fd_);
}

}  // namespace fathom
