// Reads /proc.
#include "analyzer/record/liveness.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/record/part_file.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

std::uint64_t our_pid_space()
{
    struct stat about {};
    return stat("/proc/self/ns/pid", &about) == 0 ? about.st_ino : 0;
}

bool exists(pid_t pid)
{
    return kill(pid, 0) == 0 || errno != ESRCH;
}

// Calls visit(path, inode) for each file under a folder that a process has mapped. False if that cannot be
// known, or there is no such process. The memory of a process whose main thread has ended shows in its other
// threads only, that of a zombie nowhere.
template <class Visit>
bool each_mapping(pid_t pid, std::string_view folder, Visit visit)
{
    std::error_code error;
    for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", pid), error)) {
        std::ifstream maps(task.path() / "maps");
        bool any = false;
        for (std::string line; std::getline(maps, line); any = true) {
            const std::size_t path = line.find('/');
            if (path == std::string::npos || line.find(folder, path) == std::string::npos) continue;
            std::uint64_t inode = 0;
            std::istringstream fields(line);
            for (std::string word; inode == 0 && fields >> word >> word >> word >> word;) fields >> inode;
            visit(std::string_view(line).substr(path), inode);
        }
        if (any) return true;  // threads share their memory
        if (!maps.eof()) return false;
    }
    return !error;
}

// A lease for reading is given of a file only that nobody has open for writing; a mapping keeps it open. It
// is given back at once: an open in between would wait for that, and tell us by a signal that does nothing.
bool is_open_for_writing(const std::string& path)
{
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return true;
    const bool free = fcntl(fd, F_SETSIG, SIGURG) == 0 && fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    close(fd);
    return !free;
}

// The number of a process in its own PID namespace, as it is told itself.
pid_t own_number_of(pid_t pid)
{
    std::ifstream status(fmt::format("/proc/{}/status", pid));
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("NSpid:")) continue;
        std::istringstream numbers(line.substr(line.find(':') + 1));
        for (pid_t inside = 0; numbers >> inside;) pid = inside;
    }
    return pid;
}

}  // namespace

Life life_of(const PartFile& part)
{
    bool mapped = false;
    const auto pid = static_cast<pid_t>(part.header().pid);
    const bool seen = each_mapping(pid, fmt::format("/{}", fs::path(part.path).filename().string()),
                                   [&](std::string_view, std::uint64_t) { mapped = true; });
    if (mapped) return Life::lives;
    if (!is_open_for_writing(part.path)) return Life::ended;
    return !seen && exists(pid) ? Life::lives : Life::unsure;
}

std::string User::name() const
{
    std::error_code ignored;
    const fs::path program = fs::read_symlink(fmt::format("/proc/{}/exe", pid), ignored);
    return fmt::format("{} (pid {})", program.empty() ? "a process" : program.filename().string(), pid);
}

User user_now(const std::vector<std::string>& spools, pid_t pid)
{
    User user;
    user.pid = pid;
    each_mapping(pid, "/part.", [&](std::string_view mapped, std::uint64_t inode) {
        const fs::path part(mapped.substr(0, mapped.find(' ')));  // "(deleted)"
        for (const std::string& spool : spools) {
            // Containers have other paths, and anybody may have a folder of that name.
            struct stat there {};
            if (fs::path(spool).filename() != part.parent_path().filename() ||
                lstat((fs::path(spool) / part.filename()).c_str(), &there) != 0 || there.st_ino != inode)
                continue;
            user.spool = spool;
            user.parts.push_back(part.filename());
        }
    });
    user.own_number = user.parts.empty() ? pid : own_number_of(pid);
    return user;
}

std::vector<User> users_of(const std::vector<std::string>& spools, std::uint64_t first_tick)
{
    std::vector<User> users;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename();
        pid_t pid = 0;
        std::from_chars(name.data(), name.data() + name.size(), pid);
        if (pid == 0 || start_tick_of(pid).value_or(0) < first_tick) continue;
        if (User user = user_now(spools, pid); !user.parts.empty()) users.push_back(std::move(user));
    }
    return users;
}

bool are_without_users(const std::vector<std::string>& spools)
{
    constexpr std::size_t most = 128;
    std::vector<std::string> parts;
    try {
        for (const std::string& spool : spools)
            for (std::string& part : parts_in(spool)) parts.push_back(std::move(part));
    } catch (const std::runtime_error&) {
        return false;
    }
    return parts.size() <= most && std::none_of(parts.begin(), parts.end(), is_open_for_writing);
}

bool is_used(const PartFile& part, const std::vector<User>& users)
{
    const std::string name = fs::path(part.path).filename();
    return std::any_of(users.begin(), users.end(), [&](const User& user) {
        return static_cast<std::uint64_t>(user.own_number) == part.header().pid &&
               std::find(user.parts.begin(), user.parts.end(), name) != user.parts.end();
    });
}

std::optional<std::uint64_t> start_tick_of(pid_t pid)
{
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    std::string line, word;
    std::getline(stat, line);
    // The 22nd field. The second is the program's name, which may hold blanks.
    std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));
    std::uint64_t tick = 0;
    for (int field = 3; field < 22; ++field) fields >> word;
    if (!(fields >> tick)) return std::nullopt;
    return tick;
}

std::string identity_of(pid_t pid)
{
    return fmt::format("{} {} {}", our_pid_space(), pid, start_tick_of(pid).value_or(0));
}

Life life_of_identity(std::string_view identity)
{
    std::istringstream words{std::string(identity)};
    std::uint64_t space = 0, tick = 0;
    pid_t pid = 0;
    if (!(words >> space >> pid >> tick)) return Life::unsure;
    if (space == 0 || space != our_pid_space()) return Life::unsure;
    return start_tick_of(pid) == tick ? Life::lives : Life::ended;
}

std::uint64_t tick_of_identity(std::string_view identity)
{
    std::istringstream words{std::string(identity)};
    std::uint64_t space = 0, pid = 0, tick = 0;
    return words >> space >> pid >> tick ? tick : 0;
}

}  // namespace fathom
