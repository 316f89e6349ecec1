// What of the job database a question sees: temporary views in front of the tables, so that no question of
// whatever room finds rows that its viewer may not see.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/serve/viewer.h"

namespace fathom::serve {

enum class Scope : std::uint8_t {
    own,     // the viewer's jobs alone; all of them for staff
    beside,  // others' jobs too, without who and what they are: for what ran beside a job
};

// The user of jobs in scope `beside` that the viewer may not see.
inline constexpr std::string_view somebody = "another user";

// Puts the views into a new session; `with_projects`: of viewers who see projects, too. (An index leads to
// one user's jobs in each order, to those of a user or a project in none.) Throws DatabaseError.
void make_views(jobs::Database& database, Scope scope, bool with_projects);
// Whose jobs they have from now on.
void set_viewer(jobs::Database& database, const Viewer& viewer);

}  // namespace fathom::serve
