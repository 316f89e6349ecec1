// Takes blocks apart, column by column: every length is checked before it is used.
#include "logformat/decode.h"

#include <bit>

#include "logformat/block.h"
#include "logformat/bytes.h"
#include "logformat/encode.h"

namespace fathom {
namespace {

// Takes numbers and texts off a run of bytes; once it ran past the end, everything is empty and good() is
// false.
class Cursor {
  public:
    explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

    bool good() const { return good_; }
    std::size_t left() const { return bytes_.size(); }

    std::span<const std::byte> take(std::uint64_t n)
    {
        if (n > bytes_.size()) {
            good_ = false;
            bytes_ = {};
            return {};
        }
        const auto taken = bytes_.first(static_cast<std::size_t>(n));
        bytes_ = bytes_.subspan(static_cast<std::size_t>(n));
        return taken;
    }
    std::uint8_t byte()
    {
        const auto one = take(1);
        return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one[0]);
    }
    std::uint64_t varint()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t next = byte();
            value |= std::uint64_t{next & 0x7fu} << shift;
            if ((next & 0x80) == 0) return value;
        }
        good_ = false;
        return 0;
    }
    double f64()
    {
        const auto eight = take(8);
        if (eight.empty()) return 0;
        const std::byte* at = eight.data();
        return std::bit_cast<double>(fathom::take<std::uint64_t>(at));
    }
    std::string_view text(std::uint64_t length)
    {
        const auto bytes = take(length);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    std::string_view text() { return text(varint()); }

  private:
    std::span<const std::byte> bytes_;
    bool good_ = true;
};

// Decodes one stored column into the rows; false where its bytes do not fit what they claim.
bool decode_column(Cursor data, Encoding encoding, const Column& column, std::byte* rows, std::size_t stride,
                   std::size_t count)
{
    if (encoding > Encoding::delta) return false;
    const bool text = column.type == ScalarType::text;
    if (encoding ==
        Encoding::zeros) {  // said aloud: a row of ours may begin with something else, such as rank -1
        for (std::size_t row = 0; row < count; ++row)
            if (text)
                store(rows + row * stride, column, std::string_view{});
            else
                store(rows + row * stride, column, std::uint64_t{0});
        return data.left() == 0;
    }
    const std::size_t stored = encoding == Encoding::constant ? 1 : count;
    if (stored > data.left()) return false;
    if (text) {
        std::vector<std::uint64_t> lengths;
        for (std::size_t row = 0; row < stored && data.good(); ++row) lengths.push_back(data.varint());
        for (std::size_t row = 0; row < stored && data.good(); ++row)
            store(rows + row * stride, column, data.text(lengths[row]));
    } else if (column.type == ScalarType::f64) {
        for (std::size_t row = 0; row < stored; ++row) store(rows + row * stride, column, data.f64());
    } else {
        std::uint64_t last = 0;
        for (std::size_t row = 0; row < stored; ++row) {
            std::uint64_t value = data.varint();
            if (encoding == Encoding::delta)
                value = last + static_cast<std::uint64_t>(unzigzag(value));
            else if (column.type == ScalarType::i64)
                value = static_cast<std::uint64_t>(unzigzag(value));
            last = value;
            store(rows + row * stride, column, value);
        }
    }
    if (!data.good() || data.left() != 0) return false;
    if (encoding == Encoding::constant) {
        const std::size_t size = text ? sizeof(std::string_view) : 8;
        for (std::size_t row = 1; row < count; ++row)
            std::memcpy(rows + row * stride + column.offset, rows + column.offset, size);
    }
    return true;
}

}  // namespace

std::vector<StoredTable> parse_schema(std::span<const std::byte> raw)
{
    Cursor cursor(raw);
    std::vector<StoredTable> schema;
    const std::uint64_t count = cursor.varint();
    for (std::uint64_t at = 0; at < count && cursor.good(); ++at) {
        StoredTable table;
        table.name = cursor.text();
        cursor.text();
        const std::uint64_t columns = cursor.varint();
        for (std::uint64_t column = 0; column < columns && cursor.good(); ++column) {
            StoredColumn stored;
            stored.name = cursor.text();
            stored.type = static_cast<ScalarType>(cursor.byte());
            cursor.byte();  // unit and rule: for readers that do not know the table
            cursor.byte();
            cursor.text();
            table.columns.push_back(stored);
        }
        schema.push_back(std::move(table));
    }
    if (!cursor.good()) schema.clear();
    return schema;
}

bool decode_rows(std::span<const std::byte> raw, const StoredTable& stored, const Columns& ours,
                 std::byte* rows, std::size_t stride, std::size_t count)
{
    Cursor cursor(raw);
    for (const StoredColumn& column : stored.columns) {
        const auto encoding = static_cast<Encoding>(cursor.byte());
        const auto data = cursor.take(cursor.varint());
        if (!cursor.good()) return false;
        for (const Column& known : ours.all())
            if (known.label() == column.name && known.type == column.type)
                if (!decode_column(Cursor(data), encoding, known, rows, stride, count)) return false;
    }
    return cursor.left() == 0;
}

}  // namespace fathom
