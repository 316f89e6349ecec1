// Files that are opened when the part has no room for further records: each has one while it is open. At its
// last close that is added to the record of its mount's further files, and the next file gets it. Files that
// moved far more bytes, or took far longer, than the others keep theirs; those that did so in many short uses
// from one of these on.
#pragma once

#include <string_view>

#include "libinterpose/recording/files.h"
#include "logformat/part/part.h"

namespace fathom::temporary {

// The record of a file that was just opened and has none: one that is free, or, where another descriptor has
// the file open, that one. nullptr: none is free. end() takes it back.
NameChunk* begin(std::string_view path, std::uint64_t id, FileTraits traits);

void end_slowly(NameChunk& file);

// One descriptor of the file is closed for good.
inline void end(NameChunk* file)
{
    if (file != nullptr && __builtin_expect(file->temporary.load(std::memory_order_relaxed) != 0, 0))
        end_slowly(*file);
}

inline bool is_temporary(const NameChunk& file)
{
    const std::uint32_t now = file.temporary.load(std::memory_order_relaxed);
    return now != 0 && now != NameChunk::kept;
}

// What stands for the file for longer than it is open: for its mappings, and for asynchronous operations.
NameChunk* lasting(NameChunk* file);

}  // namespace fathom::temporary
