// Looks at the node at each multiple of an interval, and writes what it finds.
#pragma once

#include <string>

#include "analyzer/monitor/day_files.h"

namespace fathom::monitor {

struct Settings {
    std::string folder;
    series::Nanoseconds every = 10 * series::one_second;
    series::Nanoseconds end_after = 0;  // 0: at a signal
    Limits limits;
};

// Until SIGTERM, SIGINT or SIGHUP, or for so long. What goes wrong is said on standard error, once. The exit
// status: 0, or 1 where nothing could be written.
int run(const Settings& settings);

}  // namespace fathom::monitor
