// Pieces of the difference as entries, with what is too small by itself.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/compare/causes.h"
#include "analyzer/compare/comparison.h"
#include "analyzer/document/units.h"

namespace fathom {
namespace {

using namespace report;

// Of the run time before: smaller pieces are put together.
constexpr double least_piece = 0.005;

}  // namespace

std::vector<Block> cause_blocks(std::span<const Run> earlier, const Run& later,
                                std::span<const Compared> numbers)
{
    const Run& before = middle_run(earlier);
    const Compared& run = compared(numbers, "run_time");
    const double least = std::max(least_piece * before.run_time, 0.001);
    Entries entries;
    double small = 0, chance = 0;
    for (const Cause& cause : causes_of(before, later)) {
        if (std::fabs(cause.seconds) < least)
            small += cause.seconds;
        else if (!cause.certain)
            chance += cause.seconds;
        else
            entries.entries.push_back(
                {cause.id, cause.what, seconds(cause.seconds),
                 cause.from_to +
                     (cause.because.empty() ? "" : (cause.from_to.empty() ? "" : "; ") + cause.because)});
    }
    const bool any = !entries.entries.empty();
    if (std::fabs(chance) >= least)
        entries.entries.push_back({"chance", "what may be chance", seconds(chance),
                                   "no larger than single operations vary, or by a few percent of numbers"});
    if (std::fabs(small) >= 1e-6)
        entries.entries.push_back({"small", "all smaller changes", seconds(small), ""});
    entries.entries.push_back(
        {"difference", "together", seconds(later.run_time - before.run_time),
         fmt::format("ran {}, before {}", format_seconds(later.run_time), format_seconds(before.run_time))});
    std::vector<Block> blocks;
    if (run.change() == Change::same)
        blocks.push_back(
            Paragraph{any ? "The run time is the same within noise; these pieces of it have changed."
                          : "The run time is the same within noise, and so is each piece of it."});
    if (run.change() == Change::inconclusive)
        blocks.push_back(
            Paragraph{"Whether the run time has changed is not clear: noise may have made these "
                      "pieces."});
    blocks.push_back(std::move(entries));
    blocks.push_back(Paragraph{
        "Seconds of run time: those of all processes over how many ran at once. A piece below 0 saved time. "
        "Where requests became smaller or larger, the effect is that of their number and of their own time "
        "together. What is called likely rests on the numbers beside it alone."});
    return blocks;
}

}  // namespace fathom
