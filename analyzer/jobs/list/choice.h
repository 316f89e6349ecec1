// Which jobs are meant: filters, a row each, as a condition of SQL.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

enum class FilterKind : std::uint8_t { text, job, count, bytes, duration, since, until, finding };

struct Filter {
    const char* name;  // of the option
    const char* argument;
    const char* meaning;
    FilterKind kind;
    std::string_view column;  // of jobs
    bool indexed = true;      // a list by it need not look at all jobs
};
std::span<const Filter> filters();

// Of rows of jobs.
struct Condition {
    std::string sql;
    Values values;
    // Conditions on one column that an index leads to belong together; empty: no index helps.
    std::string_view indexed = {};
    // The same, for looking at a job at a time instead of all that fit; empty: as `sql`.
    std::string one_by_one = {};
};

// All conditions must hold; without any, all rows are meant.
struct Choice {
    std::vector<Condition> conditions;
    // One asks on behalf of somebody who sees few of the jobs: an index leads to these, and no condition
    // need.
    bool of_few = false;

    void add(std::string_view sql, Values with = {})
    {
        conditions.push_back({std::string(sql), std::move(with)});
    }
    bool empty() const { return conditions.empty(); }
    // "where …", or nothing, and its values.
    std::string where(bool one_by_one = false) const;
    Values values() const;
};

// Takes what was said for a filter: "anna", "*/lmp*", ">64", "<=10min", "1TiB". `now`: moment_of(). Throws
// std::invalid_argument: which filter, and what one can say.
void add_filter(const Filter& filter, const std::string& said, std::int64_t now, Choice& choice);
void add_ids(std::span<const Number> ids, Choice& choice);

}  // namespace fathom::jobs
