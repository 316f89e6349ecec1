// Rows to groups, then each group in the order of time.
#include "analyzer/timing/states/samples.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "parsers/csv/csv_file.h"

namespace fathom {
namespace {

constexpr std::string_view usual_times[] = {"time_s", "t_min", "t_s", "start_s", "time"};
constexpr std::string_view usual_latencies[] = {"latency_s", "duration_s", "latency"};

struct UnitOfEnding {
    std::string_view ending;
    double seconds;
};
constexpr UnitOfEnding units[] = {{"_ns", 1e-9}, {"_us", 1e-6}, {"_ms", 1e-3},
                                  {"_s", 1},     {"_min", 60},  {"_h", 3600}};

// What stands for no number: R and Python write so.
constexpr std::string_view missing[] = {"", "NA", "NaN", "nan", "inf", "Inf", "-inf", "-Inf"};

std::size_t column_of(const CsvFile& file, const std::string& asked, std::span<const std::string_view> usual)
{
    if (!asked.empty()) return file.column(asked);
    for (const std::string_view name : usual)
        if (const auto found = file.find(name)) return *found;
    return file.column(usual[0]);  // throws, and says which there are
}

std::string text_of(const CsvRow& row, std::optional<std::size_t> column)
{
    return column ? std::string(row.text(*column)) : std::string();
}

template <class Value>
void reorder(std::vector<Value>& values, const std::vector<std::size_t>& places)
{
    if (values.empty()) return;
    std::vector<Value> ordered;
    ordered.reserve(places.size());
    for (const std::size_t place : places) ordered.push_back(std::move(values[place]));
    values = std::move(ordered);
}

// Sorts by time; of rows of the same time the first stays.
void put_in_order(SampleGroup& group)
{
    std::vector<std::size_t> places(group.times.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    group.sorted = std::is_sorted(group.times.begin(), group.times.end());
    if (!group.sorted)
        std::stable_sort(places.begin(), places.end(),
                         [&](std::size_t a, std::size_t b) { return group.times[a] < group.times[b]; });
    const auto end = std::unique(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return group.times[a] == group.times[b];
    });
    group.left_out.same_time = static_cast<std::uint64_t>(places.end() - end);
    places.erase(end, places.end());
    reorder(group.times, places);
    reorder(group.latencies, places);
    reorder(group.truths, places);
}

}  // namespace

double unit_of_column(std::string_view name)
{
    for (const UnitOfEnding& unit : units)
        if (name.ends_with(unit.ending)) return unit.seconds;
    return 1;
}

Samples read_samples(const std::string& path, const SampleChoice& choice, const Tick& tick)
{
    CsvFile file(path);
    const std::size_t time = column_of(file, choice.time, usual_times);
    const std::size_t latency = column_of(file, choice.latency, usual_latencies);
    const auto target = choice.target.empty() ? file.find("target") : file.column("target");
    const auto operation = choice.operation.empty() ? file.find("operation") : file.column("operation");
    const auto error = file.find("error");
    const auto truth = choice.truth.empty() ? std::nullopt : std::optional(file.column(choice.truth));

    Samples samples{.time_column = file.names()[time], .latency_column = file.names()[latency], .groups = {}};
    const double time_unit = unit_of_column(samples.time_column);
    const double latency_unit = unit_of_column(samples.latency_column);
    std::map<std::pair<std::string, std::string>, std::size_t> numbers;
    file.each_row(
        [&](const CsvRow& row) {
            std::pair key(text_of(row, target), text_of(row, operation));
            if (!choice.target.empty() && key.first != choice.target) return;
            if (!choice.operation.empty() && key.second != choice.operation) return;
            const auto [place, is_new] = numbers.emplace(key, samples.groups.size());
            if (is_new) {
                samples.groups.emplace_back();
                samples.groups.back().target = key.first;
                samples.groups.back().operation = key.second;
            }
            SampleGroup& group = samples.groups[place->second];
            if (error && !row.text(*error).empty()) {
                ++group.left_out.failed;
                return;
            }
            const auto is = [](std::string_view text) {
                return [text](std::string_view one) { return one == text; };
            };
            const bool known = std::none_of(std::begin(missing), std::end(missing), is(row.text(latency)));
            const double took = known ? row.number(latency) * latency_unit : 0;
            if (!(took > 0)) {
                ++group.left_out.no_latency;
                return;
            }
            group.times.push_back(row.number(time) * time_unit);
            group.latencies.push_back(took);
            if (truth) group.truths.emplace_back(row.text(*truth));
        },
        tick);
    for (SampleGroup& group : samples.groups) put_in_order(group);
    return samples;
}

}  // namespace fathom
