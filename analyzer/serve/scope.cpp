// PostgreSQL and SQLite both look for a name among temporary views first.
#include "analyzer/serve/scope.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyzer/jobs/schema/table.h"

namespace fathom::serve {
namespace {

using jobs::TableWords;

// What scope `beside` has of a table.
enum class Part : std::uint8_t {
    own_rows,  // nothing of others' jobs
    numbers,   // all rows, of others' jobs without texts
    all,       // it has no names of users, programs or files
};
struct TablePart {
    std::string_view table;
    Part beside;
};
// Those that are not named: own rows.
constexpr TablePart table_parts[] = {
    {"jobs", Part::numbers},   {"job_details", Part::numbers},     {"job_layers", Part::all},
    {"job_mounts", Part::all}, {"job_modes", Part::all},           {"job_sharing", Part::all},
    {"job_phases", Part::all}, {"job_environment", Part::numbers},
};
// Texts that say nothing of who or what; and time bins.
constexpr std::string_view plain_texts[] = {"tool",          "cluster", "reads_mode", "writes_mode",
                                            "key_direction", "bins",    "node_names"};

struct Words {
    std::string before;            // of the name of a table
    std::string user, is_project;  // conditions; the latter empty: projects do not matter
};

Words words_of(jobs::Database& database)
{
    if (database.dialect().prefix.empty())
        return {"main.", "(select name from temp.fathom_viewer)",
                "project in (select name from temp.fathom_projects)"};
    const jobs::Value schema = database.one(
        "select quote_ident(n.nspname) from pg_class c join pg_namespace n on n.oid = c.relnamespace where "
        "c.oid = cast('jobs' as regclass)",
        {}, jobs::ValueType::text);
    const auto* const name = std::get_if<std::string>(&schema);
    return {(name == nullptr ? "public" : *name) + ".", "current_setting('fathom.viewer')",
            "project = any (string_to_array(current_setting('fathom.projects'), chr(10)))"};
}

bool is_hidden(const jobs::ColumnWords& column)
{
    return column.type == jobs::ValueType::text &&
           std::ranges::find(plain_texts, column.name) == std::end(plain_texts);
}

// `hidden(column)` stands for those with texts of who or what; nothing: they are there, too.
template <class Hidden>
std::string columns_of(const TableWords& table, Hidden hidden)
{
    std::string text;
    for (const jobs::ColumnWords& column : table.columns)
        text += fmt::format("{}{}", text.empty() ? "" : ", ",
                            is_hidden(column) ? hidden(column.name) : column.name);
    return text;
}

// The condition that a row is of a job which the viewer sees.
std::string seen(const TableWords& table, const Words& words)
{
    std::string job = fmt::format("user_name = {}", words.user);
    if (!words.is_project.empty()) job += " or " + words.is_project;
    if (table.table == "jobs" || table.table == "running_jobs") return job;
    if (table.table == "allocations") return fmt::format("user_name = {}", words.user);
    return fmt::format("exists (select 1 from {}jobs where id = {}.job and ({}))", words.before, table.table,
                       job);
}

std::string view_of(const TableWords& table, const Words& words, Scope scope)
{
    Part part = Part::own_rows;
    if (scope == Scope::beside)
        for (const TablePart& one : table_parts)
            if (one.table == table.table) part = one.beside;
    const auto select = [&](const std::string& columns) {
        return fmt::format("select {} from {}{} as {}", columns, words.before, table.table, table.table);
    };
    const auto as_it_is = [](const std::string& name) { return name; };
    const std::string all = select(columns_of(table, as_it_is));
    if (part == Part::all) return all;
    const std::string condition = seen(table, words);
    if (part == Part::own_rows) return fmt::format("{} where {}", all, condition);
    if (table.table !=
        jobs::Job::table)  // is asked for by job: whose it is matters to who asks for texts alone
        return select(columns_of(table, [&](const std::string& name) {
            return fmt::format("case when {} then {} else '' end as {}", condition, name, name);
        }));
    return fmt::format("{} where {} union all {} where not ({})", all, condition,
                       select(columns_of(table,
                                         [](const std::string& name) {
                                             return fmt::format("'{}' as {}",
                                                                name == "user_name" ? somebody : "", name);
                                         })),
                       condition);
}

}  // namespace

void make_views(jobs::Database& database, Scope scope, bool with_projects)
{
    Words words = words_of(database);
    if (!with_projects) words.is_project.clear();
    if (database.dialect().prefix.empty()) {
        database.run("create temporary table fathom_viewer (name text)");
        database.run("create temporary table fathom_projects (name text)");
    } else {
        database.run("set fathom.viewer = ''");
        database.run("set fathom.projects = ''");
    }
    for (const TableWords& table : jobs::all_tables())
        database.run(
            fmt::format("create temporary view {} as {}", table.table, view_of(table, words, scope)));
}

void set_viewer(jobs::Database& database, const Viewer& viewer)
{
    using jobs::Value;
    if (database.dialect().prefix.empty()) {
        database.run("delete from temp.fathom_viewer");
        database.run("delete from temp.fathom_projects");
        database.run("insert into temp.fathom_viewer values (?)", std::vector<Value>{viewer.user});
        for (const std::string& project : viewer.projects)
            database.run("insert into temp.fathom_projects values (?)", std::vector<Value>{project});
        return;
    }
    constexpr jobs::ValueType words = jobs::ValueType::text;
    database.each_again(
        "select set_config('fathom.viewer', ?, false), set_config('fathom.projects', ?, false)",
        std::vector<Value>{viewer.user, fmt::format("{}", fmt::join(viewer.projects, "\n"))},
        std::vector{words, words}, [](std::span<const Value>) {});
}

}  // namespace fathom::serve
