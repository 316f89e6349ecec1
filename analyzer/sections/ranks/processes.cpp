// Processes of an MPI job that are no ranks: launchers, shells and children. They count for no rate and no
// mode.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/endings.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_rows = 10;

std::uint64_t moved_by(const Member& member)
{
    return member.application_bytes(Direction::read) + member.application_bytes(Direction::write);
}

DataTable table_of(const std::vector<Member>& members, std::string id)
{
    std::vector<const Member*> sorted;
    for (const Member& member : members) sorted.push_back(&member);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Member* a, const Member* b) { return moved_by(*a) > moved_by(*b); });
    DataTable table{.id = std::move(id)};
    table.columns = {{"program", "program", Measure::path},
                     {"process", "process", Measure::text},
                     {"pid", "pid", Measure::text},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"time", "in I/O", Measure::seconds},
                     {"run_time", "run time", Measure::seconds},
                     {"ended", "ended by", Measure::text}};
    for (std::size_t at = 0; at < std::min(sorted.size(), most_rows); ++at) {
        const Member& member = *sorted[at];
        const Process& process = member.process;
        table.rows.push_back({process.program.empty() ? unknown(Measure::path) : path(process.program),
                              text(std::to_string(process.process)),
                              process.pid == 0 ? unknown() : text(std::to_string(process.pid)),
                              bytes(member.application_bytes(Direction::read)),
                              bytes(member.application_bytes(Direction::write)),
                              nanoseconds(member.time().total()), nanoseconds(member.run_time()),
                              text(ending_of(process))});
    }
    if (sorted.size() > most_rows)
        table.remark =
            fmt::format("Not shown: {} more with less I/O.", format_count(sorted.size() - most_rows));
    return table;
}

}  // namespace

Blocks processes(const Job& job, const SectionChoice&)
{
    return {table_of(job.ranks, "processes")};
}

Blocks other_processes(const Job& job, const SectionChoice&)
{
    // Histograms are those of all processes together.
    const bool timed = !job.log.rows<OperationTimes>().empty();
    return {Paragraph{fmt::format("Launchers, shells and children that are no MPI ranks. What they did is in "
                                  "none of the numbers above{}.",
                                  timed ? " but those on how long operations took" : "")},
            table_of(job.helpers, "helpers")};
}

}  // namespace fathom
