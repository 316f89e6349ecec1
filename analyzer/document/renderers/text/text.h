// The report as plain text for a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "analyzer/document/document.h"

namespace fathom::report {

struct TextStyle {
    std::size_t width = 80;  // columns; at least 40 are used
    bool utf8 = true;        // else ASCII alone
};

std::string render_text(const Document& document, const TextStyle& style);

// Without the title and the line below it.
std::string text_of(const FirstPage& page, const TextStyle& style);

// The pieces of sections, each a file: lines with a margin of two, ending in a newline.
std::string text_of(const Entries& entries, const TextStyle& style);
std::string text_of(const Finding& finding, std::size_t number, const TextStyle& style);
std::string text_of(const DataTable& table, const TextStyle& style);
std::string text_of(const Chart& chart, const TextStyle& style);
std::string text_of(const TimeChart& chart, const TextStyle& style);
std::string text_of(const Plot& plot, const TextStyle& style);
std::string text_of(const Heatmap& map, const TextStyle& style);

}  // namespace fathom::report
