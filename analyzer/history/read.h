// The runs of a job database as histories take them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/history/kind.h"
#include "analyzer/jobs/list/choice.h"
#include "analyzer/jobs/schema/database.h"

namespace fathom::history {

// Runs with a log whose start is known, which fulfil all conditions; in the order of ids. Throws
// DatabaseError, as do all here.
std::vector<KindRun> runs_in(jobs::Database& database, const jobs::Choice& choice);

// The run of this id; nothing where there is no such job with a log.
std::optional<KindRun> run_in(jobs::Database& database, Number id);

// Conditions that hold for all runs which are alike this one, and for few others.
jobs::Choice choice_like(const KindRun& model, const Match& match);

}  // namespace fathom::history
