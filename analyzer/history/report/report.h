// The documents of `fathom history`: the runs of one kind over time, and all kinds of a database.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/history/course.h"
#include "analyzer/history/kind.h"
#include "analyzer/job/slowdown.h"
#include "analyzer/jobs/list/choice.h"
#include "analyzer/jobs/schema/database.h"
#include "logformat/log/tick.h"

namespace fathom::history {

struct HistoryChoice {
    Match match = {};
    jobs::Choice only = {};               // no other runs are looked at
    std::optional<SlowerRule> rule = {};  // what was asked for with --fail-if
    Number since = 0;                     // ns of UNIX time; of what is told first
    std::size_t top = 20;                 // rows of a table; JSON has all
};

struct HistoryReport {
    report::Document document;
    std::vector<std::string> alarms = {};  // sentences: where the rule holds
};

// The runs alike `today`, which is a run of the database, and that run against them. `others`: runs of the
// same program that are of other kinds. `why`: why it was slower, where that was looked for. Throws
// DatabaseError.
HistoryReport report_on(jobs::Database& database, const KindRun& today, std::vector<Kind> others,
                        const HistoryChoice& choice, const Slowdown* why = nullptr);

// All kinds of the runs of the database. Throws DatabaseError.
HistoryReport report_on_all(jobs::Database& database, const HistoryChoice& choice, const Tick& tick);

}  // namespace fathom::history
