// Digits, and a letter for a power of 1024.
#include "analyzer/timing/measure/quantity.h"

#include <cctype>
#include <charconv>

namespace fathom::measure {
namespace {

constexpr std::string_view letters = "KMGT";

}  // namespace

std::optional<std::uint64_t> bytes_of(std::string_view text)
{
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || value == 0) return std::nullopt;
    std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    unsigned bits = 0;
    if (!unit.empty() && unit != "B") {
        const std::size_t at =
            letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
        unit.remove_prefix(1);
        if (at == std::string_view::npos || (!unit.empty() && unit != "iB")) return std::nullopt;
        bits = 10 * static_cast<unsigned>(at + 1);
    }
    if (value > (std::uint64_t{1} << 62) >> bits) return std::nullopt;
    return value << bits;
}

std::string typed(std::uint64_t bytes)
{
    std::size_t times = 0;
    while (times < letters.size() && bytes > 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        ++times;
    }
    return std::to_string(bytes) + (times > 0 ? std::string(1, letters[times - 1]) : "");
}

}  // namespace fathom::measure
