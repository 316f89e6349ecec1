// Remembers which devices are Lustre's, and asks for layouts on those.
#include "libinterpose/recording/layouts.h"

#include <array>
#include <cerrno>
#include <cstring>

#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/system/sys.h"
#include "logformat/blocks/bytes.h"
#include "logformat/lustre_layout.h"

namespace fathom {
namespace {

constexpr long lustre_magic = 0x0BD00BD0;
constexpr const char* attribute_name = "lustre.lov";
constexpr std::size_t most_attribute_bytes = 64 << 10;  // XATTR_SIZE_MAX

// A device's number and one more bit, 1 where it is Lustre's; 0: free. Those for which there is no room are
// taken for others.
constinit std::array<std::atomic<std::uint64_t>, 64> devices{};

bool is_lustre(int fd, std::uint32_t device)
{
    const std::uint64_t other = std::uint64_t{device} << 1, lustre = other | 1;
    std::uint64_t verdict = 0;
    for (auto& known : devices) {
        std::uint64_t entry = known.load(std::memory_order_relaxed);
        if (entry == 0) {
            if (verdict == 0) {
                struct statfs about {};
                if (sys::file_system(fd, about) != 0) return false;  // another file will show it
                verdict = about.f_type == lustre_magic ? lustre : other;
            }
            if (known.compare_exchange_strong(entry, verdict, std::memory_order_relaxed)) entry = verdict;
        }
        if (entry == other || entry == lustre) return entry == lustre;
    }
    return false;
}

void keep(const LustreLayout& layout, const NameChunk& file)
{
    constexpr std::size_t digits = 10;  // of a server's number, and a comma
    FixedText<LustreLayout::most_servers*(digits + 1) + 1> servers;
    for (std::size_t at = 0; at < layout.servers(); ++at)
        (at == 0 ? servers : servers << ",") << std::uint64_t{layout.server[at]};
    const std::size_t texts = layout.pool.size() + servers.size();
    if (arena.header().layouts.fetch_add(1, std::memory_order_relaxed) >= LayoutChunk::most) return;
    auto* const chunk = arena.allocate<LayoutChunk>(ChunkKind::layout, {}, texts);
    if (chunk == nullptr) return;
    chunk->name = arena.offset_of(&file);
    chunk->stripe_size = layout.stripe_size;
    chunk->stripe_count = layout.stripe_count;
    chunk->first_server = layout.server[0];
    chunk->pool = static_cast<std::uint16_t>(layout.pool.size());
    chunk->servers = static_cast<std::uint16_t>(servers.size());
    if (chunk->pool > 0) std::memcpy(chunk->text, layout.pool.data(), layout.pool.size());
    std::memcpy(chunk->text + layout.pool.size(), servers.c_str(), servers.size());
    Arena::publish(chunk->header);
}

void keep_if_good(long bytes, const void* attribute, const NameChunk& file)
{
    if (bytes <= 0) return;
    const auto* const from = static_cast<const std::byte*>(attribute);
    if (const auto layout = lustre_layout({from, static_cast<std::size_t>(bytes)})) keep(*layout, file);
}

}  // namespace

void note_first_open(int fd, NameChunk& file)
{
    if (file.opened.exchange(true, std::memory_order_relaxed)) return;
    if (file.kind != NameKind::file || file.device == 0 || !is_lustre(fd, file.device)) return;
    const PathScratch scratch;
    if (!scratch) return;
    const long bytes = sys::attribute(fd, attribute_name, scratch->data(), scratch->capacity());
    if (bytes != -ERANGE) return keep_if_good(bytes, scratch->data(), file);
    Bytes large;  // of a file on more than 170 servers
    if (std::byte* const room = large.room(most_attribute_bytes))
        keep_if_good(sys::attribute(fd, attribute_name, room, most_attribute_bytes), room, file);
}

}  // namespace fathom
