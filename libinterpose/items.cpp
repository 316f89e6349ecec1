// Packs, splits and merges items.
#include "libinterpose/items.h"

#include <cstring>

namespace fathom {
namespace {

// A name's payload: its kind, its length, then the path, padded.
struct NamePayload {
    std::uint64_t kind = 0;
    std::uint64_t length = 0;
};

void append_item(Bytes& run, std::uint64_t file, ItemKind kind, std::span<const std::byte> first,
                 std::span<const std::byte> second = {})
{
    const std::size_t padded = (first.size() + second.size() + 7) & ~std::size_t{7};
    std::byte* const to = run.room(sizeof(Item) + padded);
    if (to == nullptr) return;
    const Item item{file, kind, static_cast<std::uint32_t>(padded)};
    std::memset(to, 0, sizeof(Item) + padded);
    std::memcpy(to, &item, sizeof item);
    std::memcpy(to + sizeof item, first.data(), first.size());
    if (!second.empty()) std::memcpy(to + sizeof item + first.size(), second.data(), second.size());
    run.grow(sizeof(Item) + padded);
}

template <class Row>
std::span<const std::byte> bytes_of(const Row& row)
{
    return std::as_bytes(std::span(&row, 1));
}

// Walks a run.
class Run {
  public:
    explicit Run(std::span<const std::byte> bytes) : rest_(bytes) { look(); }

    bool at_end() const { return rest_.size() < sizeof(Item); }
    const Item& item() const { return item_; }
    std::span<const std::byte> whole() const { return rest_.first(sizeof(Item) + item_.bytes); }
    std::span<const std::byte> payload() const { return rest_.subspan(sizeof(Item), item_.bytes); }
    void next()
    {
        rest_ = rest_.subspan(sizeof(Item) + item_.bytes);
        look();
    }

  private:
    void look()
    {
        if (!at_end()) std::memcpy(&item_, rest_.data(), sizeof item_);
    }

    std::span<const std::byte> rest_;
    Item item_;
};

bool before(const Item& a, const Item& b)
{
    return a.file != b.file ? a.file < b.file : a.kind < b.kind;
}

template <class Row>
void append_merged(Bytes& merged, const Run& a, const Run& b)
{
    Row one, other;
    std::memcpy(static_cast<void*>(&one), a.payload().data(), sizeof one);
    std::memcpy(static_cast<void*>(&other), b.payload().data(), sizeof other);
    merge(one, other);
    one.process = reduced;
    append_item(merged, a.item().file, a.item().kind, bytes_of(one));
}

template <class Row>
void append_row(Bytes& rows, std::span<const std::byte> payload)
{
    if (Row* const row = rows.append_array<Row>(1))
        std::memcpy(static_cast<void*>(row), payload.data(), sizeof *row);
}

}  // namespace

void append_items(PartRows& rows, Bytes& run)
{
    auto posix = rows.posix.as<PosixRecord>();
    auto stdio = rows.stdio.as<StdioRecord>();
    auto mpiio = rows.mpiio.as<MpiioRecord>();
    // Each table is sorted by file, and every file of a record has a name.
    const auto take = [&](auto& records, std::uint64_t file, ItemKind kind) {
        if (records.empty() || records.front().file != file) return;
        append_item(run, file, kind, bytes_of(records.front()));
        records = records.subspan(1);
    };
    for (const FileName& name : rows.names.as<FileName>()) {
        const NamePayload payload{name.kind, name.path.size()};
        append_item(run, name.file, ItemKind::name, bytes_of(payload), std::as_bytes(std::span(name.path)));
        take(posix, name.file, ItemKind::posix);
        take(stdio, name.file, ItemKind::stdio);
        take(mpiio, name.file, ItemKind::mpiio);
    }
}

void split_items(std::span<const std::byte> run, unsigned bit, Bytes& without, Bytes& with)
{
    for (Run at(run); !at.at_end(); at.next())
        ((at.item().file >> bit & 1) != 0 ? with : without).append(at.whole());
}

void merge_items(std::span<const std::byte> a, std::span<const std::byte> b, Bytes& merged)
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
                case ItemKind::name:
                    merged.append(one.whole());
                    break;
                case ItemKind::posix:
                    append_merged<PosixRecord>(merged, one, other);
                    break;
                case ItemKind::stdio:
                    append_merged<StdioRecord>(merged, one, other);
                    break;
                case ItemKind::mpiio:
                    append_merged<MpiioRecord>(merged, one, other);
                    break;
            }
            one.next();
            other.next();
        }
    }
    for (; !one.at_end(); one.next()) merged.append(one.whole());
    for (; !other.at_end(); other.next()) merged.append(other.whole());
}

void rows_of_items(std::span<const std::byte> run, PartRows& rows)
{
    for (Run at(run); !at.at_end(); at.next()) {
        switch (at.item().kind) {
            case ItemKind::name: {
                NamePayload payload;
                std::memcpy(&payload, at.payload().data(), sizeof payload);
                const char* const path = reinterpret_cast<const char*>(at.payload().data() + sizeof payload);
                if (FileName* const name = rows.names.append_array<FileName>(1))
                    *name = {at.item().file, payload.kind, {path, static_cast<std::size_t>(payload.length)}};
                break;
            }
            case ItemKind::posix:
                append_row<PosixRecord>(rows.posix, at.payload());
                break;
            case ItemKind::stdio:
                append_row<StdioRecord>(rows.stdio, at.payload());
                break;
            case ItemKind::mpiio:
                append_row<MpiioRecord>(rows.mpiio, at.payload());
                break;
        }
    }
}

}  // namespace fathom
