// The document of `fathom clusters`: the classes of operations that took most time, each with its clusters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "analyzer/document/document.h"
#include "analyzer/timing/operations/timed_operations.h"
#include "logformat/log/tick.h"

namespace fathom {

struct ClustersChoice {
    std::size_t classes = 6;   // that get a section
    std::uint64_t least = 50;  // operations, without which a class is not looked at
};

// `name` is how the source is called. `tick` counts classes.
report::Document cluster_document(const TimedOperations& operations, const std::string& name,
                                  const ClustersChoice& choice, const Tick& tick = {});

}  // namespace fathom
