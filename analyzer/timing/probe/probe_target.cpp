// Opens the file anew for each probe, so that between two of them the file system can be unmounted.
#include "analyzer/timing/probe/probe_target.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <new>
#include <signal.h>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace fathom {
namespace {

// What a probe's file begins with, so that one which a killed probe left is known again.
constexpr std::string_view mark = "fathom probe: this file is written anew again and again\n";
constexpr std::string_view hidden = ".fathom-probe-";
// O_DIRECT asks for addresses at multiples of the device's blocks.
constexpr std::size_t alignment = 1 << 16;
constexpr std::string_view direct_mode = "direct", written_mode = "buffered+fdatasync",
                           read_mode = "buffered+dontneed";

std::string words_of(int error)
{
    return std::generic_category().message(error);
}

std::uint64_t now_of(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

std::string host_name()
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

// The hidden file's name ends in "HOST-PID.NUMBER".
std::string hidden_name()
{
    static std::atomic<unsigned> number{0};
    return fmt::format("{}{}-{}.{}", hidden, host_name(), getpid(), number++);
}

// The process whose file it is, where the host is this one and the name is one of those, else 0.
pid_t owner_of(std::string_view name)
{
    const std::string before = fmt::format("{}{}-", hidden, host_name());
    if (!name.starts_with(before)) return 0;
    name.remove_prefix(before.size());
    pid_t owner = 0;
    unsigned number = 0;
    const char* const end = name.data() + name.size();
    const auto [dot, error] = std::from_chars(name.data(), end, owner);
    if (error != std::errc{} || dot == end || *dot != '.') return 0;
    const auto [last, wrong] = std::from_chars(dot + 1, end, number);
    return wrong == std::errc{} && last == end ? owner : 0;
}

struct Closed {
    int fd;
    ~Closed()
    {
        if (fd >= 0) close(fd);
    }
};

bool begins_with_mark(int fd)
{
    std::string begin(mark.size(), '\0');
    return pread(fd, begin.data(), begin.size(), 0) == static_cast<ssize_t>(mark.size()) && begin == mark;
}

}  // namespace

ProbeCalls system_calls()
{
    return {[](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); }, ::pwrite,
            ::pread, ::fdatasync};
}

ProbeTarget::Buffer::Buffer()
    : bytes(static_cast<std::byte*>(std::aligned_alloc(alignment, probe_bytes)), std::free)
{
    if (bytes == nullptr) throw std::bad_alloc();
}

ProbeTarget::ProbeTarget(std::string path, ProbeCalls calls)
    : path_(std::move(path)), calls_(std::move(calls)), random_(now_of(CLOCK_REALTIME) | 1)
{}

void ProbeTarget::prepare()
{
    step_ = ProbeStep::opening;
    struct stat about {};
    if (stat(path_.c_str(), &about) != 0)
        throw std::runtime_error(
            fmt::format("{}: {}; name a folder, or an empty file to write to", path_, words_of(errno)));
    device_ = about.st_dev;
    named_file_ = S_ISREG(about.st_mode);
    if (!named_file_ && !S_ISDIR(about.st_mode))
        throw std::runtime_error(path_ + ": is neither a folder nor a regular file");
    if (named_file_) {
        const Closed file{open(path_.c_str(), O_RDWR | O_CLOEXEC)};
        if (file.fd < 0) throw std::runtime_error(fmt::format("{}: {}", path_, words_of(errno)));
        if (about.st_size > 0 && !begins_with_mark(file.fd))
            throw std::runtime_error(path_ +
                                     ": holds data, which probing would overwrite; name an empty file "
                                     "or a folder");
        file_ = path_;
    } else {
        if (access(path_.c_str(), W_OK | X_OK) != 0)
            throw std::runtime_error(
                fmt::format("{}: {}; name a folder that can be written to", path_, words_of(errno)));
        remove_forgotten(path_);
        file_ = fmt::format("{}/{}", path_, hidden_name());
    }
    struct statfs system {};
    if (statfs(path_.c_str(), &system) == 0 && (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC))
        note_ = path_ + ": is in memory, so the latencies will be those of memory";
    prepared_ = true;
    step_ = ProbeStep::idle;
}

