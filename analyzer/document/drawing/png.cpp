// A byte a pixel: a palette of one colour with the opacities that there are. Rows that are the same again are
// empty, as the difference to those above them.
#include "analyzer/document/drawing/png.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace fathom::report {
namespace {

void add_number(std::uint32_t number, std::string& out)
{
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(number >> shift & 0xff);
}

void add_chunk(std::string_view type, std::string_view data, std::string& out)
{
    add_number(static_cast<std::uint32_t>(data.size()), out);
    std::string checked(type);
    checked += data;
    out += checked;
    add_number(static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                                static_cast<uInt>(checked.size()))),
               out);
}

}  // namespace

std::string png_of(const Colour& colour, std::span<const std::uint8_t> opacities, std::size_t width,
                   std::size_t down)
{
    constexpr char no_filter = 0, difference_to_above = 2;
    const std::size_t rows = width == 0 ? 0 : opacities.size() / width;
    std::array<std::uint8_t, 256> place{};
    std::vector<std::uint8_t> levels;
    for (const std::uint8_t opacity : opacities) {
        if (!levels.empty() && levels[place[opacity]] == opacity) continue;
        place[opacity] = static_cast<std::uint8_t>(levels.size());
        levels.push_back(opacity);
    }
    std::string lines;
    lines.reserve(rows * down * (width + 1));
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t line = 0; line < down; ++line) {
            lines += line == 0 ? no_filter : difference_to_above;
            if (line == 0)
                for (const std::uint8_t opacity : opacities.subspan(row * width, width))
                    lines += static_cast<char>(place[opacity]);
            else
                lines.append(width, '\0');
        }
    uLongf size = compressBound(lines.size());
    std::string packed(size, '\0');
    constexpr int level = 9;
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                  reinterpret_cast<const Bytef*>(lines.data()), lines.size(), level) != Z_OK)
        throw std::runtime_error("drawing a heatmap failed: no memory for its image");
    packed.resize(size);
    const auto level_of = [](double part) { return static_cast<char>(std::lround(part * 255)); };
    std::string head, colours;
    add_number(static_cast<std::uint32_t>(width), head);
    add_number(static_cast<std::uint32_t>(rows * down), head);
    head += {8, 3, 0, 0, 0};  // bits, a palette, and the one way there is of the rest
    for (std::size_t at = 0; at < levels.size(); ++at)
        colours += {level_of(colour.red), level_of(colour.green), level_of(colour.blue)};
    std::string png = "\x89PNG\r\n\x1a\n";
    add_chunk("IHDR", head, png);
    add_chunk("PLTE", colours, png);
    add_chunk("tRNS", std::string(levels.begin(), levels.end()), png);
    add_chunk("IDAT", packed, png);
    add_chunk("IEND", "", png);
    return png;
}

}  // namespace fathom::report
