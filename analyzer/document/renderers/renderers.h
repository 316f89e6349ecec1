// A renderer is a row: the name of its format, the ending of its files, the function.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyzer/document/document.h"
#include "analyzer/document/renderers/text/text.h"

namespace fathom::report {

struct Renderer {
    std::string_view format;
    std::string_view endings;  // of file names, with their dot, a space between two
    std::string (*render)(const Document& document, const TextStyle& style);
};

std::span<const Renderer> renderers();

// nullptr where there is none of that name, or for a file of that name.
const Renderer* renderer_of_format(std::string_view format);
const Renderer* renderer_for_file(std::string_view path);

}  // namespace fathom::report
