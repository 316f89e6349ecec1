// Frames are appended and flushed to the device; what was torn by an end of power is cut off before the next
// one.
#include "analyzer/monitor/day_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/monitor/text_file.h"

namespace fathom::monitor {
namespace {

constexpr series::Nanoseconds day_length = 86'400 * series::one_second;
constexpr std::string_view ending = ".monitor";
constexpr std::uint64_t check_every = 1 << 20;  // bytes

std::string sentence(const std::string& path, const char* what, int why)
{
    std::string text = path + ": " + what + ": " + std::strerror(why);
    if (why == ENOSPC || why == EDQUOT)
        text += "; make room: what is written is safe, and the monitor goes on";
    if (why == EACCES || why == EPERM || why == EROFS)
        text += "; the folder must be writable for the monitor";
    return text;
}

// "2026-11-23"
std::string date_of(std::int64_t day)
{
    const std::time_t time = day * 86'400;
    std::tm parts{};
    char text[16];
    gmtime_r(&time, &parts);
    std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

std::size_t read_file(void* context, void* to, std::size_t size, std::uint64_t offset)
{
    std::size_t all = 0;
    while (all < size) {
        const ssize_t got = pread(*static_cast<int*>(context), static_cast<char*>(to) + all, size - all,
                                  static_cast<off_t>(offset + all));
        if (got <= 0) break;
        all += static_cast<std::size_t>(got);
    }
    return all;
}

void flush_folder(const std::string& folder)
{
    const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

}  // namespace

DayFiles::DayFiles(std::string folder, series::Session session, Limits limits)
    : folder_(std::move(folder)), session_(std::move(session)), limits_(limits)
{}

DayFiles::~DayFiles()
{
    close_file();
    if (lock_ >= 0) close(lock_);
}

void DayFiles::close_file()
{
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
}

std::string DayFiles::name_of(std::int64_t day) const
{
    return folder_ + "/" + session_.host + "-" + date_of(day) + std::string(ending);
}

std::string DayFiles::taken()
{
    const std::string path = folder_ + "/." + session_.host + ending.data() + ".lock";
    lock_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (lock_ < 0) return sentence(path, "cannot be made", errno);
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
    return folder_ + ": another monitor of this host writes here; end that one, or name another folder";
}

bool DayFiles::open_day(std::int64_t day, std::string& trouble)
{
    close_file();
    const std::string path = name_of(day);
    int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_APPEND, 0644);
    struct stat about {};
    if (fd < 0 || fstat(fd, &about) != 0) {
        trouble = sentence(path, "cannot be opened", errno);
        if (fd >= 0) close(fd);
        return false;
    }
    std::uint64_t whole = 0;
    if (about.st_size > 0) {
        whole = series::FrameWalk::whole_bytes(read_file, &fd);
        if (whole == 0 && static_cast<std::uint64_t>(about.st_size) > series::monitor_magic.size()) {
            trouble = path + ": this is no file of a monitor; move it away";
            close(fd);
            return false;
        }
    }
    if (ftruncate(fd, static_cast<off_t>(whole)) != 0) {
        trouble = sentence(path, "cannot be cut to what is whole in it", errno);
        close(fd);
        return false;
    }
    fd_ = fd;
    day_ = day;
    good_bytes_ = whole;
    frames_.clear();
    if (whole == 0) frames_ = series::monitor_magic;
    encoder_.begin(session_, frames_);
    if (whole == 0) {
        flush_folder(folder_);
        remove_old();
    }
    return true;
}

bool DayFiles::append(std::string& trouble)
{
    std::size_t done = 0;
    while (done < frames_.size()) {
        const ssize_t wrote = ::write(fd_, frames_.data() + done, frames_.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) break;
        done += static_cast<std::size_t>(wrote);
    }
    if (done == frames_.size() && fdatasync(fd_) == 0) {
        if ((good_bytes_ + done) / check_every != good_bytes_ / check_every) remove_old();
        good_bytes_ += done;
        frames_.clear();
        return true;
    }
    trouble = sentence(name_of(day_), "cannot be written", errno);
    if (ftruncate(fd_, static_cast<off_t>(good_bytes_)) != 0) {
        // A torn frame is cut off when the file is opened again.
    }
    close_file();  // the next round begins a session: of this one a part is missing
    return false;
}

bool DayFiles::write(series::Nanoseconds time, series::Nanoseconds uptime,
                     std::span<const series::Counter> counters, std::span<const series::Count> readings,
                     std::string& trouble)
{
    const std::int64_t day = time / day_length;
    if (fd_ >= 0 && day == day_ + 1) {
        // The round that ends a day is in its file as well.
        encoder_.interval(time, uptime, counters, readings, frames_);
        if (!append(trouble)) return false;
    }
    if ((fd_ < 0 || day != day_) && !open_day(day, trouble)) return false;
    if (good_bytes_ > limits_.bytes) {
        trouble = name_of(day_) +
                  ": has all the bytes that the monitor may have; no more is written today (see --most)";
        return false;
    }
    encoder_.interval(time, uptime, counters, readings, frames_);
    return append(trouble);
}

void DayFiles::remove_old()
{
    struct Old {
        std::string path;
        std::uint64_t bytes;
    };
    std::vector<Old> files;
    std::uint64_t all = 0;
    const std::string prefix = session_.host + "-", newest = prefix + date_of(day_) + std::string(ending);
    for (const std::string& name : names_in(folder_)) {
        constexpr std::size_t date_length = 10;
        if (!name.starts_with(prefix) || !name.ends_with(ending) ||
            name.size() != prefix.size() + date_length + ending.size())
            continue;
        struct stat about {};
        const std::string path = folder_ + "/" + name;
        if (lstat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) continue;
        files.push_back({name, static_cast<std::uint64_t>(about.st_size)});
        all += files.back().bytes;
    }
    const std::string oldest =
        prefix + date_of(day_ - static_cast<std::int64_t>(limits_.days)) + std::string(ending);
    for (const Old& file : files) {  // by date, since names are in order
        if (file.path >= newest || (file.path > oldest && all <= limits_.bytes)) continue;
        if (unlink((folder_ + "/" + file.path).c_str()) == 0) all -= file.bytes;
    }
}

}  // namespace fathom::monitor
