// Fits lines into what room there is.
#include "parsers/darshan/job_text.h"

#include <algorithm>

namespace fathom::darshan {
namespace {

// However many mounts there are, so much of the command line stays.
constexpr std::size_t least_command = 1024;

std::string one_line(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

JobText::JobText(const JobRecord& job)
{
    constexpr std::size_t end = 1;
    for (const auto& [key, value] : job.metadata) {
        const std::string line = one_line(key + "=" + value) + "\n";
        if (metadata.size() + line.size() + end > metadata_bytes)
            ++metadata_left_out;
        else
            metadata += line;
    }
    metadata.resize(metadata_bytes);

    std::size_t mounts = 0;
    for (const MountEntry& mount : job.mounts) mounts += 2 + mount.type.size() + mount.path.size();
    const std::size_t room = command_bytes - end;
    const std::size_t for_command = std::max(room - std::min(room, mounts), least_command);
    command_and_mounts = one_line(job.command).substr(0, for_command);
    command_cut = job.command.size() > for_command;
    for (const MountEntry& mount : job.mounts) {
        const std::string line = mount.type + "\t" + mount.path;
        if (command_and_mounts.size() + 1 + line.size() > room || line.find('\n') != std::string::npos)
            ++mounts_left_out;
        else
            command_and_mounts += "\n" + line;
    }
    command_and_mounts.push_back('\0');
}

}  // namespace fathom::darshan
