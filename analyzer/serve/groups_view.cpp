// All programs, all users: a row each, made by the database.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/history/read.h"
#include "analyzer/history/report/report.h"
#include "analyzer/jobs/list/table.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/study/study.h"
#include "analyzer/serve/choose.h"
#include "analyzer/serve/routes.h"

namespace fathom::serve {
namespace {

using namespace report;
using jobs::Value;
using jobs::ValueType;

constexpr unsigned fresh_groups = 60, fresh_study = 300;  // s
constexpr std::size_t most_groups = 1000, most_runs = 5000, last_jobs = 20;
const std::string usual_span = "30 days ago";

struct Grouping {
    std::string_view column, id, heading, other_column, other_heading;
};
constexpr Grouping by_program{"program", "program", "program", "user_name", "users"},
    by_user{"user_name", "user", "user", "program", "programs"};

Cell amount(const Value& value, Measure measure)
{
    Number number = 0;
    jobs::fetch(value, number);
    const auto whole = static_cast<std::uint64_t>(std::max<Number>(number, 0));
    if (measure == Measure::bytes) return bytes(whole);
    if (measure == Measure::seconds) return nanoseconds(whole);
    if (measure == Measure::instant) return whole > 0 ? instant(whole) : unknown(Measure::instant);
    return count(whole);
}

// Sums of big numbers are numeric in PostgreSQL.
Document groups_document(jobs::Database& database, const Grouping& by, const TimeSpan& span)
{
    jobs::Choice choice = starts_in(span);
    choice.add("recorded = 1");
    DataTable table{.id = "groups"};
    table.columns = {{std::string(by.id), std::string(by.heading)},
                     {"runs", "runs", Measure::count},
                     {"others", std::string(by.other_heading), Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"io_seconds", "time in I/O of the slowest rank", Measure::seconds},
                     {"with_finding", "runs with a finding", Measure::count},
                     {"cost", "cost of the costliest findings", Measure::seconds},
                     {"last", "last run", Measure::instant}};
    const std::string sql = fmt::format(
        "select {0}, count(*), count(distinct {1}), cast(sum(bytes_read) as bigint), cast(sum(bytes_written) "
        "as bigint), "
        "cast(coalesce(sum(slowest_ns), 0) as bigint), cast(sum(case when findings > 0 then 1 else 0 end) as "
        "bigint), "
        "cast(coalesce(sum(finding_cost_ns), 0) as bigint), max(start_ns) from jobs {2} group by {0} "
        "order by sum(bytes_read) + sum(bytes_written) desc, {0} limit {3}",
        by.column, by.other_column, choice.where(), most_groups + 1);
    std::vector<ValueType> types(9, ValueType::integer);
    types[0] = ValueType::text;
    bool more = false;
    database.each(sql, choice.values(), types, [&](std::span<const Value> row) {
        if (table.rows.size() == most_groups) {
            more = true;
            return;
        }
        std::vector<Cell>& cells = table.rows.emplace_back();
        std::string name;
        jobs::fetch(row[0], name);
        cells.push_back(name.empty() ? unknown() : text(name));
        for (std::size_t at = 1; at < row.size(); ++at)
            cells.push_back(amount(row[at], table.columns[at].measure));
    });
    table.remark = fmt::format("In the order of bytes, the most first.{}",
                               more ? fmt::format(" The first {}.", format_count(most_groups)) : "");
    Document document;
    document.subtitle = span.words;
    if (table.rows.empty())
        document.sections.push_back({"groups", "None", {Paragraph{"No job with a log began then."}}});
    else
        document.sections.push_back({"groups", "By bytes", {std::move(table)}});
    return document;
}

View groups_view(const Asked& asked, Form form, const Grouping& by, const char* title)
{
    const TimeSpan span = span_in(asked, usual_span);
    View view;
    view.with_span = true;
    view.document = slow_document(asked, by.column, fresh_groups, reach_of(asked.viewer),
                                  [&by, span](Sessions& sessions, const Viewer& viewer) {
                                      return groups_document(sessions.of(viewer, Scope::own), by, span);
                                  });
    view.document.title = title;
    if (form == Form::csv) view.csv = csv_of_table(view.document);
    return view;
}

std::string name_in(const Asked& asked)
{
    const std::string name = asked.request.parameter("name");
    if (name.empty()) throw BadAddress("name: say whose, as in ?name=…");
    return name;
}

// Runs of one program or user, the last ones of very many. Throws NotThere where there are none at all.
struct Runs {
    jobs::Choice choice;
    bool all = true;
};
Runs last_runs(const Asked& asked, std::string_view column, const std::string& name, const TimeSpan& span)
{
    jobs::Database& database = asked.database();
    const auto one_of = [&](const jobs::Choice& choice, std::string_view rest) {
        jobs::Known start;
        jobs::fetch(database.one(fmt::format("select start_ns from jobs {} {}", choice.where(), rest),
                                 choice.values(), ValueType::integer),
                    start);
        return start;
    };
    jobs::Choice of_name;
    of_name.add(fmt::format("{} = ?", column), {name});
    if (!one_of(of_name, "limit 1")) throw NotThere();
    Runs runs{starts_in(span), true};
    runs.choice.conditions.insert(runs.choice.conditions.begin(), of_name.conditions.front());
    runs.choice.add("recorded = 1");
    // An index alone tells that there are few; of those that an index says to be many, rows are looked at.
    jobs::Values values = of_name.values();
    values.emplace_back(static_cast<Number>(most_runs));
    if (database
            .one(fmt::format("select 1 from jobs {} limit 1 offset ?", of_name.where()), values,
                 ValueType::integer)
            .index() == 0)
        return runs;
    if (const jobs::Known first =
            one_of(runs.choice, fmt::format("order by start_ns desc limit 1 offset {}", most_runs))) {
        runs.choice.add("start_ns > ?", {*first});
        runs.all = false;
    }
    return runs;
}

void add_jobs(jobs::Database& database, const jobs::Choice& choice, Document& document)
{
    const RowOrder order = parse_order("date:desc");
    const auto columns = jobs::parse_columns("", jobs::Room::page);
    const jobs::ChosenRows rows = jobs::rows_of(database, choice, order, last_jobs, 0, jobs::Texts::finding);
    if (rows.rows.empty()) return;
    Document list = jobs::list_document(rows, order, columns, false, "");
    std::get<DataTable>(list.sections.front().blocks.front()).remark = "The last ones.";
    list.sections.front().title = "Last jobs";
    document.sections.push_back(std::move(list.sections.front()));
}

void say_limit(const Runs& runs, Document& document)
{
    if (!runs.all)
        document.sections.front().blocks.push_back(Note{
            Weight::information,
            fmt::format(
                "Of very many runs the last {} are looked at: choose a stretch of time for earlier ones.",
                format_count(most_runs))});
}

}  // namespace

View programs_view(const Asked& asked, Form form)
{
    return groups_view(asked, form, by_program, "Programs");
}

View users_view(const Asked& asked, Form form)
{
    return groups_view(asked, form, by_user, "Users");
}

View program_view(const Asked& asked, Form)
{
    const std::string name = name_in(asked);
    const TimeSpan span = span_in(asked, "");
    const Runs runs = last_runs(asked, "program", name, span);
    View view;
    view.with_span = true;
    view.document = slow_document(
        asked, "program", fresh_groups, Reach::some_jobs,
        [name, span, runs](Sessions& sessions, const Viewer& viewer) {
            jobs::Database& database = sessions.of(viewer, Scope::own);
            Document document;
            std::vector<history::KindRun> all = history::runs_in(database, runs.choice);
            if (all.empty()) {
                document.subtitle = span.words;
                document.sections.push_back(
                    {"summary", "In short", {Paragraph{"No run of it with a log began then."}}});
            } else {
                history::HistoryChoice choice;
                choice.only = runs.choice;
                std::vector<history::Kind> kinds = history::kinds_of(std::move(all), choice.match);
                // The kind that ran most often, its newest run.
                std::ranges::stable_sort(
                    kinds, [](const auto& a, const auto& b) { return a.runs.size() > b.runs.size(); });
                const history::KindRun newest = kinds.front().newest();
                kinds.erase(kinds.begin());
                document = history::report_on(database, newest, std::move(kinds), choice).document;
                say_limit(runs, document);
            }
            add_jobs(database, runs.choice, document);
            return document;
        });
    view.document.title = name;
    return view;
}

View user_view(const Asked& asked, Form)
{
    const std::string name = name_in(asked);
    const TimeSpan span = span_in(asked, "");
    const Runs runs = last_runs(asked, "user_name", name, span);
    View view;
    view.with_span = true;
    view.document = slow_document(
        asked, "user", fresh_groups, Reach::some_jobs, [runs](Sessions& sessions, const Viewer& viewer) {
            jobs::Database& database = sessions.of(viewer, Scope::own);
            history::HistoryChoice choice;
            choice.only = runs.choice;
            Document document = history::report_on_all(database, choice, {}).document;
            say_limit(runs, document);
            add_jobs(database, runs.choice, document);
            return document;
        });
    view.document.title = name;
    return view;
}

View site_view(const Asked& asked, Form)
{
    const TimeSpan span = span_in(asked, usual_span);
    jobs::StudyChoice choice;
    choice.since = span.since;
    choice.before = span.before;
    const std::string by = asked.request.parameter("by");
    if (by != "" && by != "project" && by != "user" && by != "program")
        throw BadAddress(fmt::format("by {}: say project, user or program", by));
    choice.by = by == "user" ? jobs::By::user : by == "program" ? jobs::By::program : jobs::By::project;
    View view;
    view.with_span = true;
    view.document = slow_document(asked, "site", fresh_study, reach_of(asked.viewer),
                                  [choice](Sessions& sessions, const Viewer& viewer) {
                                      return jobs::make_study(sessions.of(viewer, Scope::own), choice, {});
                                  });
    view.document.subtitle = fmt::format("{}; {}", span.words, view.document.subtitle);
    return view;
}

}  // namespace fathom::serve
