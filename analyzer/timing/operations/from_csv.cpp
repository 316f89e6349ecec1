// Finds the columns by their names, and puts each row to its class.
#include "analyzer/timing/operations/from_csv.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <span>
#include <stdexcept>

#include "analyzer/document/units.h"
#include "analyzer/timing/operations/from_log.h"
#include "analyzer/timing/operations/gather.h"
#include "logformat/log/words.h"
#include "parsers/csv/csv_file.h"

namespace fathom {
namespace {

using Names = std::span<const std::string_view>;

// What our own files call them: fathom measure, fathom probe, fathom dump --trace.
constexpr std::string_view durations[] = {"duration_s", "latency_s", "duration"};
constexpr std::string_view starts[] = {"start_s", "time_s", "start"};
constexpr std::string_view operation_names[] = {"operation", "kind"};
constexpr std::string_view size_names[] = {"size"};
constexpr std::string_view layer_column = "layer", error_column = "error";
constexpr std::string_view groups[] = {"state", "memory", "file", "threads", "target", "mode"};

constexpr char between = '\x1f';  // values of the columns that make a group, within its key

std::optional<std::size_t> find(const CsvFile& file, const std::string& asked, Names usual)
{
    if (!asked.empty()) return file.column(asked);
    for (const std::string_view name : usual)
        if (const auto found = file.find(name)) return found;
    return std::nullopt;
}

struct CsvColumns {
    std::size_t duration;
    std::optional<std::size_t> start, operation, size, layer, error;
    std::vector<std::size_t> group;

    CsvColumns(const CsvFile& file, const OperationChoice& choice)
    {
        const auto found = find(file, choice.duration_column, durations);
        duration = found ? *found : file.column(durations[0]);  // says which columns there are
        start = find(file, choice.start_column, starts);
        operation = find(file, choice.operation_column, operation_names);
        size = find(file, choice.size_column, size_names);
        layer = file.find(layer_column);
        error = file.find(error_column);
        for (const std::string& name : choice.group_columns) group.push_back(file.column(name));
        if (!choice.group_columns.empty()) return;
        for (const std::string_view name : groups)
            if (const auto usual = file.find(name)) group.push_back(*usual);
    }
};

// The parts of a group's key, as many as there are columns.
std::vector<std::string_view> parts_of(std::string_view key)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= key.size();) {
        const std::size_t end = std::min(key.find(between, at), key.size());
        parts.push_back(key.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

// A number says little without the name of its column.
std::string value_in_words(const std::string& name, std::string_view value)
{
    const bool number = !value.empty() && value.find_first_not_of("0123456789.+-") == std::string_view::npos;
    if (value.empty()) return "no " + name;
    return number ? fmt::format("{} {}", name, value) : std::string(value);
}

// Keys become words, "cached, seq, threads 4". What is the same in all rows goes into a note instead.
void name_groups(TimedOperations& all, const std::vector<std::string>& names)
{
    if (names.empty() || all.classes.empty()) return;
    std::vector<std::set<std::string>> values(names.size());
    for (const TimedClass& one : all.classes) {
        const auto parts = parts_of(one.group);
        for (std::size_t at = 0; at < names.size(); ++at) values[at].emplace(parts[at]);
    }
    std::string same, apart;
    for (std::size_t at = 0; at < names.size(); ++at) {
        const std::string& first = *values[at].begin();
        if (values[at].size() > 1)
            add_to_list(apart, names[at]);
        else if (!first.empty())
            add_to_list(same, fmt::format("{} {}", names[at], first));
    }
    if (!apart.empty()) all.notes.push_back(fmt::format("Classes are named by {}, in this order.", apart));
    if (!same.empty()) all.notes.push_back(fmt::format("All of them: {}.", same));
    for (TimedClass& one : all.classes) {
        const auto parts = parts_of(one.group);
        std::string words;
        for (std::size_t at = 0; at < names.size(); ++at)
            if (values[at].size() > 1) add_to_list(words, value_in_words(names[at], parts[at]));
        one.group = words;
    }
}

struct LeftOut {
    std::uint64_t failed = 0, negative = 0, first_negative = 0;

    void tell(std::vector<std::string>& notes, const std::string& duration) const
    {
        if (failed > 0)
            notes.push_back(fmt::format("{} of the rows are of errors; they are left out.",
                                        report::format_count(failed)));
        if (negative > 0)
            notes.push_back(
                fmt::format("In {} rows {} is below 0, first in line {}: a clock was set back. "
                            "They are left out.",
                            report::format_count(negative), duration, first_negative));
    }
};

}  // namespace

TimedOperations from_csv(const std::string& path, const OperationChoice& choice, const Tick& tick)
{
    CsvFile file(path);
    const CsvColumns columns(file, choice);
    TimedOperations all;
    all.source = TimedSource::csv;
    OperationGatherer gatherer(choice.most_kept);
    LeftOut left_out;
    std::string group, operation, layer;
    OperationStream* stream = nullptr;
    std::string group_before, operation_before, layer_before;
    file.each_row(
        [&](const CsvRow& row) {
            if (columns.error && !row.text(*columns.error).empty()) {
                ++left_out.failed;
                return;
            }
            OneOperation one;
            one.duration = row.number(columns.duration);
            if (columns.start) one.start = row.number(*columns.start);
            if (one.duration < 0) {
                if (left_out.negative++ == 0) left_out.first_negative = row.line();
                return;
            }
            operation = columns.operation ? row.text(*columns.operation) : std::string_view{};
            layer = columns.layer ? row.text(*columns.layer) : std::string_view{};
            if (!is_chosen(choice, layer, operation)) return;
            const bool sized =
                columns.size && (!columns.operation || operation == "read" || operation == "write");
            if (sized) one.size = row.whole(*columns.size);
            group.clear();
            for (const std::size_t column : columns.group) {
                if (column != columns.group.front()) group += between;
                group += row.text(column);
            }
            // Most rows are like the one before.
            if (stream == nullptr || group != group_before || operation != operation_before ||
                layer != layer_before) {
                stream = &gatherer.stream(layer, operation, group, sized, columns.start.has_value());
                group_before = group;
                operation_before = operation;
                layer_before = layer;
            }
            gatherer.add(*stream, one);
        },
        tick);
    all.classes = gatherer.classes(gatherer.first_start());
    std::vector<std::string> names;
    for (const std::size_t column : columns.group) names.push_back(file.names()[column]);
    name_groups(all, names);
    left_out.tell(all.notes, file.names()[columns.duration]);
    return all;
}

}  // namespace fathom
