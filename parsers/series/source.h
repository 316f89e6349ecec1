// A source of series is a row: its name, how it knows its files, and how it reads one.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "logformat/log/tick.h"
#include "logformat/series/table.h"

namespace fathom::series {

struct Reading {
    std::string path;
    std::string_view text;  // all of a text file, unpacked (gzip); empty of a database
    std::string host;       // --host: of sources that do not name theirs; empty: not known
    std::string system;     // --system-name: the same of file systems
    Tick tick;
};

struct Source {
    std::string_view name;
    bool (*recognises)(std::string_view first_bytes);  // at most first_bytes_shown of them, unpacked
    void (*read)(const Reading& reading, Builder& builder);  // throws LogError
};

inline constexpr std::size_t first_bytes_shown = 4096;

// All sources, in the order in which they are asked.
std::span<const Source> sources();

}  // namespace fathom::series
