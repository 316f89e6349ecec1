// Rows to blocks: columns, then zlib. Uses neither malloc nor exceptions, since the preload library writes
// logs too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "logformat/blocks/block.h"
#include "logformat/blocks/bytes.h"
#include "logformat/blocks/columns.h"
#include "logformat/blocks/ordered_rows.h"
#include "logformat/blocks/pack.h"
#include "logformat/tables.h"

namespace fathom {

struct Prediction;  // logformat/trace/predictions.h

// How the values of one column are stored. Some column of a block always has a byte a row, so that a block of
// n rows has at least n bytes before compression.
enum class Encoding : std::uint8_t {
    zeros,     // nothing: all are 0, or empty
    constant,  // one for all
    values,    // all of them
    shared,    // texts, less the beginning that each shares with the row before
    ids,       // nothing: the ids that follow from the texts of another column (path_id.h)
};

// What stands in the place of the numbers of a column; flags in the byte that holds the encoding. Applied in
// this order, and undone in the other.
inline constexpr std::uint8_t as_positions = 0x20;    // of ids in the last block of names
inline constexpr std::uint8_t as_remainders = 0x40;   // after other columns are subtracted
inline constexpr std::uint8_t as_differences = 0x80;  // to the row before

// Appends to a log in memory. Blocks are independent of one another, but for records, which follow the names
// of their files: those of several writers may be put one behind the other, and only the first needs begin()
// and only the last end().
class Encoder {
  public:
    explicit Encoder(Bytes& out) : out_(out) {}

    void begin();  // file header and schema
    void end(std::uint64_t blocks_before);

    template <class Row>
    void rows(std::span<const Row> all)
    {
        rows(OrderedRows<Row>(all));
    }
    template <class Row>
    void rows(OrderedRows<Row> all)
    {
        const Columns columns = columns_of<Row>();
        while (all.size() > 0) {
            const auto some = all.first(all.size() < block_rows ? all.size() : block_rows);
            table_block(
                columns, table_number<Row>(),
                {reinterpret_cast<const std::byte*>(some.rows()), some.order(), sizeof(Row), some.size()});
            all = all.behind(some.size());
        }
    }

    // Names and the records of their files. Records in the order of their names take least room.
    template <class... Records>
    void files(OrderedRows<FileName> names, OrderedRows<Records>... records)
    {
        while (names.size() > 0) {
            const auto some = names.first(names.size() < block_rows ? names.size() : block_rows);
            rows(some);
            ((records = records.behind(rows_of_these(some, records))), ...);
            names = names.behind(some.size());
        }
        (rows(records), ...);
    }

    std::uint64_t blocks() const { return blocks_; }
    bool good() const
    {
        return good_ && out_.good() && raw_.good() && cuts_.good() && varying_.good() && loaded_.good() &&
               loaded_at_.good() && ids_.good() && places_.good() && numbers_.good() && forms_[0].good() &&
               forms_[1].good();
    }

  private:
    static constexpr std::size_t block_rows = 1u << 16;

    // Writes the records whose files come in these names, in the order of the names, as far as that goes;
    // returns how many they are.
    template <class Record>
    std::size_t rows_of_these(OrderedRows<FileName> names, OrderedRows<Record> records)
    {
        std::size_t count = 0;
        for (std::size_t name = 0; name < names.size(); ++name)
            while (count < records.size() && records[count].file == names[name].file) ++count;
        rows(records.first(count));
        return count;
    }

    struct Rows;  // of one table, for one block
    struct Form;  // how a column of numbers is stored
    struct Block {
        const std::byte* first;
        const std::uint32_t* order;  // see OrderedRows
        std::size_t stride, count;
    };

    void table_block(const Columns& columns, std::size_t table, const Block& block);
    void find_varying(const Rows& rows);
    void load_varying(Rows& rows);
    bool ids_of_texts(const Rows& rows, std::size_t texts);
    void texts(const Rows& rows, std::size_t column, bool needed);
    void numbers(const Rows& rows, std::size_t column, bool needed);
    void load_numbers(const Rows& rows, std::size_t column);
    bool make_positions();
    bool find_positions();
    void try_form(const Rows& rows, Form form, Form& best);
    static bool find_terms(const Rows& rows, std::size_t column, const Prediction& prediction, Form& form);
    static bool is_sum(const Rows& rows, std::size_t column, const Form& form);
    void store_zeros();
    void store_sum(const Form& form);
    void store_terms(const Form& form);
    void store_numbers(const Form& form, bool needed);
    void remember_names(const Rows& rows, std::uint32_t checksum);
    void cut(bool text);
    std::uint32_t block(BlockKind kind, std::size_t table, std::uint64_t rows);

    Bytes& out_;
    Bytes raw_, cuts_;                // the block being made
    Bytes numbers_, forms_[2];        // a column, the best that may stand for it so far, and another try
    Bytes varying_;                   // a word for each of a row's: 0 where it is the same in all rows
    Bytes loaded_, loaded_at_;        // numbers that are not, column by column, and where a column's begin
    Bytes ids_;                       // of the files in the last block of names
    Bytes places_;                    // those sorted, with their places, once they were asked for
    std::uint32_t ids_checksum_ = 0;  // of that block
    Packer packer_;
    std::uint64_t blocks_ = 0;
    bool good_ = true;
};

// Appends the schema of all tables: for each, its name, meaning and columns.
void append_schema(Bytes& to);
std::uint64_t schema_hash();

}  // namespace fathom
