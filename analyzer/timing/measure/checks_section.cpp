// How the states were had, and where they were not.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "analyzer/document/units.h"
#include "analyzer/timing/measure/summary.h"

namespace fathom::measure {
namespace {

using namespace report;

constexpr std::size_t most_reasons = 10;

using Group = std::tuple<State, Operation, How>;

struct Sums {
    std::array<std::uint64_t, as_asked_names.size()> runs{};  // by verdict
    double resident_before = 0, resident_after = 0;
    std::uint64_t told_before = 0, told_after = 0, bytes = 0, read_bytes = 0, write_bytes = 0;

    void add(const Check& check)
    {
        const Observed& seen = check.seen;
        ++runs[static_cast<std::size_t>(check.verdict.as_asked)];
        told_before += seen.resident_before ? 1 : 0;
        told_after += seen.resident_after ? 1 : 0;
        resident_before += seen.resident_before.value_or(0);
        resident_after += seen.resident_after.value_or(0);
        bytes += seen.bytes;
        read_bytes += seen.read_bytes.value_or(0);
        write_bytes += seen.write_bytes.value_or(0);
    }
    std::uint64_t with(AsAsked verdict) const { return runs[static_cast<std::size_t>(verdict)]; }
};

DataTable table_of(const std::map<Group, Sums>& groups)
{
    DataTable table{.id = "checks", .title = "Whether the data was where it should be"};
    table.columns = {{"what", "state, operation", Measure::text}, {"how", "how", Measure::text},
                     {"as_asked", "as asked", Measure::count},    {"not", "not", Measure::count},
                     {"unknown", "unknown", Measure::count},      {"before", "cached before", Measure::share},
                     {"after", "and after", Measure::share},      {"bytes", "asked for", Measure::bytes},
                     {"read_bytes", "fetched", Measure::bytes},   {"write_bytes", "written", Measure::bytes}};
    for (const auto& [group, sums] : groups) {
        const auto& [state, operation, how] = group;
        table.rows.push_back({text(fmt::format("{} {}", name_of(state), name_of(operation))),
                              text(name_of(how)), count(sums.with(AsAsked::yes)),
                              count(sums.with(AsAsked::no)), count(sums.with(AsAsked::unknown)),
                              share_of(sums.resident_before, static_cast<double>(sums.told_before)),
                              share_of(sums.resident_after, static_cast<double>(sums.told_after)),
                              bytes(sums.bytes), bytes(sums.read_bytes), bytes(sums.write_bytes)});
    }
    table.remark =
        "Runs that were as asked, were not, or are not known from the kernel; the part of the files in "
        "the "
        "page cache; bytes that the operations asked for, that the kernel fetched from a device, and that it "
        "wrote or has yet to write. How: null, /dev/zero or /dev/null; warm, read before; direct, past the "
        "page "
        "cache by O_DIRECT; dropped, taken out of the page cache before each operation; dropped_once, before "
        "the first; synced, each write waits for the device.";
    return table;
}

}  // namespace

Section checks_section(std::span<const Check> checks)
{
    std::map<Group, Sums> groups;
    std::map<std::tuple<Group, std::string>, std::uint64_t> reasons;
    std::uint64_t not_as_asked = 0, cut = 0;
    for (const Check& check : checks) {
        const Group group = {check.configuration.state, check.configuration.operation, check.seen.how};
        groups[group].add(check);
        cut += check.seen.operations < check.seen.planned ? 1 : 0;
        if (check.verdict.as_asked == AsAsked::yes) continue;
        ++not_as_asked;
        ++reasons[{group, check.verdict.why}];
    }
    Section section{"checks", "Checks of the states", {}};
    if (not_as_asked > 0)
        section.blocks.push_back(Note{
            Weight::warning, fmt::format("In {} of {} the data was not in the state that was asked for, or "
                                         "not known: do not train on these.",
                                         format_count(not_as_asked), counted(checks.size(), "run", "runs"))});
    if (cut > 0)
        section.blocks.push_back(Note{
            Weight::information, fmt::format("{} of {} ended by their time limit, with fewer operations than "
                                             "planned.",
                                             format_count(cut), counted(checks.size(), "run", "runs"))});
    section.blocks.push_back(table_of(groups));
    if (reasons.empty()) return section;

    std::vector<std::pair<std::uint64_t, std::tuple<Group, std::string>>> often;
    for (const auto& [reason, runs] : reasons) often.emplace_back(runs, reason);
    std::stable_sort(often.begin(), often.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    DataTable table{.id = "reasons", .title = "What was seen of those that were not"};
    table.columns = {{"what", "state, operation", Measure::text},
                     {"how", "how", Measure::text},
                     {"runs", "runs", Measure::count},
                     {"why", "why", Measure::text}};
    for (const auto& [runs, reason] : often) {
        if (table.rows.size() == most_reasons) {
            table.remark = fmt::format("{} more are in the file of checks.", often.size() - most_reasons);
            break;
        }
        const auto& [state, operation, how] = std::get<0>(reason);
        table.rows.push_back({text(fmt::format("{} {}", name_of(state), name_of(operation))),
                              text(name_of(how)), count(runs), text(std::get<1>(reason))});
    }
    section.blocks.push_back(std::move(table));
    return section;
}

}  // namespace fathom::measure
