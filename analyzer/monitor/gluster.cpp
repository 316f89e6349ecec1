// Bricks of GlusterFS: what their processes read from and wrote to storage (proc(5), /proc/PID/io). glusterd
// keeps a file with the number of each brick's process.
#include <algorithm>

#include "analyzer/monitor/sources.h"

namespace fathom::monitor {
namespace {

// The word behind `name` in a command line, whose words end with zero bytes.
std::string_view word_behind(std::string_view command, std::string_view name)
{
    while (!command.empty()) {
        const std::size_t end = std::min(command.find('\0'), command.size());
        const bool is_it = command.substr(0, end) == name;
        command.remove_prefix(std::min(end + 1, command.size()));
        if (is_it) return command.substr(0, command.find('\0'));
    }
    return {};
}

}  // namespace

void look_at_gluster(Node& node, Round& round)
{
    const std::string volumes = node.run + "/gluster/vols";
    for (const std::string& volume : names_in(volumes))
        for (const std::string& file : names_in(volumes + "/" + volume)) {
            if (!file.ends_with(".pid")) continue;
            std::string_view pid = node.file.read(volumes + "/" + volume + "/" + file);
            const std::string process = node.proc + "/" + std::to_string(number_of(take_line(pid)));
            // The number may be another process's by now.
            const std::string command(node.file.read(process + "/cmdline"));
            const std::string_view brick = word_behind(command, "--brick-name");
            if (brick.empty()) continue;
            const Thing thing{series::ComponentType::brick, brick, volume};
            std::string_view text = node.file.read(process + "/io");
            while (!text.empty()) {
                std::string_view line = take_line(text);
                const std::string_view what = take_word(line);
                if (what == "read_bytes:") round.total(thing, "bytes_read", take_number(line));
                if (what == "write_bytes:") round.total(thing, "bytes_written", take_number(line));
            }
        }
}

}  // namespace fathom::monitor
