// What `fathom neighbours` says: of one job, of two that are to run together, of a site.
#pragma once

#include <optional>

#include "analyzer/document/document.h"
#include "analyzer/neighbours/beside.h"
#include "analyzer/neighbours/evidence.h"
#include "analyzer/neighbours/site.h"

namespace fathom::neighbours {

// At most `top` neighbours have a row.
report::Document document_of(const Beside& beside, std::size_t top);

// A job that is to run: one of the database, or described.
struct Planned {
    std::string name;
    double processes = 0;  // that do I/O at once
    double nodes = 0;      // 0: not known
    double bytes = 0;
    UsualRate usual;
    std::optional<RunningJob> job{};  // of the database
};
// Of the database: with the usual rate of its kind. Throws DatabaseError, and std::runtime_error where the
// rate is not known.
Planned planned_of(jobs::Database& database, Number id);
// Looks for pairs like these that ran before. Throws DatabaseError.
Evidence find_evidence(jobs::Database& database, const Planned& first, const Planned& second);
report::Document what_if(const Planned& first, const Planned& second, const Evidence& evidence);

report::Document document_of(const Site& site, std::size_t top);

}  // namespace fathom::neighbours
