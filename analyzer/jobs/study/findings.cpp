// What findings cost a site, and whose repair would give back most.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

using namespace report;

// Milliseconds of all processes; a run of some hours on all of a machine goes well into 64 bits.
constexpr std::string_view run_cost =
    "coalesce(jobs.processes, 0) * (coalesce(jobs.finding_cost_ns, 0) / 1000000)";

// "small_requests" -> "small requests"
std::string rule_words(std::string rule)
{
    std::replace(rule.begin(), rule.end(), '_', ' ');
    return printable(rule);
}

// Printed like a count, with three digits at least: from seconds to millions of hours.
Cell hours_cell(Number milliseconds)
{
    return {Measure::count, hours_of(milliseconds)};
}

// Processes times run time of all runs.
Number hours_run(Site& site)
{
    Number all = 0;
    site.each("n",
              fmt::format("select {} from @jobs where {}",
                          sum_of("coalesce(jobs.processes, 0) * (coalesce(jobs.run_ns, 0) / 1000000)"),
                          site.runs()),
              [&](const AskedRow& row) { all = row.number(0); });
    return all;
}

struct LostBy {
    std::string rule;
    std::uint64_t runs = 0;
    Number core_time = 0, node_time = 0;
    std::uint64_t unknown_cost = 0, unknown_nodes = 0;
};

std::vector<LostBy> lost_by_rule(Site& site)
{
    std::vector<LostBy> lost;
    const std::string cost = "(coalesce(f.cost_ns, 0) / 1000000)";
    site.each(
        "tnnnnn",
        fmt::format(
            "select f.finding, count(distinct f.job), {}, {}, {}, {} from job_findings f join @jobs on "
            "jobs.id = f.job where {} group by f.finding",
            sum_of("coalesce(jobs.processes, 0) * " + cost), sum_of("coalesce(jobs.nodes, 0) * " + cost),
            sum_of("case when f.cost_ns is null then 1 else 0 end"),
            sum_of("case when coalesce(jobs.nodes, 0) = 0 then 1 else 0 end"), site.runs()),
        [&](const AskedRow& row) {
            lost.push_back(
                {row.text(0), row.count(1), row.number(2), row.number(3), row.count(4), row.count(5)});
        });
    std::sort(lost.begin(), lost.end(), [](const LostBy& a, const LostBy& b) {
        return std::tuple(-a.core_time, b.runs, a.rule) < std::tuple(-b.core_time, a.runs, b.rule);
    });
    return lost;
}

// ---- runs ----

struct Repair {
    Number core_time = 0, cost = 0, processes = 0, start = 0;
    std::string program, user, finding, job, step;
    Known run;

    auto order() const
    {
        return std::tuple(-core_time, -cost, processes, start, program, user, finding, job, step, run);
    }
    bool operator<(const Repair& other) const { return order() < other.order(); }
};

// The cost that so many runs have or exceed; 1 where there are fewer.
Number least_cost(Site& site, std::size_t top)
{
    Number least = 1;
    site.each(
        "n",
        fmt::format("select {0} from @jobs where jobs.finding_cost_ns > 0 and {1} order by 1 desc limit "
                    "1 offset {2}",
                    run_cost, site.runs(), top - 1),
        [&](const AskedRow& row) { least = std::max<Number>(row.number(0), 1); });
    return least;
}

std::multiset<Repair> largest_repairs(Site& site)
{
    const std::size_t top = std::max<std::size_t>(site.choice().top, 1);
    std::multiset<Repair> repairs;
    site.each_run(
        "nnnntttttn",
        fmt::format("{}, jobs.finding_cost_ns, jobs.processes, jobs.start_ns, jobs.program, jobs.user_name, "
                    "jobs.finding, jobs.job, jobs.step, jobs.run_ns",
                    run_cost),
        fmt::format("{} >= {} and {}", run_cost, least_cost(site, top), site.runs()),
        [&](const AskedRow& row) {
            repairs.insert({row.number(0), row.number(1), row.number(2), row.number(3), row.text(4),
                            row.text(5), row.text(6), row.text(7), row.text(8), row.known(9)});
            if (repairs.size() > top) repairs.erase(std::prev(repairs.end()));
        });
    return repairs;
}

