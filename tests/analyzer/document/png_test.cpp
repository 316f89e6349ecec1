// A picture that we wrote, taken apart again.
#include "analyzer/document/drawing/png.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>
#include <zlib.h>

using namespace fathom::report;

namespace {

std::size_t number_at(const std::string& bytes, std::size_t at)
{
    std::size_t number = 0;
    for (std::size_t next = at; next < at + 4; ++next)
        number = number << 8 | static_cast<unsigned char>(bytes.at(next));
    return number;
}

struct Chunk {
    std::string type, data;
};

// All chunks, whose checksums must fit.
std::vector<Chunk> chunks_of(const std::string& png)
{
    std::vector<Chunk> chunks;
    for (std::size_t at = 8; at < png.size();) {
        const std::size_t size = number_at(png, at);
        const std::string checked = png.substr(at + 4, 4 + size);
        CHECK(number_at(png, at + 8 + size) ==
              crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())));
        chunks.push_back({checked.substr(0, 4), checked.substr(4)});
        at += 12 + size;
    }
    return chunks;
}

}  // namespace

TEST_CASE("png: a picture of one colour has the opacity of each pixel, and rows as often as is said")
{
    constexpr std::size_t width = 300, rows = 3, down = 4;
    std::vector<std::uint8_t> opacities(width * rows);
    const bool all = GENERATE(true, false);  // or two of the opacities
    for (std::size_t at = 0; at < opacities.size(); ++at)
        opacities[at] = static_cast<std::uint8_t>(all ? at * 7 : at % 2 * 255);
    const std::string png = png_of(Colour{1, 0.5, 0}, opacities, width, down);
    CHECK(png.starts_with("\x89PNG\r\n\x1a\n"));
    const std::vector<Chunk> chunks = chunks_of(png);
    REQUIRE(chunks.size() == 5);
    CHECK(chunks[0].type == "IHDR");
    CHECK(number_at(chunks[0].data, 0) == width);
    CHECK(number_at(chunks[0].data, 4) == rows * down);
    CHECK(chunks[0].data.substr(8) == std::string("\x08\x03\0\0\0", 5));
    CHECK(chunks[1].type == "PLTE");
    CHECK(chunks[1].data.size() == (all ? 3 * 256 : 3 * 2));
    CHECK(chunks[1].data.substr(3, 3) == std::string("\xff\x80\0", 3));
    CHECK(chunks[2].type == "tRNS");
    const std::string& levels = chunks[2].data;
    CHECK(3 * levels.size() == chunks[1].data.size());
    CHECK(chunks[3].type == "IDAT");
    CHECK(chunks[4].type == "IEND");
    std::string lines(rows * down * (width + 1), '\0');
    uLongf size = lines.size();
    REQUIRE(uncompress(reinterpret_cast<Bytef*>(lines.data()), &size,
                       reinterpret_cast<const Bytef*>(chunks[3].data.data()), chunks[3].data.size()) == Z_OK);
    REQUIRE(size == lines.size());
    std::vector<unsigned char> above(width);
    std::size_t wrong = 0;
    for (std::size_t line = 0; line < rows * down; ++line) {
        const char filter = lines[line * (width + 1)];
        REQUIRE((filter == 0 || filter == 2));
        for (std::size_t at = 0; at < width; ++at) {
            const auto byte = static_cast<unsigned char>(lines[line * (width + 1) + 1 + at]);
            above[at] = static_cast<unsigned char>(filter == 2 ? above[at] + byte : byte);
            wrong += static_cast<unsigned char>(levels.at(above[at])) != opacities[line / down * width + at];
        }
    }
    CHECK(wrong == 0);
}
