// The report as JSON: every number exact, in the unit that stands beside it.
#pragma once

#include <string>

#include "analyzer/document/document.h"

namespace fathom::report {

// Raised when the meaning of a name changes or a name goes; new names do not raise it.
inline constexpr int json_version = 1;

std::string render_json(const Document& document);

}  // namespace fathom::report
