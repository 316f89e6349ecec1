// Who records, and in which job of a batch system: the facts of logformat/job_identity.h.
#pragma once

#include <string>
#include <sys/types.h>

#include "logformat/log/log.h"

namespace fathom {

// As this system's tables of users and groups have them; empty where they have no such number.
std::string name_of_user(uid_t user);
std::string name_of_group(gid_t group);

// Of this process. The tables may be those of a server, which not every rank of a job should ask.
struct OwnerNames {
    std::string user, group;
};
OwnerNames names_of_owner();

void add_identity(Log& log, const OwnerNames& names);

// Parts and logs that the library made by itself have numbers only: adds the names that this system knows.
void add_names(Log& log);

}  // namespace fathom
