// `iostat -x -t -o JSON`. The first statistic is since boot, which is no interval.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "logformat/log/log.h"
#include "parsers/series/clock.h"
#include "parsers/series/readers.h"
#include "parsers/series/sysstat.h"

namespace fathom::series {

bool is_iostat_json(const std::string&, std::string_view first_bytes)
{
    return first_bytes.find("\"sysstat\"") != std::string_view::npos &&
           first_bytes.find("\"file-date\"") == std::string_view::npos;
}

void read_iostat_json(const Reading& reading, Builder& builder)
{
    LocalClock clock(builder);
    std::optional<Nanoseconds> before;
    bool without_time = false;
    // Dates with slashes: one whose day is above 12 tells the order of all.
    bool day_first = false;
    constexpr std::string_view stamp = "\"timestamp\"";
    for (std::size_t at = 0; (at = reading.text.find(stamp, at)) != std::string_view::npos;
         at += stamp.size()) {
        const std::size_t begin = reading.text.find('"', at + stamp.size());
        if (begin == std::string_view::npos) break;
        if (const auto order = day_comes_first(reading.text.substr(begin + 1, 32))) {
            day_first = *order;
            break;
        }
    }
    each_statistic(reading, builder, [&](const nlohmann::json& host, const nlohmann::json& statistic) {
        const auto civil = civil_in(text_of(statistic, "timestamp"), day_first);
        if (!civil) {
            without_time = true;
            return;
        }
        const auto time = clock.instant(*civil);
        if (before && time) {
            const std::string name =
                text_of(host, "nodename").empty() ? reading.host : text_of(host, "nodename");
            const Interval when{*before, *time};
            if (const auto cpu = numbers_of(part_of(statistic, "avg-cpu")); !cpu.empty())
                add_processors(builder, {reading.system, name, ComponentType::host, name, {}},
                               number_of(host, "number-of-cpus"), cpu, when);
            for (const nlohmann::json& disk : part_of(statistic, "disk"))
                if (const std::string device = text_of(disk, "disk_device"); !device.empty())
                    add_disk(builder, {reading.system, name, ComponentType::device, device, {}},
                             numbers_of(disk), when);
        }
        before = time;
    });
    if (without_time) throw LogError("its statistics have no times: run iostat with -t");
}

}  // namespace fathom::series
