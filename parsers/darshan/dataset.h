// A log of Darshan as one of ours; docs/DARSHAN.md says what becomes what.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "logformat/log/log.h"
#include "parsers/darshan/file.h"

namespace fathom::darshan {

// Whether a file that begins like this is a log of Darshan's, of either byte order.
bool is_darshan_log(std::string_view first_bytes);

// Reads a whole log. What cannot be read is in its `problems`; LogError is thrown where nothing can.
Log read_darshan_log(const std::string& path, const Tick& tick = {});
Log log_of(const std::shared_ptr<const File>& file, const Tick& tick = {});

}  // namespace fathom::darshan