// Those of probes on this host that were killed.
void ProbeTarget::remove_forgotten(const std::string& folder) const
{
    DIR* const entries = opendir(folder.c_str());
    if (entries == nullptr) return;
    while (const dirent* const entry = readdir(entries)) {
        const pid_t owner = owner_of(entry->d_name);
        if (owner <= 0 || owner == getpid() || kill(owner, 0) == 0 || errno != ESRCH) continue;
        const Closed file{
            openat(dirfd(entries), entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
        if (file.fd >= 0 && begins_with_mark(file.fd)) unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
}

// -1: errno says why.
int ProbeTarget::open_file()
{
    const int flags = O_RDWR | O_CLOEXEC | (named_file_ ? 0 : O_CREAT | O_NOFOLLOW);
    if (direct_) {
        const int fd = calls_.open(file_.c_str(), flags | O_DIRECT, 0600);
        if (fd >= 0 || errno != EINVAL) return fd;
        without_direct(-1);
    }
    return calls_.open(file_.c_str(), flags, 0600);
}

// True where there was O_DIRECT to do without.
bool ProbeTarget::without_direct(int fd)
{
    if (!direct_) return false;
    direct_ = false;
    note_ = path_ +
            ": O_DIRECT is refused here; it is written through the cache with fdatasync, and dropped "
            "from the cache before it is read";
    if (fd >= 0) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_DIRECT);
    return true;
}

// Throws std::runtime_error where this is not the file that is to be written to.
void ProbeTarget::check(int fd)
{
    struct stat about {};
    if (fstat(fd, &about) != 0) throw std::system_error(errno, std::generic_category());
    if (about.st_dev != device_) {
        if (!named_file_ && about.st_size == 0) unlink(file_.c_str());
        throw std::runtime_error("another file system is mounted here now");
    }
    if (!S_ISREG(about.st_mode) || about.st_size > static_cast<off_t>(probe_bytes))
        throw std::runtime_error("the file is another one now, with other data");
    if (about.st_size == static_cast<off_t>(probe_bytes)) return;
    // New: where its blocks are is settled before the first write that is timed.
    if (!transfer(fd, true) || calls_.fdatasync(fd) != 0)
        throw std::system_error(errno, std::generic_category());
}

// Other bytes each time, which no device can compress or knows already (xorshift64*).
void ProbeTarget::fill()
{
    auto* const words = reinterpret_cast<std::uint64_t*>(written_.bytes.get());
    for (std::size_t at = 0; at < probe_bytes / sizeof *words; ++at) {
        random_ ^= random_ >> 12;
        random_ ^= random_ << 25;
        random_ ^= random_ >> 27;
        words[at] = random_ * 0x2545F4914F6CDD1D;
    }
    std::memcpy(written_.bytes.get(), mark.data(), mark.size());
}

bool ProbeTarget::transfer(int fd, bool writes)
{
    std::size_t done = 0;
    while (done < probe_bytes) {
        const ssize_t more =
            writes
                ? calls_.pwrite(fd, written_.bytes.get() + done, probe_bytes - done, static_cast<off_t>(done))
                : calls_.pread(fd, read_.bytes.get() + done, probe_bytes - done, static_cast<off_t>(done));
        if (more < 0 && errno == EINTR) continue;
        if (more < 0 && errno == EINVAL && without_direct(fd)) continue;
        if (more < 0) return false;
        if (more == 0) {
            errno = EIO;
            return false;
        }
        done += static_cast<std::size_t>(more);
    }
    return true;
}

std::string_view ProbeTarget::mode_of(bool writes) const
{
    return direct_ ? direct_mode : writes ? written_mode : read_mode;
}

ProbeRow ProbeTarget::row_of(bool writes) const
{
    ProbeRow row;
    row.time = now_of(CLOCK_REALTIME);
    row.target = path_;
    row.operation = writes ? "write" : "read";
    row.size = probe_bytes;
    row.mode = mode_of(writes);
    return row;
}

ProbeRow ProbeTarget::timed(int fd, bool writes)
{
    ProbeRow row = row_of(writes);
    step_ = writes ? ProbeStep::writing : ProbeStep::reading;
    const std::uint64_t begin = now_of(CLOCK_MONOTONIC);
    const bool done = transfer(fd, writes) && (!writes || calls_.fdatasync(fd) == 0);
    const int error = errno;
    const std::uint64_t end = now_of(CLOCK_MONOTONIC);
    row.mode = mode_of(writes);
    if (done)
        row.latency = static_cast<double>(end - begin) / 1e9;
    else
        row.error = words_of(error);
    return row;
}

std::vector<ProbeRow> ProbeTarget::probe()
{
    std::vector<ProbeRow> rows;
    step_ = ProbeStep::opening;
    fill();
    ProbeRow failed = row_of(true);
    try {
        // A path that hung at first may be there now.
        if (!prepared_) prepare();
    } catch (const std::runtime_error& error) {
        failed.error = error.what();
        return {failed};
    }
    const Closed file{open_file()};
    try {
        if (file.fd < 0) throw std::system_error(errno, std::generic_category());
        check(file.fd);
        rows.push_back(timed(file.fd, true));
        if (rows.back().latency) {
            if (!direct_) posix_fadvise(file.fd, 0, 0, POSIX_FADV_DONTNEED);
            rows.push_back(timed(file.fd, false));
            if (rows.back().latency && std::memcmp(written_.bytes.get(), read_.bytes.get(), probe_bytes) != 0)
                rows.back().error = "what was read is not what was written";
        }
    } catch (const std::system_error& error) {
        failed.error = words_of(error.code().value());
        rows.push_back(failed);
    } catch (const std::runtime_error& error) {
        failed.error = error.what();
        rows.push_back(failed);
    }
    step_ = ProbeStep::idle;
    return rows;
}

void ProbeTarget::clean_up() noexcept
{
    if (!prepared_) return;
    step_ = ProbeStep::opening;
    const Closed file{open(file_.c_str(), O_RDWR | O_CLOEXEC | (named_file_ ? 0 : O_NOFOLLOW))};
    struct stat about {};
    if (file.fd >= 0 && fstat(file.fd, &about) == 0 && about.st_dev == device_ &&
        (about.st_size == 0 || begins_with_mark(file.fd))) {
        if (named_file_) [[maybe_unused]]
            const int emptied = ftruncate(file.fd, 0);
        else
            unlink(file_.c_str());
    }
    step_ = ProbeStep::idle;
}

std::string ProbeTarget::take_note()
{
    return std::exchange(note_, {});
}

}  // namespace fathom
