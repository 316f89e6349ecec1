// Reads the structs by the offsets of their members: they are packed, and nothing is known of their
// alignment.
//
//   lov_user_md      magic u32 | pattern u32 | object id 16 bytes | stripe_size u32 | stripe_count u16 | u16
//                    | version 3: pool name, 16 bytes | objects, 24 bytes each
//   its objects      object id 16 bytes | generation u32 | number of the server u32
//   lov_comp_md_v1   magic u32 | size u32 | generation u32 | flags u16 | entries u16 | 16 bytes | entries
//   its entries      id u32 | flags u32 | extent u64, u64 | offset u32 | size u32 | 16 bytes
#include "logformat/lustre_layout.h"

#include <algorithm>
#include <cstring>

namespace fathom {
namespace {

constexpr std::uint32_t magic_v1 = 0x0BD10BD0, magic_v3 = 0x0BD30BD0, magic_composite = 0x0BD60BD0;
constexpr std::size_t header_bytes = 32, pool_bytes = 16, object_bytes = 24, entry_bytes = 48;
constexpr std::uint32_t raid0 = 1, on_metadata_server = 0x100, foreign = 0x400, released = 0x80000000;
constexpr std::uint32_t stale = 0x1, initialized = 0x10, parity = 0x80;

// The number at an offset that is known to lie inside.
template <class Number>
Number number_at(std::span<const std::byte> bytes, std::size_t offset)
{
    Number number{};
    std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}

std::optional<LustreLayout> plain_layout(std::span<const std::byte> bytes)
{
    if (bytes.size() < header_bytes) return std::nullopt;
    const auto magic = number_at<std::uint32_t>(bytes, 0), pattern = number_at<std::uint32_t>(bytes, 4);
    const std::size_t pool = magic == magic_v3 ? pool_bytes : 0;
    if ((magic != magic_v1 && magic != magic_v3) || bytes.size() < header_bytes + pool) return std::nullopt;
    if ((pattern & raid0) == 0 || (pattern & (on_metadata_server | foreign | released)) != 0)
        return std::nullopt;

    LustreLayout layout;
    layout.stripe_size = number_at<std::uint32_t>(bytes, 24);
    layout.stripe_count = number_at<std::uint16_t>(bytes, 28);
    const auto objects = bytes.subspan(header_bytes + pool);
    if (layout.stripe_size == 0 || layout.stripe_count == 0 ||
        layout.stripe_count > objects.size() / object_bytes)
        return std::nullopt;
    if (pool > 0) {
        const auto* const name = reinterpret_cast<const char*>(bytes.data() + header_bytes);
        layout.pool = {name, strnlen(name, pool)};
    }
    for (std::size_t at = 0; at < layout.servers(); ++at)
        layout.server[at] = number_at<std::uint32_t>(objects, at * object_bytes + 20);
    return layout;
}

std::optional<LustreLayout> component_layout(std::span<const std::byte> all, std::span<const std::byte> entry)
{
    const auto flags = number_at<std::uint32_t>(entry, 4);
    if ((flags & initialized) == 0 || (flags & (stale | parity)) != 0) return std::nullopt;
    if (number_at<std::uint64_t>(entry, 8) >= number_at<std::uint64_t>(entry, 16)) return std::nullopt;
    const auto offset = number_at<std::uint32_t>(entry, 24), size = number_at<std::uint32_t>(entry, 28);
    if (offset > all.size() || size > all.size() - offset) return std::nullopt;
    return plain_layout(all.subspan(offset, size));
}

}  // namespace

std::optional<LustreLayout> lustre_layout(std::span<const std::byte> attribute)
{
    if (attribute.size() < header_bytes) return std::nullopt;
    if (number_at<std::uint32_t>(attribute, 0) != magic_composite) return plain_layout(attribute);
    const auto entries = attribute.subspan(header_bytes);
    const std::size_t count = number_at<std::uint16_t>(attribute, 14);
    for (std::size_t at = std::min(count, entries.size() / entry_bytes); at-- > 0;)
        if (const auto layout = component_layout(attribute, entries.subspan(at * entry_bytes, entry_bytes)))
            return layout;
    return std::nullopt;
}

}  // namespace fathom
