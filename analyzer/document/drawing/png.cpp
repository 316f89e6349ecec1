// A byte a pixel: a palette of one colour with 256 opacities.
#include "analyzer/document/drawing/png.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <png.h>
#include <stdexcept>
#include <vector>

namespace fathom::report {

std::string png_of(const Colour& colour, std::span<const std::uint8_t> opacities, std::size_t width,
                   std::size_t down)
{
    const std::size_t rows = width == 0 ? 0 : opacities.size() / width;
    std::vector<std::uint8_t> pixels;
    pixels.reserve(opacities.size() * down);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t line = 0; line < down; ++line) {
            const auto its = opacities.subspan(row * width, width);
            pixels.insert(pixels.end(), its.begin(), its.end());
        }
    const auto level_of = [](double part) { return static_cast<std::uint8_t>(std::lround(part * 255)); };
    std::array<std::array<std::uint8_t, 4>, 256> palette;
    for (std::size_t opacity = 0; opacity < palette.size(); ++opacity)
        palette[opacity] = {level_of(colour.red), level_of(colour.green), level_of(colour.blue),
                            static_cast<std::uint8_t>(opacity)};
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(rows * down);
    image.format = PNG_FORMAT_RGBA_COLORMAP;
    image.flags = PNG_IMAGE_FLAG_FAST;
    image.colormap_entries = palette.size();
    std::string png(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
    png_alloc_size_t size = png.size();
    if (png_image_write_to_memory(&image, png.data(), &size, 0, pixels.data(), 0, palette.data()) == 0)
        throw std::runtime_error(fmt::format("drawing a heatmap failed: {}", image.message));
    png.resize(size);
    return png;
}

}  // namespace fathom::report
