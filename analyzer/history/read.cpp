// Some thousands of rows at a time, so that a client of PostgreSQL never holds all.
#include "analyzer/history/read.h"

#include <fmt/format.h>

#include "analyzer/jobs/schema/table.h"

namespace fathom::history {
namespace {

constexpr std::string_view run_columns =
    "id, program, user_name, processes, files, bytes_read, bytes_written, start_ns, slowest_ns, run_ns";

std::vector<jobs::ValueType> run_types()
{
    using enum jobs::ValueType;
    return {integer, text, text, integer, integer, integer, integer, integer, integer, integer};
}

KindRun run_of(std::span<const jobs::Value> row)
{
    KindRun run;
    std::size_t at = 0;
    const auto take = [&](auto& member) { jobs::fetch(row[at++], member); };
    take(run.id);
    take(run.program);
    take(run.user);
    take(run.processes);
    take(run.files);
    take(run.bytes_read);
    take(run.bytes_written);
    take(run.start);
    take(run.io_time);
    take(run.run_time);
    return run;
}

void add_same(std::string_view column, const Known& value, jobs::Choice& choice)
{
    if (value)
        choice.add(fmt::format("{} = ?", column), {*value});
    else
        choice.add(fmt::format("{} is null", column));
}

void add_close(std::string_view column, Number bytes, double within, jobs::Choice& choice)
{
    if (within >= 1) return;
    const auto middle = static_cast<double>(bytes);
    // A byte more for what rounding does; the exact rule is looked at later.
    choice.add(fmt::format("{} between ? and ?", column),
               {static_cast<Number>(middle * (1 - within)) - 1,
                static_cast<Number>(std::min(middle / (1 - within) + 1, 9e18))});
}

}  // namespace

std::vector<KindRun> runs_in(jobs::Database& database, const jobs::Choice& choice)
{
    constexpr std::size_t at_once = 20000;
    std::vector<KindRun> runs;
    const std::string where = choice.where();
    const std::string sql =
        fmt::format("select {} from jobs {} recorded = 1 and start_ns > 0 and id > ? order by id limit {}",
                    run_columns, where.empty() ? "where" : where + " and", at_once);
    Number last = 0;
    for (std::size_t seen = at_once; seen == at_once;) {
        seen = 0;
        jobs::Values values = choice.values();
        values.emplace_back(last);
        database.each(sql, values, run_types(), [&](std::span<const jobs::Value> row) {
            runs.push_back(run_of(row));
            last = runs.back().id;
            ++seen;
        });
    }
    return runs;
}

std::optional<KindRun> run_in(jobs::Database& database, Number id)
{
    std::optional<KindRun> found;
    database.each_again(fmt::format("select {} from jobs where recorded = 1 and id = ?", run_columns),
                        jobs::Values{id}, run_types(),
                        [&](std::span<const jobs::Value> row) { found = run_of(row); });
    return found;
}

jobs::Choice choice_like(const KindRun& model, const Match& match)
{
    jobs::Choice choice;
    if (match.program) choice.add("program = ?", {model.program});
    if (match.user) choice.add("user_name = ?", {model.user});
    if (match.processes) add_same("processes", model.processes, choice);
    if (match.files) add_same("files", model.files, choice);
    if (match.bytes) {
        add_close("bytes_read", model.bytes_read, match.within, choice);
        add_close("bytes_written", model.bytes_written, match.within, choice);
    }
    return choice;
}

}  // namespace fathom::history
