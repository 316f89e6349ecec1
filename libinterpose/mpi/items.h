// Names and records on their way between ranks, and whatever else they have in common: a run of items, of
// which two runs merge into one. Of a record only what is not zero travels. No MPI here.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "libinterpose/mpi/item_run.h"
#include "logformat/blocks/bytes.h"
#include "logformat/part/part_rows.h"

namespace fathom {

// Appends the name and the records of one file.
void append_items(const FileRecords& file, Bytes& items);

// Makes a run of items that came in any order, but for those of one file. False when memory ran out.
bool sort_items(RunView items, Bytes& run);

// Parts a run at the first file that has this bit in its id. All files of the run agree in the higher bits.
std::pair<RunView, RunView> split_items(RunView run, unsigned bit);

// Merges two runs; records of one file and layer become one, reduced over the processes of both, as do
// histograms of one class and shapes of one id.
void merge_items(RunView a, RunView b, Bytes& merged);

// The rows of the files in runs that stand one behind the other, in the order of the paths. Names point into
// the runs.
class RowsOfItems {
  public:
    explicit RowsOfItems(RunView runs);

    // Replaces the rows by those of the next `most` files. False if there are none, or no memory.
    bool next(std::size_t most, PartRows& rows);
    bool good() const { return files_.good(); }

  private:
    struct File {
        std::uint64_t key;  // orders most paths without a look at them
        RunView items;      // from its name on
    };
    Bytes files_;
    std::size_t at_ = 0;
};

}  // namespace fathom
