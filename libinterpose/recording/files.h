// The names of this process's files: one chunk each in the current part, found by path. No locks: chunks are
// only added.
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

inline std::atomic<std::uint32_t>& bucket_of(std::uint64_t id)
{
    return arena.buckets()[id & (arena.header().buckets - 1)];
}

// In the chain of a bucket. Two paths of one id are one file here, as they are in the log.
inline NameChunk* find_in(std::uint32_t head, std::uint64_t id, std::string_view path)
{
    for (auto* name = arena.at<NameChunk>(head); name != nullptr; name = arena.at<NameChunk>(name->next))
        if (name->id == id && name->length == path.size()) return name;
    return nullptr;
}

}  // namespace files

// The file of this path, or nullptr if it is new here.
inline NameChunk* find_file(std::string_view path)
{
    const std::uint64_t id = path_id(path);
    return files::find_in(files::bucket_of(id).load(std::memory_order_acquire), id, path);
}

// The same, made where it is new. When the part is full, the name that stands for all further files of its
// mount (further_files.h). nullptr: not even that.
NameChunk* file_of(std::string_view path, FileTraits traits);

// The same, or nullptr where there is no such room.
NameChunk* add_file(std::string_view path, FileTraits traits, Arena::Room room);

// A file of an earlier part (before a fork or MPI_Finalize), in the current one.
NameChunk* file_again(const NameChunk& old);

// Where calls by path that failed are counted: nothing was opened that could have a record.
NameChunk* unopened_file();

}  // namespace fathom
