// Projects of jobs of which no batch system says the account: rules of the site.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/projects/rules.h"

namespace fathom::jobs {

// Sets the project of all jobs without an account: by the first rule that fits the user, the program's path
// or one of the largest files; none where no rule fits. Gives how many jobs changed.
std::size_t apply_project_rules(Database& database, const std::vector<ProjectRule>& rules);

}  // namespace fathom::jobs
