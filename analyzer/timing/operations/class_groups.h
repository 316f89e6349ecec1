// The clusters of one class of operations: from each duration where they are known, else from its bins.
#pragma once

#include <optional>

#include "analyzer/methods/duration_groups.h"
#include "analyzer/timing/operations/timed_operations.h"

namespace fathom {

// `resolution` is that of the source. Nothing where there are no durations.
std::optional<DurationGroups> groups_of(const TimedClass& one, double resolution);

}  // namespace fathom
