#include "parsers/series/collectd.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "parsers/series/words.h"

namespace fathom::series {
namespace {

enum class CollectdIs : std::uint8_t { total, level, percent };

struct CollectdRule {
    std::string_view type, type_instance, value;  // "*": any
    std::string_view quantity;
    CollectdIs is = CollectdIs::total;
    double scale = 1;
    std::string_view share = {};  // of percentages where it is not known of how many processors
};

constexpr double millisecond = 1e-3, jiffy = 1e-2;

constexpr CollectdRule collectd_rules[] = {
    {"disk_octets", "", "read", "bytes_read"},
    {"disk_octets", "", "write", "bytes_written"},
    {"disk_ops", "", "read", "reads"},
    {"disk_ops", "", "write", "writes"},
    {"disk_merged", "", "read", "reads_merged"},
    {"disk_merged", "", "write", "writes_merged"},
    {"disk_io_time", "", "io_time", "busy_time", CollectdIs::total, millisecond},
    {"disk_io_time", "", "weighted_io_time", "queue_time", CollectdIs::total, millisecond},
    {"pending_operations", "", "value", "queue_length", CollectdIs::level},
    {"if_octets", "", "rx", "bytes_received"},
    {"if_octets", "", "tx", "bytes_sent"},
    {"if_packets", "", "rx", "packets_received"},
    {"if_packets", "", "tx", "packets_sent"},
    {"if_errors", "", "rx", "receive_errors"},
    {"if_errors", "", "tx", "send_errors"},
    {"cpu", "user", "value", "cpu_user", CollectdIs::total, jiffy},
    {"cpu", "nice", "value", "cpu_nice", CollectdIs::total, jiffy},
    {"cpu", "system", "value", "cpu_system", CollectdIs::total, jiffy},
    {"cpu", "interrupt", "value", "cpu_irq", CollectdIs::total, jiffy},
    {"cpu", "softirq", "value", "cpu_softirq", CollectdIs::total, jiffy},
    {"cpu", "steal", "value", "cpu_steal", CollectdIs::total, jiffy},
    {"cpu", "wait", "value", "cpu_wait", CollectdIs::total, jiffy},
    {"cpu", "idle", "value", "cpu_idle", CollectdIs::total, jiffy},
    {"percent", "user", "value", "cpu_user", CollectdIs::percent, 0.01, "cpu_user_share"},
    {"percent", "nice", "value", "cpu_nice", CollectdIs::percent, 0.01, "cpu_nice_share"},
    {"percent", "system", "value", "cpu_system", CollectdIs::percent, 0.01, "cpu_system_share"},
    {"percent", "interrupt", "value", "cpu_irq", CollectdIs::percent, 0.01, "cpu_irq_share"},
    {"percent", "softirq", "value", "cpu_softirq", CollectdIs::percent, 0.01, "cpu_softirq_share"},
    {"percent", "steal", "value", "cpu_steal", CollectdIs::percent, 0.01, "cpu_steal_share"},
    {"percent", "wait", "value", "cpu_wait", CollectdIs::percent, 0.01, "cpu_wait_share"},
    {"percent", "idle", "value", "cpu_idle", CollectdIs::percent, 0.01, "cpu_idle_share"},
    {"memory", "free", "value", "memory_free", CollectdIs::level},
    {"memory", "used", "value", "memory_used", CollectdIs::level},
    {"memory", "cached", "value", "memory_cached", CollectdIs::level},
    {"df_complex", "free", "value", "bytes_free", CollectdIs::level},
    {"df_complex", "used", "value", "bytes_used", CollectdIs::level},
    {"df_inodes", "free", "value", "inodes_free", CollectdIs::level},
    {"df_inodes", "used", "value", "inodes_used", CollectdIs::level},
};

// Percentages of other plugins than cpu are no time of processors.
const CollectdRule* collectd_rule(const CollectdName& name)
{
    const auto* const rule = std::ranges::find_if(collectd_rules, [&](const CollectdRule& row) {
        return row.type == name.type && row.type_instance == name.type_instance && row.value == name.value;
    });
    if (rule == std::end(collectd_rules) || (rule->is == CollectdIs::percent && name.plugin != "cpu"))
        return nullptr;
    return rule;
}

Component collectd_component(const CollectdName& name, const Reading& reading)
{
    const std::string& host = name.host.empty() ? reading.host : name.host;
    if (name.plugin_instance.empty()) return {reading.system, host, ComponentType::host, host, {}};
    const auto of = [&](ComponentType type, const std::string& what) {
        return Component{reading.system, host, type, what, {}};
    };
    if (name.plugin == "disk") return of(ComponentType::device, name.plugin_instance);
    if (name.plugin == "interface") return of(ComponentType::interface, name.plugin_instance);
    if (name.plugin == "cpu") return of(ComponentType::processor, "cpu" + name.plugin_instance);
    if (name.plugin == "df") return of(ComponentType::file_system, name.plugin_instance);
    return of(ComponentType::other, name.plugin + "-" + name.plugin_instance);
}

std::string own_name(const CollectdName& name)
{
    std::string text = name.type;
    if (!name.type_instance.empty()) text += "-" + name.type_instance;
    return name.value == "value" || name.value.empty() ? text : text + "." + name.value;
}

bool falls_often(const std::vector<CollectdValues::Point>& points)
{
    std::size_t falls = 0;
    for (std::size_t at = 1; at < points.size(); ++at)
        falls += points[at].value < points[at - 1].value ? 1 : 0;
    return falls > 1 && falls * 4 > points.size();
}

}  // namespace

void put_collectd(CollectdRecords& records, const Reading& reading, Builder& builder)
{
    // The step that most neighbours have, of each plugin: on one host most samples may be missing.
    std::map<std::string, std::map<Nanoseconds, std::size_t>> steps;
    for (auto& [name, values] : records) {
        std::ranges::stable_sort(values.points, {}, &CollectdValues::Point::time);
        // Exports hold the same document several times.
        const auto same_time = [](const auto& one, const auto& other) { return one.time == other.time; };
        values.points.erase(std::unique(values.points.begin(), values.points.end(), same_time),
                            values.points.end());
        for (std::size_t at = 1; at < values.points.size(); ++at)
            ++steps[name.plugin][rounded_step(values.points[at].time - values.points[at - 1].time)];
    }
    constexpr Nanoseconds standard = 10 * one_second;  // collectd's own, where its configuration says nothing
    constexpr std::size_t enough = 3;                  // neighbours
    bool guessed = false;

    for (auto& [name, values] : records) {
        const CollectdRule* const rule = collectd_rule(name);
        const std::uint32_t component = builder.component(collectd_component(name, reading));
        const bool total = (rule == nullptr || rule->is == CollectdIs::total) && !values.fractions &&
                           !values.gauge && !falls_often(values.points);
        if (total && (rule != nullptr || values.counter || values.points.size() > 1)) {
            const double scale = rule == nullptr ? 1 : rule->scale;
            const auto id = builder.series(
                component, rule == nullptr ? own_name(name) : std::string(rule->quantity), Kind::amount);
            const bool narrow = values.counter && std::ranges::all_of(values.points, [](const auto& point) {
                                    return point.value < 4294967296.0;
                                });
            for (const auto& point : values.points)
                builder.total(id, point.time, point.value, scale, narrow ? 32 : 64);
            continue;
        }
        if (values.interval == 0) {
            const auto& of_plugin = steps[name.plugin];
            const auto usual =
                std::ranges::max_element(of_plugin, {}, [](const auto& step) { return step.second; });
            const bool told = usual != of_plugin.end() && usual->second >= enough && usual->first > 0;
            values.interval = told ? usual->first : standard;
            guessed = guessed || !told;
        }
        Nanoseconds before = std::numeric_limits<Nanoseconds>::min();
        for (const auto& [time, value] : values.points) {
            // A rate is that of one interval: where samples are missing it says nothing of the time before.
            const bool neighbour = before > 0 && time - before <= values.interval + values.interval / 2;
            const Nanoseconds begin = neighbour ? before : time - values.interval;
            const double seconds = static_cast<double>(time - begin) / 1e9;
            before = time;
            const bool of_all = name.plugin_instance.empty();
            if (rule == nullptr)
                builder.level(builder.series(component, own_name(name)), time, value);
            else if (rule->is == CollectdIs::level)
                builder.level(builder.series(component, rule->quantity), time, value * rule->scale);
            else if (rule->is == CollectdIs::percent && of_all)
                builder.level(builder.series(component, rule->share), begin, time, value * rule->scale);
            else
                builder.amount(builder.series(component, rule->quantity), begin, time,
                               value * rule->scale * seconds);
        }
    }
    if (guessed)
        builder.problem(
            "its rates do not say of which interval they are, and there are too few of each to tell: 10 s, "
            "collectd's own, is taken");
}

}  // namespace fathom::series
