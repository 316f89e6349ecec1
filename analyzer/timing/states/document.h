// What was found of the states of each target, as a document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/timing/states/analysis.h"
#include "analyzer/timing/states/samples.h"

namespace fathom {

// A target and operation; without a result, why it has none.
struct GroupStates {
    SampleGroup group;
    std::optional<StatesResult> result;
    std::string why_not;
};

// For people, or with all that programs may want: the path, sample by sample.
enum class StatesDetail : std::uint8_t { for_people, whole };

report::Document states_document(const std::string& path, const std::vector<GroupStates>& groups,
                                 const StatesChoice& choice, StatesDetail detail);

}  // namespace fathom
