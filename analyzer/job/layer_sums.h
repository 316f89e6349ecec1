// What the records of each layer add up to, over the files of the ranks: the counters that totals do not
// keep.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "analyzer/job/counter_sums.h"
#include "analyzer/job/files.h"

namespace fathom {

struct LayerSums : CounterSums {
    // By layer: reads, and writes, that were the first of a process in a file and so followed nothing: at
    // least. Each thread of a process has one, which the records do not show.
    std::array<std::array<std::uint64_t, 2>, layers> first{};
};

// Of records sorted by file and layer, and their files by id, as a Job has them. A job keeps its own:
// layer_sums_of(job).
LayerSums sums_by_layer(std::span<const RecordView> records, std::span<const FileUse> files);

}  // namespace fathom
