// Rows of numbers in as few bytes as they need. A record of a file has 120 numbers, of which most are 0 and
// most others small; reports go through a million of them again and again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <vector>

#include "logformat/blocks/columns.h"

namespace fathom {

// Where the numbers of a row are among its bytes: the same for many rows that follow one another. Of each
// number only what it has more than the least of them is there, in as many bytes as the largest needs: none
// where all are the same.
struct RowShape {
    std::array<std::uint64_t, most_columns> least{};
    std::array<std::uint16_t, most_columns> place{};
    std::array<std::uint8_t, most_columns> bytes{};
    std::array<std::uint64_t, most_columns / 64 + 2>
        used{};  // a bit for each number that is not 0 in all rows

    // Whether any of so many numbers, at most 64, may be other than 0.
    bool any(std::size_t first, std::size_t count) const
    {
        const std::size_t word = first / 64, skipped = first % 64;
        const std::uint64_t next = skipped == 0 ? 0 : used[word + 1] << (64 - skipped);
        return ((used[word] >> skipped | next) & ~std::uint64_t{0} >> (64 - count)) != 0;
    }

    // A number of the row that begins there, after whose last byte at least 7 more can be read.
    std::uint64_t number(const std::byte* row, std::size_t at) const
    {
        static constexpr std::uint64_t all = ~std::uint64_t{0};
        static constexpr std::uint64_t masks[] = {0,         all >> 56, all >> 48, all >> 40, all >> 32,
                                                  all >> 24, all >> 16, all >> 8,  all};
        std::uint64_t value;
        std::memcpy(&value, row + place[at], sizeof value);
        return least[at] + (value & masks[bytes[at]]);
    }
};

// The shape of rows as they are in memory.
extern const RowShape row_in_memory;

// A column of numbers: one for each row, or the same one for all.
struct NumbersOfColumn {
    std::vector<std::uint64_t> rows;
    std::uint64_t same = 0;
};

class PackedRows {
  public:
    bool empty() const { return rows_ == 0; }
    std::size_t size() const { return rows_; }

    // More rows, by their columns, in the order of the numbers of a row.
    void add(std::span<const NumbersOfColumn> columns, std::size_t rows);
    // Takes over those of another.
    void append(PackedRows&& other);

    // Calls visit(shape, bytes) for each row, in the order in which they came. Both stay where they are.
    template <class Visit>
    void each(Visit visit) const
    {
        for (const Block& block : blocks_)
            for (std::size_t row = 0; row < block.rows; ++row)
                visit(block.shape, block.bytes + row * block.row_bytes);
    }

  private:
    static constexpr std::size_t rows_of_shape = 4096;

    struct Block {
        RowShape shape;
        const std::byte* bytes = nullptr;
        std::size_t rows = 0, row_bytes = 0;
    };

    std::deque<Block> blocks_;
    std::vector<std::vector<std::byte>> bytes_;
    std::size_t rows_ = 0;
};

}  // namespace fathom
