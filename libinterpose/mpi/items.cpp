// Packs, splits and merges items.
#include "libinterpose/mpi/items.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "libinterpose/mpi/failed_path_items.h"
#include "libinterpose/mpi/text_items.h"
#include "libinterpose/mpi/timing_items.h"

namespace fathom {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

// A name's payload: its kind, how many files it stands for, its length, then the path, padded.
struct NamePayload {
    std::uint64_t kind = 0;
    std::uint64_t files = 0;
    std::uint64_t length = 0;
};

// A record's payload: a bit for each of its words that is not zero, then those words. Records are made of
// words: the counters, what they say of sharing, and their keys, which the header has. What a record of one
// process says of sharing follows from its counters.
template <class Counters>
constexpr std::size_t counter_words = sizeof(Counters) / word_bytes;
template <class Counters>
constexpr std::size_t all_words = (sizeof(Counters) + sizeof(Sharing)) / word_bytes;
constexpr std::size_t mask_words(std::size_t words)
{
    return (words + 63) / 64;
}

template <class Counters>
std::size_t words_of(const Item& item)
{
    static_assert(sizeof(Record<Counters>) == sizeof(Counters) + sizeof(Sharing) + 2 * word_bytes);
    static_assert(std::is_trivially_copyable_v<Record<Counters>>);
    return item.process == reduced ? all_words<Counters> : counter_words<Counters>;
}

template <class Counters>
void append_record(Bytes& run, ItemKind kind, const Record<Counters>& record)
{
    Item item{record.file, record.process, kind, 0};
    const std::size_t words = words_of<Counters>(item), masks = mask_words(words);
    std::byte* const to = run.room(sizeof item + (masks + words) * word_bytes);
    if (to == nullptr) return;
    std::uint64_t from[all_words<Counters>];
    std::memcpy(from, static_cast<const void*>(&record), words * word_bytes);
    auto* const mask = reinterpret_cast<std::uint64_t*>(to + sizeof item);
    std::uint64_t* end = mask + masks;
    for (std::size_t first = 0, at = 0; at < masks; ++at, first += 64) {
        std::uint64_t bits = 0;
        for (std::size_t bit = 0; bit < std::min<std::size_t>(64, words - first); ++bit) {
            const std::uint64_t value = from[first + bit];
            *end = value;  // stays if it is not zero
            end += value != 0;
            bits |= std::uint64_t{value != 0} << bit;
        }
        mask[at] = bits;
    }
    item.bytes = static_cast<std::uint32_t>(reinterpret_cast<std::byte*>(end) - to - sizeof item);
    std::memcpy(to, &item, sizeof item);
    run.grow(sizeof item + item.bytes);
}

template <class Counters>
void read_record(const Item& item, RunView payload, Record<Counters>& record)
{
    const std::size_t words = words_of<Counters>(item), masks = mask_words(words);
    std::uint64_t to[all_words<Counters>] = {};
    const auto* const mask = reinterpret_cast<const std::uint64_t*>(payload.data());
    const std::uint64_t* from = mask + masks;
    for (std::size_t at = 0; at < masks; ++at)
        for (std::uint64_t bits = mask[at]; bits != 0; bits &= bits - 1)
            to[at * 64 + static_cast<std::size_t>(std::countr_zero(bits))] = *from++;
    std::memcpy(static_cast<void*>(&record), to, words * word_bytes);
    record.file = item.file;
    record.process = reduced;
    if (item.process != reduced) share_alone(record, item.process);
}

void append_name(Bytes& run, const FileName& name)
{
    const Item item{name.file, reduced, ItemKind::name,
                    static_cast<std::uint32_t>(sizeof(NamePayload) + padded(name.path.size()))};
    const NamePayload payload{name.kind, name.files, name.path.size()};
    std::byte* const to = run.room(sizeof item + item.bytes);
    if (to == nullptr) return;
    std::memset(to + sizeof item + item.bytes - word_bytes, 0, word_bytes);
    std::memcpy(to, &item, sizeof item);
    std::memcpy(to + sizeof item, &payload, sizeof payload);
    if (!name.path.empty())
        std::memcpy(to + sizeof item + sizeof payload, name.path.data(), name.path.size());
    run.grow(sizeof item + item.bytes);
}

bool before(const Item& a, const Item& b)
{
    return a.file != b.file ? a.file < b.file : a.kind < b.kind;
}

template <class Counters>
void append_merged(Bytes& merged, const Run& a, const Run& b)
{
    Record<Counters> one, other;
    read_record(a.item(), a.payload(), one);
    read_record(b.item(), b.payload(), other);
    merge(one, other);
    one.process = reduced;
    append_record(merged, a.item().kind, one);
}

template <class Counters>
void append_row(Bytes& rows, const Run& at)
{
    auto* const row = rows.append_array<Record<Counters>>(1);
    if (row == nullptr) return;
    read_record(at.item(), at.payload(), *row);
    row->process = at.item().process;
    row->time.round();
    row->bytes.round();
}

FileName name_of(const Run& at)
{
    NamePayload payload;
    std::memcpy(&payload, at.payload().data(), sizeof payload);
    const char* const path = reinterpret_cast<const char*>(at.payload().data() + sizeof payload);
    return {at.item().file, payload.kind, {path, static_cast<std::size_t>(payload.length)}, payload.files};
}

// The first bytes of a text as a number that sorts as they do.
std::uint64_t key_of(std::string_view text)
{
    std::uint64_t key = 0;
    for (std::size_t at = 0; at < word_bytes; ++at)
        key = key << 8 | (at < text.size() ? static_cast<unsigned char>(text[at]) : 0);
    return key;
}

std::size_t shared_beginning(std::string_view a, std::string_view b)
{
    std::size_t length = 0;
    while (length < std::min(a.size(), b.size()) && a[length] == b[length]) ++length;
    return length;
}

}  // namespace

