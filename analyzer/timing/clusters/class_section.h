// The section of one class of operations: its clusters as numbers, their density, and when they were.
#pragma once

#include <cstddef>

#include "analyzer/document/document.h"
#include "analyzer/timing/clusters/cluster_words.h"
#include "analyzer/timing/operations/timed_operations.h"

namespace fathom {

struct AnalysedClass {
    const TimedClass* operations;
    ClusteredClass clusters;
};

// `number` counts from 1, in the ids.
report::Section class_section(const AnalysedClass& of, const TimedOperations& source, std::size_t number);

// An area a cluster, from split to split, and one for the outliers; a mark at each split and at the cutoff.
report::Plot density_plot(const AnalysedClass& of, std::size_t number);
// Operations by when they began; needs their starts.
report::Plot timeline_plot(const AnalysedClass& of, const TimedOperations& source, std::size_t number);

}  // namespace fathom
