// What took most of the time in I/O, for a reader to whom no rule explains it.
#pragma once

#include <optional>

#include "analyzer/document/document.h"

namespace fathom {

struct Scene;

// The layer and the calls in which the run spent most, with seconds of the run, the file and the rank;
// nothing where there was no I/O on files.
std::optional<report::Entry> largest_part(const Scene& scene);

}  // namespace fathom
