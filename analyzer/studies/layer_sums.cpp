// One pass over the records, which are sorted by file and layer.
#include "analyzer/studies/layer_sums.h"

namespace fathom {

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
        if (record.pattern != nullptr) merge(static_cast<Pattern&>(sum.counters), *record.pattern);
        if (record.layer == Layer::posix) {
            const auto& posix = static_cast<const PosixRecord&>(*record.transfers);
            sum.counters.file_unaligned += posix.file_unaligned;
            sum.counters.memory_unaligned += posix.memory_unaligned;
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
