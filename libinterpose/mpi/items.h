// Names and records on their way between ranks: a run of items sorted by file, of which two runs merge into
// one. Of a record only what is not zero travels. No MPI here.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "logformat/bytes.h"
#include "logformat/part_rows.h"

namespace fathom {

// What an item carries behind its header.
enum class ItemKind : std::uint32_t { name, posix, stdio, mpiio };

struct Item {
    std::uint64_t file = 0;
    std::int64_t process = reduced;  // of a record: whose it is
    ItemKind kind{};
    std::uint32_t bytes = 0;  // of the payload, a multiple of 8
};

using RunView = std::span<const std::byte>;

// Appends the name and the records of one file.
void append_items(const FileRecords& file, Bytes& items);

// Makes a run of the items of files that came in any order. False when memory ran out.
bool sort_items(RunView items, Bytes& run);

// Parts a run at the first file that has this bit in its id. All files of the run agree in the higher bits.
std::pair<RunView, RunView> split_items(RunView run, unsigned bit);

// Merges two runs; records of one file and layer become one, reduced over the processes of both.
void merge_items(RunView a, RunView b, Bytes& merged);

// The rows of runs that stand one behind the other, in the order of the paths. Names point into the runs.
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
