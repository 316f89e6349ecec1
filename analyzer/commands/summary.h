// What `fathom record` says at the end.
#pragma once

#include <string>

#include "logformat/log.h"

namespace fathom {

// One line about a log: bytes, rate, where it is.
std::string summary_of(const Log& log, const std::string& path);

}  // namespace fathom
