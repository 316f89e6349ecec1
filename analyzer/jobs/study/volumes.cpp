// Who moved how much.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

using namespace report;

struct Volumes {
    Group all, others;
    std::size_t groups = 0;
};

void add_volume(Group& sum, const Group& one)
{
    sum.runs += one.runs;
    sum.bytes_read += one.bytes_read;
    sum.bytes_written += one.bytes_written;
}

Volumes volumes_of(Site& site)
{
    Volumes volumes;
    const std::size_t shown = site.shown().size();
    for (const Group& group : site.groups().groups) {
        if (group.runs == 0) continue;
        add_volume(volumes.all, group);
        if (volumes.groups >= shown) add_volume(volumes.others, group);
        ++volumes.groups;
    }
    return volumes;
}

std::vector<Cell> volume_row(std::string name, const Group& group, const Group& all)
{
    return {text(name),
            count(group.runs),
            bytes(group.bytes_read),
            bytes(group.bytes_written),
            share_cell(group.bytes_read, group.bytes()),
            share_cell(group.bytes(), all.bytes())};
}

}  // namespace

Blocks study_volumes(Study& study)
{
    Site& site = study.site;
    const Volumes volumes = volumes_of(site);
    Chart chart{.id = "volumes_chart",
                .title = fmt::format("Bytes read and written by {}", site.word()),
                .category_heading = std::string(site.word()),
                .measure = Measure::bytes,
                .series = {{"read", {}}, {"written", {}}}};
    DataTable table{.id = "volumes", .title = fmt::format("Runs and bytes by {}", site.word())};
    table.columns = {{"name", std::string(site.word()), Measure::text},
                     {"runs", "runs", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"read_share", "read of both", Measure::share},
                     {"share", "of all bytes", Measure::share}};
    std::size_t readers = 0;
    for (const Group& group : site.shown()) {
        chart.categories.push_back(site.label(group.name));
        chart.series[0].values.push_back(static_cast<double>(group.bytes_read));
        chart.series[1].values.push_back(static_cast<double>(group.bytes_written));
        table.rows.push_back(volume_row(site.label(group.name), group, volumes.all));
        readers += group.bytes_read > group.bytes_written;
    }
    const std::size_t shown = table.rows.size();
    if (volumes.groups > shown)
        table.rows.push_back(volume_row(fmt::format("{} others", format_count(volumes.groups - shown)),
                                        volumes.others, volumes.all));
    Blocks blocks;
    blocks.push_back(Paragraph{
        fmt::format("{} of {} read {} and wrote {}. Of the {} that moved most, {} read more than they wrote.",
                    counted(volumes.all.runs, "run", "runs"),
                    counted(volumes.groups, site.word(), site.words()), format_bytes(volumes.all.bytes_read),
                    format_bytes(volumes.all.bytes_written), format_count(shown), format_count(readers))});
    if (volumes.all.bytes() > 0) blocks.push_back(std::move(chart));
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::jobs
