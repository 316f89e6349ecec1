// A source of series is a row: its name, how it knows its files, and how it reads one.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "logformat/log/tick.h"
#include "logformat/series/builder.h"

namespace fathom::series {

struct Reading {
    std::string path;           // of a database its URL; of a file in an archive "x.tgz/folder/file"
    std::string_view text;      // all of a text file, unpacked (gzip); empty of a database
    Nanoseconds file_time = 0;  // when the file was last changed
    std::string host;           // of sources that do not name theirs; empty: not known
    std::string system;         // the same of file systems
    Tick tick;                  // of bytes
};

struct Source {
    std::string_view name;  // what made the file: "iostat -x -t"
    // `first_bytes`: at most first_bytes_shown of them, unpacked.
    bool (*recognises)(const std::string& path, std::string_view first_bytes);
    // Says what it cannot use to the builder. Throws LogError, without the file's name, where nothing of the
    // file can be used. Local times are those of the process's time zone.
    void (*read)(const Reading& reading, Builder& builder);
};

inline constexpr std::size_t first_bytes_shown = 4096;

// All sources, in the order in which they are asked.
std::span<const Source> sources();

// Null: none.
const Source* source_of(const std::string& path, std::string_view first_bytes);

}  // namespace fathom::series
