// Takes one run after the other, and keeps of each its rate alone.
#include "analyzer/jobs/study/large_jobs.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

// The columns of a large run, in the order in which they are asked for.
enum LargeColumn : std::size_t {
    large_group,
    large_program,
    large_processes,
    large_nodes,
    large_rate,
    large_io_share,
    large_read_time,
    large_write_time,
    large_metadata_time,
    large_files,
    large_created,
    large_accesses,
    large_sequential,
    large_aligned,
    large_read,
    large_written
};
constexpr std::string_view large_types = "ttnnrrnnnnnnnnnn";
constexpr std::string_view large_columns =
    "jobs.program, jobs.processes, jobs.nodes, jobs.rate_per_node, jobs.io_share, jobs.read_ns, "
    "jobs.write_ns, jobs.metadata_ns, jobs.files, jobs.files_created, jobs.accesses, "
    "jobs.sequential, jobs.aligned, jobs.bytes_read, jobs.bytes_written";

void add_ratio(ExactMean& mean, Known part, double whole)
{
    if (part && whole > 0) mean.add(static_cast<double>(*part) / whole);
}

void add_known(ExactMean& mean, const Real& value)
{
    if (value) mean.add(*value);
}

void add_large(const AskedRow& row, LargeGroup& group)
{
    const auto processes = static_cast<double>(row.number(large_processes)),
               accesses = static_cast<double>(row.number(large_accesses));
    ++group.runs;
    add_known(group.rate, row.real(large_rate));
    add_known(group.io_share, row.real(large_io_share));
    add_known(group.metadata_share,
              metadata_share_of(row.number(large_read_time), row.number(large_write_time),
                                row.number(large_metadata_time)));
    add_ratio(group.files, row.known(large_files), processes);
    add_ratio(group.creates, row.known(large_created), processes);
    add_ratio(group.sequential, row.number(large_sequential), accesses);
    add_ratio(group.aligned, row.known(large_aligned), accesses);
    add_ratio(group.volume, row.number(large_read) + row.number(large_written), processes * mebibyte_size);
}

}  // namespace

std::optional<double> metadata_share_of(Number reads, Number writes, Number metadata)
{
    const double all =
        static_cast<double>(reads) + static_cast<double>(writes) + static_cast<double>(metadata);
    if (!(all > 0)) return {};
    return static_cast<double>(metadata) / all;
}

std::string large_words(const StudyChoice& choice)
{
    return fmt::format("{} or more processes and {} or more",
                       report::format_count(static_cast<std::uint64_t>(choice.large_processes)),
                       report::format_bytes(static_cast<std::uint64_t>(choice.large_bytes)));
}

LargeJobs read_large_jobs(Site& site)
{
    LargeJobs large;
    std::map<std::string, std::vector<double>> rates;
    site.each_run(large_types, fmt::format("{}, {}", site.column(), large_columns), site.large_runs(),
                  [&](const AskedRow& row) {
                      const std::string name = row.text(large_group);
                      ++large.runs;
                      add_large(row, large.groups[name]);
                      const Real rate = row.real(large_rate);
                      if (!rate) return;
                      rates[name].push_back(*rate);
                      if (row.number(large_nodes) > 0)
                          large.programs[row.text(large_program)][row.number(large_nodes)].add(*rate);
                  });
    for (auto& [name, all] : rates) large.groups[name].rates = five_numbers_of(std::move(all));
    return large;
}

Study::~Study() = default;

std::vector<const Group*> Study::large_groups()
{
    std::vector<const Group*> large;
    for (const Group& group : site.groups().groups)
        if (large.size() < site.choice().top && large_jobs().groups.contains(group.name))
            large.push_back(&group);
    return large;
}

const LargeJobs& Study::large_jobs()
{
    if (!large_) large_ = std::make_unique<const LargeJobs>(read_large_jobs(site));
    return *large_;
}

}  // namespace fathom::jobs
