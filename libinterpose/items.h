// Names and records on their way between ranks: a sorted run of items, of which two runs merge into one. No
// MPI here.
#pragma once

#include <cstdint>
#include <span>

#include "logformat/bytes.h"
#include "logformat/part.h"

namespace fathom {

// What an item carries behind its header.
enum class ItemKind : std::uint32_t { name, posix, stdio, mpiio };

struct Item {
    std::uint64_t file = 0;
    ItemKind kind{};
    std::uint32_t bytes = 0;  // of the payload, a multiple of 8
};

// The names and records of one process as a run sorted by file and kind.
void append_items(PartRows& rows, Bytes& run);

// Parts a run in two by one bit of the file's id.
void split_items(std::span<const std::byte> run, unsigned bit, Bytes& without, Bytes& with);

// Merges two runs; records of one file and layer become one, reduced over the processes of both.
void merge_items(std::span<const std::byte> a, std::span<const std::byte> b, Bytes& merged);

// The rows of a run; names point into it.
void rows_of_items(std::span<const std::byte> run, PartRows& rows);

}  // namespace fathom
