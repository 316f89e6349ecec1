// Why a job of the database took longer than others of its kind.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/history/kind.h"
#include "analyzer/job/job.h"
#include "analyzer/job/slowdown.h"
#include "analyzer/job/system_load.h"
#include "analyzer/jobs/schema/database.h"
#include "logformat/series/table.h"

namespace fathom::slowdown {

// METHODS section 19. `match`: in what runs agree; not given: program, user, processes, files and bytes, or
// where there are too few of those, all but files and bytes. `load`: what the job's servers did; nullptr: not
// known. Throws DatabaseError.
Slowdown slowdown_of(jobs::Database& database, jobs::Number id,
                     const std::optional<history::Match>& match = {}, const SystemLoad* load = nullptr);

// The job that the database has of a log; nothing where it does not have the log.
std::optional<jobs::Number> job_of_log(jobs::Database& database, const fathom::Job& job);

// When the runs of the week before that the job is laid beside were in I/O, a list a run: the last 20 of
// them.
std::vector<std::vector<series::Window>> earlier_io(jobs::Database& database, jobs::Number id);

}  // namespace fathom::slowdown
