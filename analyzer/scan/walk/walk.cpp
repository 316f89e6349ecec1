// Threads that wait for a device are cheap, so that there are more of them than processors.
#include "analyzer/scan/walk/walk.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <thread>

#include "analyzer/document/printable.h"
#include "analyzer/scan/walk/limiter.h"
#include "analyzer/scan/walk/queue.h"

namespace fathom::scan {
namespace {

// Names of a window: a thousand or so in each system call, up to 8,000 in a window.
constexpr std::size_t window_bytes = 256 << 10;
constexpr std::size_t least_room = 32 << 10;  // with less left in the buffer, the window is full
constexpr std::size_t least_window_bytes = 4 << 10;
// With a limit a window is what may be looked up in about this many seconds.
constexpr double limited_window_seconds = 0.05, bytes_a_name = 40;
constexpr std::size_t names_in_part = 256;

constexpr int open_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
constexpr int path_flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// Descriptors for all but folders that are kept open; what a thread may need at once.
constexpr std::size_t spare_descriptors = 32, descriptors_a_thread = 3, most_kept_descriptors = 20'000;

// As many descriptors as this process may have.
std::size_t raise_descriptors()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1u << 20));
}

unsigned threads_with(std::size_t descriptors, unsigned asked)
{
    const std::size_t most =
        descriptors > spare_descriptors ? (descriptors - spare_descriptors) / descriptors_a_thread : 1;
    return static_cast<unsigned>(std::clamp<std::size_t>(asked, 1, std::max<std::size_t>(most, 1)));
}

std::size_t kept_descriptors(std::size_t all, unsigned threads)
{
    const std::size_t needed = spare_descriptors + descriptors_a_thread * std::size_t{threads};
    return std::min(all > needed ? all - needed : 0, most_kept_descriptors);
}

bool is_gone(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ESTALE;
}

// Whether a directory will be read from there on: from elsewhere names would count twice. Else sets errno.
bool is_placed(int fd, std::int64_t begin)
{
    errno = 0;  // some file systems have offsets below 0
    return begin == 0 || ::lseek(fd, begin, SEEK_SET) >= 0 || errno == 0;
}

struct Answer {
    int error = 0;
    bool is_other_mount = false;
};

