// A row for each rank of the job: Darshan knows their number, and of those that DXT traced the node.
#include "parsers/darshan/import.h"
#include "logformat/log/lacking.h"

namespace fathom::darshan {

void import_processes(Import& import)
{
    const bool every_rank = import.processes > 0 && import.processes <= most_process_rows;
    // Its log is written at MPI_Finalize; without MPI at the program's exit.
    const Ending ending = import.processes > 1 || import.mpi ? Ending::finalized : Ending::exited;
    auto& rows = import.log.rows<Process>();
    const auto add = [&](std::int64_t rank) {
        Process& row = rows.emplace_back();
        row.process = row.rank = rank;
        row.start = import.clock.start;
        row.end = import.clock.end;
        row.ending = static_cast<std::uint64_t>(ending);
    };
    if (every_rank) {
        rows.reserve(static_cast<std::size_t>(import.processes));
        for (std::int64_t rank = 0; rank < import.processes; ++rank) add(rank);
    }
    for (const std::int64_t rank : import.further_ranks) add(rank);
    auto row = rows.begin();
    for (const auto& [rank, traced] : import.traced) {
        while (row != rows.end() && row->process < rank) ++row;
        if (row == rows.end() || row->process != rank) continue;
        row->host = traced.host;
        row->traced = traced.operations;
        row->burst_gap = traced.burst_gap;
    }
    mark_lacking<Process>(import.log, [&](const Column& column) {
        return is_any_of(column.label(), &Process::process, &Process::rank, &Process::start, &Process::end,
                         &Process::ending) ||
               (!import.traced.empty() &&
                is_any_of(column.label(), &Process::host, &Process::traced, &Process::burst_gap));
    });
}

}  // namespace fathom::darshan
