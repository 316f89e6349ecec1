// Makes the tables of a job database, and brings those of an older Fathom to this one's version.
#pragma once

#include <cstdint>
#include <string>

#include "analyzer/jobs/schema/database.h"

namespace fathom::jobs {

// What this version writes.
inline constexpr std::int64_t schema_version = 6;

// Opens a job database whose tables this version knows. For writing it makes them where there are none and
// migrates older ones; for reading these are errors, as is a newer version. Throws DatabaseError.
std::unique_ptr<Database> open_jobs(const std::string& url, Access access);

// docs/DATABASE.md's part on tables and views.
std::string tables_as_markdown();

// The value, as SQL has it, that most jobs have in a column by which lists are sorted: an index has the other
// jobs alone. Empty: an index has all.
std::string_view usual_value_of(std::string_view column);

// Whether jobs of one value of `column` lie in the order of `by` in an index.
bool has_index(std::string_view column, std::string_view by);

}  // namespace fathom::jobs
