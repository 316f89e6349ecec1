// What a study is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

enum class By : std::uint8_t { project, user, program };
inline constexpr std::size_t by_count = 3;

struct StudyChoice {
    By by = By::project;
    Known since = {}, before = {};  // ns of UNIX time: jobs that began then or later, and earlier than that
    Number large_processes = 1024, large_bytes = Number{500} << 20;  // from there on a job is a large one
    std::size_t top = 10;
    std::string project = {}, program = {};  // of those by performance, and by job size; empty: see there
    std::vector<std::string> without = {};   // of the access sizes; none: those that dominate
    bool anonymize = false;
};

}  // namespace fathom::jobs
