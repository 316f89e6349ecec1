// Findings about the same seconds of a run: one fault is reported once.
#pragma once

#include <vector>

namespace fathom {

struct Found;
struct Scene;

// Leaves out what another finding says more of, where that one costs half as much at least, and what is about
// the same calls or the same file.
void drop_explained(std::vector<Found>& found, const Scene& scene);

// Findings that cost more than all I/O together are in part about the same seconds: one that is not the
// costliest, which comes first, may be what follows from another one, and is a step less sure.
void add_doubts_on_shared(std::vector<Found>& found, const Scene& scene);

}  // namespace fathom
