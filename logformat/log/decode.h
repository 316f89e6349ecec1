// Schemas and columns out of uncompressed blocks; the counterpart of encode.h. What comes in is hostile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "logformat/blocks/columns.h"
#include "logformat/log/packed_rows.h"

namespace fathom {

// What a log's own schema says of its tables. The names are views of its bytes.
struct StoredColumn {
    std::string_view name;
    ScalarType type{};
};
struct StoredTable {
    std::string_view name;
    std::vector<StoredColumn> columns;
};

// The tables of a schema; none if it is damaged.
std::vector<StoredTable> parse_schema(std::span<const std::byte> raw);

// What the columns of a block may need from outside of it.
struct Surroundings {
    std::span<const std::uint64_t> ids;  // of the last block of names
    std::uint32_t ids_checksum = 0;      // of that block
    // Memory that lives as long as the rows; none where it would be too much.
    std::function<std::span<std::byte>(std::uint64_t bytes)> room;
};

// Fills `count` rows, `stride` bytes apart, from a block of the stored table: the columns that are ours by
// name and type. Texts are views of `raw` or of room that was asked for. False where the bytes do not fit
// what they claim; the rows are then half filled.
bool decode_rows(std::span<const std::byte> raw, const StoredTable& stored, const Columns& ours,
                 const Surroundings& around, std::byte* rows, std::size_t stride, std::size_t count);

// The same for rows of numbers alone, by their columns: of each that is not in the block, `columns` keeps
// what it has.
bool decode_columns(std::span<const std::byte> raw, const StoredTable& stored, const Columns& ours,
                    const Surroundings& around, std::span<NumbersOfColumn> columns, std::size_t count);

}  // namespace fathom
