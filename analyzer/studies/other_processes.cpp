// Processes of an MPI job that are no ranks: launchers, shells and children. They count for no rate and no
// mode.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/report/document_units.h"
#include "analyzer/studies/study.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_rows = 10;

}  // namespace

Blocks other_processes(const Job& job, const StudyChoice&)
{
    std::vector<const Member*> helpers;
    for (const Member& member : job.helpers) helpers.push_back(&member);
    const auto moved = [](const Member& member) {
        return member.application_bytes(Direction::read) + member.application_bytes(Direction::write);
    };
    std::stable_sort(helpers.begin(), helpers.end(),
                     [&](const Member* a, const Member* b) { return moved(*a) > moved(*b); });
    DataTable table{.id = "helpers", .title = ""};
    table.columns = {{"program", "program", Measure::path},  {"process", "process", Measure::text},
                     {"bytes_read", "read", Measure::bytes}, {"bytes_written", "written", Measure::bytes},
                     {"time", "in I/O", Measure::seconds},   {"run_time", "run time", Measure::seconds}};
    for (std::size_t at = 0; at < std::min(helpers.size(), most_rows); ++at) {
        const Member& member = *helpers[at];
        table.rows.push_back(
            {member.process.program.empty() ? unknown(Measure::path) : path(member.process.program),
             text(std::to_string(member.process.process)), bytes(member.application_bytes(Direction::read)),
             bytes(member.application_bytes(Direction::write)), nanoseconds(member.time().total()),
             nanoseconds(member.run_time())});
    }
    if (helpers.size() > most_rows)
        table.remark =
            fmt::format("Not shown: {} more with less I/O.", format_count(helpers.size() - most_rows));
    return {Paragraph{"Launchers, shells and children that are no MPI ranks. What they did is in none of the "
                      "numbers above."},
            table};
}

}  // namespace fathom
