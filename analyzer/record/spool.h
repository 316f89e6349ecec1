// The spool: a folder in memory where every recorded process of a job leaves its part
// (logformat/part/part.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logformat/log/log.h"

namespace fathom {

// True for a folder of this user's that nobody else may write to; not for a link to one.
bool is_own_folder(const std::string& folder);

// True for a folder in which others than its owner may give names of this user's files to their own: all may
// write there, and it is not sticky.
bool others_may_rename_in(const std::string& folder);

// Makes a folder, for this user alone, where there is none yet. False where there is something else.
bool make_own_folder(const std::string& folder);

// Makes a folder fathom-<user>-XXXXXX in /dev/shm, or where that does not work in $TMPDIR or /tmp. Throws
// std::runtime_error where none of them can be written.
std::string make_spool();

// The folder in which the ranks and recorders of one launch on this node meet (node_folder.h), made where it
// is not there yet; empty where that is not possible.
std::string make_ranks_folder(const std::string& key);

// The key in the name of such a folder; empty where it is none.
std::string key_of_ranks_folder(const std::string& folder);

// Removes a spool and what Fathom left in it; files that it does not know stay.
void remove_spool(const std::string& spool);

// The parts in a spool, in the order of their names. Throws std::runtime_error if it cannot be read.
std::vector<std::string> parts_in(const std::string& spool);

// Logs in the spool that hold the parts of processes that have ended (fold.h), and the path of one.
std::vector<std::string> folded_in(const std::string& spool);
std::string folded_path(const std::string& spool, std::size_t number);

// The spools of this user, and the ranks folders; those of runs that are still under way included.
std::vector<std::string> spools_left();
std::vector<std::string> ranks_folders_left();

// What a spool keeps of its job beside the parts, in a log that holds only facts.
struct Kept {
    Log facts;
    std::string owner;   // the `fathom record` that uses the spool, see identity_of() in liveness.h
    std::string folder;  // where MPI ranks of the job leave logs under hidden names; empty: nowhere
    std::string job() const { return std::string(facts.fact("job").value_or("")); }
};
void keep(const std::string& spool, Kept kept);  // throws LogError
Kept kept_in(const std::string& spool);          // all empty where there is none

}  // namespace fathom
