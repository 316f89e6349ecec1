// A chart without the classes at either end that have nothing; in between they show a gap.
#pragma once

#include "analyzer/document/document.h"

namespace fathom::report {

// All categories where every value is 0, or where bars are stacked: those are of members, not of classes.
Chart without_empty_ends(const Chart& chart);

}  // namespace fathom::report
