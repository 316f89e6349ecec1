// A parser is a row: its name, how it knows its files by their first bytes, and how it reads one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "logformat/log/log.h"

namespace fathom {

struct Parser {
    std::string_view name;
    bool (*recognises)(std::string_view first_bytes);        // at most first_bytes_shown of them
    Log (*read)(const std::string& path, const Tick& tick);  // throws LogError
    Log (*read_packed)(const std::string& path,
                       const Tick& tick);  // the same, with packed records where it can
};

inline constexpr std::size_t first_bytes_shown = 512;

// All parsers, in the order in which they are asked.
std::span<const Parser> parsers();

}  // namespace fathom
