// Columns of numbers to bytes, and bytes to compressed blocks.
#include "logformat/encode.h"

#include <sys/mman.h>
#include <zlib.h>

namespace fathom {
namespace {

// zlib's memory comes from mappings as well; the size stands in front so that it can be given back.
void* zlib_allocate(void*, uInt items, uInt size)
{
    const std::size_t bytes = std::size_t{items} * size + 64;
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    *static_cast<std::size_t*>(at) = bytes;
    return static_cast<std::byte*>(at) + 64;
}

void zlib_free(void*, void* memory)
{
    std::byte* const at = static_cast<std::byte*>(memory) - 64;
    munmap(at, *reinterpret_cast<std::size_t*>(at));
}

bool deflate_into(Bytes& out, std::span<const std::byte> raw)
{
    z_stream stream{};
    stream.zalloc = zlib_allocate;
    stream.zfree = zlib_free;
    if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK) return false;
    const uLong bound = deflateBound(&stream, static_cast<uLong>(raw.size()));
    std::byte* const to = out.room(bound);
    bool good = to != nullptr;
    if (good) {
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(raw.data()));
        stream.avail_in = static_cast<uInt>(raw.size());
        stream.next_out = reinterpret_cast<Bytef*>(to);
        stream.avail_out = static_cast<uInt>(bound);
        good = deflate(&stream, Z_FINISH) == Z_STREAM_END;
        if (good) out.grow(stream.total_out);
    }
    deflateEnd(&stream);
    return good;
}

std::size_t varint_length(std::uint64_t value)
{
    std::size_t length = 1;
    for (; value >= 0x80; value >>= 7) ++length;
    return length;
}

// The values of one column, as the unsigned numbers that are stored.
struct ColumnView {
    const Column& column;
    const std::byte* rows;
    std::size_t stride, count;

    std::uint64_t number(std::size_t row) const { return load<std::uint64_t>(rows + row * stride, column); }
    std::uint64_t plain(std::size_t row) const
    {
        return column.type == ScalarType::i64 ? zigzag(static_cast<std::int64_t>(number(row))) : number(row);
    }
    std::uint64_t delta(std::size_t row) const
    {
        return zigzag(static_cast<std::int64_t>(number(row) - (row == 0 ? 0 : number(row - 1))));
    }
    std::string_view text(std::size_t row) const
    {
        return load<std::string_view>(rows + row * stride, column);
    }
};

Encoding best_encoding(const ColumnView& view, bool first)
{
    if (view.column.type == ScalarType::text) {
        bool same = !first;
        for (std::size_t row = 1; same && row < view.count; ++row) same = view.text(row) == view.text(0);
        return same ? (view.text(0).empty() ? Encoding::zeros : Encoding::constant) : Encoding::plain;
    }
    bool same = true;
    std::size_t plain = 0, delta = 0;
    for (std::size_t row = 0; row < view.count; ++row) {
        same = same && view.number(row) == view.number(0);
        plain += varint_length(view.plain(row));
        delta += varint_length(view.delta(row));
    }
    if (same && !first) return view.number(0) == 0 ? Encoding::zeros : Encoding::constant;
    if (view.column.type == ScalarType::f64) return Encoding::plain;
    return delta < plain ? Encoding::delta : Encoding::plain;
}

void append_column(Bytes& to, const ColumnView& view, Encoding encoding)
{
    const std::size_t rows = encoding == Encoding::zeros      ? 0
                             : encoding == Encoding::constant ? 1
                                                              : view.count;
    if (view.column.type == ScalarType::text) {
        for (std::size_t row = 0; row < rows; ++row) to.append_varint(view.text(row).size());
        for (std::size_t row = 0; row < rows; ++row) to.append(view.text(row));
    } else if (view.column.type == ScalarType::f64) {
        for (std::size_t row = 0; row < rows; ++row)
            to.append_f64(load<double>(view.rows + row * view.stride, view.column));
    } else {
        for (std::size_t row = 0; row < rows; ++row)
            to.append_varint(encoding == Encoding::delta ? view.delta(row) : view.plain(row));
    }
}

void append_text(Bytes& to, std::string_view text)
{
    to.append_varint(text.size());
    to.append(text);
}

}  // namespace

void append_schema(Bytes& to)
{
    to.append_varint(table_count);
    each_table([&](const auto& table, std::size_t) {
        const Columns columns = columns_of<typename std::remove_cvref_t<decltype(table)>::Row>();
        append_text(to, table.name);
        append_text(to, table.meaning);
        to.append_varint(columns.count);
        for (const Column& column : columns.all()) {
            append_text(to, column.label());
            to.append_byte(static_cast<std::uint8_t>(column.type));
            to.append_byte(static_cast<std::uint8_t>(column.unit));
            to.append_byte(static_cast<std::uint8_t>(column.rule));
            append_text(to, column.meaning);
        }
    });
}

std::uint64_t schema_hash()
{
    Bytes schema;
    append_schema(schema);
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const std::byte byte : schema.view())
        hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
    return hash;
}

void Encoder::begin()
{
    if (std::byte* const to = out_.room(file_header_bytes)) {
        write_file_header(to, schema_hash());
        out_.grow(file_header_bytes);
    }
    raw_.clear();
    append_schema(raw_);
    block(BlockKind::schema, 0, table_count);
}

void Encoder::end(std::uint64_t blocks_before)
{
    raw_.clear();
    block(BlockKind::end, 0, blocks_before);
}

void Encoder::table_block(const Columns& columns, std::size_t table, const std::byte* rows,
                          std::size_t stride, std::size_t count)
{
    raw_.clear();
    for (const Column& column : columns.all()) {
        const ColumnView view{column, rows, stride, count};
        const Encoding encoding = best_encoding(view, &column == columns.column.data());
        column_.clear();
        append_column(column_, view, encoding);
        raw_.append_byte(static_cast<std::uint8_t>(encoding));
        raw_.append_varint(column_.size());
        raw_.append(column_.view());
    }
    if (raw_.size() > most_raw_bytes && count > 1) {  // long texts: no reader would take such a block
        const std::size_t half = count / 2;
        table_block(columns, table, rows, stride, half);
        table_block(columns, table, rows + half * stride, stride, count - half);
        return;
    }
    if (raw_.size() > most_raw_bytes) good_ = false;
    block(BlockKind::table, table, count);
}

void Encoder::block(BlockKind kind, std::size_t table, std::uint64_t rows)
{
    const std::size_t header_at = out_.size();
    if (out_.room(block_header_bytes) == nullptr) return;
    out_.grow(block_header_bytes);
    good_ = good_ && raw_.good() && deflate_into(out_, raw_.view());
    if (!good()) return;
    const auto packed = out_.view().subspan(header_at + block_header_bytes);
    write_block_header(out_.data() + header_at, {kind, static_cast<std::uint16_t>(table), rows, raw_.size(),
                                                 packed.size(), checksum_of(packed)});
    ++blocks_;
}

}  // namespace fathom
