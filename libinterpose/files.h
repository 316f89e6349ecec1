// The names of this process's files: one chunk each in the current part, found by path. No locks: chunks are
// only added.
#pragma once

#include <string_view>

#include "logformat/part.h"

namespace fathom {

struct FileTraits {
    NameKind kind = NameKind::file;
    std::uint64_t block_size = 0;  // 0: not known
};

// The file of this path, or nullptr if it is new here.
NameChunk* find_file(std::string_view path);

// The same, made where it is new. When the part is full, the file that stands for all further ones. nullptr:
// not even that.
NameChunk* file_of(std::string_view path, FileTraits traits);

// A file of an earlier part (before a fork or MPI_Finalize), in the current one.
NameChunk* file_again(const NameChunk& old);

NameChunk* overflow_file();

// Where calls by path that failed are counted: nothing was opened that could have a record.
NameChunk* unopened_file();

}  // namespace fathom
