// A byte a pixel: a palette of one colour with the opacities that there are.
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
    const auto level_of = [](double part) { return static_cast<std::uint8_t>(std::lround(part * 255)); };
    std::array<std::array<std::uint8_t, 4>, 256> palette{};
    std::array<std::uint8_t, 256> place{};
    std::size_t entries = 0;
    for (const std::uint8_t opacity : opacities) {
        if (entries > 0 && palette[place[opacity]][3] == opacity) continue;
        place[opacity] = static_cast<std::uint8_t>(entries);
        palette[entries++] = {level_of(colour.red), level_of(colour.green), level_of(colour.blue), opacity};
    }
    const std::size_t rows = width == 0 ? 0 : opacities.size() / width;
    std::vector<std::uint8_t> pixels;
    pixels.reserve(opacities.size() * down);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t line = 0; line < down; ++line)
            for (const std::uint8_t opacity : opacities.subspan(row * width, width))
                pixels.push_back(place[opacity]);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(rows * down);
    image.format = PNG_FORMAT_RGBA_COLORMAP;
    image.flags = PNG_IMAGE_FLAG_FAST;
    image.colormap_entries = static_cast<png_uint_32>(entries);
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string png(size, '\0');
    if (png_image_write_to_memory(&image, png.data(), &size, 0, pixels.data(), 0, palette.data()) == 0)
        throw std::runtime_error(fmt::format("drawing a heatmap failed: {}", image.message));
    png.resize(size);
    return png;
}

}  // namespace fathom::report
