// The spool: a folder in memory where every recorded process of a job leaves its part (logformat/part.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Makes a folder fathom-<user>-XXXXXX in /dev/shm, or where that does not work in $TMPDIR or /tmp. Throws
// std::runtime_error where none of them can be written.
std::string make_spool();

// The folder in which the ranks of one launcher on this node leave their marks (libinterpose/roll_call.h),
// made where it is not there yet; empty where that is not possible.
std::string make_ranks_folder(const std::string& job);

// Removes the mark of one rank, and the folder once it is empty.
void leave_ranks_folder(const std::string& folder, const std::string& local_rank);

// Removes a spool and what Fathom left in it; files that it does not know stay.
void remove_spool(const std::string& spool);

// The parts in a spool, in the order of their names. Throws std::runtime_error if it cannot be read.
std::vector<std::string> parts_in(const std::string& spool);

// The spools of this user, those of runs that are still under way included.
std::vector<std::string> spools_left();

// A file in the spool that keeps what `fathom record` knows of the job, as a log that holds only facts.
std::string facts_path(const std::string& spool);

}  // namespace fathom
