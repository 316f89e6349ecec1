// collectd's plugin csv: HOST/PLUGIN-INSTANCE/TYPE-INSTANCE-2026-11-23 with lines "epoch,read,write".
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "logformat/log/log.h"
#include "parsers/series/collectd.h"
#include "parsers/series/readers.h"
#include "parsers/series/words.h"

namespace fathom::series {
namespace {

// "disk-nvme0n1" -> "disk", "nvme0n1"
std::pair<std::string, std::string> at_first_dash(const std::string& text)
{
    const std::size_t dash = text.find('-');
    return dash == std::string::npos ? std::pair(text, std::string())
                                     : std::pair(text.substr(0, dash), text.substr(dash + 1));
}

std::vector<std::string_view> fields_of(std::string_view line)
{
    std::vector<std::string_view> fields;
    constexpr std::size_t most = 256;
    while (fields.size() < most) {
        const std::size_t comma = line.find(',');
        fields.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) break;
        line.remove_prefix(comma + 1);
    }
    return fields;
}

CollectdName name_by_path(const std::string& text)
{
    const std::filesystem::path path = std::filesystem::path(text).lexically_normal();
    std::string file = path.filename().string();
    if (file.ends_with(".gz")) file.resize(file.size() - 3);
    constexpr std::string_view date = "-2026-11-23";
    const auto is_date = [](std::string_view ending) {
        for (std::size_t at = 0; at < ending.size(); ++at) {
            const bool dash = at == 0 || at == 5 || at == 8;
            if (dash ? ending[at] != '-' : ending[at] < '0' || ending[at] > '9') return false;
        }
        return true;
    };
    if (file.size() > date.size() && is_date(std::string_view(file).substr(file.size() - date.size())))
        file.resize(file.size() - date.size());
    const std::filesystem::path plugin = path.parent_path();
    CollectdName name;
    std::tie(name.type, name.type_instance) = at_first_dash(file);
    std::tie(name.plugin, name.plugin_instance) = at_first_dash(plugin.filename().string());
    name.host = plugin.parent_path().filename().string();
    if (name.plugin.empty() || name.host.empty() || name.host == "." || name.host == "..")
        throw LogError(
            "what collectd's CSV counts is in its path alone: name it as HOST/PLUGIN-INSTANCE/TYPE-DATE, or "
            "the folder above the host's");
    return name;
}

}  // namespace

bool is_collectd_csv(const std::string&, std::string_view first_bytes)
{
    return first_bytes.starts_with("epoch,");
}

void read_collectd_csv(const Reading& reading, Builder& builder)
{
    const CollectdName file = name_by_path(reading.path);
    CollectdRecords records;
    std::vector<CollectdValues*> columns;
    std::vector<std::string> names;
    Lines lines(reading);
    std::string_view line;
    Nanoseconds before = 0;
    while (lines.next(line)) {
        if (trimmed(line).empty()) continue;
        const auto fields = fields_of(line);
        if (fields[0] == "epoch") {
            columns.clear();
            for (std::size_t at = 1; at < fields.size(); ++at) {
                CollectdName name = file;
                name.value = fields[at];
                columns.push_back(&records[name]);
            }
            continue;
        }
        const auto time = unix_time(fields[0]);
        if (!time || fields.size() != columns.size() + 1) {
            builder.left_out("their lines are not as the heading says", lines.place());
            continue;
        }
        if (*time <= before) {
            builder.left_out("their times are not after those before them, as if the clock went back",
                             utc_text(*time));
            continue;
        }
        before = *time;
        for (std::size_t at = 0; at < columns.size(); ++at) {
            const auto number = number_in(fields[at + 1]);
            if (!number) {
                builder.left_out("their values are no numbers", lines.place());
                continue;
            }
            columns[at]->points.push_back({*time, *number});
            columns[at]->fractions = columns[at]->fractions || !signed_in(fields[at + 1]);
        }
    }
    put_collectd(records, reading, builder);
}

}  // namespace fathom::series
