// The first page in HTML: it fills a screen of 1400 x 900, and stands in one column where the window is
// narrow.
#pragma once

#include <string>

#include "analyzer/document/first_page.h"

namespace fathom::report {

// Whether all was recorded, beside the title.
std::string recorded_html(const FirstPage& page);
std::string first_page_html(const FirstPage& page);

}  // namespace fathom::report
