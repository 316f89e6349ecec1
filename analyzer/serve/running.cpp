// The columns are those of `fathom watch`.
#include "analyzer/serve/running.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/methods/rate.h"
#include "analyzer/running/store.h"
#include "analyzer/serve/address.h"
#include "analyzer/serve/clock.h"
#include "analyzer/watch/find.h"

namespace fathom::serve {
namespace {

using namespace report;

constexpr std::uint64_t between_looks = 2'000'000'000, longest_between = 60'000'000'000;  // ns

Cell age_cell(double age)
{
    return with_decimals(seconds(age), 0);
}
// How long it has run.
Cell length_cell(std::uint64_t start, std::uint64_t now)
{
    return with_decimals(seconds(now > start ? static_cast<double>(now - start) / 1e9 : 0), 0);
}

// The numbers of a row, behind those that say what it is.
void add_number_columns(DataTable& table)
{
    for (DataColumn& column : std::vector<DataColumn>{{"processes", "procs", Measure::count},
                                                      {"write_rate", "writes", Measure::rate},
                                                      {"read_rate", "reads", Measure::rate},
                                                      {"operations", "ops/s", Measure::number},
                                                      {"metadata", "meta/s", Measure::number},
                                                      {"io_share", "in I/O", Measure::share},
                                                      {"written", "written", Measure::bytes},
                                                      {"read", "read", Measure::bytes},
                                                      {"io_seconds", "time in I/O", Measure::seconds}})
        table.columns.push_back(std::move(column));
}

// `length`: s, of what was done lately; 0: nothing is known of it.
void add_numbers(std::vector<Cell>& cells, const watch::Row& row, double length)
{
    const bool known = length > 0;
    const auto a_second = [&](std::uint64_t amount) { return static_cast<double>(amount) / length; };
    const auto rate_cell = [&](std::uint64_t amount) {
        return known ? rate(a_second(amount) / mebibyte) : unknown(Measure::rate);
    };
    const auto often = [&](std::uint64_t amount) {
        return known ? with_decimals(number(a_second(amount)), 0) : unknown(Measure::number);
    };
    const auto processes = static_cast<double>(std::max<std::size_t>(row.processes, 1));
    for (Cell& cell :
         std::vector<Cell>{count(row.processes), rate_cell(row.lately.written), rate_cell(row.lately.read),
                           often(row.lately.reads + row.lately.writes), often(row.lately.metadata_calls),
                           known ? share(std::min(a_second(row.lately.io_time()) / 1e9 / processes, 1.0))
                                 : unknown(Measure::share),
                           bytes(row.all.written), bytes(row.all.read), nanoseconds(row.all.io_time())})
        cells.push_back(std::move(cell));
}

double seconds_between(const watch::Snapshot& before, const watch::Snapshot& now)
{
    return now.time > before.time ? static_cast<double>(now.time - before.time) / 1e9 : 0;
}

std::string nodes_words(const watch::Snapshot& now)
{
    const std::size_t at_work = watch::nodes_at_work(now);
    return now.job->nodes == 0 ? fmt::format("{}", at_work)
                               : fmt::format("{} of {}", at_work, std::max(now.job->nodes, at_work));
}

constexpr std::size_t most_running = 200;

}  // namespace

Section running_jobs(jobs::Database& database, std::set<std::string>& jobs)
{
    Section section{"running_jobs", "Running now", {}};
    const running::Told told = running::rows_told(database, {});
    std::map<std::pair<std::string, std::string>, std::vector<watch::NodeRow>> by_job;
    for (const watch::NodeRow& row : told.rows) by_job[{row.job, row.user}].push_back(row);
    struct One {
        std::uint64_t start;
        std::vector<Cell> cells;
        std::string link;
    };
    std::vector<One> all;
    for (const auto& [key, rows] : by_job) {
        const watch::Looks looks = watch::looks_of(rows, told.now, {.id = key.first, .user = key.second});
        const watch::Row sum = watch::sum_of(looks.before, looks.now);
        if (!sum.running) continue;
        jobs.insert(key.first);
        double oldest = 0;
        std::uint64_t start = ~std::uint64_t{0};
        std::string program;
        std::uint64_t most = 0;
        for (const watch::NodeRow& row : rows) {
            if (row.processes > 0) oldest = std::max(oldest, row.age);
            start = std::min(start, row.start);
            if (program.empty() || row.all.io_time() > most) program = row.command;
            most = std::max(most, row.all.io_time());
        }
        One one{start,
                {text(key.first), text(program), text(key.second), length_cell(start, told.now),
                 text(nodes_words(looks.now)), age_cell(oldest)},
                {}};
        add_numbers(one.cells, sum, seconds_between(looks.before, looks.now));
        one.link = address_of("/running", {{"job", key.first}, {"user", key.second}});
        all.push_back(std::move(one));
    }
    if (all.empty()) return section;
    std::ranges::stable_sort(all, std::greater(), &One::start);
    DataTable table{.id = "running_jobs"};
    table.columns = {{"running_job", "job"}, {"program", "program"},
                     {"user", "user"},       {"run_seconds", "for", Measure::seconds},
                     {"nodes", "nodes"},     {"age", "age", Measure::seconds}};
    add_number_columns(table);
    const std::size_t count = all.size();
    all.resize(std::min(all.size(), most_running));
    for (One& one : all) {
        table.rows.push_back(std::move(one.cells));
        table.links.push_back(std::move(one.link));
    }
    table.remark = fmt::format(
        "{}, as monitors on their nodes report them. Nodes: those with news, of those that the job has; age: "
        "of the oldest row; rates: of each node's last interval.",
        count > most_running ? fmt::format("The last {} of {} jobs", most_running, format_count(count))
                             : counted(count, "job", "jobs"));
    section.blocks.push_back(std::move(table));
    return section;
}

std::optional<Document> running_job(jobs::Database& database, const std::string& job, const std::string& user)
{
    running::Told told = running::rows_told(database, job);
    std::erase_if(told.rows, [&](const watch::NodeRow& row) { return !user.empty() && row.user != user; });
    if (told.rows.empty()) return {};
    const std::string whose = told.rows.front().user;
    std::erase_if(told.rows, [&](const watch::NodeRow& row) { return row.user != whose; });
    const watch::Looks looks = watch::looks_of(told.rows, told.now, {.id = job, .user = whose});
    const double length = seconds_between(looks.before, looks.now);
    Document document;
    document.title = fmt::format("Job {}, while it runs", job);
    const watch::Row sum = watch::sum_of(looks.before, looks.now);
    document.subtitle =
        fmt::format("of {}; {}; {}", whose,
                    sum.running ? nodes_words(looks.now) + (looks.now.job->nodes == 1 ? " node" : " nodes")
                                : "it has ended",
                    format_instant(told.now));
    DataTable table{.id = "running_nodes"};
    table.columns = {{"node", "node"},
                     {"step", "step"},
                     {"program", "program"},
                     {"run_seconds", "for", Measure::seconds},
                     {"age", "age", Measure::seconds},
                     {"state", "state"}};
    add_number_columns(table);
    const auto add = [&](std::vector<Cell> cells, const watch::Row& row, double seconds_known) {
        add_numbers(cells, row, seconds_known);
        table.rows.push_back(std::move(cells));
    };
    if (looks.now.recordings.size() > 1)
        add({text("all"), text(""), text(""), unknown(Measure::seconds), unknown(Measure::seconds), text("")},
            sum, length);
    const std::vector<watch::Row> rows = watch::rows_of(looks.before, looks.now, watch::View::recordings);
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const watch::Recording& one = looks.now.recordings[at];
        const bool current = one.running && !one.silent;
        add({text(one.node), text(one.step), text(one.command), length_cell(one.start, told.now),
             age_cell(one.age),
             text(!one.running ? "ended"
                  : one.silent ? "no news"
                               : "runs")},
            rows[at], current ? length : 0);
    }
    table.remark = fmt::format(
        "A row a node and step, as its monitor reported it; age: how long ago. Rates are of the last {}. A "
        "node without news has none, and its sums are those of then.",
        length > 0 ? format_seconds(length) : "interval");
    document.sections.push_back({"running", "Nodes", {std::move(table)}});
    return document;
}

