// A table on pages: broken between rows, with its heading again on every page.
#pragma once

#include "analyzer/report/document.h"
#include "analyzer/report/pdf_page.h"

namespace fathom::report {

void draw_table(Pages& pages, const DataTable& table);

}  // namespace fathom::report
