// What documents say of a job beside others of its kind.
#pragma once

#include <string>

#include "analyzer/document/document.h"
#include "analyzer/job/slowdown.h"

namespace fathom {

// "Job 41 ran 412 s longer than the median of 37 runs like it (1,020 s): 300 s while job 8812 (ior of anna)
// moved 2.1 GiB/s on /scratch, 90 s because it wrote 1.4 times the bytes (...), 22 s within their usual
// spread."
std::string sentence_on(const Slowdown& slowdown);

report::Note note_on(const Slowdown& slowdown);

// The sentence, a row a part, and what may have to do with it.
report::Blocks slowdown_blocks(const Slowdown& slowdown);

}  // namespace fathom