void append_items(const FileRecords& file, Bytes& items)
{
    append_name(items, file.name);
    if (file.in[static_cast<std::size_t>(Layer::posix)]) append_record(items, ItemKind::posix, file.posix);
    if (file.in[static_cast<std::size_t>(Layer::stdio)]) append_record(items, ItemKind::stdio, file.stdio);
    if (file.in[static_cast<std::size_t>(Layer::mpiio)]) append_record(items, ItemKind::mpiio, file.mpiio);
    if (file.has_data_file) append_record(items, ItemKind::data_file, file.data_file);
    if (file.has_dataset) append_record(items, ItemKind::dataset, file.dataset);
}

bool sort_items(RunView items, Bytes& run)
{
    struct ItemPlace {
        std::uint64_t file;
        ItemKind first;
        RunView items;
    };
    Bytes places;
    for (Run at(items); !at.at_end();) {
        const RunView from = at.rest();
        const std::uint64_t file = at.item().file;
        const ItemKind first = at.item().kind;
        while (!at.at_end() && at.item().file == file) at.next();
        if (ItemPlace* const place = places.append_array<ItemPlace>(1))
            *place = {file, first, from.first(from.size() - at.rest().size())};
    }
    const auto files = places.as<ItemPlace>();
    std::sort(files.begin(), files.end(), [](const ItemPlace& a, const ItemPlace& b) {
        return std::tie(a.file, a.first) < std::tie(b.file, b.first);
    });
    for (const ItemPlace& file : files) run.append(file.items);
    return places.good() && run.good();
}

std::pair<RunView, RunView> split_items(RunView run, unsigned bit)
{
    Run at(run);
    while (!at.at_end() && (at.item().file >> bit & 1) == 0) at.next();
    const std::size_t without = run.size() - at.rest().size();
    return {run.first(without), at.rest()};
}

