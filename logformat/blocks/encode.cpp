// Columns of numbers and texts to bytes, and bytes to compressed blocks.
#include "logformat/blocks/encode.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <sys/mman.h>

#include "logformat/blocks/numbers.h"
#include "logformat/path_id.h"
#include "logformat/trace/predictions.h"

namespace fathom {
namespace {

// Fewer bytes of a kind are not worth a table of codes of their own.
constexpr std::size_t least_to_cut = 1024;

// The texts of which the ids in the first column of a table may be made (path_id.h).
constexpr std::string_view texts_of_ids(std::size_t table)
{
    return table == table_number<FileName>() ? "path" : table == table_number<TraceShape>() ? "code" : "";
}

// An id, and where it stands in the block of names.
struct Place {
    std::uint64_t id = 0, at = 0;
};

// How many letters both begin with; eight at a time.
std::size_t shared_beginning(std::string_view one, std::string_view other)
{
    const std::size_t most = std::min(one.size(), other.size());
    std::size_t at = 0;
    for (std::uint64_t a = 0, b = 0; at + sizeof a <= most; at += sizeof a) {
        std::memcpy(&a, one.data() + at, sizeof a);
        std::memcpy(&b, other.data() + at, sizeof b);
        if (a != b) return at + static_cast<std::size_t>(std::countr_zero(a ^ b)) / 8;
    }
    while (at < most && one[at] == other[at]) ++at;
    return at;
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
    for (std::size_t table = 0; table < table_count; ++table) {
        const Columns columns = columns_of_table(table);
        append_text(to, tables.words[table].name);
        append_text(to, tables.words[table].meaning);
        to.append_varint(columns.count);
        for (const Column& column : columns.all()) {
            append_text(to, column.label());
            to.append_byte(static_cast<std::uint8_t>(column.type));
            to.append_byte(static_cast<std::uint8_t>(column.unit));
            to.append_byte(static_cast<std::uint8_t>(column.rule));
            append_text(to, column.meaning);
        }
    }
}

std::uint64_t schema_hash()
{
    static constinit std::atomic<std::uint64_t> known{0};
    if (const std::uint64_t hash = known.load(std::memory_order_relaxed); hash != 0) return hash;
    Bytes schema;
    append_schema(schema);
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const std::byte byte : schema.view())
        hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
    known.store(hash, std::memory_order_relaxed);
    return hash;
}

namespace {

// The block of the schema as the first log of this process has it: it is the same in all, and making it takes
// longer than all else in a small log. Memory of its own, which stays.
struct MadeSchema {
    std::size_t size = 0;
    std::span<const std::byte> bytes() const { return {reinterpret_cast<const std::byte*>(this + 1), size}; }
};
constinit std::atomic<const MadeSchema*> made_schema{nullptr};

void keep_schema(std::span<const std::byte> block)
{
    void* const memory = mmap(nullptr, sizeof(MadeSchema) + block.size(), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    auto* const made = new (memory) MadeSchema{block.size()};
    std::memcpy(made + 1, block.data(), block.size());
    const MadeSchema* none = nullptr;
    if (!made_schema.compare_exchange_strong(none, made, std::memory_order_acq_rel))
        munmap(memory, sizeof(MadeSchema) + block.size());  // another thread was faster
}

}  // namespace

// What is being made a block of.
struct Encoder::Rows : Block {
    const Columns& columns;
    std::span<const std::uint64_t> loaded;     // the numbers that vary, column by column; none: not loaded
    std::span<const std::uint32_t> loaded_at;  // by word of a row: which of these columns, from 1 on; or 0

    Rows(const Block& block, const Columns& of) : Block(block), columns(of) {}

