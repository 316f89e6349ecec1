// Findings on the pages of the PDF.
#pragma once

#include <cstddef>

#include "analyzer/document/document.h"
#include "analyzer/document/renderers/pdf/pdf_page.h"

namespace fathom::report {

double finding_height(Pages& pages, const Finding& finding, std::size_t number);

// On the next page where it does not fit on this one but fits there.
void draw_finding(Pages& pages, const Finding& finding, std::size_t number);

}  // namespace fathom::report
