// What strace wrote (strace -f -ttt -T -y), as one of our logs.
#pragma once

#include <string>

#include "logformat/log/log.h"

namespace fathom::strace {

// Throws LogError where the output lacks times. What is not understood is left out and is a problem.
Log read_strace_output(const std::string& path, const Tick& tick = {});

}  // namespace fathom::strace
