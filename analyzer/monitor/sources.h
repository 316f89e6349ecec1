// What is looked at on a node, a row and a file each. A source that has nothing here costs one failing open.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyzer/monitor/round.h"
#include "analyzer/monitor/text_file.h"

namespace fathom::monitor {

// Where the kernel's files are; another place in tests.
struct Node {
    std::string proc = "/proc", sys = "/sys", run = "/run";
    TextFile file;
};

struct Source {
    std::string_view name, meaning;  // for the help
    void (*look)(Node& node, Round& round);
};

std::span<const Source> sources();

void look_at_devices(Node& node, Round& round);     // /proc/diskstats, /sys/block
void look_at_interfaces(Node& node, Round& round);  // /proc/net/dev
void look_at_infiniband(Node& node, Round& round);  // /sys/class/infiniband
void look_at_nfs(Node& node, Round& round);         // /proc/self/mountstats
void look_at_lustre(Node& node, Round& round);      // /proc/fs/lustre, /sys/kernel/debug/lustre
void look_at_gluster(Node& node, Round& round);     // /run/gluster/vols, /proc/PID
void look_at_processors(Node& node, Round& round);  // /proc/stat, /proc/pressure
void look_at_memory(Node& node, Round& round);      // /proc/meminfo, /proc/pressure

}  // namespace fathom::monitor
