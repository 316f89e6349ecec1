// A hash table whose buckets are chains of name chunks.
#include "libinterpose/recording/files.h"

#include <bit>
#include <cstring>

#include "libinterpose/recording/further_files.h"
#include "libinterpose/recording/session.h"

namespace fathom {

NameChunk* add_file(std::string_view path, FileTraits traits, Arena::Room room)
{
    const std::uint64_t id = path_id(path);
    auto& bucket = files::bucket_of(id);
    std::uint32_t head = bucket.load(std::memory_order_acquire);
    if (NameChunk* const known = files::find_in(head, id, path)) return known;
    auto* const name = arena.allocate<NameChunk>(ChunkKind::name, {}, path.size(), room);
    if (name == nullptr) return nullptr;
    name->id = id;
    name->epoch = here.epoch;
    name->kind = traits.kind;
    name->alignment = std::has_single_bit(traits.block_size) ? traits.block_size : 0;
    name->device = traits.device;
    name->length = static_cast<std::uint32_t>(path.size());
    std::memcpy(name->path, path.data(), path.size());
    Arena::publish(name->header);
    do {
        // Another thread may have been first; then ours is a name without counters, which nobody sees.
        if (NameChunk* const known = files::find_in(head, id, path)) return known;
        name->next = head;
    } while (!bucket.compare_exchange_weak(head, arena.offset_of(name), std::memory_order_acq_rel));
    return name;
}

NameChunk* file_of(std::string_view path, FileTraits traits)
{
    const bool folder = traits.kind == NameKind::directory;
    NameChunk* const name = add_file(path, traits, folder ? Arena::Room::folder : Arena::Room::ordinary);
    return name != nullptr ? name : further_file(path, path_id(path));
}

NameChunk* file_again(const NameChunk& old)
{
    return file_of({old.path, old.length}, {old.kind, old.alignment, old.device});
}

NameChunk* unopened_file()
{
    return add_file("<not opened>", {NameKind::unopened}, Arena::Room::reserve);
}

}  // namespace fathom
