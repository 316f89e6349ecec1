// The classes of operations whose durations a log has: by layer, kind and size.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/methods/quantiles.h"
#include "logformat/log/log.h"

namespace fathom {

// Those of each class ascend.
using ClassBins = std::map<OperationClass, std::vector<HistogramBin>>;
ClassBins bins_of(const Log& log);

// "read", "failed write".
std::string plain_name(Kind kind);
// The same, where failed reads and writes stand beside the other calls that failed.
std::string words_for(Kind kind);

// "read ≤ 1.00 MiB", "open".
std::string name_of(const OperationClass& of);

// "reads of 1.00 MiB" where all are of one size, "writes of up to 1.00 KiB", "open calls".
std::string plural_of(std::string_view operation, std::optional<std::uint64_t> size,
                      std::optional<std::size_t> size_class);

// Calls of several kinds that a log does not separate: that some take longer says nothing.
bool is_mixture(std::uint64_t kind);

// On files; classes of which there were none are left out.
struct ClassesOfLayer {
    std::vector<const OperationTimes*> rows;  // most time first
    std::uint64_t time = 0;                   // of all of them, in ns
};
ClassesOfLayer classes_of(const Log& log, Layer layer);

// The log has operations on standard streams, devices and pipes, which those classes leave out.
bool times_streams(const Log& log);

}  // namespace fathom
