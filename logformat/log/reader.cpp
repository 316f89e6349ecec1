// Reads a log as hostile input, block by block: what is damaged is left out and named.
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "logformat/blocks/block.h"
#include "logformat/blocks/encode.h"
#include "logformat/log/decode.h"
#include "logformat/log/large_pages.h"
#include "logformat/log/log.h"
#include "logformat/log/new_file.h"

namespace fathom {
namespace {

// Between two words on how far it is.
constexpr std::size_t read_at_once = std::size_t{8} << 20;

// The schema of this version, laid out once: most logs have the same.
struct OwnSchema {
    Bytes bytes;
    std::vector<StoredTable> tables;  // views of the bytes
    std::uint64_t hash = schema_hash();

    OwnSchema()
    {
        append_schema(bytes);
        tables = parse_schema(bytes.view());
    }
    bool is(std::span<const std::byte> other) const { return std::ranges::equal(bytes.view(), other); }
};

const OwnSchema& own_schema()
{
    static const OwnSchema own;
    return own;
}

class Decoder {
  public:
    Decoder(std::span<const std::byte> file, const std::string& path, const Tick& tick, Packing packing)
        : file_(file), path_(path), tick_(tick), packing_(packing)
    {}

    Log run()
    {
        header();
        while (at_ < file_.size() && !ended_) {
            step();
            tell_progress(tick_, (file_.size() + at_) / 2, file_.size());
        }
        if (schema_.empty())
            throw LogError(path_ + ": no readable schema in this log; it is damaged beyond use");
        if (!ended_)
            problem(at_, "the log ends before its end block: it was cut off, or its writer died");
        else if (blocks_ != blocks_expected_)
            problem(at_, "blocks are missing");
        if (at_ < file_.size()) problem(at_, "bytes follow the end of the log; they were ignored");
        note_missing_columns();
        take_facts_on_damage();
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
        if (hash == own_schema().hash) schema_ = own_schema().tables;
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
        if (!inflate_block(packed, block, raw))
            return problem(from, "the block does not uncompress; left out");
        if (block.kind == BlockKind::schema) {
            has_own_schema_ = own_schema().is(raw);
            if (has_own_schema_) {
                schema_ = own_schema().tables;
                return;
            }
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

    // zlib cannot shrink anything to less than a 1032nd.
    static bool may_hold(const BlockHeader& block)
    {
        return block.raw <= most_raw_bytes && block.raw <= (block.packed + 64) * 1040;
    }

    static bool inflate_block(std::span<const std::byte> packed, const BlockHeader& block,
                              std::vector<std::byte>& raw)
    {
        if (!may_hold(block)) return false;
        const std::uint64_t size = block.raw;
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
        // Texts are views of the block; rows without any need it no longer than it takes to fill them.
        const bool texts =
            std::any_of(stored.columns.begin(), stored.columns.end(),
                        [](const StoredColumn& column) { return column.type == ScalarType::text; });
        const std::span<const std::byte> bytes = texts ? log_.keep(std::move(raw)) : std::span(raw);
        const auto count = static_cast<std::size_t>(block.rows);
        const char* trouble = nullptr;
        each_table([&](const auto& table, std::size_t) {
            if (table.name != stored.name) return;
            using Row = typename std::remove_cvref_t<decltype(table)>::Row;
            if (!within_budget(count * sizeof(Row))) {
                trouble = too_large;
                return;
            }
            if constexpr (packs<Row>)
                if (packs_now(block, log_.packed<Row>(), !log_.rows<Row>().empty(), sizeof(Row))) {
                    if (!add_packed<Row>(bytes, stored, count)) trouble = bad_rows;
                    return;
                }
            auto& rows = log_.rows<Row>();
            const std::size_t before = rows.size();
            if (before == 0) reserve_large(rows, rows_of(block, sizeof(Row)));
            rows.resize(before + count);
            std::byte* const first = reinterpret_cast<std::byte*>(rows.data() + before);
            if (decode_rows(bytes, stored, columns_of<Row>(), around_, first, sizeof(Row), count)) {
                if constexpr (std::is_same_v<Row, FileName>)
                    remember_names(std::span(rows).subspan(before), block.checksum);
                return;
            }
            rows.resize(before);
            trouble = bad_rows;
        });
        return trouble;
    }

    // Whether this block of a table is packed: all are or none is.
    bool packs_now(const BlockHeader& block, const PackedRows& packed, bool any_rows,
                   std::size_t row_bytes) const
    {
        return !packed.empty() || (!any_rows && rows_of(block, row_bytes) >= packing_.from);
    }

    template <class Row>
    bool add_packed(std::span<const std::byte> bytes, const StoredTable& stored, std::size_t count)
    {
        // What a log does not have is as in a new row.
        const auto fresh =
            std::bit_cast<std::array<std::uint64_t, sizeof(Row) / sizeof(std::uint64_t)>>(Row{});
        std::vector<NumbersOfColumn> columns(fresh.size());
        for (std::size_t at = 0; at < fresh.size(); ++at) columns[at].same = fresh[at];
        if (!decode_columns(bytes, stored, columns_of<Row>(), around_, columns, count)) return false;
        log_.packed<Row>().add(columns, count);
        return true;
    }

    // How many rows this block and the table's later ones claim to have, as far as the budget goes: room for
    // all of them at once, since a vector that grows holds its rows twice.
    std::size_t rows_of(const BlockHeader& first, std::size_t row_bytes) const
    {
        std::uint64_t rows = first.rows;
        BlockHeader block;
        for (std::size_t at = at_; at < file_.size() && read_block_header(file_.subspan(at), block);) {
            at += block_header_bytes;
            if (block.packed > file_.size() - at) break;
            at += static_cast<std::size_t>(block.packed);
            const bool like = block.kind == BlockKind::table && block.table == first.table;
            if (like && block.rows <= std::min(most_rows, block.raw) && may_hold(block)) rows += block.rows;
        }
        return static_cast<std::size_t>(std::min(rows, first.rows + budget_ / row_bytes));
    }

    // Records that follow may name their files by their places here.
    void remember_names(std::span<const FileName> names, std::uint32_t checksum)
    {
        ids_.clear();
        for (const FileName& name : names) ids_.push_back(name.file);
        around_.ids = ids_;
        around_.ids_checksum = checksum;
    }

    std::span<std::byte> room_for_texts(std::uint64_t bytes)
    {
        if (!within_budget(bytes)) return {};
        return log_.keep(std::vector<std::byte>(static_cast<std::size_t>(bytes)));
    }

    void note_missing_columns()
    {
        if (has_own_schema_) return;
        for (std::size_t table = 0; table < table_count; ++table) {
            const std::string_view name = tables.words[table].name;
            const auto stored = std::find_if(schema_.begin(), schema_.end(),
                                             [&](const StoredTable& one) { return one.name == name; });
            const Columns ours = columns_of_table(table);
            for (const Column& column : ours.all()) {
                const bool there =
                    stored != schema_.end() &&
                    std::any_of(stored->columns.begin(), stored->columns.end(), [&](const StoredColumn& one) {
                        return one.name == column.label() && one.type == column.type;
                    });
                if (!there) log_.mark_lacking(name, column.label());
            }
        }
    }

    // Other names than those of our columns are no news to anybody.
    void note_lacking(std::string_view name)
    {
        if (is_column(name)) log_.not_recorded.insert(name);
    }

    // What the logs lacked that this one was made of (encode_log).
    void take_facts_on_damage()
    {
        std::erase_if(log_.rows<Fact>(), [&](const Fact& fact) {
            if (fact.name == problem_fact)
                log_.problems.emplace_back(fact.value);
            else if (fact.name == missing_column_fact)
                note_lacking(fact.value);
            else
                return false;
            return true;
        });
    }

    std::span<const std::byte> file_;
    const std::string& path_;
    const Tick& tick_;
    Packing packing_;
    std::size_t at_ = 0;
    std::vector<StoredTable> schema_;
    bool has_own_schema_ = false;  // whole, in the log
    std::uint64_t blocks_ = 0, blocks_expected_ = 0;
    std::uint64_t budget_ = most_expanded(file_.size());
    bool ended_ = false;
    Log log_;
    std::vector<std::uint64_t> ids_;  // of the last block of names
    Surroundings around_{{}, 0, [this](std::uint64_t bytes) { return room_for_texts(bytes); }};
};

}  // namespace

Log decode_log(std::span<const std::byte> file, const std::string& path, const Tick& tick, Packing packing)
{
    return Decoder(file, path, tick, packing).run();
}

namespace {

// A file that does not begin as logs do is not read on: it may be of any size.
bool begins_as_log(int fd)
{
    char magic[sizeof file_magic] = {};
    return pread(fd, magic, sizeof magic, 0) == static_cast<ssize_t>(sizeof magic) &&
           std::equal(std::begin(magic), std::end(magic), file_magic);
}

Log read_log_at(const std::string& path, Links links, bool own, const Tick& tick, Packing packing)
{
    std::string trouble;
    const int fd = open_regular(path, links, trouble);
    std::vector<std::byte> file;
    struct stat about {};
    if (fd >= 0 && fstat(fd, &about) == 0 && own && about.st_uid != geteuid()) {
        trouble = "this is of another user";
    } else if (fd >= 0) {
        constexpr off_t enough_to_say_why = 4096;
        if (!begins_as_log(fd)) about.st_size = std::min(about.st_size, enough_to_say_why);
        file.resize(static_cast<std::size_t>(about.st_size));
        std::size_t got = 0;
        while (got < file.size()) {
            const ssize_t some = read(fd, file.data() + got, std::min(file.size() - got, read_at_once));
            if (some < 0 && errno == EINTR) continue;
            if (some < 0) trouble = std::strerror(errno);
            if (some <= 0) break;
            got += static_cast<std::size_t>(some);
            tell_progress(tick, got / 2, file.size());
        }
        file.resize(got);
        if (trouble.empty() && file.empty()) trouble = "the file is empty: it holds no log";
    }
    if (fd >= 0) close(fd);
    if (!trouble.empty()) throw LogError(fmt::format("{}: {}", path, trouble));
    return decode_log(file, path, tick, packing);
}

}  // namespace

Log read_log(const std::string& path, const Tick& tick)
{
    return read_log_at(path, Links::followed, false, tick, {});
}

Log read_packed_log(const std::string& path, const Tick& tick)
{
    return read_log_at(path, Links::followed, false, tick, {.from = packed_from});
}

Log read_own_log(const std::string& path)
{
    return read_log_at(path, Links::refused, true, {}, {});
}

}  // namespace fathom
