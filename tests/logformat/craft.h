// Logs built by hand from headers and payloads, to say what our writer never would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>
#include <zlib.h>

#include "logformat/blocks/block.h"
#include "logformat/blocks/bytes.h"
#include "logformat/blocks/encode.h"

namespace fathom::craft {

inline std::vector<std::byte> compressed(std::span<const std::byte> raw)
{
    uLongf size = compressBound(static_cast<uLong>(raw.size()));
    std::vector<std::byte> packed(size);
    const std::byte none{};
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
              reinterpret_cast<const Bytef*>(raw.empty() ? &none : raw.data()),
              static_cast<uLong>(raw.size()), 9);
    packed.resize(size);
    return packed;
}

inline void append_text(Bytes& to, std::string_view text)
{
    to.append_varint(text.size());
    to.append(text);
}

// A file of blocks. Headers are always valid: what lies in them need not be.
class File {
  public:
    explicit File(std::uint64_t schema_hash = 0, std::uint32_t version = format_version)
    {
        bytes_.resize(file_header_bytes);
        write_file_header(bytes_.data(), schema_hash);
        std::byte* at = bytes_.data() + sizeof file_magic;
        put(at, version);
        at = bytes_.data() + 24;
        put(at, checksum_of(std::span(bytes_).first(24)));
    }

    // A block with a correct checksum; `header.raw` is as given, `header.packed` as it is.
    void block(BlockHeader header, std::span<const std::byte> packed)
    {
        header.packed = packed.size();
        header.checksum = checksum_of(packed);
        lying_block(header, packed);
    }
    void lying_block(const BlockHeader& header, std::span<const std::byte> packed)
    {
        bytes_.resize(bytes_.size() + block_header_bytes);
        write_block_header(bytes_.data() + bytes_.size() - block_header_bytes, header);
        bytes_.insert(bytes_.end(), packed.begin(), packed.end());
        ++blocks_;
    }

    void schema(const Bytes& raw)
    {
        block({BlockKind::schema, 0, 0, raw.size(), 0, 0}, compressed(raw.view()));
    }
    void our_schema()
    {
        Bytes raw;
        fathom::append_schema(raw);
        schema(raw);
    }
    void table(std::size_t number, std::uint64_t rows, const Bytes& raw)
    {
        block({BlockKind::table, static_cast<std::uint16_t>(number), rows, raw.size(), 0, 0},
              compressed(raw.view()));
    }
    void end() { block({BlockKind::end, 0, blocks_, 0, 0, 0}, compressed({})); }

    const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
    std::uint64_t blocks_ = 0;
};

// One column of a table block.
inline void append_column(Bytes& raw, Encoding encoding, const Bytes& values, std::uint8_t transforms = 0)
{
    raw.append_byte(static_cast<std::uint8_t>(encoding) | transforms);
    raw.append_varint(values.size());
    raw.append(values.view());
}

// Numbers below 256: one plane of bytes.
inline void append_numbers(Bytes& raw, Encoding encoding, std::initializer_list<std::uint64_t> values,
                           std::uint8_t transforms = 0)
{
    Bytes column;
    column.append_byte(1);
    for (const std::uint64_t value : values) column.append_byte(static_cast<std::uint8_t>(value));
    append_column(raw, encoding, column, transforms);
}

// The schema of one table: its columns by name and type.
struct SchemaColumn {
    std::string_view name;
    ScalarType type;
};
inline void append_table(Bytes& schema, std::string_view name, std::initializer_list<SchemaColumn> columns)
{
    append_text(schema, name);
    append_text(schema, "its meaning");
    schema.append_varint(columns.size());
    for (const SchemaColumn& column : columns) {
        append_text(schema, column.name);
        schema.append_byte(static_cast<std::uint8_t>(column.type));
        schema.append_byte(0);
        schema.append_byte(0);
        append_text(schema, "its meaning");
    }
}

}  // namespace fathom::craft
