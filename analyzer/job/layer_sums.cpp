// One pass over the records, which are sorted by file and layer.
#include "analyzer/job/layer_sums.h"

#include <algorithm>

namespace fathom {
namespace {

std::uint64_t first_of(std::uint64_t accesses, std::uint64_t placed, std::uint64_t processes)
{
    const std::uint64_t rest = accesses - std::min(accesses, placed);
    return std::min(rest, std::max<std::uint64_t>(processes, 1));
}

void add_first(const RecordView& record, std::array<std::uint64_t, 2>& first)
{
    const Pattern& pattern = *record.pattern;
    const Transfers& transfers = *record.transfers;
    const Sharing& by = *record.sharing;
    // Where a log counts neither readers nor writers, those that opened the file.
    const auto count = [&](std::uint64_t counted, std::uint64_t bytes) {
        return counted == 0 && bytes > 0 ? by.processes : counted;
    };
    first[0] += first_of(transfers.reads, pattern.consecutive_reads + pattern.sequential_reads,
                         count(by.readers, transfers.bytes_read));
    first[1] += first_of(transfers.writes, pattern.consecutive_writes + pattern.sequential_writes,
                         count(by.writers, transfers.bytes_written));
}

}  // namespace

LayerSums sums_by_layer(std::span<const RecordView> records, std::span<const FileUse> files)
{
    LayerSums sums;
    std::size_t file = 0;
    for (const RecordView& record : records) {
        while (files[file].file != record.file) ++file;
        if (!is_of_files(files[file].kind)) continue;
        sums.add(record);
        if (record.pattern != nullptr) add_first(record, sums.first[static_cast<std::size_t>(record.layer)]);
    }
    return sums;
}

}  // namespace fathom
