// Figure 6: rates over time.
#include <fmt/format.h>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {

using namespace report;

Blocks throughput_blocks(const Facts& facts)
{
    Blocks blocks;
    for (std::size_t at = 0; at < facts.shown; ++at) {
        const Part& part = facts.parts[at];
        const Load& load = part.load;
        if (load.known == 0) continue;
        const Columns columns(load.grid);
        TimeChart chart{.id = fmt::format("throughput_{}", at),
                        .title = fmt::format("Rate of {}, {}", name_of(*part.pool),
                                             from_to_words(load.grid.begin, load.grid.end())),
                        .time = columns.axis};
        if (!load.read.empty()) chart.series.push_back({"read", columns.means(load.read, mebibyte)});
        if (!load.written.empty()) chart.series.push_back({"written", columns.means(load.written, mebibyte)});
        if (columns.bins > 1)
            chart.series.push_back({fmt::format("both, highest {}", time_words(load.grid.length)),
                                    columns.highest(load.both, mebibyte)});
        if (columns.bins > 1)
            chart.remark =
                fmt::format("Each time bin has the mean of {} of {}.",
                            counted(columns.bins, "interval", "intervals"), time_words(load.grid.length));
        if (part.gaps > 0) {
            if (!chart.remark.empty()) chart.remark += ' ';
            chart.remark += "What is not known is left open, and grey in drawings.";
        }
        blocks.push_back(std::move(chart));
        if (load.untimed > 0)
            blocks.push_back(Paragraph{fmt::format(
                "{} more were moved in gaps: they are in the totals, and in nothing that is over time.",
                bytes_words(load.untimed))});
    }
    return blocks;
}

}  // namespace fathom::series
