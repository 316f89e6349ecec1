// Conditions have the numbers of the choice in them; names go in as values.
#include "analyzer/jobs/study/site.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "analyzer/document/printable.h"

namespace fathom::jobs {
namespace {

struct ByWords {
    std::string_view column, word, words, of_allocation;  // the column of allocations that has it too
};
constexpr ByWords by_words[] = {{"jobs.project", "project", "projects", "account"},
                                {"jobs.user_name", "user", "users", "user_name"},
                                {"jobs.program", "program", "programs", ""}};

const ByWords& words_by(By by)
{
    return by_words[static_cast<std::size_t>(by)];
}

std::string in_time(std::string_view table, const StudyChoice& choice)
{
    std::string condition;
    if (choice.since) condition += fmt::format(" and {}.start_ns >= {}", table, *choice.since);
    if (choice.before)
        condition += fmt::format(" and {0}.start_ns > 0 and {0}.start_ns < {1}", table, *choice.before);
    return condition;
}

constexpr std::string_view own_table = "fathom_study_runs";
// Those that sections ask for.
constexpr std::string_view own_columns =
    "id, allocation, recorded, project, user_name, program, job, step, start_ns, run_ns, "
    "processes, nodes, posix, stdio, mpiio, hdf5, pnetcdf, bytes_read, bytes_written, read_ns, "
    "write_ns, metadata_ns, rate_per_node, io_share, files, files_written, files_created, "
    "accesses, sequential, aligned, key_size, key_direction, finding, finding_cost_ns";

}  // namespace

Site::Site(Database& database, const StudyChoice& choice) : database_(database), choice_(choice)
{
    try {
        database_.run(fmt::format("create temporary table {} as select {} from jobs where {}", own_table,
                                  own_columns, runs()));
        own_table_ = true;
        database_.run(fmt::format("create unique index {0}_by_id on {0} (id)", own_table));
    } catch (const DatabaseError&) {  // a copy of PostgreSQL that is only read
    }
}

Site::~Site()
{
    if (!own_table_) return;
    try {
        database_.run(fmt::format("drop table {}", own_table));
    } catch (const DatabaseError&) {  // it goes with the session
    }
}

std::string Site::with_jobs(std::string sql) const
{
    constexpr std::string_view word = "@jobs";
    const std::string name = own_table_ ? fmt::format("{} jobs", own_table) : "jobs";
    for (std::size_t at = 0; (at = sql.find(word, at)) != std::string::npos;)
        sql.replace(at, word.size(), name);
    return sql;
}

std::string sum_of(std::string_view expression)
{
    return fmt::format("cast(coalesce(sum({}), 0) as bigint)", expression);
}

bool Site::any(const std::string& sql)
{
    bool found = false;
    each("n", sql + " limit 1", [&](const AskedRow&) { found = true; });
    return found;
}

std::string Site::page_of_runs(std::string_view columns, const std::string& condition, Number at_once)
{
    return fmt::format("select jobs.id, {} from @jobs where jobs.id > ? and {} order by jobs.id limit {}",
                       columns, condition, at_once);
}

std::string Site::runs() const
{
    return "jobs.recorded = 1" + in_time("jobs", choice_);
}

std::string Site::large_runs() const
{
    return fmt::format("{} and jobs.processes >= {} and jobs.bytes_read + jobs.bytes_written >= {}", runs(),
                       std::max<Number>(choice_.large_processes, 1), choice_.large_bytes);
}

std::string Site::allocations() const
{
    return "a.end_ns >= a.start_ns" + in_time("a", choice_);
}

std::string_view Site::column(By by)
{
    return words_by(by).column;
}
std::string_view Site::word(By by)
{
    return words_by(by).word;
}
std::string_view Site::words() const
{
    return words_by(choice_.by).words;
}

const Groups& Site::groups(By by)
{
    auto& known = groups_[static_cast<std::size_t>(by)];
    if (known) return *known;
    Groups& found = known.emplace();
    each("tnnn",
         fmt::format("select {0}, count(*), {1}, {2} from @jobs where {3} group by {0}", column(by),
                     sum_of("jobs.bytes_read"), sum_of("jobs.bytes_written"), runs()),
         [&](const AskedRow& row) {
             found.groups.push_back({row.text(0), row.count(1), row.count(2), row.count(3)});
             found.place[row.text(0)] = 0;
         });
    // Those that have no log of theirs come last.
    if (const std::string_view same = words_by(by).of_allocation; !same.empty())
        each("tn",
             fmt::format("select a.{0}, {1} from allocations a where {2} group by a.{0}", same,
                         sum_of(allocated_time), allocations()),
             [&](const AskedRow& row) {
                 if (found.place.try_emplace(row.text(0), 0).second)
                     found.groups.push_back({.name = row.text(0), .allocated = row.number(1)});
             });
    std::sort(found.groups.begin(), found.groups.end(), [](const Group& a, const Group& b) {
        return std::tuple(b.bytes(), b.runs, b.allocated, a.name) <
               std::tuple(a.bytes(), a.runs, a.allocated, b.name);
    });
    for (std::size_t at = 0; at < found.groups.size(); ++at) found.place[found.groups[at].name] = at;
    return found;
}

std::span<const Group> Site::shown()
{
    const auto& all = groups().groups;
    const auto end = std::find_if(all.begin(), all.end(), [](const Group& one) { return one.runs == 0; });
    return {all.data(), std::min(static_cast<std::size_t>(end - all.begin()), choice_.top)};
}

std::string Site::label(By by, const std::string& name)
{
    if (name.empty()) return fmt::format("(no {})", word(by));
    if (!choice_.anonymize) return report::printable(name);
    const auto& place = groups(by).place;
    const auto found = place.find(name);
    // One without a name has a number too, which nobody sees.
    return found == place.end() ? fmt::format("another {}", word(by))
                                : fmt::format("{}{}", word(by), found->second + 1);
}

}  // namespace fathom::jobs
