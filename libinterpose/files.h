// The names of this process's files: one chunk each in the current part, found by path. No locks: chunks are
// only added.
#pragma once

#include <string_view>

#include "libinterpose/arena.h"

namespace fathom {

struct FileTraits {
    NameKind kind = NameKind::file;
    std::uint64_t block_size = 0;  // 0: not known
};

// The file of this path, or nullptr if it is new here.
NameChunk* find_file(std::string_view path);

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
