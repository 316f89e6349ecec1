// The id of a file: 64 bits made of its path, the same in every process and every log.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace fathom {

// Eight bytes at a time, the last ones filled up with zeros. The words take turns between two sums, so that a
// processor multiplies both at once; the constants are odd with well-spread bits. docs/FORMAT.md spells it
// out: ids that follow from their paths are not stored.
inline std::uint64_t path_id(std::string_view path)
{
    __extension__ using Wide = unsigned __int128;
    constexpr std::uint64_t a = 0x9e3779b97f4a7c15, b = 0xd6e8feb86659fd93;
    const auto mixed = [](std::uint64_t sum, std::uint64_t word) {
        const auto product = static_cast<Wide>(sum ^ word ^ b) * a;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    };
    const auto word_at = [&](std::size_t at) {
        std::uint64_t word = 0;
        std::memcpy(&word, path.data() + at, 8);
        return word;
    };
    std::uint64_t even = path.size() * a, odd = path.size() * b;
    std::size_t at = 0;
    for (; at + 16 <= path.size(); at += 16) {
        even = mixed(even, word_at(at));
        odd = mixed(odd, word_at(at + 8));
    }
    if (at + 8 <= path.size()) {
        even = mixed(even, word_at(at));
        at += 8;
    }
    std::uint64_t rest = 0;
    if (at == 0 && !path.empty())
        std::memcpy(&rest, path.data(), path.size());
    else if (at < path.size())  // the end of the last whole word, without a copy of unknown length
        rest = word_at(path.size() - 8) >> 8 * (8 - (path.size() - at));
    return mixed(mixed(even, rest), odd);
}

}  // namespace fathom
