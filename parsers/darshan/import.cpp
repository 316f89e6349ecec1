// Which process a record is of, and sentences on what is missing.
#include "parsers/darshan/import.h"

#include <fmt/format.h>
#include <limits>

namespace fathom::darshan {

void Import::problem(std::string_view what)
{
    if (!what.empty()) log.problems.push_back(fmt::format("{}: {}", file.path(), what));
}

void Import::tell_of_no_rank(Module module, std::uint64_t records)
{
    if (records > 0)
        problem(
            fmt::format("module {}: {} records are of ranks that the job does not have; they were left out",
                        name_of(module), records));
}

std::optional<std::int64_t> process_of(std::int64_t rank, std::int64_t processes)
{
    if (rank == -1) return processes == 1 ? 0 : reduced;
    if (rank < 0 || rank > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    if (processes > 0 && rank >= processes) return std::nullopt;
    return rank;
}

std::optional<std::int64_t> Import::process_of(std::int64_t rank)
{
    const auto process = darshan::process_of(rank, processes);
    if (process && rank == -1 && processes == 1) mpi = true;
    if (process && *process >= 0 && (processes <= 0 || processes > most_process_rows))
        further_ranks.insert(*process);
    return process;
}

}  // namespace fathom::darshan
