#include "parsers/series/sysstat.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "parsers/series/words.h"

namespace fathom::series {
namespace {

enum class DiskColumn : std::uint8_t {
    rate,   // times `factor` a second
    level,  // the mean
    wait,   // milliseconds for each of the column `other`, a rate
    twice,  // said by another column
};

struct DiskRule {
    std::string_view column, quantity;
    DiskColumn is;
    double factor = 1;
    std::string_view other = {};  // of a rate: is used where that column is not there
};

constexpr double kib = 1024, mib = 1024 * 1024, sector = 512, percent = 0.01;

constexpr DiskRule disk_rules[] = {
    {"r/s", "reads", DiskColumn::rate},
    {"w/s", "writes", DiskColumn::rate},
    {"d/s", "discards", DiskColumn::rate},
    {"f/s", "flushes", DiskColumn::rate},
    {"rkB/s", "bytes_read", DiskColumn::rate, kib},
    {"rMB/s", "bytes_read", DiskColumn::rate, mib},
    {"rsec/s", "bytes_read", DiskColumn::rate, sector},
    {"rkB", "bytes_read", DiskColumn::rate, kib},
    {"rd_sec", "bytes_read", DiskColumn::rate, sector, "rkB"},
    {"kB_read/s", "bytes_read", DiskColumn::rate, kib},
    {"MB_read/s", "bytes_read", DiskColumn::rate, mib},
    {"Blk_read/s", "bytes_read", DiskColumn::rate, sector},
    {"wkB/s", "bytes_written", DiskColumn::rate, kib},
    {"wMB/s", "bytes_written", DiskColumn::rate, mib},
    {"wsec/s", "bytes_written", DiskColumn::rate, sector},
    {"wkB", "bytes_written", DiskColumn::rate, kib},
    {"wr_sec", "bytes_written", DiskColumn::rate, sector, "wkB"},
    {"kB_wrtn/s", "bytes_written", DiskColumn::rate, kib},
    {"MB_wrtn/s", "bytes_written", DiskColumn::rate, mib},
    {"Blk_wrtn/s", "bytes_written", DiskColumn::rate, sector},
    {"dkB/s", "bytes_discarded", DiskColumn::rate, kib},
    {"dMB/s", "bytes_discarded", DiskColumn::rate, mib},
    {"dsec/s", "bytes_discarded", DiskColumn::rate, sector},
    {"dkB", "bytes_discarded", DiskColumn::rate, kib},
    {"dc_sec", "bytes_discarded", DiskColumn::rate, sector, "dkB"},
    {"kB_dscd/s", "bytes_discarded", DiskColumn::rate, kib},
    {"MB_dscd/s", "bytes_discarded", DiskColumn::rate, mib},
    {"rrqm/s", "reads_merged", DiskColumn::rate},
    {"wrqm/s", "writes_merged", DiskColumn::rate},
    {"r_await", "read_time", DiskColumn::wait, 1, "r/s"},
    {"w_await", "write_time", DiskColumn::wait, 1, "w/s"},
    {"d_await", "discard_time", DiskColumn::wait, 1, "d/s"},
    {"f_await", "flush_time", DiskColumn::wait, 1, "f/s"},
    {"aqu-sz", "queue_length", DiskColumn::level},
    {"avgqu-sz", "queue_length", DiskColumn::level, 1, "aqu-sz"},
    {"%util", "busy_time", DiskColumn::rate, percent},
    {"util", "busy_time", DiskColumn::rate, percent},
    {"util-percent", "busy_time", DiskColumn::rate, percent},
    {"avgrq-sz", "areq-sz", DiskColumn::level, 1, "areq-sz"},
    {"kB_read", "", DiskColumn::twice},
    {"kB_wrtn", "", DiskColumn::twice},
    {"kB_dscd", "", DiskColumn::twice},
    {"MB_read", "", DiskColumn::twice},
    {"MB_wrtn", "", DiskColumn::twice},
    {"MB_dscd", "", DiskColumn::twice},
    {"Blk_read", "", DiskColumn::twice},
    {"Blk_wrtn", "", DiskColumn::twice},
};

struct ProcessorRule {
    std::string_view column, time, share;
};
constexpr ProcessorRule processor_rules[] = {
    {"user", "cpu_user", "cpu_user_share"},
    {"usr", "cpu_user", "cpu_user_share"},
    {"nice", "cpu_nice", "cpu_nice_share"},
    {"system", "cpu_system", "cpu_system_share"},
    {"sys", "cpu_system", "cpu_system_share"},
    {"irq", "cpu_irq", "cpu_irq_share"},
    {"soft", "cpu_softirq", "cpu_softirq_share"},
    {"iowait", "cpu_wait", "cpu_wait_share"},
    {"steal", "cpu_steal", "cpu_steal_share"},
    {"guest", "cpu_guest", "cpu_guest_share"},
    {"gnice", "cpu_guest_nice", "cpu_guest_nice_share"},
    {"idle", "cpu_idle", "cpu_idle_share"},
};

const NamedValue* column_named(std::span<const NamedValue> columns, std::string_view name)
{
    const auto found = std::ranges::find(columns, name, &NamedValue::name);
    return found == columns.end() ? nullptr : &*found;
}

// Deeper than anything that sysstat writes.
constexpr int deepest_statistic = 16;

}  // namespace

void add_disk(Builder& builder, const Component& disk, std::span<const NamedValue> columns,
              const Interval& when)
{
    const std::uint32_t component = builder.component(disk);
    const auto put = [&](std::string_view quantity, double per_second) {
        builder.amount(builder.series(component, quantity), when.begin, when.end,
                       per_second * when.seconds());
    };
    const auto mean = [&](std::string_view quantity, double value) {
        builder.level(builder.series(component, quantity), when.begin, when.end, value);
    };
    for (const NamedValue& column : columns) {
        const auto* const rule = std::ranges::find(disk_rules, column.name, &DiskRule::column);
        if (rule == std::end(disk_rules)) {
            mean(column.name, column.value);
            continue;
        }
        const NamedValue* const other = column_named(columns, rule->other);
        switch (rule->is) {
            case DiskColumn::rate:
                if (other == nullptr) put(rule->quantity, column.value * rule->factor);
                break;
            case DiskColumn::level:
                if (other == nullptr) mean(rule->quantity, column.value * rule->factor);
                break;
            case DiskColumn::wait:
                if (other != nullptr)
                    put(rule->quantity, column.value / 1e3 * other->value);
                else
                    mean(column.name, column.value);
                break;
            case DiskColumn::twice:
                break;
        }
    }
}

void add_processors(Builder& builder, const Component& of, double processors,
                    std::span<const NamedValue> percentages, const Interval& when)
{
    const std::uint32_t component = builder.component(of);
    for (const NamedValue& one : percentages) {
        const auto* const rule = std::ranges::find(processor_rules, one.name, &ProcessorRule::column);
        if (rule == std::end(processor_rules))
            builder.level(builder.series(component, one.name), when.begin, when.end, one.value);
        else if (processors > 0)
            builder.amount(builder.series(component, rule->time, Kind::amount), when.begin, when.end,
                           one.value * percent * processors * when.seconds());
        else
            builder.level(builder.series(component, rule->share), when.begin, when.end, one.value * percent);
    }
}

std::vector<NamedValue> numbers_of(const nlohmann::json& object)
{
    std::vector<NamedValue> numbers;
    if (object.is_object())
        for (const auto& [name, value] : object.items())
            if (value.is_number()) numbers.push_back({name, value.get<double>()});
    return numbers;
}

const nlohmann::json& part_of(const nlohmann::json& object, std::string_view name)
{
    static const nlohmann::json none = nlohmann::json::object();
    if (!object.is_object()) return none;
    const auto found = object.find(name);
    return found == object.end() ? none : *found;
}

std::string text_of(const nlohmann::json& object, std::string_view name)
{
    const nlohmann::json& value = part_of(object, name);
    if (value.is_string()) return value.get<std::string>();
    return value.is_number() ? value.dump() : std::string();
}

double number_of(const nlohmann::json& object, std::string_view name)
{
    const nlohmann::json& value = part_of(object, name);
    return value.is_number() ? value.get<double>() : 0;
}

void each_statistic(const Reading& reading, Builder& builder, const VisitStatistic& visit)
{
    using nlohmann::json;
    // {"sysstat": {"hosts": [ {HOST: …, "statistics": [ {STATISTIC} ] } ] } }
    constexpr int host_depth = 3, fact_depth = 4, statistic_depth = 5;
    json host = json::object();
    std::string key;
    const auto filter = [&](int depth, json::parse_event_t event, json& parsed) {
        using Event = json::parse_event_t;
        if (depth > deepest_statistic) return false;
        if (event == Event::object_start && depth == host_depth) host = json::object();
        if (event == Event::key && depth == fact_depth) key = parsed.get<std::string>();
        if (event == Event::value && depth == fact_depth) host[key] = parsed;
        if (event != Event::object_end || depth != statistic_depth) return true;
        visit(host, parsed);
        return false;
    };
    try {
        const json rest = json::parse(reading.text.begin(), reading.text.end(), filter);
    } catch (const json::exception& error) {
        builder.problem(
            fmt::format("no JSON from some place on ({}); what stands before it is in", shown(error.what())));
    }
}

}  // namespace fathom::series
