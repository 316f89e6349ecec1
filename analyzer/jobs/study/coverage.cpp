// What of a site is in the database: jobs of the batch system with a log and without, and the APIs of those
// with one.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"
#include "logformat/log/words.h"

namespace fathom::jobs {
namespace {

using namespace report;

// In the order of Carns et al.; N is ours.
struct Api {
    std::string_view letter, column;
};
constexpr std::array<Api, 5> apis = {
    {{"H", "hdf5"}, {"N", "pnetcdf"}, {"M", "mpiio"}, {"S", "stdio"}, {"P", "posix"}}};

struct Covered {
    std::uint64_t jobs = 0, with_log = 0, without_cores = 0;
    Number time = 0, time_with_log = 0;  // cores times milliseconds

    void add(const Covered& other)
    {
        jobs += other.jobs;
        with_log += other.with_log;
        without_cores += other.without_cores;
        time += other.time;
        time_with_log += other.time_with_log;
    }
};

struct Accounted {
    std::map<std::string, Covered> groups;
    Covered all;
};

// Accounting knows projects and users, and no programs.
By by_of_accounts(const Site& site)
{
    return site.choice().by == By::user ? By::user : By::project;
}

// An allocation is of the project that all its runs are of, which rules of the site may have named; else of
// the account that it was charged to.
Accounted accounted_of(Site& site)
{
    const std::string name = by_of_accounts(site) == By::user
                                 ? "a.user_name"
                                 : "case when j.projects = 1 then j.project else a.account end";
    const std::string time(allocated_time);
    const std::string logged = "case when j.allocation is null then 0 else ";
    Accounted accounted;
    site.each(
        "tnnnnn",
        fmt::format(
            "select {0}, count(*), {1}, {2}, {3}, {4} from allocations a left join (select allocation, "
            "count(distinct project) as projects, max(project) as project from jobs where recorded = 1 and "
            "allocation is not null group by allocation) j on j.allocation = a.id where {5} group by {0}",
            name, sum_of(logged + "1 end"), sum_of("case when a.cores > 0 then 0 else 1 end"), sum_of(time),
            sum_of(logged + time + " end"), site.allocations()),
        [&](const AskedRow& row) {
            const Covered one{row.count(1), row.count(2), row.count(3), row.number(4), row.number(5)};
            accounted.groups[row.text(0)].add(one);
            accounted.all.add(one);
        });
    return accounted;
}

// "H,M,S,P", by group.
std::map<std::string, std::string> letters_of(Site& site, By by)
{
    std::string sums;
    for (const Api& api : apis) sums += fmt::format(", {}", sum_of(api.column));
    std::map<std::string, std::string> letters;
    site.each(
        "tnnnnn",
        fmt::format("select {0}{1} from @jobs where {2} group by {0}", Site::column(by), sums, site.runs()),
        [&](const AskedRow& row) {
            std::string& all = letters[row.text(0)];
            for (std::size_t at = 0; at < apis.size(); ++at)
                if (row.number(at + 1) > 0) add_to_list(all, apis[at].letter, ",");
        });
    return letters;
}

Blocks without_accounting(Site& site)
{
    Blocks blocks;
    const bool of_another_time = site.any("select 1 from allocations");
    blocks.push_back(Note{
        Weight::information,
        of_another_time ? "The batch system's accounting in this database has no job of this time."
                        : "This database has no accounting of the batch system, so coverage is not known: "
                          "`fathom jobs add` takes what sacct prints."});
    const auto letters = letters_of(site, site.choice().by);
    DataTable table{.id = "apis", .title = fmt::format("APIs by {}", site.word())};
    table.columns = {{"name", std::string(site.word()), Measure::text},
                     {"runs", "runs with a log", Measure::count},
                     {"apis", "APIs", Measure::text}};
    for (const Group& group : site.shown())
        table.rows.push_back({text(site.label(group.name)), count(group.runs), text(letters.at(group.name))});
    if (!table.rows.empty()) blocks.push_back(std::move(table));
    return blocks;
}

Paragraph lead_of(const Covered& all)
{
    const auto part = [](double some, double whole) { return format_share(some / whole); };
    std::string words =
        fmt::format("{} of {} ({}) have a log", format_count(all.with_log), counted(all.jobs, "job", "jobs"),
                    part(static_cast<double>(all.with_log), static_cast<double>(all.jobs)));
    if (all.time > 0) {
        const HourWords hours(hours_of(all.time));
        words += fmt::format(", with {}{} of {}{} core-hours ({})", hours.number(hours_of(all.time_with_log)),
                             hours.unit(), hours.number(hours_of(all.time)), hours.unit(),
                             part(static_cast<double>(all.time_with_log), static_cast<double>(all.time)));
    }
    return {words + "."};
}

struct CoverageRow {
    std::string name;
    Covered covered;
    std::string apis;
};

DataTable for_people(const std::vector<CoverageRow>& rows, const HourWords& hours, std::string_view word)
{
    DataTable table{.id = "coverage", .title = fmt::format("Coverage by {}", word)};
    table.columns = {{"name", std::string(word), Measure::text},
                     {"jobs", "jobs", Measure::text},
                     {"core_hours", "core-hours", Measure::text},
                     {"share", "of core-hours", Measure::share},
                     {"apis", "APIs", Measure::text}};
    for (const CoverageRow& row : rows)
        table.rows.push_back(
            {text(row.name), text(fmt::format("{}/{}", row.covered.with_log, row.covered.jobs)),
             text(fmt::format("{}/{}{}", hours.number(hours_of(row.covered.time_with_log)),
                              hours.number(hours_of(row.covered.time)), hours.unit())),
             share_of(static_cast<double>(row.covered.time_with_log), static_cast<double>(row.covered.time)),
             text(row.apis)});
    table.remark = "Jobs and core-hours: those with a log / all.";
    return table;
}

DataTable for_programs(const std::vector<CoverageRow>& rows)
{
    DataTable table{.id = "coverage_numbers", .title = "The same as numbers", .for_programs = true};
    table.columns = {{"name", "name", Measure::text},
                     {"jobs_with_log", "jobs with a log", Measure::count},
                     {"jobs", "jobs", Measure::count},
                     {"core_hours_with_log", "core-hours with a log", Measure::number},
                     {"core_hours", "core-hours", Measure::number}};
    for (const CoverageRow& row : rows)
        table.rows.push_back({text(row.name), count(row.covered.with_log), count(row.covered.jobs),
                              number(hours_of(row.covered.time_with_log)),
                              number(hours_of(row.covered.time))});
    return table;
}

// All groups; last the projects of runs of another time, which rules of the site named.
std::vector<std::string> names_of(const Groups& groups, const Accounted& accounted)
{
    std::vector<std::string> names;
    for (const Group& group : groups.groups) names.push_back(group.name);
    for (const auto& [name, covered] : accounted.groups)
        if (!groups.place.contains(name)) names.push_back(name);
    return names;
}

// Those with most bytes, and all others together.
std::vector<CoverageRow> rows_of(Site& site, const Accounted& accounted)
{
    const By by = by_of_accounts(site);
    const auto letters = letters_of(site, by);
    std::vector<CoverageRow> rows;
    Covered others;
    std::size_t hidden = 0;
    for (const std::string& name : names_of(site.groups(by), accounted)) {
        const auto covered = accounted.groups.find(name);
        const Covered one = covered == accounted.groups.end() ? Covered() : covered->second;
        if (rows.size() < site.choice().top) {
            const auto used = letters.find(name);
            rows.push_back({site.label(by, name), one, used == letters.end() ? "" : used->second});
        } else {
            others.add(one);
            ++hidden;
        }
    }
    if (hidden > 0) rows.push_back({fmt::format("{} others", format_count(hidden)), others, ""});
    return rows;
}

void add_doubts(Site& site, const Accounted& accounted, Blocks& blocks)
{
    if (accounted.all.without_cores > 0)
        blocks.push_back(
            Note{Weight::information,
                 fmt::format("Accounting does not say the cores of {}: they count as no core-hours.",
                             counted(accounted.all.without_cores, "job", "jobs"))});
    site.each("n", "select count(*) from @jobs where jobs.allocation is null and " + site.runs(),
              [&](const AskedRow& row) {
                  if (row.number(0) > 0)
                      blocks.push_back(Note{Weight::information,
                                            fmt::format("{} with a log belong to no job of the accounting.",
                                                        counted(row.count(0), "run", "runs"))});
              });
}

}  // namespace

Blocks study_coverage(Study& study)
{
    Site& site = study.site;
    Blocks blocks;
    if (!site.any("select 1 from @jobs where " + site.runs()))
        blocks.push_back(
            Paragraph{site.choice().since || site.choice().before
                          ? "There is no run with a log in this time."
                          : "There is no run with a log in this database; `fathom jobs add` brings some."});
    const Accounted accounted = accounted_of(site);
    if (accounted.all.jobs == 0) {
        Blocks rest = without_accounting(site);
        blocks.insert(blocks.end(), std::make_move_iterator(rest.begin()),
                      std::make_move_iterator(rest.end()));
        return blocks;
    }
    blocks.push_back(lead_of(accounted.all));
    const std::vector<CoverageRow> rows = rows_of(site, accounted);
    Number largest = 0;
    for (const CoverageRow& row : rows) largest = std::max(largest, row.covered.time);
    blocks.push_back(for_people(rows, HourWords(hours_of(largest)), Site::word(by_of_accounts(site))));
    blocks.push_back(for_programs(rows));
    add_doubts(site, accounted, blocks);
    return blocks;
}

}  // namespace fathom::jobs
