// What iostat and sadf have in common: columns of disks and processors, and their JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

#include "parsers/series/source.h"

namespace fathom::series {

struct NamedValue {
    std::string_view name;
    double value = 0;
};

struct Interval {
    Nanoseconds begin = 0, end = 0;
    double seconds() const { return static_cast<double>(end - begin) / 1e9; }
};

// Rates and means of a device; columns that no row knows keep their name.
void add_disk(Builder& builder, const Component& disk, std::span<const NamedValue> columns,
              const Interval& when);

// Percentages of so many processors; 0: it is not known how many, and shares are all there is.
void add_processors(Builder& builder, const Component& of, double processors,
                    std::span<const NamedValue> percentages, const Interval& when);

// The numbers of a JSON object by their names, which live as long as it does.
std::vector<NamedValue> numbers_of(const nlohmann::json& object);
// A text, or a number as one; empty where there is none.
std::string text_of(const nlohmann::json& object, std::string_view name);
// 0 where there is none.
double number_of(const nlohmann::json& object, std::string_view name);
// An empty object where there is none.
const nlohmann::json& part_of(const nlohmann::json& object, std::string_view name);

// Calls visit(host, statistic) for each statistic of {"sysstat": {"hosts": [{…, "statistics": […]}]}}; `host`
// has the texts and numbers beside them. Where the text is no JSON any more it says so, and what came before
// stays.
using VisitStatistic = std::function<void(const nlohmann::json& host, const nlohmann::json& statistic)>;
void each_statistic(const Reading& reading, Builder& builder, const VisitStatistic& visit);

}  // namespace fathom::series
