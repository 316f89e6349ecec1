// Statements of Fortran that transfer data (read, write), and the lines of the source with most of their
// time: bounded, and by one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace fathom {

struct StatementSums {
    std::uint64_t statements = 0, time = 0;

    void add(std::uint64_t more)
    {
        ++statements;
        time += more;
    }
};

// A line of the source. Of a long path the end is kept.
struct StatementLine {
    static constexpr std::size_t most_of_path = 44;

    const char* path = nullptr;  // where the program has it: to compare with alone
    std::uint64_t statements = 0, time = 0;
    std::uint32_t line = 0;
    char kept[most_of_path] = {};

    std::string_view file() const { return {kept, strnlen(kept, most_of_path)}; }
};

struct FortranStatements {
    // Each line has so many places that it may be in. One with less time makes room.
    static constexpr std::size_t most = 32, ways = 4;

    StatementSums formatted, unformatted;
    StatementLine lines[most];

    void add(const char* path, std::uint32_t line, bool with_format, std::uint64_t time)
    {
        (with_format ? formatted : unformatted).add(time);
        if (path == nullptr) return;
        constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;
        const std::uint64_t place = (reinterpret_cast<std::uintptr_t>(path) + line) * spread;
        StatementLine* const set = lines + (place >> 61) % (most / ways) * ways;
        StatementLine* at = set;
        for (StatementLine* one = set; one < set + ways; ++one) {
            if (one->path == path && one->line == line) {
                at = one;
                break;
            }
            if (one->time < at->time) at = one;
        }
        if (at->path != path || at->line != line) {
            *at = {.path = path, .line = line};
            const std::size_t length = std::strlen(path),
                              kept = std::min(length, StatementLine::most_of_path);
            std::memcpy(at->kept, path + length - kept, kept);
        }
        ++at->statements;
        at->time += time;
    }

    const StatementLine& longest() const
    {
        return *std::max_element(lines, lines + most, [](const StatementLine& a, const StatementLine& b) {
            return a.time < b.time;
        });
    }
};

}  // namespace fathom
