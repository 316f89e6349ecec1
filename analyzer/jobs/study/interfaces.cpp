// Which interfaces runs of each size used, and how much went through them.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/jobs/study/sections.h"
#include "analyzer/jobs/study/split_by_size.h"

namespace fathom::jobs {
namespace {

using namespace report;

enum Interface : std::size_t { by_posix, by_stdio, by_mpiio, by_library, interfaces };
constexpr std::string_view interface_names[] = {"POSIX", "stdio", "MPI-IO", "HDF5, PnetCDF"};
constexpr std::string_view used_columns[] = {"jobs.posix", "jobs.stdio", "jobs.mpiio",
                                             "(case when jobs.hdf5 + jobs.pnetcdf > 0 then 1 else 0 end)"};

void read_runs(Site& site, SplitBySize& split)
{
    std::string sums;
    for (const std::string_view used : used_columns) sums += fmt::format(", {}", sum_of(used));
    for (const std::string_view amount :
         {"coalesce(jobs.files, 0)", "jobs.bytes_read", "jobs.bytes_written"}) {
        sums += fmt::format(", {}", sum_of(amount));
        sums += fmt::format(", {}", sum_of(fmt::format("{} * {}", used_columns[by_library], amount)));
    }
    site.each("nnnnnnnnnnnn",
              fmt::format("select {0}, count(*){1} from @jobs where {2} group by 1", job_size_in_sql(), sums,
                          site.runs()),
              [&](const AskedRow& row) {
                  const std::size_t size = row.count(0);
                  for (std::size_t at = 0; at < interfaces; ++at)
                      split.parts[at][size].runs = row.count(2 + at);
                  split.whole[size] = {row.count(1), row.count(6), row.count(8), row.count(10)};
                  SizeAmounts& library = split.parts[by_library][size];
                  library.files = row.count(7);
                  library.bytes_read = row.count(9);
                  library.bytes_written = row.count(11);
              });
}

void read_layers(Site& site, SplitBySize& split)
{
    site.each("tnnnn",
              fmt::format("select job_layers.layer, {}, {}, {}, {} from job_layers join @jobs on jobs.id = "
                          "job_layers.job where job_layers.layer in ('stdio', 'mpiio') and {} group by 1, 2",
                          job_size_in_sql(), sum_of("job_layers.files"), sum_of("job_layers.bytes_read"),
                          sum_of("job_layers.bytes_written"), site.runs()),
              [&](const AskedRow& row) {
                  SizeAmounts& part = split.parts[row.text(0) == "stdio" ? by_stdio : by_mpiio][row.count(1)];
                  part.files = row.count(2);
                  part.bytes_read = row.count(3);
                  part.bytes_written = row.count(4);
              });
}

std::uint64_t rest_of(std::uint64_t whole, std::uint64_t one, std::uint64_t other)
{
    const std::uint64_t others = one + other;
    return whole - std::min(whole, others);
}

// What went through no other interface; a file that two were used for may be left out.
void fill_posix(SplitBySize& split)
{
    for (std::size_t size = 0; size < job_sizes; ++size) {
        const SizeAmounts &whole = split.whole[size], &stdio = split.parts[by_stdio][size],
                          &mpiio = split.parts[by_mpiio][size];
        SizeAmounts& posix = split.parts[by_posix][size];
        if (posix.runs == 0) continue;
        posix.files = rest_of(whole.files, stdio.files, mpiio.files);
        posix.bytes_read = rest_of(whole.bytes_read, stdio.bytes_read, mpiio.bytes_read);
        posix.bytes_written = rest_of(whole.bytes_written, stdio.bytes_written, mpiio.bytes_written);
    }
}

}  // namespace

Blocks study_interfaces(Study& study)
{
    SplitBySize split;
    split.kinds.assign(std::begin(interface_names), std::end(interface_names));
    split.drawn = by_library;
    split.parts.resize(interfaces);
    read_runs(study.site, split);
    read_layers(study.site, split);
    fill_posix(split);
    Blocks blocks;
    blocks.push_back(chart_of(split, "interfaces_chart", "Bytes read and written by interface"));
    blocks.push_back(table_of(split, "interfaces", "Runs, files and bytes by interface", "interface"));
    return blocks;
}

}  // namespace fathom::jobs
