// What models are, and what they say of operations, as blocks of a document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/models/judge.h"
#include "analyzer/models/model.h"
#include "analyzer/models/served.h"
#include "analyzer/report/document.h"

namespace fathom {

using Blocks = std::vector<report::Block>;

// The document of `fathom model train`: the form of the paper's table 3, and its figures 4 and 5.
report::Document training_document(const ModelFile& file, const std::vector<std::string>& notes);

inline constexpr std::string_view served_section_id = "served_from",
                                  served_section_title = "Where operations were served from";

// The form of the paper's table 4 and figure 6, and the seconds that were lost. `model` is the model file's
// path.
Blocks served_blocks(const Served& served, const ModelFile& file, std::string_view model, JudgeRule rule);

// "node17, ext4, 2026-11-22", or what there is of it.
std::string origin_of(const ModelFile& file);

}  // namespace fathom
