// Reads /proc.
#include "analyzer/record/liveness.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

#include "analyzer/record/part_file.h"

namespace fathom {
namespace {

std::uint64_t our_pid_space()
{
    struct stat about {};
    return stat("/proc/self/ns/pid", &about) == 0 ? about.st_ino : 0;
}

bool exists(pid_t pid)
{
    return kill(pid, 0) == 0 || errno != ESRCH;
}

enum class Mapping { absent, present, unreadable };

// Whether a task has a file of this name mapped. That of a zombie is empty.
Mapping look_for(const std::string& maps, const std::string& name)
{
    std::ifstream in(maps);
    if (!in) return Mapping::unreadable;
    for (std::string line; std::getline(in, line);)
        if (line.find(name) != std::string::npos) return Mapping::present;
    return in.bad() ? Mapping::unreadable : Mapping::absent;
}

// The memory of a process whose main thread has ended shows in its other threads only.
bool may_have_mapped(pid_t pid, const std::string& name)
{
    std::error_code error;
    bool unreadable = false;
    for (const auto& task : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid), error)) {
        const Mapping seen = look_for(task.path() / "maps", name);
        if (seen == Mapping::present) return true;
        unreadable = unreadable || seen == Mapping::unreadable;
    }
    // It may have ended just now; otherwise it is one that we may not look into.
    return (unreadable || error) && exists(pid);
}

}  // namespace

Life life_of(const PartFile& part)
{
    const std::uint64_t ours = our_pid_space();
    if (ours == 0 || part.header().pid_space != ours) return Life::unsure;
    const auto pid = static_cast<pid_t>(part.header().pid);
    if (!exists(pid)) return Life::ended;
    const std::string name = "/" + std::filesystem::path(part.path).filename().string();
    return may_have_mapped(pid, name) ? Life::lives : Life::ended;
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

}  // namespace fathom
