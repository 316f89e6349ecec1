// The table of sources.
#include "analyzer/job/source.h"

#include <algorithm>
#include <iterator>

namespace fathom {
namespace {

constexpr Source own = {.name = "Fathom", .own = true, .knows_mpi = true, .knows_nodes = true};

constexpr Source others[] = {
    {.fact = "darshan",
     .name = "Darshan",
     .whole_seconds = true,  // before format 3.41
     .times_may_be_wrong = true,
     .serial_is_rank_0 = true,
     .shared_in_sum = true,
     .rate_formula = "agg_perf_by_slowest",
     .four_sizes_a_file = true,
     .timed_in_part = true,  // what DXT traced
     .beside_others =
         "The two tools do not count the same calls as metadata calls, nor leave out the same files.",
     .not_in_findings = "times of syncs and locks, and each rank's share of shared files"},
    {.fact = "strace",
     .name = "strace",
     .caution = "it slows programs down: calls take longer than without it",
     .never_sees = "It sees system calls: not what a program asked of stdio and MPI-IO, nor which process "
                   "was which MPI rank.",
     .beside_others = "strace counts system calls, each of which takes longer under it.",
     .not_in_findings = "calls of stdio and MPI-IO, and what mappings moved"},
};

constexpr Source unknown_tool = {.name = "another tool",
                                 .whole_seconds = true,
                                 .times_may_be_wrong = true,
                                 .shared_in_sum = true,
                                 .timed_in_part = true,
                                 .beside_others = "The two tools do not count alike.",
                                 .not_in_findings = "counters that Fathom has"};

}  // namespace

const Source& source_of(const Log& log)
{
    const auto fact = log.fact("source");
    if (!fact) return own;
    const auto* const known = std::find_if(std::begin(others), std::end(others),
                                           [&](const Source& source) { return source.fact == *fact; });
    return known == std::end(others) ? unknown_tool : *known;
}

}  // namespace fathom
