// What the records of each layer add up to, over the files of the ranks: the counters that totals do not
// keep.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "analyzer/job/files.h"

namespace fathom {

struct LayerSum {
    std::uint64_t files = 0;  // distinct, opened or not
    Transfers transfers;      // merged by the counters' own rules
    PosixCounters counters;   // pattern and POSIX counters; zero where the layer has none
    MpiioCounters mpiio;
    // Reads, and writes, that were the first of a process in a file and so followed nothing: at least. Each
    // thread of a process has one, of which the records do not tell.
    std::array<std::uint64_t, 2> first{};
};

using LayerSums = std::array<LayerSum, layers>;

// Of records sorted by file and layer, and their files by id, as a Job has them. A job keeps its own:
// layer_sums_of(job).
LayerSums sums_by_layer(std::span<const RecordView> records, std::span<const FileUse> files);

}  // namespace fathom
