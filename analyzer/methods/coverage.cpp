// One minus the product of the shares of time in which each was not there.
#include "analyzer/methods/coverage.h"

#include <algorithm>

namespace fathom {

void Coverage::add(double time, double window)
{
    if (!(time > 0)) return;
    longest_ = std::max(longest_, window > 0 ? std::min(time, window) : time);
    none_ *= window > 0 ? 1 - std::min(time / window, 1.0) : 0;
}

double Coverage::covered(double window) const
{
    return std::max(longest_, window * (1 - none_));
}

}  // namespace fathom
