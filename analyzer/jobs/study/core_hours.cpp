// What jobs of each size in core-hours move.
#include <array>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

using namespace report;

constexpr std::array<std::string_view, 6> core_hour_names = {"not known",  "(0,1K]",       "(1K,10K]",
                                                             "(10K,100K]", "(100K,1000K]", "(1000K,∞)"};
constexpr std::array<Number, 4> core_hour_bounds = {
    1'000 * milliseconds_an_hour, 10'000 * milliseconds_an_hour, 100'000 * milliseconds_an_hour,
    1'000'000 * milliseconds_an_hour};

// A job each: its core-milliseconds, what it moved, and whether its cores are those of the allocation. Runs
// of an allocation that accounting has no cores of are taken one by one: side by side or one after the other,
// they add up.
std::string core_hours_sql(const Site& site)
{
    const std::string own = "coalesce(jobs.processes, 0) * (coalesce(jobs.run_ns, 0) / 1000000)";
    return fmt::format(
        "select case when a.cores > 0 and a.end_ns > a.start_ns then a.cores * ((a.end_ns - "
        "a.start_ns) / 1000000) else j.own end as core_ms, j.bytes_read as bytes_read, "
        "j.bytes_written as bytes_written, case when a.cores > 0 and a.end_ns > a.start_ns then "
        "1 else 0 end as leased from (select allocation, {0} as own, {1} as bytes_read, {2} as "
        "bytes_written from @jobs where jobs.allocation is not null and {3} group by allocation) "
        "j left join allocations a on a.id = j.allocation union all select {4}, jobs.bytes_read, "
        "jobs.bytes_written, 0 from @jobs where jobs.allocation is null and {3}",
        sum_of(own), sum_of("jobs.bytes_read"), sum_of("jobs.bytes_written"), site.runs(), own);
}

Cell mean_gigabytes(std::uint64_t sum, std::uint64_t jobs)
{
    if (jobs == 0) return unknown(Measure::number);
    return number_cell(static_cast<double>(sum) / static_cast<double>(jobs) / gigabyte, 1);
}

}  // namespace

Blocks study_core_hours(Study& study)
{
    DataTable table{.id = "core_hours", .title = "Mean bytes a job by its core-hours"};
    table.columns = {{"core_hours", "core-hours", Measure::text},
                     {"jobs", "jobs", Measure::count},
                     {"read_gb", "read, GB", Measure::number},
                     {"written_gb", "written, GB", Measure::number}};
    std::uint64_t leased = 0, all = 0;
    study.site.each(
        "nnnnn",
        fmt::format("select c.class, count(*), {}, {}, {} from (select {} as class, bytes_read, "
                    "bytes_written, leased from ({}) x where bytes_read + bytes_written > {}) c "
                    "group by c.class order by c.class",
                    sum_of("bytes_read"), sum_of("bytes_written"), sum_of("leased"),
                    class_in_sql("core_ms", core_hour_bounds), core_hours_sql(study.site), trivial_bytes),
        [&](const AskedRow& row) {
            const std::uint64_t jobs = row.count(1);
            table.rows.push_back({text(core_hour_names.at(row.count(0))), count(jobs),
                                  mean_gigabytes(row.count(2), jobs), mean_gigabytes(row.count(3), jobs)});
            all += jobs;
            leased += row.count(4);
        });
    Blocks blocks;
    if (all == 0) {
        blocks.push_back(Paragraph{"No job here moved more than 200 MB."});
        return blocks;
    }
    blocks.push_back(Paragraph{
        fmt::format("{} moved more than 200 MB. Core-hours are the allocation's for {} of them, and "
                    "processes times run time for {}.",
                    counted(all, "job", "jobs"), format_count(leased), format_count(all - leased))});
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::jobs
