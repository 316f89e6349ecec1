// Rules of a site that say which project somebody, or what lies at a path, belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

struct ProjectRule {
    enum class Of : std::uint8_t { user, path } of = Of::user;
    std::string pattern;  // * stands for any letters, ? for one
    std::string project;
};

// A rule a line: "user PATTERN PROJECT" or "path PATTERN PROJECT"; # begins a comment. Throws
// std::runtime_error: file, line, what a rule looks like.
std::vector<ProjectRule> read_project_rules(const std::string& path);

// The place of the first rule of this kind that fits the text; how many there are where none does, or where
// the text is empty.
std::size_t first_rule(const std::vector<ProjectRule>& rules, ProjectRule::Of of, const std::string& text);

}  // namespace fathom
