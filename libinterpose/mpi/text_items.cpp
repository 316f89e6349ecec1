// Two texts behind some numbers, padded.
#include "libinterpose/mpi/text_items.h"

#include <cstring>
#include <string_view>

namespace fathom {
namespace {

// A layout's payload: its numbers, the lengths of the two texts, then these one behind the other, padded.
struct LayoutPayload {
    std::uint64_t stripe_size = 0, stripe_count = 0, first_server = 0;
    std::uint64_t pool = 0, servers = 0;
};

// A payload of hints: how many had no room, the lengths of the two texts, then these, padded.
struct HintsPayload {
    std::uint64_t left_out = 0, asked = 0, used = 0;
};

// Appends an item that keeps two texts behind a payload.
template <class Payload>
void append_texts(Bytes& items, std::uint64_t file, ItemKind kind, const Payload& payload,
                  std::string_view first, std::string_view second)
{
    const Item item{file, reduced, kind,
                    static_cast<std::uint32_t>(sizeof payload + padded(first.size() + second.size()))};
    std::byte* to = items.room(sizeof item + item.bytes);
    if (to == nullptr) return;
    std::memset(to, 0, sizeof item + item.bytes);
    const auto put = [&](const void* from, std::size_t bytes) {
        if (bytes > 0) std::memcpy(to, from, bytes);
        to += bytes;
    };
    put(&item, sizeof item);
    put(&payload, sizeof payload);
    put(first.data(), first.size());
    put(second.data(), second.size());
    items.grow(sizeof item + item.bytes);
}

}  // namespace

void append_layout(const Layout& layout, Bytes& items)
{
    const LayoutPayload payload{layout.stripe_size, layout.stripe_count, layout.first_server,
                                layout.pool.size(), layout.servers.size()};
    append_texts(items, layout.file, ItemKind::layout, payload, layout.pool, layout.servers);
}

void append_hints(const Hints& hints, Bytes& items)
{
    const HintsPayload payload{hints.left_out, hints.asked.size(), hints.used.size()};
    append_texts(items, hints.file, ItemKind::hints, payload, hints.asked, hints.used);
}

Layout layout_of(const Run& at)
{
    LayoutPayload payload;
    std::memcpy(&payload, at.payload().data(), sizeof payload);
    const char* const texts = reinterpret_cast<const char*>(at.payload().data() + sizeof payload);
    const auto pool = static_cast<std::size_t>(payload.pool),
               servers = static_cast<std::size_t>(payload.servers);
    return {at.item().file,       payload.stripe_size,     payload.stripe_count,
            payload.first_server, {texts + pool, servers}, {texts, pool}};
}

Hints hints_of(const Run& at)
{
    HintsPayload payload;
    std::memcpy(&payload, at.payload().data(), sizeof payload);
    const char* const texts = reinterpret_cast<const char*>(at.payload().data() + sizeof payload);
    const auto asked = static_cast<std::size_t>(payload.asked), used = static_cast<std::size_t>(payload.used);
    return {at.item().file, {texts, asked}, {texts + asked, used}, payload.left_out};
}

}  // namespace fathom
