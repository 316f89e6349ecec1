// What models are, and what they say of operations, as blocks of a document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/timing/models/judge.h"
#include "analyzer/timing/models/model.h"
#include "analyzer/timing/models/served.h"

namespace fathom {

// The document of `fathom model train`: the form of the paper's table 3, and its figures 4 and 5.
report::Document training_document(const ModelFile& file, const std::vector<std::string>& notes);

// The form of the paper's table 4 and figure 6, and the seconds that were lost. `model` is the model file's
// path.
report::Blocks served_blocks(const Served& served, const ModelFile& file, std::string_view model,
                             JudgeRule rule);
// The same of a log's operations, by the rule that suits the model.
report::Blocks served_section(const Log& log, const ModelFile& file, std::string_view model);

// "node17, ext4, 2026-11-22", or what there is of it.
std::string origin_of(const ModelFile& file);

}  // namespace fathom
