// A table of name chunks by their ids.
#include "libinterpose/recording/files.h"

#include <bit>
#include <cstring>

#include "libinterpose/recording/further_files.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/temporary_records.h"

namespace fathom {

namespace {

// From the slot on where the look for it ended.
NameChunk* put_into(Arena::Slots slots, std::size_t at, NameChunk& name)
{
    const std::uint32_t ours = arena.offset_of(&name) | files::mark_of(name.id);
    for (std::uint32_t none = 0; !slots[at].compare_exchange_strong(none, ours, std::memory_order_acq_rel);
         none = 0) {
        // Another thread may have been first; then ours is a name without counters, which nobody sees.
        if (NameChunk* const known = files::find_from(at, slots, name.id, {name.path, name.length}))
            return known;
        if (at == slots.size()) return nullptr;
    }
    return &name;
}

}  // namespace

NameChunk* make_findable(NameChunk& name)
{
    const Arena::Slots slots = arena.slots();
    if (slots.empty()) return nullptr;
    std::size_t at = name.id & (slots.size() - 1);
    if (NameChunk* const known = files::find_from(at, slots, name.id, {name.path, name.length})) return known;
    return at == slots.size() ? nullptr : put_into(slots, at, name);
}

NameChunk* add_file(std::string_view path, std::uint64_t id, FileTraits traits, Arena::Room room)
{
    const Arena::Slots slots = arena.slots();
    std::size_t at = id & (slots.size() - 1);
    if (slots.empty()) return nullptr;
    if (NameChunk* const known = files::find_from(at, slots, id, path)) return known;
    if (at == slots.size()) return nullptr;
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
    return put_into(slots, at, *name);
}

NameChunk* file_of(std::string_view path, std::uint64_t id, FileTraits traits)
{
    const bool folder = traits.kind == NameKind::directory;
    NameChunk* const name = add_file(path, id, traits, folder ? Arena::Room::folder : Arena::Room::ordinary);
    return name != nullptr ? name : further_file(path, id);
}

NameChunk* file_again(const NameChunk& old)
{
    // The process that this one was forked from may have given it to another file meanwhile.
    if (temporary::is_temporary(old)) return further_file({old.path, old.length}, old.id);
    return file_of({old.path, old.length}, {old.kind, old.alignment, old.device});
}

NameChunk* unopened_file()
{
    return add_file("<not opened>", {NameKind::unopened}, Arena::Room::reserve);
}

}  // namespace fathom
