// A row is written by one statement, and only by its node: no transaction of several is needed.
#include "analyzer/running/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyzer/jobs/schema/table.h"

namespace fathom::running {
namespace {

using jobs::Number;
using jobs::RunningStep;
using jobs::Value;
using jobs::Values;
using watch::Amounts;
using watch::NodeRow;

constexpr std::string_view ten_minutes = "600000000000";  // ns
constexpr std::string_view written = "written_ns";
constexpr std::size_t most_rows = 100'000;

Number number(std::uint64_t value)
{
    return static_cast<Number>(value);
}
std::uint64_t amount(Number value)
{
    return static_cast<std::uint64_t>(std::max<Number>(value, 0));
}

RunningStep::Done done_of(const Amounts& amounts)
{
    return {number(amounts.read),       number(amounts.written),        number(amounts.reads),
            number(amounts.writes),     number(amounts.metadata_calls), number(amounts.read_time),
            number(amounts.write_time), number(amounts.metadata_time)};
}
Amounts amounts_of(const RunningStep::Done& done)
{
    return {amount(done.bytes_read), amount(done.bytes_written),  amount(done.reads),
            amount(done.writes),     amount(done.metadata_calls), amount(done.read_time),
            amount(done.write_time), amount(done.metadata_time)};
}

RunningStep step_of(const NodeRow& row, const std::string& node)
{
    RunningStep step;
    step.key = fmt::format("{}/{}/{}/{}", node, row.user, row.job, row.step);
    step.node = node;
    step.user = row.user;
    step.project = row.project;
    step.job = row.job;
    step.step = row.step;
    step.program = row.command;
    step.start = number(row.start);
    step.from = number(row.from);
    step.until = number(row.until);
    step.processes = number(row.processes);
    if (row.nodes > 0) step.nodes = number(row.nodes);
    step.all = done_of(row.all);
    step.lately = done_of(row.lately);
    return step;
}

NodeRow row_of(const RunningStep& step, Number now)
{
    NodeRow row;
    row.user = step.user;
    row.project = step.project;
    row.job = step.job;
    row.step = step.step;
    row.node = step.node;
    row.command = step.program;
    row.start = amount(step.start);
    row.from = amount(step.from);
    row.until = amount(step.until);
    row.processes = amount(step.processes);
    row.nodes = amount(step.nodes.value_or(0));
    row.all = amounts_of(step.all);
    row.lately = amounts_of(step.lately);
    row.age = static_cast<double>(amount(now - step.written)) / 1e9;
    return row;
}

// "insert into running_jobs (a, b, written_ns) values (?, ?, now) on conflict (row_key) do update set …"
std::string upsert(const jobs::Database& database)
{
    std::string names, places, changes;
    for (const jobs::ColumnWords& column : jobs::words_of(RunningStep::table).columns) {
        const char* const comma = names.empty() ? "" : ", ";
        names += comma + column.name;
        places += fmt::format("{}{}", comma, column.name == written ? database.dialect().now : "?");
        changes += fmt::format("{}{} = excluded.{}", comma, column.name, column.name);
    }
    return fmt::format("insert into {} ({}) values ({}) on conflict (row_key) do update set {}",
                       RunningStep::table, names, places, changes);
}

Values values_of(const RunningStep& step)
{
    Values all, values;
    jobs::append(step, all);
    const auto& columns = jobs::words_of(RunningStep::table).columns;
    for (std::size_t at = 0; at < all.size(); ++at)
        if (columns[at].name != written) values.push_back(std::move(all[at]));
    return values;
}

}  // namespace

void write_rows(jobs::Database& database, const std::string& node, const std::string& only_user,
                std::span<const NodeRow> rows)
{
    const std::string sql = upsert(database);
    Values keys{node};
    std::vector<std::string_view> places;
    for (const NodeRow& row : rows) {
        const RunningStep step = step_of(row, node);
        database.run(sql, values_of(step));
        keys.emplace_back(step.key);
        places.emplace_back("?");
    }
    std::string gone = fmt::format("delete from {} where node = ?", RunningStep::table);
    if (!places.empty()) gone += fmt::format(" and row_key not in ({})", fmt::join(places, ","));
    if (!only_user.empty()) {
        gone += " and user_name = ?";
        keys.emplace_back(only_user);
    }
    database.run(gone, keys);
    database.run(fmt::format("delete from {} where written_ns < {} - {}", RunningStep::table,
                             database.dialect().now, ten_minutes));
}

Told rows_told(jobs::Database& database, const std::string& job)
{
    Told told;
    const std::string_view clock = database.dialect().now;
    const Value now = database.one_again(fmt::format("select {}", clock), {}, jobs::ValueType::integer);
    const auto* const time = std::get_if<std::int64_t>(&now);
    const Number at = time == nullptr ? 0 : *time;
    told.now = amount(at);
    std::string which = fmt::format("where written_ns >= {} - {}", clock, ten_minutes);
    Values values;
    if (!job.empty()) {
        const std::size_t dot = job.rfind('.');
        which += " and (job = ?";
        values.emplace_back(job);
        if (dot != std::string::npos) {
            which += " or (job = ? and step = ?)";
            values.emplace_back(job.substr(0, dot));
            values.emplace_back(job.substr(dot + 1));
        }
        which += ")";
    }
    which += fmt::format(" order by user_name, job, step, node limit {}", most_rows);
    jobs::select_again<RunningStep>(database, which, values,
                                    [&](const RunningStep& step) { told.rows.push_back(row_of(step, at)); });
    return told;
}

}  // namespace fathom::running
