// The spools of all users on this node, found without looking into them, and read as their owners.
#pragma once

#include <set>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include "analyzer/running/tally.h"

namespace fathom::running {

// Folders of one user.
struct OwnSpools {
    uid_t user = 0;
    gid_t group = 0;
    std::vector<std::string> folders;
};

// The name of a user, or the number where it has none.
std::string user_named(uid_t user);

// Those of `fathom record` in /dev/shm, $TMPDIR and /tmp, and all folders in those of a site (docs/SITE.md):
// of all users for root, else of this one.
std::vector<OwnSpools> spools_here(std::span<const std::string> site_folders);

// What those say that are in use, or are named in `also`, and are of a job. A process of their owner reads
// them: whatever a user leaves there harms nobody else. It is ended where it takes longer than so many
// seconds.
std::vector<SpoolRow> look_as_owner(const OwnSpools& spools, const std::set<std::string>& also,
                                    unsigned most_seconds);

}  // namespace fathom::running
