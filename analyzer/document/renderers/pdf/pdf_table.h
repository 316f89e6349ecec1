// A table on pages: broken between rows, with its heading again on every page.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/document/renderers/pdf/pdf_page.h"

namespace fathom::report {

void draw_table(Pages& pages, const DataTable& table);

}  // namespace fathom::report
