// Calls by path that failed: counted together, and by the paths that they failed on most.
#pragma once

#include "libinterpose/recording/timings.h"

namespace fathom {

// A call on this path failed, and errno says why; `folder`: what a relative one is below. Not counted where
// the path is excluded, or where nothing was there that the kernel could read.
void count_failed_call(int folder, const char* path, Interval when);

}  // namespace fathom
