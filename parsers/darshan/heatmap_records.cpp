// Reads the bytes that each rank moved in each bin of time.
#include "parsers/darshan/module_reader.h"

namespace fathom::darshan {
namespace {

constexpr std::uint64_t most_bins = 1 << 20;

}  // namespace

// Some versions of Darshan wrote a number of bins that was one off; where they may have, `bins_as_in_first`
// takes that of the first record for all.
Problem read_heatmap(ModuleReader& module, bool bins_as_in_first,
                     const std::function<bool(const HeatmapRecord&)>& visit)
{
    if (module.region().version != 1) return module.version_problem();
    constexpr std::size_t head_bytes = 48;
    std::vector<std::int64_t> values;
    std::uint64_t first_bins = 0;
    while (const std::byte* const head = module.take(head_bytes)) {
        HeatmapRecord record;
        record.id = module.number<std::uint64_t>(head);
        record.rank = module.number<std::int64_t>(head + 8);
        record.bin_seconds = module.number<double>(head + 16);
        std::uint64_t bins = module.number<std::uint64_t>(head + 24);
        if (first_bins == 0) first_bins = bins;
        if (bins_as_in_first) bins = first_bins;
        if (bins > most_bins) return module.problem("a heatmap cannot have so many bins");
        const std::byte* const bytes = module.take(2 * bins * 8);
        if (bytes == nullptr) return module.problem();
        values.clear();
        for (std::size_t at = 0; at < 2 * bins; ++at)
            values.push_back(module.number<std::int64_t>(bytes + at * 8));
        record.writes = std::span(values).first(bins);
        record.reads = std::span(values).last(bins);
        module.count_record();
        if (!visit(record)) return {};
    }
    return module.problem();
}

}  // namespace fathom::darshan
