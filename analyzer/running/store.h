// Running jobs in the job database: what a node leaves there, and what is to be seen of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/watch/node_row.h"

namespace fathom::running {

// In place of what this node left before, of one user or (empty) of all; and what any node left ten minutes
// ago and before goes. Each node has rows of its own, so that nobody waits for another. Throws DatabaseError.
void write_rows(jobs::Database& database, const std::string& node, const std::string& only_user,
                std::span<const watch::NodeRow> rows);

// What nodes left in the last ten minutes, with its age by the database's clock. Of a job ("4711"), of one of
// its steps ("4711.0"), or (empty) of all. Throws DatabaseError.
struct Told {
    std::vector<watch::NodeRow> rows;
    std::uint64_t now = 0;  // ns of UNIX time
};
Told rows_told(jobs::Database& database, const std::string& job);

}  // namespace fathom::running
