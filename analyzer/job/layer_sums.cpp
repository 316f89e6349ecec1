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

void add_first(const RecordView& record, LayerSum& sum)
{
    const Pattern& pattern = *record.pattern;
    const Transfers& transfers = *record.transfers;
    const Sharing& by = *record.sharing;
    // Where a log counts neither readers nor writers, those that opened the file.
    const auto count = [&](std::uint64_t counted, std::uint64_t bytes) {
        return counted == 0 && bytes > 0 ? by.processes : counted;
    };
    sum.first[0] += first_of(transfers.reads, pattern.consecutive_reads + pattern.sequential_reads,
                             count(by.readers, transfers.bytes_read));
    sum.first[1] += first_of(transfers.writes, pattern.consecutive_writes + pattern.sequential_writes,
                             count(by.writers, transfers.bytes_written));
}

}  // namespace

LayerSums sums_by_layer(std::span<const RecordView> records, std::span<const FileUse> files)
{
    LayerSums sums;
    const auto counts = [](NameKind kind) { return kind == NameKind::file || kind == NameKind::overflow; };
    std::size_t file = 0;
    const RecordView* last = nullptr;
    for (const RecordView& record : records) {
        while (files[file].file != record.file) ++file;
        if (!counts(files[file].kind)) continue;
        LayerSum& sum = sums[static_cast<std::size_t>(record.layer)];
        if (last == nullptr || last->file != record.file || last->layer != record.layer) ++sum.files;
        last = &record;
        merge(sum.transfers, *record.transfers);
        if (record.pattern != nullptr) {
            merge(static_cast<Pattern&>(sum.counters), *record.pattern);
            add_first(record, sum);
        }
        if (record.layer == Layer::posix) {
            const auto& posix = static_cast<const PosixRecord&>(*record.transfers);
            sum.counters.file_unaligned += posix.file_unaligned;
            sum.counters.memory_unaligned += posix.memory_unaligned;
            sum.counters.stats += posix.stats;
            sum.counters.async_unseen += posix.async_unseen;
            sum.counters.map_bytes_read += posix.map_bytes_read;
            sum.counters.map_bytes_written += posix.map_bytes_written;
        } else if (record.layer == Layer::mpiio) {
            merge(sum.mpiio,
                  static_cast<const MpiioCounters&>(static_cast<const MpiioRecord&>(*record.transfers)));
        }
    }
    return sums;
}

}  // namespace fathom
