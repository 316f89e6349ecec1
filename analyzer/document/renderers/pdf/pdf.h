// The report as a PDF of A4 pages.
#pragma once

#include <string>

#include "analyzer/document/document.h"

namespace fathom::report {

// Throws std::runtime_error where Cairo or Pango fail.
std::string render_pdf(const Document& document);

}  // namespace fathom::report