DataTable table_of_repairs(Site& site)
{
    DataTable table{.id = "repair_runs", .title = "Runs whose repair would give back most"};
    const bool names = !site.choice().anonymize;
    if (names) table.columns.push_back({"job", "job", Measure::text});
    for (const DataColumn& column : {DataColumn{"program", "program", Measure::text},
                                     {"user", "user", Measure::text},
                                     {"processes", "processes", Measure::count},
                                     {"run_time", "run time", Measure::seconds},
                                     {"cost", "cost", Measure::seconds},
                                     {"core_hours", "core-hours", Measure::number},
                                     {"finding", "finding", Measure::text}})
        table.columns.push_back(column);
    for (const Repair& one : largest_repairs(site)) {
        auto& cells = table.rows.emplace_back();
        if (names) cells.push_back(one.job.empty() ? unknown() : text(one.job));
        cells.push_back(text(site.label(By::program, one.program)));
        cells.push_back(text(site.label(By::user, one.user)));
        cells.push_back(count(static_cast<std::uint64_t>(one.processes)));
        cells.push_back(one.run ? nanoseconds(static_cast<std::uint64_t>(std::max<Number>(*one.run, 0)))
                                : unknown(Measure::seconds));
        cells.push_back(nanoseconds(static_cast<std::uint64_t>(one.cost)));
        cells.push_back(hours_cell(one.core_time));
        cells.push_back(text(rule_words(one.finding)));
    }
    return table;
}

// ---- programs ----

struct ProgramRepair {
    std::string name;
    std::uint64_t runs = 0;
    Number core_time = 0, worst_time = -1;
    std::string worst;
};

std::vector<ProgramRepair> program_repairs(Site& site)
{
    std::map<std::string, ProgramRepair> programs;
    site.each("ttnn",
              fmt::format("select jobs.program, jobs.finding, count(*), {} from @jobs where "
                          "jobs.finding_cost_ns > 0 and {} group by jobs.program, jobs.finding",
                          sum_of(run_cost), site.runs()),
              [&](const AskedRow& row) {
                  ProgramRepair& one = programs[row.text(0)];
                  one.name = row.text(0);
                  one.runs += row.count(2);
                  one.core_time += row.number(3);
                  const std::string finding = row.text(1);
                  if (std::tuple(-row.number(3), finding) < std::tuple(-one.worst_time, one.worst)) {
                      one.worst_time = row.number(3);
                      one.worst = finding;
                  }
              });
    std::vector<ProgramRepair> all;
    for (auto& [name, one] : programs) all.push_back(std::move(one));
    std::sort(all.begin(), all.end(), [](const ProgramRepair& a, const ProgramRepair& b) {
        return std::tuple(-a.core_time, b.runs, a.name) < std::tuple(-b.core_time, a.runs, b.name);
    });
    all.resize(std::min(all.size(), site.choice().top));
    return all;
}

}  // namespace

Blocks study_findings(Study& study)
{
    const Number all = hours_run(study.site);
    DataTable table{.id = "findings", .title = "Hours lost by finding"};
    table.columns = {{"finding", "finding", Measure::text},
                     {"runs", "runs", Measure::count},
                     {"core_hours", "core-hours lost", Measure::number},
                     {"share", "of all core-hours", Measure::share},
                     {"node_hours", "node-hours lost", Measure::number}};
    std::uint64_t unknown_cost = 0, unknown_nodes = 0;
    for (const LostBy& one : lost_by_rule(study.site)) {
        table.rows.push_back({text(rule_words(one.rule)), count(one.runs), hours_cell(one.core_time),
                              share_of(static_cast<double>(one.core_time), static_cast<double>(all)),
                              hours_cell(one.node_time)});
        unknown_cost += one.unknown_cost;
        unknown_nodes += one.unknown_nodes;
    }
    if (unknown_cost > 0)
        table.remark = fmt::format("{} without a known cost: they add nothing. ",
                                   counted(unknown_cost, "finding is", "findings are"));
    if (unknown_nodes > 0)
        table.remark += fmt::format("{} of runs whose nodes are not known: they add no node-hours.",
                                    counted(unknown_nodes, "finding is", "findings are"));
    Blocks blocks;
    blocks.push_back(Paragraph{fmt::format("All runs here had {} core-hours, processes times run time.",
                                           format_count(static_cast<std::uint64_t>(hours_of(all) + 0.5)))});
    blocks.push_back(std::move(table));
    return blocks;
}

Blocks study_repairs(Study& study)
{
    Site& site = study.site;
    DataTable programs{.id = "repair_programs", .title = "Programs whose repair would give back most"};
    programs.columns = {{"program", "program", Measure::text},
                        {"runs", "runs with a cost", Measure::count},
                        {"core_hours", "core-hours", Measure::number},
                        {"finding", "mostly by", Measure::text}};
    for (const ProgramRepair& one : program_repairs(site))
        programs.rows.push_back({text(site.label(By::program, one.name)), count(one.runs),
                                 hours_cell(one.core_time), text(rule_words(one.worst))});
    Blocks blocks;
    blocks.push_back(std::move(programs));
    blocks.push_back(table_of_repairs(site));
    return blocks;
}

}  // namespace fathom::jobs
