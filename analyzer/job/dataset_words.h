// A dataset in words: how it lies in its file, what was selected of it, and what its calls became beneath.
#pragma once

#include <string>

#include "analyzer/job/datasets.h"
#include "analyzer/job/job.h"

namespace fathom {

// "dataset /u of a.h5", "variable u of a.nc".
std::string called(const DatasetUse& dataset);
// "100 x 100"; dimensions of which nothing is known but their number: "2 dimensions"; empty: not known.
std::string words_of(const Extents& extents);
// "contiguous", "chunks of 10 x 10"; empty: not known.
std::string layout_words(const DatasetCounters& dataset);
// "shuffle, deflate"; empty: none.
std::string filter_words(const DatasetCounters& dataset);
// "regular", "whole, regular": kinds of selections, the commonest first; empty: not known.
std::string selection_words(const DatasetCounters& dataset);

// Calls of one level in one direction.
struct LevelCalls {
    std::uint64_t calls = 0, bytes = 0;

    double mean() const { return calls == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(calls); }
};
LevelCalls asked_of(const DatasetCounters& dataset, Direction direction);
LevelCalls mpiio_beneath(const Beneath& beneath, Direction direction);
LevelCalls posix_beneath(const Beneath& beneath, Direction direction);

// "4,000 writes of 8.00 KiB to chunks of 2.00 KiB became 16,000 writes of 2.00 KiB in POSIX": what became of
// its calls in one direction; empty where there were none, or what lies beneath is not known.
std::string what_became_of(const DatasetUse& dataset, Direction direction);

}  // namespace fathom
