// A table, column or index names the first version that has it: databases of older versions get what they
// lack.
#include "analyzer/jobs/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/jobs/schema/table.h"

namespace fathom::jobs {
namespace {

struct Index {
    std::string_view name, table, columns;
    std::int64_t version = 1;  // the first that has it
    // What most rows have in its first column, by which it costs next to nothing to leave those out.
    struct {
        std::string_view column, usual;
    } others_than = {};
};

constexpr Index indexes[] = {
    {"jobs_by_match", "jobs", "match_key"},
    {"jobs_by_process", "jobs", "process_key"},
    {"jobs_by_job", "jobs", "job"},
    {"jobs_by_start", "jobs", "start_ns, id"},
    // What lists are in the order of where nobody names another one.
    {"jobs_by_cost", "jobs", "(coalesce(finding_cost_ns, -1)), id"},
    {"jobs_by_user", "jobs", "user_name, (coalesce(finding_cost_ns, -1)), id"},
    {"jobs_by_project", "jobs", "project, (coalesce(finding_cost_ns, -1)), id"},
    {"jobs_by_program", "jobs", "program, (coalesce(finding_cost_ns, -1)), id"},
    {"jobs_by_nodes", "jobs", "nodes, (coalesce(finding_cost_ns, -1)), id"},
    // Others that lists show.
    {"jobs_by_run_time", "jobs", "(coalesce(run_ns, -1)), id", 2},
    {"jobs_by_processes", "jobs", "(coalesce(processes, -1)), id", 2},
    {"jobs_by_io_share", "jobs", "(coalesce(io_share, -1)), id", 2},
    {"jobs_by_bytes", "jobs", "bytes, id", 2},
    {"jobs_by_rate", "jobs", "(coalesce(rate, -1)), id", 2},
    // What ran at a time, and runs of one kind.
    {"jobs_by_time", "jobs", "start_ns, end_ns, id", 3},
    {"jobs_by_length", "jobs", "(end_ns - start_ns)", 3},
    {"jobs_by_kind", "jobs", "program, user_name, processes, start_ns", 3},
    // Orders of lists again: numbers come with the largest first, words by the alphabet, and the latest job
    // of equal ones first.
    {"jobs_by_node_count", "jobs", "(coalesce(nodes, -1)), id", 4},
    {"jobs_by_bytes_read", "jobs", "bytes_read, id", 4},
    {"jobs_by_bytes_written", "jobs", "bytes_written, id", 4},
    {"jobs_by_rate_of_slowest", "jobs", "(coalesce(rate_by_slowest, -1)), id", 4},
    {"jobs_by_rate_per_node", "jobs", "(coalesce(rate_per_node, -1)), id", 4},
    {"jobs_by_rate_in_window", "jobs", "(coalesce(rate_window, -1)), id", 4},
    {"jobs_by_findings", "jobs", "findings, id", 4},
    {"jobs_by_finding", "jobs", "finding, id desc", 4},
    {"jobs_by_reads", "jobs", "reads_mode, id desc", 4},
    {"jobs_by_writes", "jobs", "writes_mode, id desc", 4},
    {"jobs_by_queue", "jobs", "queue, id desc", 4},
    // Names that few ask for, but all jobs of a site may have.
    {"jobs_by_group", "jobs", "group_name, id desc", 5},
    {"jobs_by_batch_system", "jobs", "batch_system, id desc", 5},
    {"jobs_by_step", "jobs", "step, id desc", 5},
    {"jobs_by_job_name", "jobs", "job_name, id desc", 5},
    {"jobs_by_account", "jobs", "account, id desc", 5},
    {"jobs_by_array_job", "jobs", "array_job, id desc", 5, {"array_job", "''"}},
    {"jobs_by_array_index", "jobs", "array_index, id desc", 5, {"array_index", "''"}},
    {"jobs_by_ranks_missing", "jobs", "(coalesce(ranks_missing, -1)), id", 5},
    {"jobs_by_problems", "jobs", "problems, id", 5, {"problems", "0"}},
    // What one user's list is in the order of where nobody names another one, and what most name.
    {"jobs_by_user_start", "jobs", "user_name, start_ns, id", 6},
    {"jobs_by_user_bytes", "jobs", "user_name, bytes, id", 6},
    {"job_findings_by_finding", "job_findings", "finding, job"},
    {"logs_by_identity", "logs", "identity"},
    {"logs_by_job", "logs", "job"},
    {"allocations_by_job", "allocations", "job"},
    {"running_jobs_by_job", "running_jobs", "job", 4},
};

// Columns that tables of a released version lack.
struct AddedColumn {
    std::string_view table, column;
    std::int64_t version;  // the first that has it
};

constexpr AddedColumn added_columns[] = {
    {"job_mounts", "source", 3},
    {"job_environment", "build", 4},
};

constexpr std::string_view sql_type(ValueType type)
{
    switch (type) {
        case ValueType::integer:
            return "bigint";
        case ValueType::real:
            return "double precision";
        case ValueType::text:
            break;
    }
    return "text";
}

// The key is the first column: `id` of its own, `job` of a part.
std::string create_table(const Database& database, const TableWords& table)
{
    std::string columns;
    for (const ColumnWords& column : table.columns) {
        const bool key = column.name == "id" || column.name == "row_key" ||
                         (table.table == LogFile::table && column.name == "path");
        columns += fmt::format("{}{} {}{}{}", columns.empty() ? "" : ", ", column.name,
                               column.name == "id" ? database.dialect().key_type : sql_type(column.type),
                               column.required ? " not null" : "", key ? " primary key" : "");
    }
    return fmt::format("create table {} ({})", table.table, columns);
}

std::string create_view(const TableWords& table)
{
    std::string columns;
    for (const ColumnWords& column : table.columns)
        if (column.seen == Seen::in_view)
            columns += fmt::format("{}{}", columns.empty() ? "" : ", ", column.name);
    return fmt::format("create view {} as select {} from {}", table.view, columns, table.table);
}

// The first version that has the table.
std::int64_t version_with(std::string_view table)
{
    if (table == RunningStep::table) return 4;
    return table == Environment::table ? 3 : 1;
}

// Brings a database from the version before to this one; `had`: what it was of at first, 0: it had no tables.
// Those that are made now have all columns. No view has an added column.
void make_version(Database& database, std::int64_t version, std::int64_t had)
{
    for (const TableWords& table : all_tables()) {
        if (version_with(table.table) != version) continue;
        database.run(create_table(database, table));
        if (!table.view.empty()) database.run(create_view(table));
    }
    each_part([&](const auto& part) {
        if (version_with(part.table) == version)
            database.run(fmt::format("create index {0}_by_job on {0} (job)", part.table));
    });
    for (const AddedColumn& added : added_columns)
        for (const ColumnWords& column : words_of(added.table).columns)
            if (version_with(added.table) <= had && added.version == version && column.name == added.column)
                database.run(fmt::format("alter table {} add column {} {}{}", added.table, column.name,
                                         sql_type(column.type),
                                         column.required ? " not null default ''" : ""));
    for (const Index& index : indexes)
        if (index.version == version)
            database.run(fmt::format(
                "create index {} on {} ({}){}", index.name, index.table, index.columns,
                index.others_than.column.empty()
                    ? ""
                    : fmt::format(" where {} <> {}", index.others_than.column, index.others_than.usual)));
}

// 0: none.
std::int64_t version_of(Database& database)
{
    bool there = false;
    database.each(database.dialect().tables_named, std::vector<Value>{std::string("fathom_schema")},
                  std::vector{ValueType::text}, [&](std::span<const Value>) { there = true; });
    if (!there) return 0;
    const Value version = database.one("select version from fathom_schema", {}, ValueType::integer);
    return std::holds_alternative<std::int64_t>(version) ? std::get<std::int64_t>(version) : 0;
}

void check_not_newer(const Database& database, std::int64_t version)
{
    if (version > schema_version)
        throw DatabaseError(fmt::format(
            "{}: a newer Fathom made this database (version {} of its tables, this one knows {}): "
            "use that one, or name another database",
            database.name(), version, schema_version));
}

void check_not_of_others(Database& database, std::int64_t version)
{
    const std::string_view count = database.dialect().count_of_tables;
    // Another `jobs add` may have made ours since the version was looked at.
    if (version == 0 && !count.empty() &&
        database.one(count, {}, ValueType::integer) != Value(std::int64_t{0}) && version_of(database) == 0)
        throw DatabaseError(fmt::format(
            "{}: another program's tables are in this database; name another file", database.name()));
}

void migrate(Database& database)
{
    WriteTransaction transaction(database);
    const std::int64_t version = version_of(database);  // another one may have been quicker
    check_not_newer(database, version);
    if (version == 0) {
        database.run("create table fathom_schema (version bigint not null)");
        database.run("insert into fathom_schema (version) values (0)");
    }
    for (std::int64_t next = version + 1; next <= schema_version; ++next)
        make_version(database, next, version);
    database.run("update fathom_schema set version = ?", std::vector<Value>{schema_version});
    transaction.commit();
}

}  // namespace

std::unique_ptr<Database> open_jobs(const std::string& url, Access access)
{
    auto database = std::make_unique<Database>(url, access);
    const std::int64_t version = version_of(*database);
    check_not_newer(*database, version);
    if (version == schema_version) return database;
    check_not_of_others(*database, version);
    if (access == Access::read || (access == Access::change && version == 0))
        throw DatabaseError(
            version == 0
                ? fmt::format("{}: there are no jobs in this database; `fathom jobs add` brings some",
                              database->name())
                : fmt::format("{}: an older Fathom made this database; `fathom jobs add` with this "
                              "one brings it up to date",
                              database->name()));
    migrate(*database);
    return database;
}

std::string_view usual_value_of(std::string_view column)
{
    for (const Index& index : indexes)
        if (index.others_than.column == column) return index.others_than.usual;
    return {};
}

bool has_index(std::string_view column, std::string_view by)
{
    return std::ranges::any_of(indexes, [&](const Index& index) {
        return index.table == Job::table && (index.columns == fmt::format("{}, {}, id", column, by) ||
                                             index.columns == fmt::format("{}, ({}), id", column, by));
    });
}

std::string tables_as_markdown()
{
    std::string text;
    for (const TableWords& table : all_tables()) {
        text += fmt::format("\n### {}\n\n{}", table.table, table.meaning);
        text += table.view.empty() ? "; no view has it\n" : fmt::format("; view `{}`\n", table.view);
        text += "\n| column | type | unit | meaning |\n|---|---|---|---|\n";
        for (const ColumnWords& column : table.columns)
            text +=
                fmt::format("| {} | {}{} | {} | {}{} |\n", column.name, sql_type(column.type),
                            column.required ? "" : " or NULL",
                            unit_names[static_cast<std::size_t>(column.unit)], column.meaning,
                            column.seen == Seen::in_table && !table.view.empty() ? " (not in the view)" : "");
    }
    return text.substr(1);
}

}  // namespace fathom::jobs
