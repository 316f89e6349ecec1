// Mounts of NFS: what went to the server (nfs-utils, mountstats(8)).
#include <charconv>

#include "analyzer/monitor/operation_sums.h"
#include "analyzer/monitor/sources.h"

namespace fathom::monitor {
namespace {

using series::ComponentType;

constexpr double millisecond_of_nfs = 1e-3;

// "\040" is a blank in what the kernel prints of paths.
std::string unescaped(std::string_view word)
{
    std::string text;
    for (std::size_t at = 0; at < word.size(); ++at) {
        unsigned code = 0;
        if (word[at] == '\\' && at + 3 < word.size() &&
            std::from_chars(word.data() + at + 1, word.data() + at + 4, code, 8).ptr ==
                word.data() + at + 4) {
            text += static_cast<char>(code);
            at += 3;
        } else {
            text += word[at];
        }
    }
    return text;
}

// A mount whose lines are being read.
struct NfsMount {
    std::string name, server;
    OperationSums operations;
    std::uint64_t metadata_time = 0, retransmits = 0;
    bool open = false;

    Thing thing() const { return {ComponentType::mount, name, server}; }
    void end(Round& round)
    {
        if (!open) return;
        operations.give(thing(), round);
        round.total(thing(), "metadata_time", metadata_time, millisecond_of_nfs);
        round.total(thing(), "retransmits", retransmits);
        open = false;
    }
};

// "device server:/export mounted on /mnt with fstype nfs4 statvers=1.1"
void begin_mount(std::string_view line, NfsMount& mount)
{
    const std::string_view server = take_word(line);
    if (take_word(line) != "mounted" || take_word(line) != "on") return;
    const std::string_view path = take_word(line);
    if (take_word(line) != "with" || take_word(line) != "fstype" || !take_word(line).starts_with("nfs"))
        return;
    mount.name = unescaped(path);
    mount.server = unescaped(server);
    mount.operations.clear();
    mount.metadata_time = mount.retransmits = 0;
    mount.open = true;
}

// Reads and writes with the cache and without it, then to and from the server.
void take_bytes(std::string_view line, const NfsMount& mount, Round& round)
{
    for (int other = 0; other < 4; ++other) take_word(line);
    round.total(mount.thing(), "bytes_read", take_number(line));
    round.total(mount.thing(), "bytes_written", take_number(line));
}

// "READ: operations transmissions timeouts sent received queue response total [errors]", times in ms
void take_operation(std::string_view name, std::string_view line, NfsMount& mount, Round& round)
{
    std::uint64_t numbers[8] = {};
    for (std::uint64_t& number : numbers) number = take_number(line);
    mount.retransmits += numbers[1] > numbers[0] ? numbers[1] - numbers[0] : 0;
    if (name == "READ" || name == "WRITE") {
        const bool reads = name == "READ";
        round.total(mount.thing(), reads ? "reads" : "writes", numbers[0]);
        round.total(mount.thing(), reads ? "read_time" : "write_time", numbers[7], millisecond_of_nfs);
        return;
    }
    mount.operations.add(name, numbers[0]);
    mount.metadata_time += numbers[7];
}

}  // namespace

void look_at_nfs(Node& node, Round& round)
{
    std::string_view text = node.file.read(node.proc + "/self/mountstats");
    NfsMount mount;
    bool in_operations = false;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        std::string_view name = take_word(line);
        if (name == "device") {
            mount.end(round);
            in_operations = false;
            begin_mount(line, mount);
        } else if (mount.open && name == "bytes:") {
            take_bytes(line, mount, round);
        } else if (mount.open && name == "per-op") {
            in_operations = true;
        } else if (mount.open && in_operations && name.ends_with(':')) {
            take_operation(name.substr(0, name.size() - 1), line, mount, round);
        }
    }
    mount.end(round);
}

}  // namespace fathom::monitor
