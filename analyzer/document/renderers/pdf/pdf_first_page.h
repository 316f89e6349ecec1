// The first page of the PDF, below its title.
#pragma once

#include "analyzer/document/first_page.h"
#include "analyzer/document/renderers/pdf/pdf_page.h"

namespace fathom::report {

void draw_first_page(Pages& pages, const FirstPage& page);

}  // namespace fathom::report
