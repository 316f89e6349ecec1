// Takes blocks apart, column by column: every length is checked before it is used.
#include "logformat/log/decode.h"

#include <algorithm>
#include <bit>
#include <map>

#include "logformat/blocks/bytes.h"
#include "logformat/blocks/encode.h"
#include "logformat/path_id.h"

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

// A column as it stands in a block: its values, and what stands for them.
struct Packed {
    ScalarType type{};
    Encoding encoding{};
    std::uint8_t transforms = 0;
    std::uint64_t ids_checksum = 0;
    std::vector<std::size_t> terms;  // columns to add; of ids: the column of the texts
    Cursor data{{}};
};

// No honest column has more terms, and all columns of a block together have no more that differ.
constexpr std::size_t most_terms = 8, most_kept = 64;

bool take_column(Cursor& cursor, std::size_t number, Packed& column)
{
    const std::uint8_t form = cursor.byte();
    column.transforms = form & (as_positions | as_remainders | as_differences);
    column.encoding = static_cast<Encoding>(form & ~(as_positions | as_remainders | as_differences));
    if (column.encoding > Encoding::ids) return false;
    const bool integer = column.type == ScalarType::u64 || column.type == ScalarType::i64;
    if (column.transforms != 0 && !integer) return false;
    if (column.encoding == Encoding::shared && column.type != ScalarType::text) return false;
    if (column.encoding == Encoding::ids) {
        if (column.type != ScalarType::u64 || column.transforms != 0) return false;
        column.terms.push_back(static_cast<std::size_t>(cursor.varint()));
        return cursor.good();
    }
    if ((column.transforms & as_positions) != 0) column.ids_checksum = cursor.varint();
    if ((column.transforms & as_remainders) != 0) {
        const std::uint64_t terms = cursor.varint();
        if (terms > most_terms) return false;
        for (std::uint64_t term = 0; term < terms; ++term) {
            column.terms.push_back(static_cast<std::size_t>(cursor.varint()));
            if (column.terms.back() >= number) return false;
        }
    }
    column.data = Cursor(cursor.take(cursor.varint()));
    return cursor.good();
}

// Takes a block's rows out of its columns.
class Unpacker {
  public:
    Unpacker(const StoredTable& stored, const Columns& ours, const Surroundings& around, std::byte* rows,
             std::size_t stride, std::size_t count)
        : Unpacker(stored, ours, around, count)
    {
        rows_ = rows;
        stride_ = stride;
    }
    Unpacker(const StoredTable& stored, const Columns& ours, const Surroundings& around,
             std::span<NumbersOfColumn> columns, std::size_t count)
        : Unpacker(stored, ours, around, count)
    {
        columns_ = columns;
    }

  private:
    Unpacker(const StoredTable& stored, const Columns& ours, const Surroundings& around, std::size_t count)
        : stored_(stored), around_(around), count_(count)
    {
        for (const StoredColumn& column : stored.columns) {
            const auto same = [&](const Column& one) {
                return one.label() == column.name && one.type == column.type;
            };
            const auto all = ours.all();
            const auto found = std::find_if(all.begin(), all.end(), same);
            ours_.push_back(found == all.end() ? nullptr : &*found);
        }
    }

  public:
    bool run(std::span<const std::byte> raw)
    {
        Cursor cursor(raw);
        std::vector<Packed> columns(stored_.columns.size());
        for (std::size_t at = 0; at < columns.size(); ++at) {
            columns[at].type = stored_.columns[at].type;
            if (!take_column(cursor, at, columns[at])) return false;
            if ((columns[at].transforms & as_remainders) != 0)
                for (const std::size_t term : columns[at].terms) kept_[term];
        }
        if (cursor.left() != 0 || kept_.size() > most_kept) return false;
        for (std::size_t at = 0; at < columns.size(); ++at)
            if (columns[at].encoding != Encoding::ids && !unpack(columns[at], at)) return false;
        for (std::size_t at = 0; at < columns.size(); ++at)
            if (columns[at].encoding == Encoding::ids && !make_ids(columns[at], at)) return false;
        return true;
    }

  private:
    bool unpack(Packed& column, std::size_t at)
    {
        const bool kept = kept_.count(at) != 0;
        if (ours_[at] == nullptr && !kept) return true;
        if (column.type == ScalarType::text) return !kept && texts(column, *ours_[at]);
        if (!kept && is_zeros(column) && put_zeros(*ours_[at])) return true;
        std::vector<std::uint64_t> values;
        if (!numbers(column, values)) return false;
        if (ours_[at] != nullptr) put_numbers(*ours_[at], values);
        if (kept) kept_[at] = std::move(values);
        return true;
    }

    static bool is_zeros(const Packed& column)
    {
        return column.encoding == Encoding::zeros && column.transforms == 0 && column.data.left() == 0;
    }

    // Most columns of most records are all zeros, and so are rows that nothing was put into yet.
    bool put_zeros(const Column& ours)
    {
        if (columns_.empty()) return load<std::uint64_t>(rows_, ours) == 0;
        column_of(ours) = {};
        return true;
    }

    void put_numbers(const Column& ours, const std::vector<std::uint64_t>& values)
    {
        if (!columns_.empty())
            column_of(ours).rows = values;
        else
            for (std::size_t row = 0; row < count_; ++row) store(rows_ + row * stride_, ours, values[row]);
    }

    NumbersOfColumn& column_of(const Column& ours) const
    {
        return columns_[ours.offset / sizeof(std::uint64_t)];
    }

