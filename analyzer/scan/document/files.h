// One document on what a scan found: who holds what, how large files are, how old, and how that grew.
//
// Source: Carns et al. (ACM TOS 2011), sections 2.2, 4.2 and 4.3: figures 8 and 9, table V.
#pragma once

#include <cstddef>
#include <optional>

#include "analyzer/document/document.h"
#include "analyzer/scan/file/scan.h"

namespace fathom::scan {

struct FilesChoice {
    std::optional<By> by;  // whose growth is shown; none: of projects, where there are rules, else of groups
    std::size_t top = 20;  // rows of a table
};

// `earlier` may be none; it is of the same paths, or the document says that it is not.
report::Document files_document(const Scan& scan, const Scan* earlier, const FilesChoice& choice);

}  // namespace fathom::scan
