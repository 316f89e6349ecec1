// Rows to blocks: columns, then zlib. Uses neither malloc nor exceptions, since the preload library writes
// logs too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "logformat/block.h"
#include "logformat/bytes.h"
#include "logformat/columns.h"
#include "logformat/tables.h"

namespace fathom {

// How the values of one column are stored. The first column of a table is plain or delta, so that a block of
// n rows has at least n bytes before compression.
enum class Encoding : std::uint8_t { zeros, constant, plain, delta };

// Appends to a log in memory. Blocks are independent of one another: those of several writers may be put one
// behind the other, and only the first needs begin() and only the last end().
class Encoder {
  public:
    explicit Encoder(Bytes& out) : out_(out) {}

    void begin();  // file header and schema
    void end(std::uint64_t blocks_before);

    template <class Row>
    void rows(std::span<const Row> all)
    {
        const Columns columns = columns_of<Row>();
        constexpr std::size_t block_rows = 1u << 16;
        while (!all.empty()) {
            const auto some = all.first(all.size() < block_rows ? all.size() : block_rows);
            table_block(columns, table_number<Row>(), reinterpret_cast<const std::byte*>(some.data()),
                        sizeof(Row), some.size());
            all = all.subspan(some.size());
        }
    }

    std::uint64_t blocks() const { return blocks_; }
    bool good() const { return good_ && out_.good() && raw_.good() && column_.good(); }

  private:
    void table_block(const Columns& columns, std::size_t table, const std::byte* rows, std::size_t stride,
                     std::size_t count);
    void block(BlockKind kind, std::size_t table, std::uint64_t rows);

    Bytes& out_;
    Bytes raw_, column_;
    std::uint64_t blocks_ = 0;
    bool good_ = true;
};

// Appends the schema of all tables: for each, its name, meaning and columns.
void append_schema(Bytes& to);
std::uint64_t schema_hash();

}  // namespace fathom
