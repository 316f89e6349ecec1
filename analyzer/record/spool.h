// The spool: a folder in memory where every recorded process of a job leaves its part (logformat/part.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Makes a folder fathom-<user>-XXXXXX in /dev/shm, or where that does not work in $TMPDIR or /tmp. Throws
// std::runtime_error where none of them can be written.
std::string make_spool();

// Removes a spool and what Fathom left in it; files that it does not know stay.
void remove_spool(const std::string& spool);

// The parts in a spool, in the order of their names. Throws std::runtime_error if it cannot be read.
std::vector<std::string> parts_in(const std::string& spool);

// The spools of this user, those of runs that are still under way included.
std::vector<std::string> spools_left();

// A file in the spool that keeps what `fathom record` knows of the job, as a log that holds only facts.
std::string facts_path(const std::string& spool);

}  // namespace fathom
