// Amounts are lists of numbers in the order of their members.
#include "analyzer/watch/node_row.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "analyzer/document/printable.h"

namespace fathom::watch {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_text = 120;
constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();  // that databases keep

constexpr std::uint64_t Amounts::*all_amounts[] = {
    &Amounts::read,           &Amounts::written,   &Amounts::reads,      &Amounts::writes,
    &Amounts::metadata_calls, &Amounts::read_time, &Amounts::write_time, &Amounts::metadata_time};

std::string short_text(std::string_view text)
{
    std::string made = report::printable(text).substr(0, longest_text);
    while (!made.empty() && report::valid_utf8(made) != made) made.pop_back();  // not inside of a character
    return made;
}

Json numbers_of(const Amounts& amounts)
{
    Json numbers = Json::array();
    for (const auto member : all_amounts) numbers.push_back(amounts.*member);
    return numbers;
}

std::uint64_t number_in(const Json& value)
{
    // Negative ones and fractions are none.
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
        throw std::invalid_argument("no number");
    return value.get<std::uint64_t>();
}

Amounts amounts_in(const Json& numbers)
{
    Amounts amounts;
    std::size_t at = 0;
    for (const auto member : all_amounts) amounts.*member = number_in(numbers.at(at++));
    return amounts;
}

std::string text_in(const Json& object, const char* name)
{
    const auto at = object.find(name);
    return at == object.end() ? std::string() : short_text(at->get<std::string>());
}

}  // namespace

bool NodeRow::is_silent() const
{
    constexpr double intervals = 3, more = 10;
    return age > intervals * seconds() + more;
}

NodeRow node_row_of(const Recording& recording)
{
    NodeRow row;
    row.job = recording.job;
    row.step = recording.step;
    row.project = recording.project;
    row.command = recording.command;
    row.start = recording.start;
    row.processes = recording.processes_running();
    row.nodes = recording.nodes;
    row.all = recording.amounts;
    return row;
}

std::string json_of(const NodeRow& row)
{
    const Json line{{"fathom_watch", 1},
                    {"job", row.job},
                    {"step", row.step},
                    {"user", row.user},
                    {"project", row.project},
                    {"host", row.node},
                    {"command", short_text(row.command)},
                    {"start_ns", row.start},
                    {"from_ns", row.from},
                    {"time_ns", row.until},
                    {"processes", row.processes},
                    {"nodes", row.nodes},
                    {"all", numbers_of(row.all)},
                    {"lately", numbers_of(row.lately)}};
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<NodeRow> node_row_from(std::string_view json)
{
    const Json line = Json::parse(json, nullptr, false);
    if (!line.is_object()) return {};
    try {
        NodeRow row;
        row.job = text_in(line, "job");
        row.step = text_in(line, "step");
        row.user = text_in(line, "user");
        row.project = text_in(line, "project");
        row.node = text_in(line, "host");
        row.command = text_in(line, "command");
        row.start = number_in(line.at("start_ns"));
        row.from = number_in(line.at("from_ns"));
        row.until = number_in(line.at("time_ns"));
        row.processes = number_in(line.at("processes"));
        row.nodes = line.contains("nodes") ? number_in(line.at("nodes")) : 0;
        row.all = amounts_in(line.at("all"));
        row.lately = amounts_in(line.at("lately"));
        if (row.job.empty() || row.until < row.from) return {};
        return row;
    } catch (const Json::exception&) {
    } catch (const std::invalid_argument&) {
    }
    return {};
}

Looks looks_of(std::span<const NodeRow> rows, std::uint64_t now, JobOnNodes job)
{
    Looks looks;
    std::vector<const NodeRow*> order;
    double longest = 0;
    for (const NodeRow& row : rows) {
        order.push_back(&row);
        job.nodes = std::max(job.nodes, row.nodes);
        if (!row.is_silent()) longest = std::max(longest, row.seconds());
    }
    std::ranges::stable_sort(order, {},
                             [](const NodeRow* row) { return std::tie(row->node, row->step, row->command); });
    looks.now.time = now;
    looks.before.time = now - std::min(now, static_cast<std::uint64_t>(longest * 1e9));
    std::size_t number = 0;
    for (const NodeRow* const row : order) {
        Recording recording;
        recording.spool = fmt::format("{}", number++);
        recording.command = row->command;
        recording.job = row->job;
        recording.step = row->step;
        recording.node = row->node;
        recording.start = row->start;
        recording.age = row->age;
        recording.running = row->processes > 0;
        recording.silent = recording.running && row->is_silent();
        recording.elsewhere = recording.silent ? 0 : row->processes;
        recording.nodes = row->nodes;
        recording.amounts = row->all;
        Recording then = recording;
        if (recording.running && !recording.silent && row->seconds() > 0)
            for (const auto member : all_amounts) {
                const double scaled = static_cast<double>(row->lately.*member) * longest / row->seconds();
                // More than there is altogether: of what began just now.
                then.amounts.*member -=
                    static_cast<std::uint64_t>(std::min(scaled, static_cast<double>(then.amounts.*member)));
            }
        looks.before.recordings.push_back(std::move(then));
        looks.now.recordings.push_back(std::move(recording));
    }
    looks.now.job = std::move(job);
    return looks;
}

}  // namespace fathom::watch
