// What histograms and slices lack.
#pragma once

#include "analyzer/sections/sections.h"

namespace fathom {

// Operations for which there was no room; nothing where there was.
Blocks notes_on_untimed(const Job& job);

}  // namespace fathom
