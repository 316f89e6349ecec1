// Reads a log as hostile input: every length is checked before it is used, and what is damaged is left out
// and named.
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "logformat/block.h"
#include "logformat/bytes.h"
#include "logformat/encode.h"
#include "logformat/log.h"

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

struct StoredColumn {
    std::string_view name;
    ScalarType type{};
};
struct StoredTable {
    std::string_view name;
    std::vector<StoredColumn> columns;
};

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

class Decoder {
  public:
    Decoder(std::span<const std::byte> file, const std::string& path) : file_(file), path_(path) {}

    Log run()
    {
        header();
        while (at_ < file_.size() && !ended_) step();
        if (schema_.empty())
            throw LogError(path_ + ": no readable schema in this log; it is damaged beyond use");
        if (!ended_)
            problem(at_, "the log ends before its end block: it was cut off, or its writer died");
        else if (blocks_ != blocks_expected_)
            problem(at_, "blocks are missing");
        if (at_ < file_.size()) problem(at_, "bytes follow the end of the log; they were ignored");
        note_missing_columns();
        return std::move(log_);
    }

  private:
    void problem(std::size_t offset, std::string_view what)
    {
        log_.problems.push_back(fmt::format("{}: at byte {}: {}", path_, offset, what));
    }

    void header()
    {
        std::uint64_t hash = 0;
        switch (read_file_header(file_, hash, at_)) {
            case HeaderState::good:
                break;
            case HeaderState::foreign:
                throw LogError(path_ + ": this is not a Fathom log (it does not begin with FATHOM1)");
            case HeaderState::newer:
                throw LogError(
                    path_ + ": this log was written by another version of Fathom; read it with that version");
            case HeaderState::damaged: {
                problem(0, "the file header is damaged");
                at_ = std::min(file_header_bytes, file_.size());
                break;
            }
        }
        // Should the schema block be lost, our own schema still fits if its hash does.
        if (hash == schema_hash()) {
            Bytes own;
            append_schema(own);
            const auto kept = log_.keep(std::vector<std::byte>(own.view().begin(), own.view().end()));
            schema_ = parse_schema(kept);
        }
    }

    void step()
    {
        BlockHeader block;
        if (!read_block_header(file_.subspan(at_), block)) {
            const std::size_t from = at_;
            skip_to_block();
            problem(from, fmt::format("no valid block here; {} bytes were passed over", at_ - from));
            return;
        }
        const std::size_t from = at_;
        at_ += block_header_bytes;
        if (block.packed > file_.size() - at_) {
            problem(from, fmt::format("this block needs {} bytes and the file has {} left", block.packed,
                                      file_.size() - at_));
            skip_to_block();
            return;
        }
        const auto packed = file_.subspan(at_, static_cast<std::size_t>(block.packed));
        at_ += packed.size();
        ++blocks_;
        const bool sound = checksum_of(packed) == block.checksum;
        if (!sound) problem(from, "the block's checksum does not match; left out");
        if (block.kind == BlockKind::end) {  // its own bytes say nothing: a damaged one still ends the log
            ended_ = true;
            blocks_expected_ = block.rows + 1;
            return;
        }
        if (!sound || (block.kind != BlockKind::schema && block.kind != BlockKind::table)) return;
        if (!within_budget(block.raw)) return problem(from, too_large);
        std::vector<std::byte> raw;
        if (!inflate_block(packed, block.raw, raw))
            return problem(from, "the block does not uncompress; left out");
        if (block.kind == BlockKind::schema) {
            auto schema = parse_schema(log_.keep(std::move(raw)));
            if (schema.empty())
                problem(from, "the schema is damaged");
            else
                schema_ = std::move(schema);
        } else if (block.kind == BlockKind::table) {
            if (const char* trouble = add_rows(block, std::move(raw))) problem(from, trouble);
        }
    }

    // Moves to the next block with a valid header, at least one byte further, or to the end of the file.
    void skip_to_block()
    {
        const auto mark = std::as_bytes(std::span(block_mark));
        BlockHeader block;
        do {
            const auto rest = file_.subspan(std::min(at_ + 1, file_.size()));
            const auto found = std::search(rest.begin(), rest.end(), mark.begin(), mark.end());
            at_ = file_.size() - static_cast<std::size_t>(rest.end() - found);
        } while (at_ < file_.size() && !read_block_header(file_.subspan(at_), block));
    }

    // Takes memory off what a log of this size may expand to; a hostile one would grow a million times.
    bool within_budget(std::uint64_t bytes)
    {
        if (bytes > budget_) return false;
        budget_ -= bytes;
        return true;
    }

