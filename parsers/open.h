// Opens a data file of any kind that a parser knows.
#pragma once

#include <string>

#include "logformat/log/log.h"

namespace fathom {

// Throws LogError where the file cannot be read or no parser recognises it; its text names the file and the
// remedy. `tick` gets how far it is.
Log open_dataset(const std::string& path, const Tick& tick = {});

// The beginning of a regular file; of nothing else, since a FIFO would be waited for. Throws LogError.
std::string first_bytes_of(const std::string& path);

}  // namespace fathom
