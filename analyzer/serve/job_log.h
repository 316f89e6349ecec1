// The log of a job that the database names.
#pragma once

#include <optional>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/jobs/schema/rows.h"
#include "logformat/log/log.h"

namespace fathom::serve {

// Nothing where it is gone, is another job's now, is larger than 64 MiB or cannot be read. Throws
// DatabaseError.
std::optional<Log> log_of_job(jobs::Database& database, jobs::Number id);

inline constexpr std::string_view no_log =
    "Its log is gone, is another one now, is larger than 64 MiB or cannot be read here";

}  // namespace fathom::serve