Section Running::section(const std::set<std::string>& but)
{
    const std::lock_guard lock(mutex_);
    if (static_cast<std::uint64_t>(unix_now()) - now_.time > between_looks) {
        before_ = std::move(now_);
        now_ = watch::look(watch::spools_in_use());
        if (now_.time - before_.time > longest_between) before_ = now_;
    }
    Section section{"running", "Running on this node", {}};
    DataTable table{.id = "running"};
    table.columns = {{"name", "program"}, {"start", "start", Measure::instant}};
    add_number_columns(table);
    const double length = seconds_between(before_, now_);
    for (const watch::Recording& recording : now_.recordings) {
        if (!recording.job.empty() && but.contains(recording.job)) continue;
        const watch::Snapshot own{now_.time, {recording}};
        const watch::Row row = watch::rows_of(before_, own, watch::View::recordings).front();
        std::vector<Cell> cells{text(row.name), instant(recording.start)};
        add_numbers(cells, row, length);
        table.rows.push_back(std::move(cells));
    }
    if (table.rows.empty()) return section;
    table.remark = fmt::format(
        "Your programs under `fathom record` on this node, {}{}. `fathom watch` shows more.",
        format_instant(now_.time), length > 0 ? fmt::format(", the last {}", format_seconds(length)) : "");
    section.blocks.push_back(std::move(table));
    return section;
}

}  // namespace fathom::serve
