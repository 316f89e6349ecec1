// The clock of a part, for others than the process that made it.
#pragma once

#include "logformat/part/part.h"

namespace fathom {

// From the part's start to now, by the clock that nobody sets or else by UNIX time: whichever agrees with how
// fast this node's ticks go. Neither does where the node was restarted since.
ClockMap clock_of(const PartHeader& header);

}  // namespace fathom
