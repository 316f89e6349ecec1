// Finds the range of each column in some thousand rows, then lays them down row by row.
#include "logformat/log/packed_rows.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "logformat/log/large_pages.h"

namespace fathom {
namespace {

constexpr RowShape made_row_in_memory()
{
    RowShape shape;
    for (std::uint64_t& bits : shape.used) bits = ~std::uint64_t{0};
    for (std::size_t at = 0; at < most_columns; ++at) {
        shape.place[at] = static_cast<std::uint16_t>(at * sizeof(std::uint64_t));
        shape.bytes[at] = sizeof(std::uint64_t);
    }
    return shape;
}

// A column that is not the same in all rows of a shape.
struct Varying {
    const std::uint64_t* rows;
    std::uint64_t least;
    std::size_t place;
};

}  // namespace

constinit const RowShape row_in_memory = made_row_in_memory();

void PackedRows::add(std::span<const NumbersOfColumn> columns, std::size_t rows)
{
    const std::size_t first = blocks_.size();
    std::vector<std::vector<Varying>> varying;
    std::size_t bytes = 0;
    for (std::size_t from = 0; from < rows; from += rows_of_shape) {
        Block& block = blocks_.emplace_back();
        block.rows = std::min(rows_of_shape, rows - from);
        std::vector<Varying>& of_block = varying.emplace_back();
        for (std::size_t at = 0; at < columns.size(); ++at) {
            block.shape.least[at] = columns[at].same;
            if (columns[at].rows.empty()) continue;
            const auto some = std::span(columns[at].rows).subspan(from, block.rows);
            std::uint64_t least = some[0], most = some[0];
            for (const std::uint64_t number : some) {
                least = std::min(least, number);
                most = std::max(most, number);
            }
            block.shape.least[at] = least;
            const auto needed = static_cast<std::size_t>(std::bit_width(most - least) + 7) / 8;
            block.shape.bytes[at] = static_cast<std::uint8_t>(needed);
            block.shape.place[at] = static_cast<std::uint16_t>(block.row_bytes);
            if (needed > 0) of_block.push_back({some.data(), least, block.row_bytes});
            block.row_bytes += needed;
        }
        for (std::size_t at = 0; at < columns.size(); ++at)
            if (block.shape.least[at] != 0 || block.shape.bytes[at] != 0)
                block.shape.used[at / 64] |= std::uint64_t{1} << at % 64;
        bytes += block.rows * block.row_bytes;
    }
    std::vector<std::byte>& all = bytes_.emplace_back();
    reserve_large(all, bytes + sizeof(std::uint64_t));
    all.resize(bytes + sizeof(std::uint64_t));
    std::byte* to = all.data();
    for (std::size_t at = first; at < blocks_.size(); ++at) {
        Block& block = blocks_[at];
        block.bytes = to;
        // A number is written with the bytes after it, which then get theirs.
        for (std::size_t row = 0; row < block.rows; ++row, to += block.row_bytes)
            for (const Varying& column : varying[at - first]) {
                const std::uint64_t number = column.rows[row] - column.least;
                std::memcpy(to + column.place, &number, sizeof number);
            }
    }
    rows_ += rows;
}

void PackedRows::append(PackedRows&& other)
{
    std::move(other.blocks_.begin(), other.blocks_.end(), std::back_inserter(blocks_));
    std::move(other.bytes_.begin(), other.bytes_.end(), std::back_inserter(bytes_));
    rows_ += std::exchange(other.rows_, 0);
    other.blocks_.clear();
    other.bytes_.clear();
}

}  // namespace fathom
