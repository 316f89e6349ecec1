// Pictures of heatmaps, read by libpng as a browser would.
#include "analyzer/document/drawing/png.h"

#include <array>
#include <catch2/catch.hpp>
#include <png.h>
#include <vector>

using namespace fathom::report;

TEST_CASE("png: a picture of one colour has the opacity of each pixel")
{
    constexpr std::size_t width = 300, rows = 3, down = 4;
    std::vector<std::uint8_t> opacities(width * rows);
    const bool all = GENERATE(true, false);  // or two of the opacities
    for (std::size_t at = 0; at < opacities.size(); ++at)
        opacities[at] = static_cast<std::uint8_t>(all ? at * 7 : at % 2 * 255);
    const std::string png = png_of(Colour{1, 0.5, 0}, opacities, width, down);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&image, png.data(), png.size()) != 0);
    CHECK((image.format & PNG_FORMAT_FLAG_COLORMAP) != 0);
    CHECK(image.width == width);
    CHECK(image.height == rows * down);
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::array<std::uint8_t, 4>> pixels(width * rows * down);
    REQUIRE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) != 0);
    std::size_t wrong = 0;
    for (std::size_t at = 0; at < pixels.size(); ++at) {
        const std::uint8_t opacity = opacities[at / width / down * width + at % width];
        wrong += pixels[at] != std::array<std::uint8_t, 4>{255, 128, 0, opacity};
    }
    CHECK(wrong == 0);
}
