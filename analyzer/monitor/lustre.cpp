// Lustre: what clients and servers count (Lustre Operations Manual, "Lustre Parameters").
#include "analyzer/monitor/operation_sums.h"
#include "analyzer/monitor/sources.h"

namespace fathom::monitor {
namespace {

using series::ComponentType;

constexpr double microsecond_of_lustre = 1e-6;

struct LustreFiles {
    std::string_view folder;  // one of its folders each has `file`
    std::string_view file;
    ComponentType type;
};
constexpr LustreFiles lustre_files[] = {
    {"llite", "stats", ComponentType::mount},    // a client's mount, as programs see it
    {"osc", "stats", ComponentType::mount},      // a client's requests to an OST
    {"obdfilter", "stats", ComponentType::ost},  // an OST, on its server
    {"mdt", "md_stats", ComponentType::mdt},     // an MDT, on its server
};

// "scratch-OST0014-osc-ffff885f81a64000" is target OST0014 of scratch, "scratch-ffff885f81a64000" a mount of
// it.
struct LustreName {
    std::string_view system, target;
};
LustreName name_of_device(std::string_view device)
{
    for (const std::string_view kind : {"-OST", "-MDT"}) {
        const std::size_t at = device.find(kind);
        if (at == std::string_view::npos) continue;
        const std::string_view target = device.substr(at + 1);
        return {device.substr(0, at), target.substr(0, target.find('-'))};
    }
    const std::string_view system = device.substr(0, device.rfind('-'));
    return {system, system};
}

// "read_bytes 12 samples [bytes] 4096 1048576 9876543", "open 3 samples [usecs] 1 50 93"
void take_stats(std::string_view text, const Thing& thing, Round& round)
{
    OperationSums operations;
    std::uint64_t metadata_time = 0;
    bool timed = false;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        const std::string_view name = take_word(line);
        const std::uint64_t count = take_number(line);
        if (take_word(line) != "samples") continue;
        const std::string_view unit = take_word(line);
        take_word(line);
        take_word(line);
        const std::uint64_t sum = take_number(line);
        if (name == "read_bytes" || name == "write_bytes") {
            const bool reads = name == "read_bytes";
            round.total(thing, reads ? "bytes_read" : "bytes_written", sum);
            round.total(thing, reads ? "reads" : "writes", count);
            continue;
        }
        if (series::quantity_of_operation(name).empty()) continue;
        operations.add(name, count);
        if (unit == "[usecs]" || unit == "[usec]") {
            timed = true;
            metadata_time += sum;
        }
    }
    operations.give(thing, round);
    if (timed) round.total(thing, "metadata_time", metadata_time, microsecond_of_lustre);
}

}  // namespace

void look_at_lustre(Node& node, Round& round)
{
    for (const std::string& root : {node.proc + "/fs/lustre/", node.sys + "/kernel/debug/lustre/"})
        for (const LustreFiles& files : lustre_files) {
            const std::string folder = root + std::string(files.folder);
            for (const std::string& device : names_in(folder)) {
                const std::string_view text =
                    node.file.read(folder + "/" + device + "/" + std::string(files.file));
                const LustreName name = name_of_device(device);
                if (!text.empty()) take_stats(text, {files.type, name.target, name.system}, round);
            }
        }
}

}  // namespace fathom::monitor
