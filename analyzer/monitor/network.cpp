// Interfaces of the network, and ports of InfiniBand.
#include <algorithm>

#include "analyzer/monitor/sources.h"

namespace fathom::monitor {
namespace {

using series::ComponentType;

// Counters of ports count words of four bytes.
constexpr double word_of_port = 4;

// A port stops counting at the largest value of its counters, as wide as they are in PortCounters of the
// InfiniBand specification.
constexpr std::uint64_t largest_of_16 = 0xffff, largest_of_32 = 0xffff'ffff;

struct PortCounter {
    std::string_view file, quantity;
    double scale;
    std::uint64_t largest;
};
constexpr PortCounter port_counters[] = {
    {"port_rcv_data", "bytes_received", word_of_port, largest_of_32},
    {"port_xmit_data", "bytes_sent", word_of_port, largest_of_32},
    {"port_rcv_packets", "packets_received", 1, largest_of_32},
    {"port_xmit_packets", "packets_sent", 1, largest_of_32},
    {"port_rcv_errors", "receive_errors", 1, largest_of_16},
    {"port_xmit_discards", "send_errors", 1, largest_of_16},
    {"port_xmit_wait", "send_waits", 1, largest_of_32},
};

}  // namespace

void look_at_interfaces(Node& node, Round& round)
{
    std::string_view text = node.file.read(node.proc + "/net/dev");
    take_line(text);
    take_line(text);
    while (!text.empty()) {
        std::string_view line = take_line(text);
        const std::size_t colon = line.rfind(':');
        if (colon == std::string_view::npos) continue;
        std::string_view name = line.substr(0, colon);
        name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
        line.remove_prefix(colon + 1);
        if (name == "lo" || line.find_first_of("123456789") == std::string_view::npos) continue;
        std::uint64_t numbers[16] = {};
        for (std::uint64_t& number : numbers) number = take_number(line);
        const Thing thing{ComponentType::interface, name};
        round.total(thing, "bytes_received", numbers[0]);
        round.total(thing, "packets_received", numbers[1]);
        round.total(thing, "receive_errors", numbers[2] + numbers[3]);
        round.total(thing, "bytes_sent", numbers[8]);
        round.total(thing, "packets_sent", numbers[9]);
        round.total(thing, "send_errors", numbers[10] + numbers[11]);
    }
}

void look_at_infiniband(Node& node, Round& round)
{
    const std::string adapters = node.sys + "/class/infiniband";
    for (const std::string& adapter : names_in(adapters))
        for (const std::string& port : names_in(adapters + "/" + adapter + "/ports")) {
            const std::string folder = adapters + "/" + adapter + "/ports/" + port + "/";
            const std::string name = adapter + ":" + port;
            for (const PortCounter& counter : port_counters) {
                // Those of 64 bits where the kernel has them.
                std::string_view text =
                    node.file.read(folder + "counters_ext/" + std::string(counter.file) + "_64");
                const bool may_stand_still = text.empty();
                if (may_stand_still) text = node.file.read(folder + "counters/" + std::string(counter.file));
                std::string_view line = take_line(text);
                const std::string_view word = take_word(line);
                if (word.empty() || word == "N/A") continue;
                const std::uint64_t total = number_of(word);
                if (may_stand_still && total == counter.largest) continue;
                round.total({ComponentType::interface, name}, counter.quantity, total, counter.scale);
            }
        }
}

}  // namespace fathom::monitor
