// The id of a file: 64 bits made of its path, the same in every process and every log.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace fathom {

// Eight bytes at a time, the last ones filled up with zeros, then one round more; the multipliers are odd
// constants with well-spread bits. docs/FORMAT.md spells it out: ids that follow from their paths are not
// stored.
inline std::uint64_t path_id(std::string_view path)
{
    __extension__ using Wide = unsigned __int128;
    constexpr std::uint64_t a = 0x9e3779b97f4a7c15, b = 0xd6e8feb86659fd93;
    std::uint64_t id = path.size() * a;
    const auto mix = [&](std::uint64_t word) {
        const auto product = static_cast<Wide>(id ^ word ^ b) * a;
        id = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    };
    std::size_t at = 0;
    for (; at + 8 <= path.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, path.data() + at, 8);
        mix(word);
    }
    std::uint64_t rest = 0;
    if (at == 0 && !path.empty()) {
        std::memcpy(&rest, path.data(), path.size());
    } else if (at < path.size()) {  // the last bytes of the last whole word, without a copy of unknown length
        std::memcpy(&rest, path.data() + path.size() - 8, 8);
        rest >>= 8 * (8 - (path.size() - at));
    }
    mix(rest);
    mix(b);
    return id;
}

}  // namespace fathom
