// How many processes share a file, in runs of each size.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/jobs/study/sections.h"
#include "analyzer/jobs/study/split_by_size.h"

namespace fathom::jobs {
namespace {

using namespace report;

constexpr std::string_view sharings[] = {"unique", "partly shared", "shared"};

}  // namespace

Blocks study_sharing(Study& study)
{
    SplitBySize split;
    split.kinds.assign(std::begin(sharings), std::end(sharings));
    split.drawn = std::size(sharings);
    split.parts.resize(std::size(sharings));
    study.site.each("nn",
                    fmt::format("select {}, count(*) from @jobs where {} group by 1", job_size_in_sql(),
                                study.site.runs()),
                    [&](const AskedRow& row) { split.whole[row.count(0)].runs = row.count(1); });
    study.site.each(
        "tnnnnn",
        fmt::format(
            "select s.sharing, {}, count(*), {}, {}, {} from job_sharing s join @jobs on jobs.id = s.job "
            "where {} group by 1, 2",
            job_size_in_sql(), sum_of("s.files_read + s.files_written"), sum_of("s.bytes_read"),
            sum_of("s.bytes_written"), study.site.runs()),
        [&](const AskedRow& row) {
            const auto kind = std::find(std::begin(sharings), std::end(sharings), row.text(0));
            if (kind == std::end(sharings)) return;
            const std::size_t size = row.count(1);
            const SizeAmounts part{row.count(2), row.count(3), row.count(4), row.count(5)};
            split.parts[static_cast<std::size_t>(kind - std::begin(sharings))][size] = part;
            split.whole[size].files += part.files;
            split.whole[size].bytes_read += part.bytes_read;
            split.whole[size].bytes_written += part.bytes_written;
        });
    Blocks blocks;
    blocks.push_back(chart_of(split, "sharing_chart", "Bytes read and written by access mode"));
    blocks.push_back(table_of(split, "sharing", "Runs, files and bytes by access mode", "files are"));
    return blocks;
}

}  // namespace fathom::jobs
