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

enum class FilterKind : std::uint8_t { text, count, bytes, duration, since, until, finding };

struct Filter {
    const char* name;  // of the option
    const char* argument;
    const char* meaning;
    FilterKind kind;
    std::string_view column;  // of jobs
};
std::span<const Filter> filters();

// A condition on rows of jobs, true of all of them where it is empty.
struct Choice {
    std::string condition;
    Values values;

    void add(std::string_view more, Values with = {});
    // "where …", or nothing
    std::string where() const;
};

// Takes what was said for a filter: "anna", "*/lmp*", ">64", "<=10min", "1TiB". `now`: moment_of(). Throws
// std::invalid_argument: which filter, and what one can say.
void add_filter(const Filter& filter, const std::string& said, std::int64_t now, Choice& choice);
void add_ids(std::span<const Number> ids, Choice& choice);

}  // namespace fathom::jobs
