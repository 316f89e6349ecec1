// Everything that a log of Darshan tells, as lines, so that two logs can be compared.
#pragma once

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "parsers/darshan/file.h"

namespace fathom::testing {

// Doubles by their bits: equal means equal.
inline std::string bits_of(double value)
{
    return fmt::format("{:x}", std::bit_cast<std::uint64_t>(value));
}

inline std::vector<std::string> lines_of_module(const darshan::File& file, darshan::Module module)
{
    using namespace darshan;
    std::vector<std::string> lines;
    if (counters_of(module) != nullptr)
        file.each_record(module, [&](const CounterRecord& record) {
            std::string line = fmt::format("{} {} {}:", record.id, record.rank, record.container);
            for (const std::int64_t number : record.numbers) line += fmt::format(" {}", number);
            for (const double time : record.times) line += " " + bits_of(time);
            lines.push_back(line);
            return true;
        });
    if (module == Module::lustre)
        file.each_lustre([&](const LustreRecord& record) {
            std::string line = fmt::format("{} {}:", record.id, record.rank);
            for (const LustreComponent& one : record.components)
                line +=
                    fmt::format(" {} {} {} {} {} {} {} '{}',", one.stripe_size, one.stripe_count, one.pattern,
                                one.flags, one.extent_start, one.extent_end, one.mirror, one.pool);
            for (const std::int64_t ost : record.osts) line += fmt::format(" {}", ost);
            lines.push_back(line);
            return true;
        });
    if (module == Module::heatmap)
        file.each_heatmap([&](const HeatmapRecord& record) {
            std::string line = fmt::format("{} {} {}:", record.id, record.rank, bits_of(record.bin_seconds));
            for (const std::int64_t bytes : record.writes) line += fmt::format(" {}", bytes);
            for (const std::int64_t bytes : record.reads) line += fmt::format(" {}", bytes);
            lines.push_back(line);
            return true;
        });
    if (module == Module::dxt_posix || module == Module::dxt_mpiio)
        file.each_dxt(
            module,
            [&](const DxtRecord& record) {
                lines.push_back(fmt::format("{} {} {} {} {} {} {}", record.id, record.rank, record.shared,
                                            record.host, record.writes, record.reads, record.has_threads));
                return true;
            },
            [&](const DxtSegment& one) {
                lines.push_back(fmt::format("{} {} {} {} {} {}", one.write, one.offset, one.length,
                                            bits_of(one.start), bits_of(one.end), one.thread));
                return true;
            });
    return lines;
}

// The region of the job has one room for these.
inline std::string command_and_mounts(const darshan::File& file)
{
    std::string text = file.job().command;
    for (const darshan::MountEntry& mount : file.job().mounts) text += "\n" + mount.type + "\t" + mount.path;
    return text;
}

// The first line in which they differ; empty where they do not.
inline std::string difference(const std::vector<std::string>& ours, const std::vector<std::string>& theirs)
{
    for (std::size_t at = 0; at < std::max(ours.size(), theirs.size()); ++at) {
        const std::string one = at < ours.size() ? ours[at] : "nothing";
        const std::string other = at < theirs.size() ? theirs[at] : "nothing";
        if (one != other) return fmt::format("line {}: {} instead of {}", at, one, other);
    }
    return {};
}

inline std::vector<std::string> lines_of_job(const darshan::File& file)
{
    const darshan::JobRecord& job = file.job();
    std::vector<std::string> lines = {
        fmt::format("{} {} {} {} {}", job.uid, job.start, job.end, job.processes, job.jobid),
        fmt::format("run time {:.6f}", job.run_time())};
    for (const auto& [key, value] : job.metadata) lines.push_back(key + "=" + value);
    const std::map<std::uint64_t, std::string_view> names(file.names().begin(), file.names().end());
    for (const auto& [id, name] : names) lines.push_back(fmt::format("{} {}", id, name));
    return lines;
}

}  // namespace fathom::testing
