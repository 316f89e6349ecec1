// One note, for each section whose numbers lack these operations.
#include "analyzer/sections/time/untimed.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"

namespace fathom {

Blocks notes_on_untimed(const Job& job)
{
    const std::uint64_t untimed = job.sum_of(&Process::untimed);
    if (untimed == 0) return {};
    return {report::Note{
        report::Weight::warning,
        fmt::format("For want of room {} {} not in these numbers; {} in all others. fathom record "
                    "--memory makes room.",
                    report::format_count(untimed), untimed == 1 ? "operation is" : "operations are",
                    untimed == 1 ? "it is" : "they are")}};
}

}  // namespace fathom
