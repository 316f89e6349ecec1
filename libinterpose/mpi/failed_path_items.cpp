// A path behind its numbers, padded, and the next one.
#include "libinterpose/mpi/failed_path_items.h"

#include <span>

namespace fathom {
namespace {

// Small like those of histograms, and none of them.
constexpr std::uint64_t item_id = std::uint64_t{layers} << 24;

struct PathPayload {
    std::uint64_t calls = 0, error = 0, cause = 0, slept = 0, length = 0;
};

void append(const FailedPathSums& all, Bytes& items)
{
    Item item{item_id, reduced, ItemKind::failed_paths, 0};
    const auto sums = std::span(all.sum).first(static_cast<std::size_t>(all.size));
    for (const auto& one : sums)
        item.bytes += static_cast<std::uint32_t>(sizeof(PathPayload) + padded(one.text.path().size()));
    std::byte* to = items.room(sizeof item + item.bytes);
    if (to == nullptr) return;
    std::memset(to, 0, sizeof item + item.bytes);
    std::memcpy(to, &item, sizeof item);
    to += sizeof item;
    for (const auto& one : sums) {
        const std::string_view path = one.text.path();
        const PathPayload numbers{one.calls, one.error, one.text.cause, one.slept, path.size()};
        std::memcpy(to, &numbers, sizeof numbers);
        std::memcpy(to + sizeof numbers, path.data(), path.size());
        to += sizeof numbers + padded(path.size());
    }
    items.grow(sizeof item + item.bytes);
}

void add(RunView payload, FailedPathSums& to)
{
    while (payload.size() >= sizeof(PathPayload)) {
        PathPayload numbers;
        std::memcpy(&numbers, payload.data(), sizeof numbers);
        payload = payload.subspan(sizeof numbers);
        const auto length = static_cast<std::size_t>(numbers.length);
        to.add({reinterpret_cast<const char*>(payload.data()), length}, numbers.calls, numbers.error,
               static_cast<std::uint32_t>(numbers.cause), numbers.slept);
        payload = payload.subspan(padded(length));
    }
}

}  // namespace

void append_failed_paths(PartRows& rows, Bytes& items)
{
    for (const FailedPathSums& all : rows.failed_sums.as<FailedPathSums>())
        if (all.size > 0) append(all, items);
}

void append_merged_failed_paths(const Run& a, const Run& b, Bytes& merged)
{
    PartRows both;
    FailedPathSums* const sums = failed_sums_of(both);
    if (sums == nullptr) return;
    add(a.payload(), *sums);
    add(b.payload(), *sums);
    append(*sums, merged);
}

void read_failed_paths(RunView runs, PartRows& rows)
{
    rows.failed_sums.clear();
    for (Run at(runs); !at.at_end(); at.next())
        if (at.item().kind == ItemKind::failed_paths)
            if (FailedPathSums* const sums = failed_sums_of(rows)) add(at.payload(), *sums);
    make_failed_rows(rows);
}

}  // namespace fathom
