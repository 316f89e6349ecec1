// Sums of what is expected of each run.
#include "analyzer/timing/measure/plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "analyzer/document/units.h"
#include "analyzer/timing/measure/estimate.h"

namespace fathom::measure {
namespace {

using namespace report;

struct PlanSums {
    std::uint64_t configurations = 0, runs = 0, operations = 0, bytes = 0;
    double seconds = 0;
};

using ByKind = std::map<std::pair<State, Operation>, PlanSums>;

ByKind sums_of(const Grid& grid)
{
    ByKind sums;
    for (const Configuration& one : configurations_of(grid)) {
        PlanSums& to = sums[{one.state, one.operation}];
        const Expectation each = expected(one, grid.limits);
        to.configurations += one.repeat == 0 ? 1 : 0;
        ++to.runs;
        to.operations += each.operations * one.threads;
        to.bytes += each.operations * one.threads * one.size;
        to.seconds += each.seconds;
    }
    return sums;
}

bool has(const Grid& grid, State state)
{
    return std::find(grid.states.begin(), grid.states.end(), state) != grid.states.end();
}

double seconds_around(const Grid& grid, std::uint64_t file_size)
{
    const auto threads = static_cast<double>(grid.threads.size());
    double seconds = 0;
    if (has(grid, State::cached) || has(grid, State::uncached))
        seconds += threads * seconds_to_fill(file_size);
    // They are in the page cache once written, and again after each repeat that took them out of it.
    if (has(grid, State::cached) && has(grid, State::uncached))
        seconds += threads * (grid.repeats - 1) * seconds_to_read(file_size);
    return seconds;
}

std::uint64_t rounded(double value)
{
    return static_cast<std::uint64_t>(value + 0.5);
}

}  // namespace

Plan plan_of(const Grid& grid, std::uint64_t file_size)
{
    Plan plan{.seconds = seconds_around(grid, file_size)};
    if (has(grid, State::cached) || has(grid, State::uncached))
        plan.bytes_written = grid.threads.size() * file_size;
    for (const auto& [kind, sums] : sums_of(grid)) {
        plan.runs += sums.runs;
        plan.operations += sums.operations;
        plan.seconds += sums.seconds;
        if (kind.first != State::discard && kind.second == Operation::write) plan.bytes_written += sums.bytes;
    }
    return plan;
}

Section plan_section(const Grid& grid, std::uint64_t file_size, std::uint64_t buffer_size)
{
    const Plan plan = plan_of(grid, file_size);
    Section section{"plan", "What would be measured", {}};
    section.blocks.push_back(Entries{
        {{"runs", "runs", count(plan.runs), fmt::format("{} repeats of each", grid.repeats)},
         {"operations", "operations", count(plan.operations), "each is a row of the results"},
         {"file_size", "size of all files", bytes(file_size), "written once for each number of threads"},
         {"buffer_size", "buffer in memory", bytes(buffer_size), ""},
         {"bytes_written", "written to the device", bytes(plan.bytes_written),
          "at most; several writes to one place may reach it as one"},
         {"seconds", "time", seconds(plan.seconds), "a guess, see below"}}});
    DataTable table{.id = "kinds", .title = "By state and operation"};
    table.columns = {{"what", "state, operation", Measure::text},
                     {"configurations", "configurations", Measure::count},
                     {"runs", "runs", Measure::count},
                     {"operations", "operations", Measure::count},
                     {"bytes", "bytes moved", Measure::bytes},
                     {"seconds", "time", Measure::seconds},
                     {"each", "assumed: each", Measure::seconds},
                     {"rate", "and bytes a second", Measure::bytes}};
    for (const auto& [kind, sums] : sums_of(grid)) {
        const Pace pace = assumed_pace(kind.first, kind.second);
        constexpr double no_limit = 1e12;
        table.rows.push_back({text(fmt::format("{} {}", name_of(kind.first), name_of(kind.second))),
                              count(sums.configurations), count(sums.runs), count(sums.operations),
                              bytes(sums.bytes), seconds(sums.seconds), seconds(pace.seconds),
                              pace.bytes_per_second > no_limit ? unknown(Measure::bytes)
                                                               : bytes(rounded(pace.bytes_per_second))});
    }
    table.remark =
        "The time is what operations take on a common solid-state disk and memory, within the limits; while "
        "it "
        "is measured, the bar shows the time that is left from what was measured so far.";
    section.blocks.push_back(std::move(table));
    return section;
}

}  // namespace fathom::measure
