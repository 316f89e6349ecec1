// The jobs of a study, and what is asked of the database about them.
//
// Whole numbers are added up by the database, and texts are sorted here: what comes back is the same from
// every kind of database and whatever order the logs came in.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/study/choice.h"

namespace fathom::jobs {

// A row of an answer; NULL is 0 or an empty text.
class AskedRow {
  public:
    explicit AskedRow(std::span<const Value> values) : values_(values) {}
    Number number(std::size_t at) const { return as<Number>(at); }
    std::uint64_t count(std::size_t at) const
    {
        return static_cast<std::uint64_t>(std::max<Number>(number(at), 0));
    }
    Known known(std::size_t at) const { return as<Known>(at); }
    Real real(std::size_t at) const { return as<Real>(at); }
    std::string text(std::size_t at) const { return as<std::string>(at); }
    AskedRow from(std::size_t at) const { return AskedRow(values_.subspan(at)); }

  private:
    template <class Type>
    Type as(std::size_t at) const
    {
        Type value{};
        fetch(values_[at], value);
        return value;
    }
    std::span<const Value> values_;
};

// The jobs of a project, user or program. A "run" is a row of the table jobs that has a log.
struct Group {
    std::string name;
    std::uint64_t runs = 0, bytes_read = 0, bytes_written = 0;
    Number allocated = 0;  // cores times milliseconds, where there are no runs

    std::uint64_t bytes() const { return bytes_read + bytes_written; }
};

// In the order of what they moved, the most first; those without runs by what they were given.
struct Groups {
    std::vector<Group> groups;
    std::map<std::string, std::size_t, std::less<>> place;  // by name, in `groups`
};

class Site {
  public:
    // Lays beside the database what a study needs of the runs of its time, in a table of this session: rows
    // of jobs are wide, and would be read a dozen times. Where the session may have none, jobs itself is
    // asked.
    Site(Database& database, const StudyChoice& choice);
    ~Site();
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    const StudyChoice& choice() const { return choice_; }

    // `types` has a letter a column: n a whole number, r a real one, t a text. In `sql` the word @jobs stands
    // for the table of runs, called jobs.
    template <class Visit>
    void each(std::string_view types, const std::string& sql, Visit visit, std::span<const Value> values = {})
    {
        std::vector<ValueType> all;
        for (const char letter : types)
            all.push_back(letter == 'n'   ? ValueType::integer
                          : letter == 'r' ? ValueType::real
                                          : ValueType::text);
        database_.each(with_jobs(sql), values, all,
                       [&](std::span<const Value> row) { visit(AskedRow(row)); });
    }
    // The same of the columns of single runs, in no order that means anything: some thousands at a time, so
    // that a client of PostgreSQL never holds all.
    template <class Visit>
    void each_run(std::string_view types, std::string_view columns, const std::string& condition, Visit visit)
    {
        constexpr Number at_once = 20000;
        const std::string sql = page_of_runs(columns, condition, at_once);
        const std::string all_types = "n" + std::string(types);
        Number last = 0, seen = at_once;
        while (seen == at_once) {
            seen = 0;
            const Value after = last;
            each(
                all_types, sql,
                [&](const AskedRow& row) {
                    last = row.number(0);
                    ++seen;
                    visit(row.from(1));
                },
                std::span(&after, 1));
        }
    }
    // Whether there is any row.
    bool any(const std::string& sql);

    // Conditions on jobs: those with a log, of the study's time; those of them that are large.
    std::string runs() const;
    std::string large_runs() const;
    // On allocations, as `a`, of the study's time.
    std::string allocations() const;

    // The column of jobs by which they are grouped, and what one of these is called.
    std::string_view column() const { return column(choice_.by); }
    std::string_view word() const { return word(choice_.by); }
    std::string_view words() const;
    static std::string_view column(By by);
    static std::string_view word(By by);

    const Groups& groups() { return groups(choice_.by); }
    const Groups& groups(By by);
    // The first of them, as many as are shown.
    std::span<const Group> shown();
    // The name that the document has of it: "project3" where there are to be no names.
    std::string label(By by, const std::string& name);
    std::string label(const std::string& name) { return label(choice_.by, name); }

  private:
    std::string with_jobs(std::string sql) const;
    static std::string page_of_runs(std::string_view columns, const std::string& condition, Number at_once);

    Database& database_;
    const StudyChoice& choice_;
    bool own_table_ = false;
    std::array<std::optional<Groups>, by_count> groups_;
};

// Of an allocation `a`, its cores times its milliseconds; 0 where these are not known.
inline constexpr std::string_view allocated_time =
    "(case when a.cores > 0 then a.cores * ((a.end_ns - a.start_ns) / 1000000) else 0 end)";

// Sums as whole numbers in every database, 0 where there are no rows.
std::string sum_of(std::string_view expression);

}  // namespace fathom::jobs