    bool numbers(Packed& column, std::vector<std::uint64_t>& values)
    {
        if (!planes(column, values)) return false;
        if (column.type == ScalarType::i64 || (column.transforms & (as_remainders | as_differences)) != 0)
            for (std::uint64_t& value : values) value = static_cast<std::uint64_t>(unzigzag(value));
        if ((column.transforms & as_differences) != 0)
            for (std::size_t row = 1; row < count_; ++row) values[row] += values[row - 1];
        if ((column.transforms & as_remainders) != 0)
            for (const std::size_t term : column.terms) {
                const auto& added = kept_[term];
                if (added.size() != count_) return false;  // a column without numbers
                for (std::size_t row = 0; row < count_; ++row) values[row] += added[row];
            }
        return (column.transforms & as_positions) == 0 || ids_at(column, values);
    }

    bool planes(Packed& column, std::vector<std::uint64_t>& values)
    {
        const std::size_t stored = column.encoding == Encoding::zeros      ? 0
                                   : column.encoding == Encoding::constant ? 1
                                                                           : count_;
        const unsigned mask = stored == 0 ? 0 : column.data.byte();
        if (column.data.left() != stored * static_cast<std::size_t>(std::popcount(mask))) return false;
        values.assign(count_, 0);
        for (unsigned plane = 0; plane < 8; ++plane) {
            if ((mask >> plane & 1) == 0) continue;
            const auto bytes = column.data.take(stored);
            for (std::size_t row = 0; row < stored; ++row)
                values[row] |= static_cast<std::uint64_t>(bytes[row]) << 8 * plane;
        }
        if (column.encoding == Encoding::constant) std::fill(values.begin(), values.end(), values[0]);
        return column.data.good();
    }

    bool ids_at(const Packed& column, std::vector<std::uint64_t>& values)
    {
        if (column.ids_checksum != around_.ids_checksum) return false;
        for (std::uint64_t& value : values) {
            if (value >= around_.ids.size()) return false;
            value = around_.ids[static_cast<std::size_t>(value)];
        }
        return true;
    }

    bool texts(Packed& column, const Column& ours)
    {
        if (column.encoding == Encoding::zeros) {
            for (std::size_t row = 0; row < count_; ++row) put_text(ours, row, {});
            return column.data.left() == 0;
        }
        const std::size_t stored = column.encoding == Encoding::constant ? 1 : count_;
        const bool share = column.encoding == Encoding::shared;
        if (stored > column.data.left()) return false;
        std::vector<std::uint64_t> shared, lengths;
        for (std::size_t row = 0; share && row < stored; ++row) shared.push_back(column.data.varint());
        for (std::size_t row = 0; row < stored; ++row) lengths.push_back(column.data.varint());
        if (!column.data.good()) return false;
        if (share && !join(column.data, shared, lengths, ours)) return false;
        for (std::size_t row = 0; !share && row < stored; ++row)
            put_text(ours, row, column.data.text(lengths[row]));
        for (std::size_t row = stored; row < count_; ++row) put_text(ours, row, text_at(ours, 0));
        return column.data.good() && column.data.left() == 0;
    }

    // Puts texts together from the beginnings of those before them and what they add.
    bool join(Cursor& data, const std::vector<std::uint64_t>& shared,
              const std::vector<std::uint64_t>& lengths, const Column& ours)
    {
        std::uint64_t needed = 0, before = 0, left = data.left();
        for (std::size_t row = 0; row < count_; ++row) {
            if (shared[row] > before || lengths[row] > left) return false;
            left -= lengths[row];
            before = shared[row] + lengths[row];
            needed += before;
        }
        const std::span<std::byte> room = around_.room(needed);
        if (room.size() < needed) return false;
        char *last = nullptr, *to = reinterpret_cast<char*>(room.data());
        for (std::size_t row = 0; row < count_; ++row) {
            const std::string_view more = data.text(lengths[row]);
            char* const begin = to;
            to = std::copy_n(last, shared[row], to);
            to = std::copy(more.begin(), more.end(), to);
            put_text(ours, row, {begin, static_cast<std::size_t>(to - begin)});
            last = begin;
        }
        return data.good();
    }

    bool make_ids(const Packed& column, std::size_t at)
    {
        const std::size_t texts = column.terms.front();
        if (texts >= ours_.size() || stored_.columns[texts].type != ScalarType::text) return false;
        if (kept_.count(at) != 0) return false;
        if (ours_[at] == nullptr) return true;
        if (ours_[texts] == nullptr) return false;
        for (std::size_t row = 0; row < count_; ++row)
            store(rows_ + row * stride_, *ours_[at], path_id(text_at(*ours_[texts], row)));
        return true;
    }

    std::string_view text_at(const Column& ours, std::size_t row) const
    {
        return load<std::string_view>(rows_ + row * stride_, ours);
    }
    void put_text(const Column& ours, std::size_t row, std::string_view text)
    {
        store(rows_ + row * stride_, ours, text);
    }

    const StoredTable& stored_;
    const Surroundings& around_;
    std::byte* rows_ = nullptr;
    std::size_t stride_ = 0;
    std::span<NumbersOfColumn> columns_;  // instead of rows
    std::size_t count_;
    std::vector<const Column*> ours_;                         // by stored column
    std::map<std::size_t, std::vector<std::uint64_t>> kept_;  // columns that others are remainders of
};

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
                 const Surroundings& around, std::byte* rows, std::size_t stride, std::size_t count)
{
    return Unpacker(stored, ours, around, rows, stride, count).run(raw);
}

bool decode_columns(std::span<const std::byte> raw, const StoredTable& stored, const Columns& ours,
                    const Surroundings& around, std::span<NumbersOfColumn> columns, std::size_t count)
{
    return Unpacker(stored, ours, around, columns, count).run(raw);
}

}  // namespace fathom
