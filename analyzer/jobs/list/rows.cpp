// The database sorts; texts that no order needs come for the chosen rows alone.
#include "analyzer/jobs/list/rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"

namespace fathom::jobs {
namespace {

struct SortColumn {
    std::string_view name, expression;
};
// Columns of the table whose column of the database has another name, or may be NULL.
constexpr SortColumn sort_columns[] = {
    {"cost", "coalesce(finding_cost_ns, -1)"},
    {"user", "user_name"},
    {"group", "group_name"},
    {"date", "start_ns"},
    {"start", "start_ns"},
    {"run_time", "coalesce(run_ns, -1)"},
    {"processes", "coalesce(processes, -1)"},
    {"nodes", "coalesce(nodes, -1)"},
    {"ranks_missing", "coalesce(ranks_missing, -1)"},
    {"io_share", "coalesce(io_share, -1)"},
    {"rate", "coalesce(rate, -1)"},
    {"rate_by_slowest", "coalesce(rate_by_slowest, -1)"},
    {"rate_per_node", "coalesce(rate_per_node, -1)"},
    {"rate_window", "coalesce(rate_window, -1)"},
    {"worst_finding", "finding"},
    {"read_mode", "reads_mode"},
    {"write_mode", "writes_mode"},
    {"state", "problems"},
    {"job_step", "step"},
    {"job_nodes", "nodes"},
    {"log", "id"},
    {"executable", "program"},
    {"problem", "problems"},
};

std::string expression_of(std::string_view column)
{
    for (const SortColumn& one : sort_columns)
        if (one.name == column) return std::string(one.expression);
    return std::string(column);
}

// The latest of equal ones first.
std::string order_by(const std::string& expression, bool descending)
{
    return fmt::format("order by {} {}, id desc", expression, descending ? "desc" : "asc");
}

std::optional<double> seconds_of(const Known& nanoseconds)
{
    return nanoseconds ? std::optional(static_cast<double>(*nanoseconds) / 1e9) : std::nullopt;
}
std::uint64_t whole(Number number)
{
    return number > 0 ? static_cast<std::uint64_t>(number) : 0;
}
Mode mode_named(const std::string& name)
{
    const auto found = std::find(mode_names.begin(), mode_names.end(), name);
    return found == mode_names.end() ? Mode::none : static_cast<Mode>(found - mode_names.begin());
}

JobRow row_of_job(const Job& job)
{
    JobRow row;
    row.id = whole(job.id);
    row.recorded = job.recorded != 0;
    row.program = job.program;
    row.user = job.user;
    row.group = job.group;
    row.project = job.project;
    row.batch_system = job.batch_system;
    row.job = job.job;
    row.job_step = job.step;
    row.array_job = job.array_job;
    row.array_index = job.array_index;
    row.job_name = job.job_name;
    row.account = job.account;
    row.queue = job.queue;
    row.nodes = whole(job.nodes.value_or(0));
    row.processes = whole(job.processes.value_or(0));
    row.ranks_missing = whole(job.ranks_missing.value_or(0));
    row.start = whole(job.start);
    row.run_time = seconds_of(job.run);
    row.bytes = whole(job.bytes);
    row.bytes_read = whole(job.bytes_read);
    row.bytes_written = whole(job.bytes_written);
    row.rate = job.rate;
    row.rate_by_slowest = job.rate_by_slowest;
    row.rate_per_node = job.rate_per_node;
    row.rate_window = job.rate_window;
    row.reads = mode_named(job.reads_mode);
    row.writes = mode_named(job.writes_mode);
    row.io_share = job.io_share;
    row.findings = whole(job.findings);
    row.finding = job.finding;
    row.finding_cost = seconds_of(job.finding_cost);
    row.problems = whole(job.problems);
    return row;
}

void add_texts(Database& database, std::vector<JobRow>& rows, Texts texts)
{
    std::map<Number, JobRow*> by_id;
    Values ids;
    for (JobRow& row : rows) {
        if (texts == Texts::finding && row.finding.empty()) continue;
        const auto id = static_cast<Number>(row.id);
        by_id[id] = &row;
        ids.push_back(id);
    }
    constexpr ValueType number = ValueType::integer, words = ValueType::text;
    each_of(database,
            "select job, program_path, finding_title, problem from job_details where job in (@keys)", ids,
            std::vector{number, words, words, words}, [&](std::span<const Value> found) {
                JobRow& row = *by_id.at(std::get<std::int64_t>(found[0]));
                fetch(found[2], row.finding_title);
                if (texts == Texts::finding) return;
                fetch(found[1], row.program);
                fetch(found[3], row.problem);
            });
    if (texts == Texts::finding) return;
    each_of(database, "select job, path from logs where job in (@keys) order by tool desc, path", ids,
            std::vector{number, words}, [&](std::span<const Value> found) {
                JobRow& row = *by_id.at(std::get<std::int64_t>(found[0]));
                if (row.log.empty()) fetch(found[1], row.log);
            });
}

// So many are sorted in no time. More than that of a million jobs, and those to be shown are found soon where
// one looks at job after job in the order that is asked for.
constexpr Number few = 5000;

// Whether an index leads to at most `few` jobs, of which the wanted ones are a part.
bool are_few(Database& database, const Choice& choice)
{
    for (const Condition& one : choice.conditions) {
        if (one.indexed.empty()) continue;
        Choice together;
        for (const Condition& other : choice.conditions)
            if (other.indexed == one.indexed) together.conditions.push_back(other);
        Values values = together.values();
        values.emplace_back(few + 1);
        const Value count =
            database.one(fmt::format("select count(*) from (select 1 from jobs {} limit ?) as first_ones",
                                     together.where()),
                         values, ValueType::integer);
        if (std::get<std::int64_t>(count) <= few) return true;
    }
    return false;
}

// Those of the rest of a statement.
Values ids_of(Database& database, const Choice& choice, const std::string& by, const std::string& rest,
              std::size_t most, std::size_t skip)
{
    const Values values = choice.values();
    Values ids;
    const std::string sql = fmt::format("select id from jobs {} limit {} offset {}", rest, most, skip);
    const std::vector types{ValueType::integer};
    const auto take = [&](std::span<const Value> row) { ids.push_back(row[0]); };
    if (values.empty() && choice.of_few && has_index("user_name", by))  // the same plan for everybody
        database.each_again(sql, values, types, take);
    else
        database.each(sql, values, types, take);
    return ids;
}

// Whether an index has all jobs that are looked for, in this order: those of one user, say.
bool are_in_order(const Choice& choice, const std::string& by)
{
    std::string_view column;
    for (const Condition& one : choice.conditions) {
        if (one.indexed.empty() || one.indexed == by) continue;
        if (!column.empty() || one.sql != fmt::format("{} = ?", one.indexed)) return false;
        column = one.indexed;
    }
    return !column.empty() && has_index(column, by);
}

// The ids of the first jobs in this order, part by part.
Values ids_in_parts(Database& database, const Choice& choice, std::span<const ListPart> parts,
                    std::size_t most, std::size_t skip)
{
    const std::string where = choice.where(true);
    Values ids;
    for (const ListPart& part : parts) {
        if (ids.size() == most + skip) break;
        Values values = choice.values();
        values.emplace_back(static_cast<Number>(most + skip - ids.size()));
        database.each(fmt::format("select id from jobs {} {} {} {} limit ?", where,
                                  where.empty() ? "where" : "and", part.where, part.order),
                      values, std::vector{ValueType::integer},
                      [&](std::span<const Value> row) { ids.push_back(row[0]); });
    }
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(std::min(skip, ids.size())));
    return ids;
}

}  // namespace

