// statvfs, /proc/meminfo and the limits of control groups.
#include "analyzer/timing/measure/room.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <linux/magic.h>
#include <optional>
#include <stdexcept>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include "analyzer/document/units.h"

namespace fathom::measure {
namespace {

using report::format_bytes;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number_in(const std::string& path)
{
    std::ifstream in(path);
    std::uint64_t value = 0;
    if (!(in >> value)) return std::nullopt;  // "max": no limit
    return value;
}

// What is left of the tightest limit of version 2 control groups from ours to the root.
std::uint64_t left_of_groups()
{
    std::ifstream in("/proc/self/cgroup");
    std::uint64_t least = unlimited;
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with("0::")) continue;
        for (std::string group = line.substr(3); !group.empty(); group.resize(group.find_last_of('/'))) {
            const std::string folder = "/sys/fs/cgroup" + group;
            const auto limit = number_in(folder + "/memory.max"),
                       used = number_in(folder + "/memory.current");
            if (limit && used) least = std::min(least, *limit - std::min(*limit, *used));
        }
    }
    return least;
}

}  // namespace

DiskRoom disk_room(const std::string& folder)
{
    struct statvfs room {};
    struct statfs kind {};
    if (statvfs(folder.c_str(), &room) != 0 || statfs(folder.c_str(), &kind) != 0)
        throw std::runtime_error(
            fmt::format("{}: {}; name a folder that is there", folder, std::strerror(errno)));
    if ((room.f_flag & ST_RDONLY) != 0)
        throw std::runtime_error(folder +
                                 ": the file system is mounted read-only; name a folder that can be written");
    return {room.f_bavail * room.f_frsize, kind.f_type == TMPFS_MAGIC || kind.f_type == RAMFS_MAGIC};
}

std::uint64_t free_memory()
{
    std::ifstream in("/proc/meminfo");
    std::string name, unit;
    std::uint64_t available = unlimited;
    for (std::uint64_t in_kib = 0; in >> name >> in_kib; std::getline(in, unit))
        if (name == "MemAvailable:") available = in_kib * 1024;
    return std::min(available, left_of_groups());
}

std::string too_much(const Needs& needs, const DiskRoom& disk, std::uint64_t memory, double most_of_disk)
{
    const std::uint64_t wanted = needs.files + needs.csv;
    const auto most = static_cast<std::uint64_t>(most_of_disk * static_cast<double>(disk.free));
    const char* const what = needs.files > 0 ? needs.csv > 0 ? "files and results" : "files" : "results";
    const char* const remedy = needs.files > needs.csv
                                   ? "ask for less with --file-size, or name another folder"
                                   : "ask for less with --count, or choose another place with -o";
    if (wanted > most)
        return fmt::format(
            "{} would take {}, and {:.0f} % of the {} that are free is {}; {}, or allow more with "
            "--most-of-disk",
            what, format_bytes(wanted), most_of_disk * 100, format_bytes(disk.free), format_bytes(most),
            remedy);
    if (wanted > 0 && wanted + disk_margin > disk.free)
        return fmt::format("{} would take {} of the {} that are free, and {} have to stay free; {}", what,
                           format_bytes(wanted), format_bytes(disk.free), format_bytes(disk_margin), remedy);
    if (needs.buffer > memory / 4)
        return fmt::format(
            "the buffer would take {} of memory, and a quarter of the {} that are free is {}; ask for less "
            "with --buffer-size",
            format_bytes(needs.buffer), format_bytes(memory), format_bytes(memory / 4));
    if ((needs.cached || disk.in_memory) && needs.files > memory / 2)
        return fmt::format(
            "files of {} would have to be in memory, and half of the {} that are free is {}; ask for less "
            "with --file-size{}",
            format_bytes(needs.files), format_bytes(memory), format_bytes(memory / 2),
            disk.in_memory ? ", or name a folder on a disk"
                           : ", or leave out the state cached with --states");
    return {};
}

}  // namespace fathom::measure
