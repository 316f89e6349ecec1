// Text on the pages of the PDF: paragraphs, and rows of a label and what stands beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/document/renderers/pdf/pdf_page.h"

namespace fathom::report {

inline constexpr Font body_font{9}, small_font{8}, caption_font{9, true}, code_font{7.5, false, true};
inline constexpr double value_column = 165;  // points from the margin to what stands beside a label

// Made printable, and cut in the middle where it is longer than anything that a report says: a command line
// of a megabyte must not fill a thousand pages.
std::string shortened(std::string_view text);

void draw_text(Pages& pages, std::string_view text, Font font, const Colour& colour);

// Label, value, remark. A value too wide for its column takes the remark's room, and the remark goes below.
void draw_entries(Pages& pages, const std::vector<Entry>& entries);

// A label, and words in the room of value and remark.
void draw_labelled(Pages& pages, std::string_view label, std::string_view words);

}  // namespace fathom::report
