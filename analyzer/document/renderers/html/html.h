// The report as one HTML file that needs nothing else: no network, and no script to be read.
#pragma once

#include <string>

#include "analyzer/document/document.h"

namespace fathom::report {

std::string render_html(const Document& document);

}  // namespace fathom::report
