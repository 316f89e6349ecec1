// A Darshan log in the words of Darshan's own tools, so that scripts which read theirs read ours.
#pragma once

#include <string>
#include <vector>

#include "analyzer/dump/dump.h"
#include "parsers/darshan/file.h"

namespace fathom {

// Every counter of every record, the totals of each module, its categories of files and its rate, in the
// layout of `darshan-parser --all --show-incomplete`. Returns what could not be read, a sentence each.
std::vector<std::string> dump_darshan_text(const darshan::File& file, const Sink& sink);

// Every traced operation, in the layout of `darshan-dxt-parser --show-incomplete`.
std::vector<std::string> dump_darshan_dxt_text(const darshan::File& file, const Sink& sink);

}  // namespace fathom
