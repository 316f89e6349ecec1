// The names of this process's files: one chunk each in the current part, found by path. No locks: chunks are
// only added. Whoever reads the part goes through its chunks.
#pragma once

#include <string_view>

#include "libinterpose/recording/session.h"
#include "logformat/path_id.h"

namespace fathom {

struct FileTraits {
    NameKind kind = NameKind::file;
    std::uint64_t block_size = 0;  // 0: not known
    std::uint32_t device = 0;      // the same
};

namespace files {

// A slot has the offset of a name's chunk, whose low bits are free, and there some bits of the name's id, so
// that others are rarely looked at. 0: nothing. A name is in the first slot from its place on that was free.
inline constexpr std::uint32_t some_of_id = chunk_alignment - 1;
inline std::uint32_t mark_of(std::uint64_t id)
{
    return static_cast<std::uint32_t>(id >> 32) & some_of_id;
}

// Two paths of one id are one file here, as they are in the log. `at`: the slot where it ended, to go on
// from; the number of slots where all are taken.
inline NameChunk* find_from(std::size_t& at, Arena::Slots slots, std::uint64_t id, std::string_view path)
{
    const std::size_t within = slots.size() - 1;
    for (std::size_t looks = 0; looks < slots.size(); ++looks, at = (at + 1) & within) {
        const std::uint32_t slot = slots[at].load(std::memory_order_acquire);
        if (slot == 0) return nullptr;
        if ((slot & some_of_id) != mark_of(id)) continue;
        auto* const name = arena.at<NameChunk>(slot & ~some_of_id);
        if (name->id == id && name->length == path.size()) return name;
    }
    at = slots.size();
    return nullptr;
}
inline NameChunk* find(std::uint64_t id, std::string_view path)
{
    const Arena::Slots slots = arena.known_slots();
    std::size_t at = id & (slots.size() - 1);
    return slots.empty() ? nullptr : find_from(at, slots, id, path);
}

}  // namespace files

// The file of this path, or nullptr if it is new here.
inline NameChunk* find_file(std::string_view path)
{
    return files::find(path_id(path), path);
}

// The same, made where it is new. When the part is full, the name that stands for all further files of its
// mount (further_files.h). nullptr: not even that.
NameChunk* file_of(std::string_view path, std::uint64_t id, FileTraits traits);
inline NameChunk* file_of(std::string_view path, FileTraits traits)
{
    return file_of(path, path_id(path), traits);
}

// find_file() finds this name from now on, or another of the same path that is there already, which it
// returns. nullptr: there is no room.
NameChunk* make_findable(NameChunk& name);

// The same, or nullptr where there is no such room.
NameChunk* add_file(std::string_view path, std::uint64_t id, FileTraits traits, Arena::Room room);
inline NameChunk* add_file(std::string_view path, FileTraits traits, Arena::Room room)
{
    return add_file(path, path_id(path), traits, room);
}

// A file of an earlier part (before a fork or MPI_Finalize), in the current one.
NameChunk* file_again(const NameChunk& old);

// Where calls by path that failed are counted: nothing was opened that could have a record.
NameChunk* unopened_file();

}  // namespace fathom