Answer look(int folder, const char* name, std::uint64_t device, Entry& entry)
{
    struct statx about {};
    if (statx(folder, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (*name == '\0' ? AT_EMPTY_PATH : 0),
              STATX_BASIC_STATS, &about) != 0)
        return {errno};
    entry.name = name;
    entry.inode = about.stx_ino;
    entry.device = makedev(about.stx_dev_major, about.stx_dev_minor);
    entry.size = about.stx_size;
    entry.allocated = about.stx_blocks * 512;
    entry.accessed = about.stx_atime.tv_sec;
    entry.modified = about.stx_mtime.tv_sec;
    entry.mode = about.stx_mode;
    entry.user = about.stx_uid;
    entry.group = about.stx_gid;
    entry.links = about.stx_nlink;
    // Kernels before 5.8 do not know which names are mounts; there another device is one.
    const bool knows = (about.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
    return {0, knows ? (about.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0
                     : S_ISDIR(about.stx_mode) && entry.device != device};
}

// What getdents64 gives for each name (man 2 getdents): inode u64, where the next begins i64, length u16,
// type u8, name.
struct DirectoryEntry {
    std::uint64_t inode = 0;
    std::int64_t next = 0;
    std::uint16_t length = 0;
    const char* name;

    explicit DirectoryEntry(const char* bytes) : name(bytes + 19)
    {
        std::memcpy(&inode, bytes, sizeof inode);
        std::memcpy(&next, bytes + 8, sizeof next);
        std::memcpy(&length, bytes + 16, sizeof length);
    }
};

bool is_dots(const char* name)
{
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

}  // namespace

struct Walk::State {
    State(const WalkOptions& asked, Take take_windows)
        : options(asked),
          take(std::move(take_windows)),
          limiter(asked.limit, stopping),
          descriptors(raise_descriptors()),
          thread_count(threads_with(descriptors, asked.threads)),
          queue(kept_descriptors(descriptors, thread_count)),
          lanes(std::max(asked.lanes, 1u)),
          buffer(asked.limit > 0 ? std::clamp(static_cast<std::size_t>(asked.limit * limited_window_seconds *
                                                                       bytes_a_name),
                                              least_window_bytes, window_bytes)
                                 : window_bytes)
    {}

    void start();
    void work(std::size_t thread);
    void open(WindowInWork& window);
    void read(WindowInWork& window);
    void look_at(const WindowPart& part);
    void finish(WindowInWork& window, std::size_t thread);
    int open_folder(int base, const char* name, bool& touched);

    WalkOptions options;
    Take take;
    std::atomic<bool> stopping{false};
    std::atomic<std::uint64_t> looked_at{0};
    Limiter limiter;

    std::mutex mutex;
    std::condition_variable work_came, ended;
    std::size_t descriptors;  // that this process may have
    unsigned thread_count;
    FolderQueue queue;
    std::size_t idle = 0;

    std::vector<std::mutex> lanes;
    std::vector<FolderRef> roots;
    std::vector<bool> touched_roots;
    std::vector<std::thread> threads;
    std::size_t buffer;
};

Walk::Walk(const WalkOptions& options, Take take) : state_(std::make_unique<State>(options, std::move(take)))
{
    for (std::size_t at = 0; at < options.roots.size(); ++at) {
        const std::string& path = options.roots[at];
        bool touched = false;
        const int fd = state_->open_folder(AT_FDCWD, path.c_str(), touched);
        Entry entry;
        if (fd < 0 || look(fd, "", 0, entry).error != 0) {
            const int why = errno;
            if (fd >= 0) ::close(fd);
            throw std::runtime_error(fmt::format("{}: {}", report::printable(path), std::strerror(why)));
        }
        FolderRef root(new Folder(path, static_cast<std::uint32_t>(at)));
        root->device = entry.device;
        state_->queue.add_root(*root, std::make_shared<const Descriptor>(fd));
        state_->roots.push_back(std::move(root));
        state_->touched_roots.push_back(touched);
    }
}

Walk::~Walk()
{
    stop();
}

void Walk::begin()
{
    for (const FolderRef& root : state_->roots) {
        Entry entry;
        look(root->descriptor->fd(), "", root->device, entry);
        entry.name = {};
        state_->take(0, {*root, {&entry, 1}, {}, state_->touched_roots[root->root()]});
    }
    for (auto root = state_->roots.rbegin(); root != state_->roots.rend(); ++root)
        state_->queue.add(*root, 0);
    state_->start();
}

void Walk::go_on(std::span<const PendingFolder> pending)
{
    // Roots are open already; other folders are opened, and read from there on, in their turn.
    for (const PendingFolder& one : pending)
        if (one.is_root() && !is_placed(state_->roots[one.root]->descriptor->fd(), one.begin))
            throw std::runtime_error(fmt::format("{}: it cannot be read on from where it was: {}",
                                                 report::printable(state_->options.roots[one.root]),
                                                 std::strerror(errno)));
    state_->queue.add_pending(pending, state_->roots);
    state_->start();
}

void Walk::State::start()
{
    for (unsigned at = 0; at < thread_count; ++at) threads.emplace_back([this, at] { work(at); });
}

bool Walk::wait(unsigned milliseconds)
{
    std::unique_lock lock(state_->mutex);
    return state_->ended.wait_for(lock, std::chrono::milliseconds(milliseconds),
                                  [&] { return state_->queue.is_done(); });
}

void Walk::stop()
{
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->work_came.notify_all();
    for (std::thread& thread : state_->threads) thread.join();
    state_->threads.clear();
}

std::vector<PendingFolder> Walk::pending(const std::function<void()>& meanwhile)
{
    for (std::mutex& lane : state_->lanes) lane.lock();
    std::vector<PendingFolder> pending;
    {
        const std::lock_guard lock(state_->mutex);
        pending = state_->queue.pending();
    }
    meanwhile();
    for (std::mutex& lane : state_->lanes) lane.unlock();
    return pending;
}

std::uint64_t Walk::looked_at() const
{
    return state_->looked_at;
}

std::size_t Walk::waiting() const
{
    const std::lock_guard lock(state_->mutex);
    return state_->queue.waiting();
}

void Walk::State::work(std::size_t thread)
{
    for (;;) {
        WindowPart part;
        WindowInWork* window = nullptr;
        {
            std::unique_lock lock(mutex);
            while (!stopping && !queue.has_part() && !queue.has_folder() && !queue.is_done()) {
                ++idle;
                work_came.wait(lock);
                --idle;
            }
            if (stopping) return;
            if (queue.has_part())
                part = queue.take_part();
            else if (queue.has_folder())
                window = &queue.take_folder();
            else
                return;
        }
        if (window != nullptr) {
            read(*window);
            const std::size_t names = window->found.size();
            const std::size_t parts = std::max<std::size_t>((names + names_in_part - 1) / names_in_part, 1);
            window->left = parts;
            part = {window, 0, std::min(names, names_in_part)};
            if (parts > 1) {
                std::vector<WindowPart> others;
                for (std::size_t from = names_in_part; from < names; from += names_in_part)
                    others.push_back({window, from, std::min(names, from + names_in_part)});
                std::size_t sleepers = 0;
                {
                    const std::lock_guard lock(mutex);
                    queue.add_parts(others);
                    sleepers = std::min(idle, others.size());
                }
                for (; sleepers > 0; --sleepers) work_came.notify_one();
            }
        }
        look_at(part);
        if (stopping) return;
        if (part.window->left.fetch_sub(1) == 1) finish(*part.window, thread);
    }
}

int Walk::State::open_folder(int base, const char* name, bool& touched)
{
    const int fd = openat(base, name, open_flags | O_NOATIME);
    if (fd >= 0 || errno != EPERM) return fd;
    touched = true;
    return openat(base, name, open_flags);
}

void Walk::State::open(WindowInWork& window)
{
    SharedDescriptor base = std::move(window.base);
    for (std::size_t at = 0; at < window.names.size(); ++at) {
        const bool is_last = at + 1 == window.names.size();
        if (is_last && !limiter.take()) return;
        const int fd = is_last ? open_folder(base->fd(), window.names[at].c_str(), window.touched)
                               : openat(base->fd(), window.names[at].c_str(), path_flags);
        if (fd < 0 || (is_last && !is_placed(fd, window.begin))) {
            const int why = errno;
            if (fd >= 0) ::close(fd);
            window.troubles.push_back(
                {is_gone(why) ? Trouble::Kind::vanished : Trouble::Kind::folder, why, window.folder->path()});
            return;
        }
        base = std::make_shared<const Descriptor>(fd);
    }
    window.descriptor = std::move(base);
}

void Walk::State::read(WindowInWork& window)
{
    window.found.clear();
    window.troubles.clear();
    window.is_last = true;
    window.touched = false;
    if (!window.descriptor) open(window);
    if (!window.descriptor) return;
    if (!window.bytes) window.bytes.reset(new char[window_bytes]);
    std::size_t filled = 0;
    const std::size_t full = buffer > 2 * least_room ? buffer - least_room : buffer / 2;
    while (filled < full && limiter.take()) {
        const ssize_t n = getdents64(window.descriptor->fd(), window.bytes.get() + filled, buffer - filled);
        if (n <= 0) {
            if (n < 0 && !is_gone(errno))
                window.troubles.push_back({Trouble::Kind::folder, errno, window.folder->path()});
            break;
        }
        filled += static_cast<std::size_t>(n);
        window.is_last = filled < full;
    }
    if (filled == 0) return;
    for (std::size_t at = 0; at < filled;) {
        const DirectoryEntry entry(window.bytes.get() + at);
        at += entry.length;
        window.next = entry.next;
        if (!is_dots(entry.name)) window.found.push_back({entry.name, entry.inode});
    }
    std::sort(window.found.begin(), window.found.end(),
              [](const auto& a, const auto& b) { return a.inode < b.inode; });
    window.entries.resize(std::max(window.entries.size(), window.found.size()));
    window.errors.resize(std::max(window.errors.size(), window.found.size()));
}

namespace {

constexpr std::uint16_t left_out = 0xffff;  // no errno is that large

}  // namespace

void Walk::State::look_at(const WindowPart& part)
{
    WindowInWork& window = *part.window;
    for (std::size_t at = part.from; at < part.to; ++at) {
        if (!limiter.take()) return;
        const Answer answer =
            look(window.descriptor->fd(), window.found[at].name, window.folder->device, window.entries[at]);
        window.errors[at] = answer.is_other_mount && !options.other_mounts
                                ? left_out
                                : static_cast<std::uint16_t>(answer.error);
    }
    looked_at.fetch_add(part.to - part.from, std::memory_order_relaxed);
}

void Walk::State::finish(WindowInWork& window, std::size_t thread)
{
    std::vector<FolderRef> folders;
    std::size_t good = 0;
    for (std::size_t at = 0; at < window.found.size(); ++at) {
        if (const std::uint16_t error = window.errors[at]; error != 0) {
            const auto kind = error == left_out ? Trouble::Kind::other_mount
                              : is_gone(error)  ? Trouble::Kind::vanished
                                                : Trouble::Kind::entry;
            window.troubles.push_back(
                {kind, error == left_out ? 0 : error, window.folder->path() + "/" + window.found[at].name});
            continue;
        }
        const Entry& entry = window.entries[at];
        if (entry.is_folder()) folders.emplace_back(new Folder(window.folder, entry.name, entry.device));
        if (good != at) window.entries[good] = entry;
        ++good;
    }
    std::unique_lock<std::mutex> lane;
    std::size_t number = thread % lanes.size();
    for (std::size_t tries = 0; tries < lanes.size() && !lane;
         ++tries, number = (number + 1) % lanes.size()) {
        lane = std::unique_lock(lanes[number], std::try_to_lock);
        if (lane) break;
    }
    if (!lane) lane = std::unique_lock(lanes[number]);
    take(number, {*window.folder, {window.entries.data(), good}, window.troubles, window.touched});
    std::size_t sleepers = 0;
    bool is_done = false;
    {
        const std::lock_guard lock(mutex);
        const bool goes_on = !window.is_last;
        queue.finish(window, folders);
        // This thread takes one of them itself.
        sleepers = std::min(idle, folders.size() + goes_on);
        if (sleepers > 0) --sleepers;
        is_done = queue.is_done();
    }
    lane.unlock();
    for (; sleepers > 0; --sleepers) work_came.notify_one();
    if (is_done) {
        work_came.notify_all();
        ended.notify_all();
    }
}

}  // namespace fathom::scan
