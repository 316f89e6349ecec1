// Projects of jobs of which no batch system says the account: rules of the site.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/jobs/schema/database.h"

namespace fathom::jobs {

struct ProjectRule {
    enum class Of : std::uint8_t { user, path } of = Of::user;
    std::string pattern;  // * stands for any letters, ? for one
    std::string project;
};

// A rule a line: "user PATTERN PROJECT" or "path PATTERN PROJECT"; # begins a comment. Throws
// std::runtime_error: file, line, what a rule looks like.
std::vector<ProjectRule> read_project_rules(const std::string& path);

// Sets the project of all jobs without an account: by the first rule that fits the user, the program's path
// or one of the largest files; none where no rule fits. Gives how many jobs changed.
std::size_t apply_project_rules(Database& database, const std::vector<ProjectRule>& rules);

}  // namespace fathom::jobs
