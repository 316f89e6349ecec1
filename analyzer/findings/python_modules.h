// What Python opens and looks at where it imports modules, which no program can do without.
#pragma once

#include <vector>

#include "analyzer/findings/scene.h"

namespace fathom {

// Whether calls that move no data are mostly on modules; `local`: on file systems of a node, where there is
// nothing to change. So it is with files that a job of several nodes brought there.
struct Imports {
    bool most = false, local = false;
};
Imports imports_in(const Scene& scene);

std::vector<report::Advice> advice_on_imports();

}  // namespace fathom