    static bool inflate_block(std::span<const std::byte> packed, std::uint64_t size,
                              std::vector<std::byte>& raw)
    {
        // zlib cannot shrink anything to less than a 1032nd.
        if (size > most_raw_bytes || size > (packed.size() + 64) * 1040) return false;
        raw.resize(static_cast<std::size_t>(size));
        uLongf length = static_cast<uLongf>(size);
        std::byte none{};
        return uncompress(reinterpret_cast<Bytef*>(raw.empty() ? &none : raw.data()), &length,
                          reinterpret_cast<const Bytef*>(packed.data()),
                          static_cast<uLong>(packed.size())) == Z_OK &&
               length == size;
    }

    static constexpr const char* too_large = "the block is too large for a log of this size; left out";
    static constexpr const char* bad_rows = "the block's rows are damaged; left out";

    // What is wrong with the block, or nullptr. A table that we do not know is passed over.
    const char* add_rows(const BlockHeader& block, std::vector<std::byte> raw)
    {
        if (block.table >= schema_.size()) return bad_rows;
        if (block.rows == 0 || block.rows > most_rows || block.rows > raw.size()) return bad_rows;
        const StoredTable& stored = schema_[block.table];
        const auto kept = log_.keep(std::move(raw));
        const auto count = static_cast<std::size_t>(block.rows);
        const char* trouble = nullptr;
        each_table([&](const auto& table, std::size_t) {
            if (table.name != stored.name) return;
            using Row = typename std::remove_cvref_t<decltype(table)>::Row;
            if (!within_budget(count * sizeof(Row))) {
                trouble = too_large;
                return;
            }
            auto& rows = log_.rows<Row>();
            const std::size_t before = rows.size();
            rows.resize(before + count);
            std::byte* const first = reinterpret_cast<std::byte*>(rows.data() + before);
            if (decode_rows(kept, stored, columns_of<Row>(), first, sizeof(Row), count)) return;
            rows.resize(before);
            trouble = bad_rows;
        });
        return trouble;
    }

    void note_missing_columns()
    {
        each_table([&](const auto& table, std::size_t) {
            using Row = typename std::remove_cvref_t<decltype(table)>::Row;
            const auto stored = std::find_if(schema_.begin(), schema_.end(),
                                             [&](const StoredTable& one) { return one.name == table.name; });
            const Columns ours = columns_of<Row>();
            for (const Column& column : ours.all()) {
                const bool there =
                    stored != schema_.end() &&
                    std::any_of(stored->columns.begin(), stored->columns.end(), [&](const StoredColumn& one) {
                        return one.name == column.label() && one.type == column.type;
                    });
                if (!there) log_.not_recorded.insert(fmt::format("{}.{}", table.name, column.label()));
            }
        });
    }

    std::span<const std::byte> file_;
    const std::string& path_;
    std::size_t at_ = 0;
    std::vector<StoredTable> schema_;
    std::uint64_t blocks_ = 0, blocks_expected_ = 0;
    std::uint64_t budget_ = most_expanded(file_.size());
    bool ended_ = false;
    Log log_;
};

}  // namespace

Log decode_log(std::span<const std::byte> file, const std::string& path)
{
    return Decoder(file, path).run();
}

Log read_log(const std::string& path)
{
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw LogError(fmt::format("{}: cannot open: {}", path, std::strerror(errno)));
    std::vector<std::byte> file;
    struct stat about {};
    std::string trouble;
    if (fstat(fd, &about) != 0)
        trouble = std::strerror(errno);
    else if (S_ISDIR(about.st_mode))
        trouble = "this is a folder; name a log file";
    else if (!S_ISREG(about.st_mode))
        trouble = "this is not a regular file";
    if (trouble.empty()) {
        file.resize(static_cast<std::size_t>(about.st_size));
        std::size_t got = 0;
        while (got < file.size()) {
            const ssize_t some = read(fd, file.data() + got, file.size() - got);
            if (some < 0 && errno == EINTR) continue;
            if (some < 0) trouble = std::strerror(errno);
            if (some <= 0) break;
            got += static_cast<std::size_t>(some);
        }
        file.resize(got);
        if (trouble.empty() && file.empty()) trouble = "the file is empty: it holds no log";
    }
    close(fd);
    if (!trouble.empty()) throw LogError(fmt::format("{}: {}", path, trouble));
    return decode_log(file, path);
}

}  // namespace fathom
