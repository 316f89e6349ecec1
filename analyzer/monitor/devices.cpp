// Disks and volumes (Documentation/admin-guide/iostats.rst of the kernel).
#include <unistd.h>

#include "analyzer/monitor/sources.h"

namespace fathom::monitor {
namespace {

constexpr double sector = 512, millisecond = 1e-3;
constexpr unsigned bits_of_times = 32;  // they are unsigned int in many kernels, and return to 0 there

struct DeviceColumn {
    std::string_view quantity;
    double scale;
    unsigned bits;
};
constexpr DeviceColumn device_columns[] = {
    {"reads", 1, 64},
    {"reads_merged", 1, 64},
    {"bytes_read", sector, 64},
    {"read_time", millisecond, bits_of_times},
    {"writes", 1, 64},
    {"writes_merged", 1, 64},
    {"bytes_written", sector, 64},
    {"write_time", millisecond, bits_of_times},
    {"", 0, 0},  // in flight: at one instant
    {"busy_time", millisecond, bits_of_times},
    {"queue_time", millisecond, bits_of_times},
    {"discards", 1, 64},
    {"", 0, 0},  // those merged into others
    {"bytes_discarded", sector, 64},
    {"discard_time", millisecond, bits_of_times},
    {"flushes", 1, 64},
    {"flush_time", millisecond, bits_of_times},
};

bool is_there(const std::string& path)
{
    return access(path.c_str(), F_OK) == 0;
}

}  // namespace

void look_at_devices(Node& node, Round& round)
{
    std::string_view text = node.file.read(node.proc + "/diskstats");
    while (!text.empty()) {
        std::string_view line = take_line(text);
        take_word(line);
        take_word(line);
        const std::string_view name = take_word(line);
        // What was never used says nothing; partitions are a part of their disk.
        if (name.empty() || line.find_first_of("123456789") == std::string_view::npos) continue;
        const std::string folder = node.sys + "/block/" + std::string(name);
        if (name.find('/') != std::string_view::npos || !is_there(folder)) continue;
        const Thing thing{names_in(folder + "/slaves").empty() ? series::type_of_device(name)
                                                               : series::ComponentType::volume,
                          name};
        for (const DeviceColumn& column : device_columns) {
            const std::string_view word = take_word(line);
            if (word.empty()) break;  // of an older kernel
            if (!column.quantity.empty())
                round.total(thing, column.quantity, number_of(word), column.scale, column.bits);
        }
    }
}

}  // namespace fathom::monitor
