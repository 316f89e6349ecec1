// Slurm's lists of hosts: https://slurm.schedmd.com/scontrol.html, "show hostnames".
#include "analyzer/job/node_list.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

#include "logformat/job_identity.h"

namespace fathom {
namespace {

constexpr std::size_t most_nodes = 100'000;

// What stands before the first of these letters, which is taken away with it.
std::string_view take_until(std::string_view& text, std::string_view letters)
{
    const std::size_t end = std::min(text.find_first_of(letters), text.size());
    const std::string_view before = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return before;
}

bool read_number(std::string_view text, std::size_t& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

// "1-3,07": each number with the zeros that its range begins with. False for anything else.
bool add_numbered(std::string_view name, std::string_view ranges, std::vector<std::string>& nodes)
{
    while (!ranges.empty()) {
        std::string_view range = take_until(ranges, ",");
        const std::string_view first = take_until(range, "-"), last = range.empty() ? first : range;
        std::size_t from = 0, to = 0;
        if (!read_number(first, from) || !read_number(last, to) || to < from ||
            to - from > most_nodes - nodes.size())
            return false;
        for (std::size_t number = from; number <= to; ++number)
            nodes.push_back(fmt::format("{}{:0{}}", name, number, first.size()));
    }
    return true;
}

std::string_view short_name(std::string_view host)
{
    return host.substr(0, host.find('.'));
}

}  // namespace

std::vector<std::string> nodes_in(std::string_view list)
{
    std::vector<std::string> nodes;
    while (!list.empty() && nodes.size() < most_nodes) {
        const std::size_t end = std::min(list.find_first_of(",["), list.size());
        const bool numbered = end < list.size() && list[end] == '[';
        const std::string_view name = take_until(list, ",[");
        if (!numbered) {
            if (!name.empty()) nodes.emplace_back(name);
            continue;
        }
        if (list.find(']') == list.npos || !add_numbered(name, take_until(list, "]"), nodes)) return {};
        if (!list.empty() && list.front() != ',') return {};  // racks and nodes numbered apart
        take_until(list, ",");
    }
    return nodes.size() < most_nodes ? nodes : std::vector<std::string>();
}

std::string nodes_without_record(const Job& job)
{
    constexpr std::size_t most_named = 6;
    const std::string_view list = job.log.fact(identity::node_list).value_or("");
    if (list.size() >= identity::most_bytes) return "";  // it was cut
    std::set<std::string_view> recorded;
    for (const Process& process : job.log.rows<Process>()) recorded.insert(short_name(process.host));
    std::string names;
    std::size_t missing = 0;
    for (const std::string& node : nodes_in(list)) {
        if (recorded.contains(short_name(node))) continue;
        if (++missing <= most_named) names += (names.empty() ? "" : ", ") + node;
    }
    return missing > most_named ? fmt::format("{} and {} more", names, missing - most_named) : names;
}

}  // namespace fathom