std::string in_order(const RowOrder& order)
{
    return order_by(expression_of(order.column->name), order.descending);
}

std::vector<ListPart> parts_of(const RowOrder& order)
{
    const std::string by = expression_of(order.column->name);
    const std::string_view usual = usual_value_of(by);
    if (usual.empty()) return {{"", in_order(order)}};
    std::vector<ListPart> parts = {
        {fmt::format("{0} <> {1} and {0} < {1}", by, usual), in_order(order)},
        {fmt::format("{} = {}", by, usual), "order by id desc"},
        {fmt::format("{0} <> {1} and {0} > {1}", by, usual), in_order(order)},
    };
    if (order.descending) std::reverse(parts.begin(), parts.end());
    return parts;
}

ChosenRows rows_of(Database& database, const Choice& choice, const RowOrder& order, std::size_t most,
                   std::size_t skip, Texts texts)
{
    ChosenRows chosen;
    // An index may lead to the jobs, or have them in the order that is asked for: the latter is not used
    // where an expression is sorted by that no index has.
    const std::string by = expression_of(order.column->name);
    const bool sort = !choice.of_few && !are_in_order(choice, by) && are_few(database, choice);
    const std::string where = choice.where(!sort),
                      unindexed = order_by(fmt::format("coalesce({0}, {0})", by), order.descending);
    const std::string rest = fmt::format("{} {}", where, sort ? unindexed : in_order(order));
    constexpr std::size_t most_ids = 10'000;  // that are held here
    if (most < most_ids) {
        // Ids alone are sorted: where many jobs are equal, a database copies most rows while it looks. And
        // the rows of some ids are one of few questions.
        const auto parts = parts_of(order);
        const Values ids = parts.size() > 1 && !sort ? ids_in_parts(database, choice, parts, most + 1, skip)
                                                     : ids_of(database, choice, by, rest, most + 1, skip);
        std::map<Number, std::size_t> places;
        for (const Value& id : ids) places.emplace(std::get<std::int64_t>(id), places.size());
        chosen.rows.resize(ids.size());
        const TableWords& words = words_of(Job::table);
        each_of(database, select_from(words) + " where id in (@keys)", ids, types_of(words),
                [&](std::span<const Value> values) {
                    const auto job = row_of<Job>(values);
                    chosen.rows[places.at(job.id)] = row_of_job(job);
                });
        std::erase_if(chosen.rows, [](const JobRow& row) { return row.id == 0; });  // removed in between
    } else if (most < static_cast<std::size_t>(std::numeric_limits<Number>::max())) {
        Values values = choice.values();
        values.emplace_back(static_cast<Number>(most + 1));
        values.emplace_back(static_cast<Number>(skip));
        select<Job>(database,
                    fmt::format("where id in (select id from jobs {} limit ? offset ?) {}", rest, unindexed),
                    values, [&](const Job& job) { chosen.rows.push_back(row_of_job(job)); });
    } else {
        select<Job>(database, rest, choice.values(),
                    [&](const Job& job) { chosen.rows.push_back(row_of_job(job)); });
    }
    chosen.more = chosen.rows.size() > most;
    if (chosen.more) chosen.rows.pop_back();
    add_texts(database, chosen.rows, texts);
    return chosen;
}

std::vector<Number> ids_of(Database& database, const Choice& choice)
{
    std::vector<Number> ids;
    database.each("select id from jobs " + choice.where() + " order by id", choice.values(),
                  std::vector{ValueType::integer},
                  [&](std::span<const Value> row) { ids.push_back(std::get<std::int64_t>(row[0])); });
    return ids;
}

std::vector<std::string> logs_of(Database& database, Number id)
{
    std::vector<std::string> paths;
    database.each_again("select path from logs where job = ? order by tool desc, path", Values{id},
                        std::vector{ValueType::text},
                        [&](std::span<const Value> row) { paths.push_back(std::get<std::string>(row[0])); });
    return paths;
}

}  // namespace fathom::jobs
