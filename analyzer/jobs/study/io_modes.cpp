// What goes through files of one process each, of some, of all, and through one process alone.
#include <array>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

using namespace report;

constexpr std::array<std::string_view, 4> io_modes = {"N-N", "N-M", "N-1", "1-1"};  // as Beacon has them

struct ModeAmounts {
    std::uint64_t runs = 0, read = 0, written = 0;
};

std::map<std::string, ModeAmounts> read_modes(Site& site)
{
    std::map<std::string, ModeAmounts> modes;
    site.each(
        "tnnn",
        fmt::format(
            "select m.mode, count(distinct m.job), {}, {} from job_modes m join @jobs on jobs.id = m.job "
            "where jobs.bytes_read + jobs.bytes_written > {} and {} group by m.mode",
            sum_of("case when m.direction = 'reads' then m.bytes else 0 end"),
            sum_of("case when m.direction = 'writes' then m.bytes else 0 end"), trivial_bytes, site.runs()),
        [&](const AskedRow& row) {
            modes[row.text(0)] = {row.count(1), row.count(2), row.count(3)};
        });
    return modes;
}

Cell gigabytes_a_run(std::uint64_t sum, std::uint64_t runs)
{
    return number_cell(static_cast<double>(sum) / static_cast<double>(runs) / gigabyte, 1);
}

}  // namespace

Blocks study_io_modes(Study& study)
{
    const auto modes = read_modes(study.site);
    std::uint64_t read = 0, written = 0;
    for (const auto& [mode, amounts] : modes) {
        read += amounts.read;
        written += amounts.written;
    }
    DataTable table{.id = "io_modes", .title = "Mean bytes a run, and runs, by I/O mode"};
    table.columns = {{"mode", "I/O mode", Measure::text},
                     {"read_gb", "read, GB", Measure::number},
                     {"written_gb", "written, GB", Measure::number},
                     {"runs", "runs", Measure::count},
                     {"read_share", "of bytes read", Measure::share},
                     {"written_share", "of bytes written", Measure::share}};
    Chart chart{.id = "io_modes_chart",
                .title = "Bytes by I/O mode",
                .category_heading = "I/O mode",
                .measure = Measure::share,
                .series = {{"of bytes read", {}}, {"of bytes written", {}}}};
    const auto part = [](std::uint64_t some, std::uint64_t all) {
        return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
    };
    for (const std::string_view mode : io_modes) {
        const auto found = modes.find(std::string(mode));
        if (found == modes.end()) continue;
        const ModeAmounts& one = found->second;
        table.rows.push_back({text(mode), gigabytes_a_run(one.read, one.runs),
                              gigabytes_a_run(one.written, one.runs), count(one.runs),
                              share_cell(one.read, read), share_cell(one.written, written)});
        chart.categories.emplace_back(mode);
        chart.series[0].values.push_back(part(one.read, read));
        chart.series[1].values.push_back(part(one.written, written));
    }
    Blocks blocks;
    if (table.rows.empty()) {
        blocks.push_back(Paragraph{"No run here moved more than 200 MB."});
        return blocks;
    }
    blocks.push_back(std::move(chart));
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::jobs
