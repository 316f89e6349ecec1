// One project's large runs, from the fastest to the slowest.
#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/large_jobs.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

using namespace report;

constexpr std::size_t least_for_a_spread = 4;

// Which runs: those of the project that was named, or of the group whose rates spread most.
struct Chosen {
    By by = By::project;
    std::string name{};
    bool named = false;
    double spread = -1;
};

Chosen chosen_group(Study& study)
{
    const StudyChoice& choice = study.site.choice();
    if (!choice.project.empty()) return {By::project, choice.project, true, 0};
    Chosen widest{.by = choice.by};
    for (const Group& group : study.site.groups().groups) {
        const auto found = study.large_jobs().groups.find(group.name);
        if (found == study.large_jobs().groups.end() || !found->second.rates) continue;
        const FiveNumbers& rates = *found->second.rates;
        const double spread = rates.values < least_for_a_spread ? 0 : rates.spread();
        if (spread > widest.spread) {
            widest.spread = spread;
            widest.name = group.name;
        }
    }
    return widest;
}

struct RatedRun {
    double rate = 0;
    Number bytes = 0, processes = 0, start = 0;
    std::string program, job, step;
    Known key_size;
    std::string key_direction;
    Number reads = 0, writes = 0, metadata = 0;

    // Runs that are equal in all that is shown are alike in the document too.
    auto order() const
    {
        return std::tuple(-rate, -bytes, -processes, start, program, job, step, key_size, key_direction,
                          reads, writes, metadata);
    }
};

std::vector<RatedRun> rated_runs(Site& site, const Chosen& chosen)
{
    std::vector<RatedRun> runs;
    site.each_run(
        "trnnntttntnnn",
        fmt::format(
            "{}, jobs.rate_per_node, jobs.bytes_read + jobs.bytes_written, jobs.processes, jobs.start_ns, "
            "jobs.program, jobs.job, jobs.step, jobs.key_size, jobs.key_direction, jobs.read_ns, "
            "jobs.write_ns, jobs.metadata_ns",
            Site::column(chosen.by)),
        "jobs.rate_per_node is not null and " + site.large_runs(), [&](const AskedRow& row) {
            if (row.text(0) != chosen.name) return;
            runs.push_back({row.real(1).value_or(0), row.number(2), row.number(3), row.number(4), row.text(5),
                            row.text(6), row.text(7), row.known(8), row.text(9), row.number(10),
                            row.number(11), row.number(12)});
        });
    std::sort(runs.begin(), runs.end(),
              [](const RatedRun& a, const RatedRun& b) { return a.order() < b.order(); });
    return runs;
}

// A to Z, then numbers.
std::string letter_of(std::size_t at)
{
    return at < 26 ? std::string(1, static_cast<char>('A' + at)) : std::to_string(at + 1);
}

DataTable table_of_runs(Site& site, const std::vector<RatedRun>& runs)
{
    DataTable table{.id = "by_performance"};
    table.columns = {{"run", "run", Measure::text},
                     {"program", "program", Measure::text},
                     {"processes", "processes", Measure::count},
                     {"rate", "MiB/s/CN", Measure::number},
                     {"metadata", "metadata", Measure::share},
                     {"key_size", "key access size", Measure::bytes},
                     {"key_direction", "r/w", Measure::text}};
    if (!site.choice().anonymize)
        table.columns.insert(table.columns.begin() + 1, {"job", "job", Measure::text});
    const std::size_t shown = std::min(runs.size(), site.choice().top);
    for (std::size_t at = 0; at < shown; ++at) {
        const RatedRun& run = runs[shown < 2 ? 0 : at * (runs.size() - 1) / (shown - 1)];
        auto& cells = table.rows.emplace_back();
        cells.push_back(text(letter_of(at)));
        if (!site.choice().anonymize) cells.push_back(run.job.empty() ? unknown() : text(run.job));
        cells.push_back(text(site.label(By::program, run.program)));
        cells.push_back(count(static_cast<std::uint64_t>(run.processes)));
        cells.push_back(number_cell(run.rate, 2));
        cells.push_back(share_cell(metadata_share_of(run.reads, run.writes, run.metadata), 0));
        cells.push_back(run.key_size ? bytes(static_cast<std::uint64_t>(std::max<Number>(*run.key_size, 0)))
                                     : unknown(Measure::bytes));
        cells.push_back(run.key_direction.empty() ? unknown() : text(run.key_direction));
    }
    if (shown < runs.size())
        table.remark = fmt::format("{} of {}, the fastest and the slowest among them.", format_count(shown),
                                   counted(runs.size(), "run", "runs"));
    return table;
}

}  // namespace

Blocks study_by_performance(Study& study)
{
    Site& site = study.site;
    const Chosen chosen = chosen_group(study);
    const std::string name = site.label(chosen.by, chosen.name);
    const std::vector<RatedRun> runs = rated_runs(site, chosen);
    Blocks blocks;
    if (runs.empty()) {
        blocks.push_back(Paragraph{
            chosen.named
                ? fmt::format("--project {}: no large run of that project has a rate.", name)
                : "The rate of no large run is known: that takes nodes, and the time of each rank."});
        return blocks;
    }
    blocks.push_back(Paragraph{
        chosen.named
            ? fmt::format("{}: {} with a rate.", name, counted(runs.size(), "large run", "large runs"))
            : fmt::format("{} has the widest spread, {:.2f} MiB/s/CN from Q1 to Q3 over {}.", name,
                          chosen.spread, counted(runs.size(), "large run", "large runs"))});
    blocks.push_back(table_of_runs(site, runs));
    return blocks;
}

Blocks study_by_job_size(Study& study)
{
    Site& site = study.site;
    const auto& programs = study.large_jobs().programs;
    const std::string& named = site.choice().program;
    auto chosen = programs.end();
    std::uint64_t most_runs = 0;
    for (auto at = programs.begin(); at != programs.end() && named.empty(); ++at) {
        std::uint64_t runs = 0;
        for (const auto& [nodes, rates] : at->second) runs += rates.values();
        const bool more = chosen == programs.end() || at->second.size() > chosen->second.size() ||
                          (at->second.size() == chosen->second.size() && runs > most_runs);
        if (!more) continue;
        chosen = at;
        most_runs = runs;
    }
    if (!named.empty()) chosen = programs.find(named);
    Blocks blocks;
    if (chosen == programs.end()) {
        blocks.push_back(Paragraph{
            named.empty() ? "The rate of no large run is known: that takes nodes, and the time of each rank."
                          : fmt::format("--program {}: no large run of that program has a rate.",
                                        site.label(By::program, named))});
        return blocks;
    }
    const std::string name = site.label(By::program, chosen->first);
    blocks.push_back(Paragraph{named.empty() ? fmt::format("{} ran on {}, and no program on more.", name,
                                                           counted(chosen->second.size(), "number of nodes",
                                                                   "different numbers of nodes"))
                                             : name + " as its large runs have it."});
    DataTable table{.id = "by_job_size", .title = name + ": MiB/s/CN by nodes"};
    table.columns = {{"nodes", "nodes", Measure::count},
                     {"runs", "runs", Measure::count},
                     {"rate", "MiB/s/CN", Measure::number}};
    for (const auto& [nodes, rates] : chosen->second)
        table.rows.push_back(
            {count(static_cast<std::uint64_t>(nodes)), count(rates.values()), number_cell(rates.mean(), 2)});
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::jobs
