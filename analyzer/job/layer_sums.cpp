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
    // Where a log counts neither readers nor writers, those that opened the file.
    const auto count = [&](std::uint64_t counted, std::uint64_t bytes) {
        return counted == 0 && bytes > 0 ? record[&Sharing::processes] : counted;
    };
    first[0] += first_of(record[&Transfers::reads],
                         record[&Pattern::consecutive_reads] + record[&Pattern::sequential_reads],
                         count(record[&Sharing::readers], record[&Transfers::bytes_read]));
    first[1] += first_of(record[&Transfers::writes],
                         record[&Pattern::consecutive_writes] + record[&Pattern::sequential_writes],
                         count(record[&Sharing::writers], record[&Transfers::bytes_written]));
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
        if (record.has_pattern()) add_first(record, sums.first[static_cast<std::size_t>(record.layer)]);
    }
    return sums;
}

}  // namespace fathom
