// The operations that DXT traced, one after the other.
#pragma once

#include <memory>

#include "parsers/darshan/import.h"

namespace fathom::darshan {

// Which layer a module of DXT traces.
struct TracedLayer {
    Module module;
    Layer layer;
};
inline constexpr TracedLayer traced_layers[] = {{Module::dxt_posix, Layer::posix},
                                                {Module::dxt_mpiio, Layer::mpiio}};

// When an operation was, in ns of UNIX time, and what it moved; whatever its numbers are, end is not before
// start. What is no time counts as the job's start.
struct TracedOperation {
    std::uint64_t start = 0, end = 0, bytes = 0;
};
TracedOperation operation_of(const DxtSegment& segment, const JobClock& clock);

// Lets the log read them from the file, where it has any.
void offer_trace(const std::shared_ptr<const File>& file, const Import& import);

}  // namespace fathom::darshan
