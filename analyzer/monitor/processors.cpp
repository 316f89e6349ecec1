// Time of processors, memory, and how long tasks waited for them (PSI).
#include <unistd.h>

#include "analyzer/monitor/sources.h"

namespace fathom::monitor {
namespace {

using series::ComponentType;

constexpr Thing this_host{ComponentType::host, ""};
constexpr double microsecond = 1e-6, kibibyte = 1024;

void look_at_pressure(Node& node, Round& round, const char* of, std::string_view quantity)
{
    std::string_view text = node.file.read(node.proc + "/pressure/" + of);
    const std::string_view line = take_line(text);
    const std::size_t total = line.find("total=");
    if (!line.starts_with("some") || total == std::string_view::npos) return;
    round.total(this_host, quantity, number_of(line.substr(total + 6)), microsecond);
}

// Of a line of /proc/stat, in their order.
constexpr std::string_view times_of_processors[] = {"cpu_user", "cpu_nice", "cpu_system",  "cpu_idle",
                                                    "cpu_wait", "cpu_irq",  "cpu_softirq", "cpu_steal"};

struct MemoryLine {
    std::string_view name, quantity;
};
constexpr MemoryLine memory_lines[] = {
    {"MemTotal:", "memory_total"}, {"MemFree:", "memory_free"}, {"MemAvailable:", "memory_available"},
    {"Cached:", "memory_cached"},  {"Dirty:", "memory_dirty"},
};

}  // namespace

void look_at_processors(Node& node, Round& round)
{
    std::string_view text = node.file.read(node.proc + "/stat");
    std::string_view line = take_line(text);
    if (take_word(line) == "cpu") {
        const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
        for (const std::string_view quantity : times_of_processors)
            round.total(this_host, quantity, take_number(line), tick);
    }
    look_at_pressure(node, round, "cpu", "cpu_pressure");
    look_at_pressure(node, round, "io", "io_pressure");
}

void look_at_memory(Node& node, Round& round)
{
    std::string_view text = node.file.read(node.proc + "/meminfo");
    while (!text.empty()) {
        std::string_view line = take_line(text);
        const std::string_view name = take_word(line);
        for (const MemoryLine& one : memory_lines)
            if (one.name == name) round.level(this_host, one.quantity, take_number(line), kibibyte);
    }
    look_at_pressure(node, round, "memory", "memory_pressure");
}

}  // namespace fathom::monitor
