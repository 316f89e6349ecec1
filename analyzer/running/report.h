// What `fathom monitor --jobs` does beside the monitor: looks at the jobs of this node again and again.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace fathom::running {

struct ReportSettings {
    std::string url;  // of the job database
    std::chrono::nanoseconds every{};
    std::vector<std::string> site_folders;
    std::function<void(const std::string&)> say;  // what goes wrong, once, and that it is over
};

// Until a signal ends it. Nodes that share a database look at different moments of the interval. Of a core it
// takes a fiftieth at most: where a look takes long, the next one comes later.
[[noreturn]] void report_jobs(const ReportSettings& settings);

}  // namespace fathom::running