    const Column& column(std::size_t number) const { return columns.column[number]; }
    const std::byte* at(std::size_t row) const
    {
        return first + (order == nullptr ? row : order[row]) * stride;
    }
    std::uint64_t number(std::size_t row, std::size_t in) const
    {
        if (loaded.empty()) return load<std::uint64_t>(at(row), column(in));
        const std::uint32_t which = loaded_at[word_of(column(in))];
        return which == 0 ? load<std::uint64_t>(at(0), column(in)) : loaded[(which - 1) * count + row];
    }
    // The numbers of a column side by side; none where they were not loaded.
    std::span<const std::uint64_t> side_by_side(std::size_t in) const
    {
        const std::uint32_t which = loaded.empty() ? 0 : loaded_at[word_of(column(in))];
        return which == 0 ? std::span<const std::uint64_t>() : loaded.subspan((which - 1) * count, count);
    }
    std::string_view text(std::size_t row, std::size_t in) const
    {
        return load<std::string_view>(at(row), column(in));
    }
    static std::size_t word_of(const Column& column) { return column.offset / sizeof(std::uint64_t); }
    // The column of this name among the first ones; `before` if there is none.
    std::size_t find(std::string_view name, std::size_t before) const
    {
        std::size_t at = 0;
        while (at < before && column(at).label() != name) ++at;
        return at;
    }
};

struct Encoder::Form {
    std::uint8_t transforms = 0;
    std::size_t terms[Prediction::most_terms] = {};  // columns that are subtracted
    std::size_t term_count = 0;
    bool is_signed = false;
    std::size_t where = 0;  // its numbers are in forms_
    std::uint64_t bits = UINT64_MAX;
};

void Encoder::begin()
{
    if (std::byte* const to = out_.room(file_header_bytes)) {
        write_file_header(to, schema_hash());
        out_.grow(file_header_bytes);
    }
    if (const MadeSchema* const made = made_schema.load(std::memory_order_acquire)) {
        out_.append(made->bytes());
        ++blocks_;
        return;
    }
    raw_.clear();
    cuts_.clear();
    append_schema(raw_);
    const std::size_t from = out_.size();
    block(BlockKind::schema, 0, table_count);
    if (good()) keep_schema(out_.view().subspan(from));
}

void Encoder::end(std::uint64_t blocks_before)
{
    raw_.clear();
    cuts_.clear();
    block(BlockKind::end, 0, blocks_before);
}

void Encoder::table_block(const Columns& columns, std::size_t table, const Block& of)
{
    raw_.clear();
    cuts_.clear();
    Rows rows(of, columns);
    // Either the first column has a byte a row, or the texts that it follows from.
    find_varying(rows);
    load_varying(rows);
    const std::size_t text = rows.find(texts_of_ids(table), columns.count);
    const bool derived = text < columns.count && ids_of_texts(rows, text);
    const std::size_t needed = derived ? text : 0;
    for (std::size_t column = derived ? 1 : 0; column < columns.count; ++column) {
        if (rows.column(column).type == ScalarType::text)
            texts(rows, column, column == needed);
        else
            numbers(rows, column, column == needed);
    }
    if (raw_.size() > most_raw_bytes && of.count > 1) {  // long texts: no reader would take such a block
        const std::size_t half = of.count / 2;
        Block second{of.first, of.order, of.stride, of.count - half};
        if (of.order == nullptr)
            second.first += half * of.stride;
        else
            second.order += half;
        table_block(columns, table, {of.first, of.order, of.stride, half});
        table_block(columns, table, second);
        return;
    }
    if (raw_.size() > most_raw_bytes) good_ = false;
    const std::uint32_t checksum = block(BlockKind::table, table, of.count);
    if (table == table_number<FileName>()) remember_names(rows, checksum);
}

// Most counters are the same for all files, and most of those are 0: one pass over the rows, in the order in
// which they lie in memory, finds out.
void Encoder::find_varying(const Rows& rows)
{
    using Pair [[gnu::vector_size(16)]] = std::uint64_t;
    constexpr std::size_t word = sizeof(std::uint64_t);
    const std::size_t words = rows.stride / word;
    varying_.clear();
    std::uint64_t* const varying = varying_.append_array<std::uint64_t>(words);
    if (varying == nullptr) return;
    std::fill_n(varying, words, 0);
    const auto words_of = [&](std::size_t row) {
        return reinterpret_cast<const std::uint64_t*>(rows.at(row));
    };
    const std::uint64_t* const first = words_of(0);
    for (std::size_t row = 1; row < rows.count; ++row) {
        const std::uint64_t* const other = words_of(row);
        std::size_t at = 0;
        for (; at + 2 <= words; at += 2) {
            Pair now, one, varies;
            std::memcpy(&now, other + at, sizeof now);
            std::memcpy(&one, first + at, sizeof one);
            std::memcpy(&varies, varying + at, sizeof varies);
            varies |= now ^ one;
            std::memcpy(varying + at, &varies, sizeof varies);
        }
        if (at < words) varying[at] |= other[at] ^ first[at];
    }
}

// Puts the numbers of a column side by side, in another pass of that kind: each is looked at several times.
// Where they are very many, or memory is short, they are fetched from the rows.
void Encoder::load_varying(Rows& rows)
{
    constexpr std::size_t most = std::size_t{16} << 20;  // bytes
    loaded_.clear();
    loaded_at_.clear();
    const auto varying = varying_.as<std::uint64_t>();
    std::uint32_t* const which = loaded_at_.append_array<std::uint32_t>(varying.size());
    if (which == nullptr) return;
    std::fill_n(which, varying.size(), 0);
    std::array<std::size_t, most_columns> words{};
    std::uint32_t count = 0;
    for (const Column& column : rows.columns.all()) {
        const std::size_t word = Rows::word_of(column);
        if (column.type == ScalarType::text || varying[word] == 0) continue;
        words[count++] = word;
        which[word] = count;
    }
    const std::size_t numbers = count * rows.count;
    if (numbers * sizeof(std::uint64_t) > most) return;
    std::uint64_t* const to = loaded_.append_array<std::uint64_t>(numbers);
    if (to == nullptr) return;
    for (std::size_t row = 0; row < rows.count; ++row) {
        const auto* const from = reinterpret_cast<const std::uint64_t*>(rows.at(row));
        for (std::uint32_t column = 0; column < count; ++column)
            to[column * rows.count + row] = from[words[column]];
    }
    rows.loaded = loaded_.as<std::uint64_t>();
    rows.loaded_at = loaded_at_.as<std::uint32_t>();
}

// Stores the first column as what it is made of; false where its ids are something else.
bool Encoder::ids_of_texts(const Rows& rows, std::size_t texts)
{
    for (std::size_t row = 0; row < rows.count; ++row)
        if (rows.number(row, 0) != path_id(rows.text(row, texts))) return false;
    raw_.append_byte(static_cast<std::uint8_t>(Encoding::ids));
    raw_.append_varint(texts);
    return true;
}

void Encoder::texts(const Rows& rows, std::size_t column, bool needed)
{
    bool same = !needed;
    std::size_t shared_bytes = 0;
    // How many letters each has from the one before it.
    numbers_.clear();
    std::uint64_t* const shared = numbers_.append_array<std::uint64_t>(rows.count);
    if (shared == nullptr) return;
    std::string_view before = rows.text(0, column);
    const std::size_t first = before.size();
    shared[0] = 0;
    for (std::size_t row = 1; row < rows.count; ++row) {
        const std::string_view text = rows.text(row, column);
        shared[row] = shared_beginning(before, text);
        same = same && shared[row] == text.size() && text.size() == first;
        shared_bytes += shared[row];
        before = text;
    }
    const bool share = !same && shared_bytes > rows.count;
    const Encoding encoding = share        ? Encoding::shared
                              : !same      ? Encoding::values
                              : first == 0 ? Encoding::zeros
                                           : Encoding::constant;
    const std::size_t stored = encoding == Encoding::zeros      ? 0
                               : encoding == Encoding::constant ? 1
                                                                : rows.count;
    const auto kept = [&](std::size_t row) { return rows.text(row, column).substr(share ? shared[row] : 0); };
    Bytes& data = forms_[0];
    data.clear();
    if (share)
        for (std::size_t row = 0; row < stored; ++row) data.append_varint(shared[row]);
    for (std::size_t row = 0; row < stored; ++row) data.append_varint(kept(row).size());
    for (std::size_t row = 0; row < stored; ++row) data.append(kept(row));
    if (data.size() >= least_to_cut) cut(true);
    raw_.append_byte(static_cast<std::uint8_t>(encoding));
    raw_.append_varint(data.size());
    raw_.append(data.view());
}

void Encoder::numbers(const Rows& rows, std::size_t column, bool needed)
{
    const Column& about = rows.column(column);
    const bool same = varying_.as<std::uint64_t>()[about.offset / sizeof(std::uint64_t)] == 0;
    if (same && !needed && rows.number(0, column) == 0) return store_zeros();
    Form form, best;
    // What follows from other columns needs no other form.
    if (!same && !needed && about.type != ScalarType::f64) {
        for (const Prediction& prediction : predictions)
            if (prediction.column == about.label() && find_terms(rows, column, prediction, form) &&
                is_sum(rows, column, form))
                return store_sum(form);
        form.term_count = 0;
    }
    load_numbers(rows, column);
    form.is_signed = about.type == ScalarType::i64;
    if (about.label() == "file" && make_positions()) form.transforms = as_positions;
    try_form(rows, form, best);
    if (about.type != ScalarType::f64 && (!same || needed)) {
        form.is_signed = true;
        form.transforms |= as_differences;
        try_form(rows, form, best);
        for (const Prediction& prediction : predictions) {
            if (prediction.column != about.label()) continue;
            find_terms(rows, column, prediction, form);
            form.transforms = as_remainders;
            try_form(rows, form, best);
            form.transforms |= as_differences;
            try_form(rows, form, best);
        }
    }
    store_numbers(best, needed);
}

// The columns that a prediction adds up, as far as they come before. False where there are none.
bool Encoder::find_terms(const Rows& rows, std::size_t column, const Prediction& prediction, Form& form)
{
    form.term_count = 0;
    for (const std::string_view name : prediction.sum_of) {
        const std::size_t term = rows.find(name, column);
        if (term < column) form.terms[form.term_count++] = term;
    }
    return form.term_count > 0;
}

bool Encoder::is_sum(const Rows& rows, std::size_t column, const Form& form)
{
    for (std::size_t row = 0; row < rows.count; ++row) {
        std::uint64_t left = rows.number(row, column);
        for (std::size_t term = 0; term < form.term_count; ++term) left -= rows.number(row, form.terms[term]);
        if (left != 0) return false;
    }
    return true;
}

void Encoder::load_numbers(const Rows& rows, std::size_t column)
{
    numbers_.clear();
    std::uint64_t* const to = numbers_.append_array<std::uint64_t>(rows.count);
    if (to == nullptr) return;
    if (const auto all = rows.side_by_side(column); !all.empty())
        std::copy(all.begin(), all.end(), to);
    else if (!rows.loaded.empty())
        std::fill_n(to, rows.count, rows.number(0, column));
    else
        for (std::size_t row = 0; row < rows.count; ++row) to[row] = rows.number(row, column);
}

// Ids become places in the last block of names, where all of them are there. Those of records come in the
// order of that block.
bool Encoder::make_positions()
{
    const auto known = ids_.as<std::uint64_t>();
    const auto ids = numbers_.as<std::uint64_t>();
    std::size_t at = 0;
    for (const std::uint64_t id : ids) {
        while (at < known.size() && known[at] != id) ++at;
        if (at == known.size()) return find_positions();
    }
    at = 0;
    for (std::uint64_t& id : ids) {
        while (known[at] != id) ++at;
        id = at;
    }
    return true;
}

// The same for ids in any order.
bool Encoder::find_positions()
{
    const auto by_id = [](const Place& a, const Place& b) { return a.id < b.id; };
    if (places_.size() == 0) {
        for (const std::uint64_t id : ids_.as<std::uint64_t>())
            if (Place* const place = places_.append_array<Place>(1))
                *place = {id, places_.size() / sizeof(Place) - 1};
        std::sort(places_.as<Place>().begin(), places_.as<Place>().end(), by_id);
    }
    const auto places = places_.as<Place>();
    const auto ids = numbers_.as<std::uint64_t>();
    const auto find = [&](std::uint64_t id) {
        const auto at = std::lower_bound(places.begin(), places.end(), Place{id, 0}, by_id);
        return at != places.end() && at->id == id ? &*at : nullptr;
    };
    for (const std::uint64_t id : ids)
        if (find(id) == nullptr) return false;
    for (std::uint64_t& id : ids) id = find(id)->at;
    return true;
}

void Encoder::try_form(const Rows& rows, Form form, Form& best)
{
    form.where = 1 - best.where;
    Bytes& to = forms_[form.where];
    to.clear();
    const auto from = numbers_.as<std::uint64_t>();
    std::uint64_t* const made = to.append_array<std::uint64_t>(from.size());
    if (made == nullptr) return;
    std::copy(from.begin(), from.end(), made);
    for (std::size_t term = 0; term < form.term_count; ++term) {
        if (const auto all = rows.side_by_side(form.terms[term]); !all.empty())
            for (std::size_t row = 0; row < from.size(); ++row) made[row] -= all[row];
        else
            for (std::size_t row = 0; row < from.size(); ++row)
                made[row] -= rows.number(row, form.terms[term]);
    }
    if ((form.transforms & as_differences) != 0)
        for (std::size_t row = from.size() - 1; row > 0; --row) made[row] -= made[row - 1];
    if (form.is_signed)
        for (std::size_t row = 0; row < from.size(); ++row)
            made[row] = zigzag(static_cast<std::int64_t>(made[row]));
    form.bits = packed_bits(to.as<std::uint64_t>());
    if (form.bits < best.bits) best = form;
}

void Encoder::store_zeros()
{
    raw_.append_byte(static_cast<std::uint8_t>(Encoding::zeros));
    raw_.append_varint(0);
}

void Encoder::store_numbers(const Form& form, bool needed)
{
    auto numbers = std::span<const std::uint64_t>(forms_[form.where].as<std::uint64_t>());
    if (numbers.empty()) return;
    Encoding encoding = Encoding::values;
    if (!needed && std::all_of(numbers.begin(), numbers.end(),
                               [&](std::uint64_t number) { return number == numbers.front(); })) {
        encoding = numbers.front() == 0 ? Encoding::zeros : Encoding::constant;
        numbers = numbers.first(1);
    }
    raw_.append_byte(static_cast<std::uint8_t>(encoding) | form.transforms);
    if ((form.transforms & as_positions) != 0) raw_.append_varint(ids_checksum_);
    if ((form.transforms & as_remainders) != 0) store_terms(form);
    if (encoding == Encoding::zeros) return raw_.append_varint(0);
    const unsigned mask = planes_of(numbers, needed);
    const auto planes = static_cast<std::size_t>(std::popcount(mask));
    raw_.append_varint(1 + planes * numbers.size());
    raw_.append_byte(static_cast<std::uint8_t>(mask));
    for (unsigned plane = 0; plane < 8; ++plane) {
        if ((mask >> plane & 1) == 0) continue;
        if (numbers.size() >= least_to_cut) cut(false);
        append_plane(raw_, numbers, plane);
    }
}

void Encoder::store_sum(const Form& form)
{
    raw_.append_byte(static_cast<std::uint8_t>(Encoding::zeros) | as_remainders);
    store_terms(form);
    raw_.append_varint(0);
}

void Encoder::store_terms(const Form& form)
{
    raw_.append_varint(form.term_count);
    for (std::size_t term = 0; term < form.term_count; ++term) raw_.append_varint(form.terms[term]);
}

void Encoder::remember_names(const Rows& rows, std::uint32_t checksum)
{
    ids_.clear();
    places_.clear();
    ids_checksum_ = checksum;
    std::uint64_t* const to = ids_.append_array<std::uint64_t>(rows.count);
    for (std::size_t row = 0; to != nullptr && row < rows.count; ++row) to[row] = rows.number(row, 0);
}

// What is appended from here on is of another kind.
void Encoder::cut(bool text)
{
    if (Cut* const cut = cuts_.append_array<Cut>(1)) *cut = {raw_.size(), text};
}

// Returns the checksum of the data.
std::uint32_t Encoder::block(BlockKind kind, std::size_t table, std::uint64_t rows)
{
    const std::size_t header_at = out_.size();
    if (out_.room(block_header_bytes) == nullptr) return 0;
    out_.grow(block_header_bytes);
    good_ = good_ && raw_.good() && packer_.pack(out_, raw_.view(), cuts_.as<Cut>());
    if (!good()) return 0;
    const auto packed = out_.view().subspan(header_at + block_header_bytes);
    const std::uint32_t checksum = checksum_of(packed);
    write_block_header(out_.data() + header_at,
                       {kind, static_cast<std::uint16_t>(table), rows, raw_.size(), packed.size(), checksum});
    ++blocks_;
    return checksum;
}

}  // namespace fathom
