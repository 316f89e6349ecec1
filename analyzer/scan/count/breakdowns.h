// By what inodes are counted: a row each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/projects/rules.h"
#include "analyzer/scan/walk/entry.h"
#include "analyzer/scan/walk/folder.h"

namespace fathom::scan {

enum class By : std::uint8_t { all, kind, user, group, project, top, depth, suffix };

// What is known of the folder that names are in.
struct Place {
    const Folder& folder;
    std::size_t path_rule;  // the first of the rules that fits its path
};

// The rules of projects, and which of them is the first that fits a user; names are asked for once. Any
// thread.
class Rules {
  public:
    explicit Rules(std::vector<ProjectRule> projects) : projects_(std::move(projects)) {}
    std::size_t rule_of_user(std::uint32_t user) const;
    std::size_t rule_of_path(const std::string& path) const;
    const std::vector<ProjectRule>& projects() const { return projects_; }

  private:
    std::vector<ProjectRule> projects_;
    mutable std::mutex mutex_;
    mutable std::map<std::uint32_t, std::size_t> users_;
};

struct Breakdown {
    By by;
    std::string_view id;         // in files, and of tables
    std::string_view one, many;  // "user", "users"
    bool of_each;                // each entry has a key of its own: no files by size and age then
    std::size_t most;  // keys that a finished scan keeps: those with most bytes, and with most inodes
    std::string (*key)(const Place& place, const Entry& entry, const Rules& rules);
    std::string_view definition;
};
inline constexpr std::size_t breakdown_count = 8;
extern const Breakdown breakdowns[breakdown_count];

inline const Breakdown& breakdown(By by)
{
    return breakdowns[static_cast<std::size_t>(by)];
}

// The key of all that a finished scan does not keep apart.
inline constexpr std::string_view other_keys = "(others)";
inline constexpr std::string_view no_project = "(none)";

}  // namespace fathom::scan
