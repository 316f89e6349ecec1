// The classes of operations whose durations a log has: by layer, kind and size.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/methods/quantiles.h"
#include "logformat/log.h"

namespace fathom {

// Those of each class ascend.
using ClassBins = std::map<OperationClass, std::vector<HistogramBin>>;
ClassBins bins_of(const Log& log);

// "read ≤ 1.00 MiB", "open".
std::string name_of(const OperationClass& of);

// On files; classes of which there were none are left out.
struct ClassesOfLayer {
    std::vector<const OperationTimes*> rows;  // most time first
    std::uint64_t time = 0;                   // of all of them, in ns
};
ClassesOfLayer classes_of(const Log& log, Layer layer);

// The log has operations on standard streams, devices and pipes, which those classes leave out.
bool times_streams(const Log& log);

}  // namespace fathom