void merge_items(RunView a, RunView b, Bytes& merged)
{
    Run one(a), other(b);
    while (!one.at_end() && !other.at_end()) {
        if (before(one.item(), other.item())) {
            merged.append(one.whole());
            one.next();
        } else if (before(other.item(), one.item())) {
            merged.append(other.whole());
            other.next();
        } else {
            switch (one.item().kind) {
                case ItemKind::name: {
                    FileName name = name_of(one);
                    merge(name, name_of(other));
                    append_name(merged, name);
                    break;
                }
                case ItemKind::posix:
                    append_merged<PosixCounters>(merged, one, other);
                    break;
                case ItemKind::stdio:
                    append_merged<StdioCounters>(merged, one, other);
                    break;
                case ItemKind::mpiio:
                    append_merged<MpiioCounters>(merged, one, other);
                    break;
                case ItemKind::data_file:
                    append_merged<DataFileCounters>(merged, one, other);
                    break;
                case ItemKind::dataset:
                    append_merged<DatasetCounters>(merged, one, other);
                    break;
                case ItemKind::histogram:
                    append_merged_histogram(one, other, merged);
                    break;
                case ItemKind::failed_paths:
                    append_merged_failed_paths(one, other, merged);
                    break;
                case ItemKind::layout:  // as any of the ranks found it
                case ItemKind::hints:   // …or was given
                case ItemKind::shape:   // of equal ids the codes are equal
                    merged.append(one.whole());
                    break;
            }
            one.next();
            other.next();
        }
    }
    merged.append(one.rest());
    merged.append(other.rest());
}

RowsOfItems::RowsOfItems(RunView runs)
{
    std::string_view shared;
    for (Run at(runs); !at.at_end(); at.next()) {
        if (at.item().kind != ItemKind::name) continue;
        const std::string_view path = name_of(at).path;
        if (File* const file = files_.append_array<File>(1)) *file = {0, at.rest()};
        shared = shared.data() == nullptr ? path : shared.substr(0, shared_beginning(shared, path));
    }
    const auto path_of = [](const File& file) { return name_of(Run(file.items)).path; };
    const auto files = files_.as<File>();
    for (File& file : files) file.key = key_of(path_of(file).substr(shared.size()));
    std::sort(files.begin(), files.end(), [&](const File& a, const File& b) {
        return a.key != b.key ? a.key < b.key : path_of(a) < path_of(b);
    });
}

bool RowsOfItems::next(std::size_t most, PartRows& rows)
{
    for (Bytes* const table : {&rows.names, &rows.layouts, &rows.hints, &rows.posix, &rows.stdio, &rows.mpiio,
                               &rows.data_files, &rows.datasets})
        table->clear();
    const auto files = files_.as<File>().subspan(at_);
    const auto some = files.first(std::min(most, files.size()));
    for (const File& file : some) {
        Run at(file.items);
        if (FileName* const name = rows.names.append_array<FileName>(1)) *name = name_of(at);
        for (at.next(); !at.at_end() && is_of_file(at.item().kind); at.next()) {
            const ItemKind kind = at.item().kind;
            if (kind == ItemKind::posix) append_row<PosixCounters>(rows.posix, at);
            if (kind == ItemKind::stdio) append_row<StdioCounters>(rows.stdio, at);
            if (kind == ItemKind::mpiio) append_row<MpiioCounters>(rows.mpiio, at);
            if (kind == ItemKind::data_file) append_row<DataFileCounters>(rows.data_files, at);
            if (kind == ItemKind::dataset) append_row<DatasetCounters>(rows.datasets, at);
            if (kind == ItemKind::layout)
                if (Layout* const layout = rows.layouts.append_array<Layout>(1)) *layout = layout_of(at);
            if (kind == ItemKind::hints) rows.hints.append_row(hints_of(at));
        }
    }
    at_ += some.size();
    return !some.empty() && rows.good();
}

}  // namespace fathom
