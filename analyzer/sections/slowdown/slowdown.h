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

// A row a part and what may have to do with it; of a job that was not slower, or may have been, the sentence.
report::Blocks slowdown_blocks(const Slowdown& slowdown);

}  // namespace fathom
