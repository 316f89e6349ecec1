// The report as one HTML file that needs nothing else: no network, no script.
#pragma once

#include <string>

#include "analyzer/report/document.h"

namespace fathom::report {

std::string render_html(const Document& document);

}  // namespace fathom::report
