// What --anonymize, --only and --note change in a Darshan log that is copied record by record.
#pragma once

#include <optional>
#include <string>

#include "analyzer/convert/anonymizer.h"
#include "analyzer/convert/only_file.h"
#include "parsers/darshan/copy.h"

namespace fathom {

// The functions that it returns refer to what it is given.
darshan::Changes darshan_changes(const std::optional<Anonymizer>& anonymizer,
                                 const std::optional<FileChoice>& only, const std::string& note);

}  // namespace fathom
