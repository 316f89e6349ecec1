// The rules by which a way is chosen.
#include "analyzer/timing/measure/manner.h"

namespace fathom::measure {

How how_of(const Configuration& one, Uncached wanted, std::uint64_t alignment, std::uint64_t page)
{
    if (one.state == State::discard) return How::null;
    if (one.state == State::cached) return How::warm;
    if (wanted == Uncached::once) return How::dropped_once;
    const bool aligned = alignment > 0 && one.size % alignment == 0;
    if (wanted == Uncached::direct && aligned) return How::direct;
    return one.operation == Operation::read || one.size < page ? How::dropped : How::synced;
}

}  // namespace fathom::measure
