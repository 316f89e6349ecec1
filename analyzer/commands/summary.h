// What `fathom record` and `fathom recover` say at the end.
#pragma once

#include <string>
#include <vector>

#include "analyzer/record/liveness.h"
#include "logformat/log/log.h"

namespace fathom {

// Three lines about a log: the verdict of its report, bytes with their rates, and where it is.
std::string summary_of(const Log& log, const std::string& path);

// One line on processes that go on, and on how to get the rest of what they do.
std::string still_running(const std::vector<User>& users, const std::string& spool);

}  // namespace fathom
