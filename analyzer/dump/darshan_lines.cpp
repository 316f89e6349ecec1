// The head of both texts.
#include "analyzer/dump/darshan_lines.h"

#include <algorithm>
#include <ctime>

namespace fathom {
namespace {

// Bytes of the log might be anything; a line stays one line.
std::string one_line(std::string_view text)
{
    std::string line(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

std::string local_time(std::int64_t seconds)
{
    const std::time_t time = seconds;
    std::tm fields{};
    char text[64];
    if (localtime_r(&time, &fields) == nullptr ||
        std::strftime(text, sizeof text, "%a %b %e %T %Y", &fields) == 0)
        return "unknown";
    return text;
}

constexpr std::string_view compressions[] = {"ZLIB", "BZIP2", "NONE"};

}  // namespace

std::size_t print_real(char* to, double value, int decimals)
{
    constexpr std::size_t longest = 400, simple = 32;
    char text[simple];
    if (const char* const begin = real_before(text + simple, value, decimals)) {
        const auto size = static_cast<std::size_t>(text + simple - begin);
        std::memcpy(to, begin, size);
        return size;
    }
    return static_cast<std::size_t>(
        std::to_chars(to, to + longest, value, std::chars_format::fixed, decimals).ptr - to);
}

DarshanMounts::DarshanMounts(const darshan::JobRecord& job) : mounts_(job.mounts)
{
    std::stable_sort(mounts_.begin(), mounts_.end(),
                     [](const auto& a, const auto& b) { return a.path.size() > b.path.size(); });
}

const darshan::MountEntry* DarshanMounts::of(std::string_view path) const
{
    for (const darshan::MountEntry& mount : mounts_) {
        const std::string_view at = mount.path;
        if (path.starts_with(at) && (path.size() == at.size() || at.ends_with('/') || path[at.size()] == '/'))
            return &mount;
    }
    return nullptr;
}

void add_darshan_head(const darshan::File& file, const DarshanMounts& mounts, DarshanLines& out)
{
    const darshan::JobRecord& job = file.job();
    if (std::find(job.metadata.begin(), job.metadata.end(),
                  std::pair<std::string, std::string>("lib_ver", "3.2.0")) != job.metadata.end())
        out.line("# WARNING: Darshan 3.2.0 made this log; that version is known to have damaged counters.");
    out.line("# darshan log version: {}", file.version());
    out.line("# compression method: {}", compressions[static_cast<std::size_t>(file.compression())]);
    out.line("# exe: {}", one_line(job.command));
    out.line("# uid: {}", job.uid);
    out.line("# jobid: {}", job.jobid);
    out.line("# start_time: {}", job.start);
    out.line("# start_time_asci: {}", local_time(job.start));
    out.line("# end_time: {}", job.end);
    out.line("# end_time_asci: {}", local_time(job.end));
    out.line("# nprocs: {}", job.processes);
    out.line("# run time: {:.4f}", job.run_time());
    for (const auto& [key, value] : job.metadata)
        out.line("# metadata: {} = {}", one_line(key), one_line(value));
    out.line("\n# log file regions");
    out.line("# -------------------------------------------------------");
    out.line("# header: {} bytes (uncompressed)", file.header_bytes());
    out.line("# job data: {} bytes (compressed)", file.job_region().length);
    out.line("# record table: {} bytes (compressed)", file.name_region().length);
    for (const darshan::ModuleRegion& module : file.modules()) {
        if (module.module == darshan::Module::none)
            out.line("# <UNKNOWN> module (id {}): {} bytes (compressed), ver={}", module.slot,
                     module.region.length, module.version);
        else
            out.line("# {} module: {} bytes (compressed), ver={}", name_of(module.module),
                     module.region.length, module.version);
    }
    out.line("\n# mounted file systems (mount point and fs type)");
    out.line("# -------------------------------------------------------");
    for (const darshan::MountEntry& mount : mounts.all())
        out.line("# mount entry:\t{}\t{}", one_line(mount.path), one_line(mount.type));
}

void add_darshan_incomplete(std::string_view module, DarshanLines& out)
{
    out.line("\n# *WARNING*: The {} module contains incomplete data!", module);
}

}  // namespace fathom
