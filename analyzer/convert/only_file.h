// Leaves in a log what it has of some files alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/log/log.h"

namespace fathom {

// Which files are meant: by the whole path, by the id (16 hexadecimal digits, or decimal as Darshan's tools
// print it), or, where no file is called so, all whose path contains the text.
class FileChoice {
  public:
    FileChoice(std::string_view text, const std::vector<FileName>& names);

    bool none() const { return files_.empty(); }
    bool has(std::uint64_t file) const;

  private:
    std::vector<std::uint64_t> files_;  // sorted
};

// Keeps the records, names, layouts, counters of libraries and traces of those files. What is about all files
// together is gone and not recorded from then on. Returns what that was, a sentence each.
std::vector<std::string> keep_only(Log& log, const FileChoice& choice);

}  // namespace fathom
