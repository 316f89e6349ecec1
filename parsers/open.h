// Opens a data file of any kind that a parser knows.
#pragma once

#include <string>
#include <string_view>

#include "logformat/log/log.h"

namespace fathom {

// Throws LogError where the file cannot be read or no parser recognises it; its text names the file and the
// remedy. `tick` gets how far it is. "-" is standard input, which is read once and kept.
Log open_dataset(const std::string& path, const Tick& tick = {});
// For those that go through the records of files by visit_records, as a Job does: very many are packed, where
// the parser can do that.
Log open_packed(const std::string& path, const Tick& tick = {});

// What a parser calls a file that it recognises: "Fathom log"; empty where none does.
std::string_view kind_of_log(const std::string& path);

// The beginning of a regular file; of nothing else, since a FIFO would be waited for. Throws LogError.
std::string first_bytes_of(const std::string& path);

}  // namespace fathom
