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

// Each import looks at every folder of Python's path until one has the module: many folders, all looked at
// as often. None where these are fewer than half of all looks.
struct PathLooks {
    std::uint64_t folders = 0, looks = 0;
};
PathLooks looks_along_path(const Scene& scene, std::uint64_t all_looks);
// ns in Python around each of these, beyond the call, with a core of its own; assumed: CPython 3.11.
inline constexpr double around_path_look = 4000;
std::vector<report::Advice> advice_on_path_looks();

}  // namespace fathom
