// A row for each size and kind that there is.
#include "analyzer/jobs/study/split_by_size.h"

#include "analyzer/jobs/study/cells.h"

namespace fathom::jobs {

using namespace report;

DataTable table_of(const SplitBySize& split, std::string id, std::string title, std::string kind_heading)
{
    DataTable table{.id = std::move(id), .title = std::move(title)};
    table.columns = {
        {"processes", "processes", Measure::text},        {"runs", "runs", Measure::count},
        {"kind", std::move(kind_heading), Measure::text}, {"runs_share", "of runs", Measure::share},
        {"files_share", "of files", Measure::share},      {"read_share", "read", Measure::share},
        {"written_share", "written", Measure::share}};
    for (std::size_t size = 0; size < job_sizes; ++size) {
        const SizeAmounts& whole = split.whole[size];
        for (std::size_t kind = 0; kind < split.kinds.size(); ++kind) {
            const SizeAmounts& part = split.parts[kind][size];
            if (part.runs + part.files + part.bytes() == 0) continue;
            table.rows.push_back({text(job_size_name(size)), count(whole.runs), text(split.kinds[kind]),
                                  share_cell(part.runs, whole.runs), share_cell(part.files, whole.files),
                                  share_cell(part.bytes_read, whole.bytes_read),
                                  share_cell(part.bytes_written, whole.bytes_written)});
        }
    }
    return table;
}

Chart chart_of(const SplitBySize& split, std::string id, std::string title)
{
    Chart chart{.id = std::move(id),
                .title = std::move(title),
                .shape = Shape::stacked,
                .category_heading = "processes",
                .measure = Measure::share};
    for (std::size_t kind = 0; kind < split.drawn; ++kind) chart.series.push_back({split.kinds[kind], {}});
    for (std::size_t size = 0; size < job_sizes; ++size) {
        if (split.whole[size].bytes() == 0) continue;
        chart.categories.push_back(job_size_name(size));
        for (std::size_t kind = 0; kind < split.drawn; ++kind)
            chart.series[kind].values.push_back(static_cast<double>(split.parts[kind][size].bytes()) /
                                                static_cast<double>(split.whole[size].bytes()));
    }
    return chart;
}

}  // namespace fathom::jobs
