// When the job moved data, and which ranks did.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/slices.h"
#include "analyzer/methods/concentration.h"
#include "analyzer/methods/rate.h"
#include "analyzer/sections/sections.h"
#include "analyzer/sections/time/untimed.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_slices = 200, most_bands = 64;
// Of fewer there is nothing to see that a sentence does not say.
constexpr std::size_t least_slices = 4;
// Metadata calls get a chart where they take this part of the time in I/O and are not just a few.
constexpr double telling_share = 0.1, telling_calls = 1000;
// I/O that moved no bytes gets a heatmap where it took this part of the run time.
constexpr double telling_run = 0.01;
// MPI-IO gets a chart where this part of its bytes or of those below lies in other slices.
constexpr double telling_difference = 0.05;

struct Timeline {
    const Job& job;
    JobSlices slices;
    TimeAxis axis;
    Concentration bytes;
    double metadata = 0, metadata_time = 0, time = 0;  // calls, ns

    std::string_view member() const { return job.mpi ? "rank" : "process"; }
    std::string_view members() const { return job.mpi ? "ranks" : "processes"; }
};

std::vector<double> bytes_of(const Activities& activities)
{
    std::vector<double> all;
    for (const Activity& one : activities) all.push_back(one.bytes());
    return all;
}

Timeline timeline_of(const Job& job)
{
    Timeline line{job, slices_of(job, most_slices, most_bands), {}, {}};
    const TimeGrid& grid = line.slices.grid;
    const double length = static_cast<double>(grid.length) / 1e9, slices = static_cast<double>(grid.slices);
    line.axis = {0, length, grid.slices, slices * length};
    // The job begins in the first slice and ends in the last one; where a damaged log has slices from outside
    // of its time, all of them are shown.
    if (job.run_time() > 0 && grid.start <= job.start && job.start - grid.start < grid.length &&
        grid.slice_of(job.end - 1) + 1 == grid.slices) {
        line.axis.first = -static_cast<double>(job.start - grid.start) / 1e9;
        line.axis.end = static_cast<double>(job.run_time()) / 1e9;
    }
    line.bytes = concentration_of(bytes_of(line.slices.lowest));
    for (const Activity& one : line.slices.lowest) {
        line.metadata += one.metadata;
        line.metadata_time += one.metadata_time;
        line.time += one.time();
    }
    return line;
}

double rate_of_bytes(const Timeline& line, double bytes)
{
    return bytes / mebibyte / line.slices.seconds;
}

// What the bytes were counted at.
std::string counted_at(const Timeline& line)
{
    const auto& lowest = line.slices.mpiio_is_lowest;
    return lowest[0] || lowest[1] ? "POSIX, stdio and (nothing was seen beneath it) MPI-IO"
                                  : "POSIX and stdio";
}

Entries overview(const Timeline& line)
{
    const auto busy = std::count(line.slices.busy.begin(), line.slices.busy.end(), true);
    const double slices = static_cast<double>(line.axis.slices), idle = slices - static_cast<double>(busy);
    const auto of_all = [&](double n) { return fmt::format("{:.0f} of {:.0f} time bins", n, slices); };
    Entries entries;
    if (line.bytes.sum > 0) {
        const Activity& peak = line.slices.lowest[line.bytes.largest];
        const double at = line.axis.first + line.axis.length * static_cast<double>(line.bytes.largest);
        entries.entries = {
            {"peak_rate", "highest rate of a time bin", rate(rate_of_bytes(line, peak.bytes())),
             fmt::format("{} read and {} written in it", format(cell_of(Measure::bytes, peak.bytes_read)),
                         format(cell_of(Measure::bytes, peak.bytes_written)))},
            {"peak_at", "which began at", seconds(std::max(at, 0.0)), "since the job's start"},
            {"half_in", "time bins with half of the bytes",
             share_of(static_cast<double>(line.bytes.half), slices),
             of_all(static_cast<double>(line.bytes.half))},
        };
    }
    entries.entries.push_back({"idle",
                               line.job.log.recorded(&Slice::metadata) ? "time bins without I/O"
                                                                       : "time bins in which no data moved",
                               share_of(idle, slices), of_all(idle)});
    entries.entries.push_back(
        {"time_bin", "length of a time bin", seconds(line.axis.length),
         line.slices.recorded < line.slices.grid.length
             ? fmt::format("recorded in time bins of {}", format(nanoseconds(line.slices.recorded)))
             : ""});
    return entries;
}

TimeChart rate_chart(const Timeline& line, const Activities& activities, std::string id, std::string title,
                     std::string remark)
{
    TimeChart chart{.id = std::move(id),
                    .title = std::move(title),
                    .time = line.axis,
                    .measure = Measure::rate,
                    .series = {{"read", {}}, {"written", {}}},
                    .remark = std::move(remark)};
    for (const Activity& one : activities) {
        chart.series[0].values.push_back(rate_of_bytes(line, one.bytes_read));
        chart.series[1].values.push_back(rate_of_bytes(line, one.bytes_written));
    }
    return chart;
}

TimeChart metadata_chart(const Timeline& line)
{
    TimeChart chart{.id = "metadata_over_time",
                    .title = "Metadata calls per second",
                    .time = line.axis,
                    .measure = Measure::count,
                    .series = {{"metadata calls", {}}},
                    .remark = "Opens, closes, stats, seeks and all others but reads, writes and syncs."};
    for (const Activity& one : line.slices.lowest)
        chart.series[0].values.push_back(one.metadata / line.slices.seconds);
    return chart;
}

// How far what MPI-IO was asked for and what was done beneath it lie in different slices.
bool mpiio_differs(const JobSlices& slices)
{
    double difference = 0, sum = 0;
    for (std::size_t at = 0; at < slices.lowest.size(); ++at) {
        const double above = slices.mpiio[at].bytes(), beneath = slices.lowest[at].bytes();
        difference += std::fabs(above - beneath);
        sum += above + beneath;
    }
    const bool used = std::any_of(slices.mpiio.begin(), slices.mpiio.end(),
                                  [](const Activity& one) { return one.bytes() > 0; });
    return used && difference > telling_difference * sum;
}

// One cell a band and slice: the mean over the band's members of what `value` takes from an activity.
template <class Value>
Heatmap heatmap(const Timeline& line, Value value)
{
    Heatmap map{.time = line.axis, .row_heading = std::string(line.member())};
    const auto number = [&](std::size_t rank) {
        const Process& process = line.job.ranks[rank].process;
        return static_cast<std::uint64_t>(
            std::max<std::int64_t>(line.job.mpi ? process.rank : process.process, 0));
    };
    map.by_slice.values.resize(line.axis.slices);
    for (const RankBand& band : line.slices.bands) {
        const auto members = static_cast<double>(band.members());
        map.rows.push_back({number(band.from), number(band.to - 1), band.members()});
        std::vector<double>& cells = map.values.emplace_back();
        double sum = 0;
        for (std::size_t at = 0; at < band.lowest.size(); ++at) {
            const double all = value(band.lowest[at]);
            cells.push_back(all / members);
            map.by_slice.values[at] += all;
            sum += all;
        }
        map.by_row.values.push_back(sum / members);
    }
    return map;
}

double share_of_run(const Timeline& line)
{
    return line.time / 1e9 / (line.axis.end * static_cast<double>(line.job.ranks.size()));
}

std::string reading(const Timeline& line, std::string_view above)
{
    const bool banded = line.slices.bands[0].members() > 1;
    return fmt::format(
        "Above: {}. At the right: each over the whole time.{}", above,
        banded ? fmt::format(" Rows of more than one {} show their mean.", line.member()) : "");
}

Heatmap bytes_map(const Timeline& line)
{
    Heatmap map = heatmap(line, [](const Activity& one) { return one.bytes(); });
    map.id = "bytes_by_rank_and_time";
    map.title = fmt::format("Bytes read and written by {}, in each time bin", line.member());
    map.measure = map.by_slice.measure = map.by_row.measure = Measure::bytes;
    map.by_slice.name = "by all in the time bin";
    map.by_row.name = fmt::format("by one {} in all", line.member());
    map.remark = fmt::format("{} Counted at {}.", reading(line, "all of them together"), counted_at(line));
    return map;
}

Heatmap time_map(const Timeline& line)
{
    const double slice = line.slices.seconds * 1e9;
    Heatmap map = heatmap(line, [slice](const Activity& one) { return one.time() / slice; });
    map.id = "time_by_rank_and_time";
    map.title = fmt::format("Share of its time that a {} spent in I/O, in each time bin", line.member());
    map.measure = map.by_slice.measure = map.by_row.measure = Measure::share;
    const auto ranks = static_cast<double>(line.job.ranks.size()),
               slices = static_cast<double>(line.axis.slices);
    for (double& value : map.by_slice.values) value /= ranks;
    for (double& value : map.by_row.values) value /= slices;
    map.by_slice.name = "mean of all in the time bin";
    map.by_row.name = fmt::format("of one {} in all", line.member());
    map.remark = reading(line, "the mean of all");
    const bool overlapping = std::any_of(map.values.begin(), map.values.end(), [](const auto& row) {
        return std::any_of(row.begin(), row.end(), [](double part) { return part > 1; });
    });
    if (overlapping) map.remark += " More than 100 %: threads did I/O at the same time.";
    return map;
}

}  // namespace

Blocks timeline(const Job& job, const SectionChoice&)
{
    const Timeline line = timeline_of(job);
    Blocks blocks = {overview(line)};
    for (Block& note : notes_on_untimed(job)) blocks.push_back(std::move(note));
    if (line.axis.slices < least_slices) {
        blocks.push_back(Paragraph{"The job was too short to show how its I/O went over time."});
        return blocks;
    }
    if (line.bytes.sum > 0)
        blocks.push_back(rate_chart(
            line, line.slices.lowest, "rate_over_time", "Rate over time",
            fmt::format(
                "All {} together, on files, counted at {}. An operation counts in each time bin by how "
                "much of it lies there.",
                line.members(), counted_at(line))));
    if (mpiio_differs(line.slices))
        blocks.push_back(rate_chart(line, line.slices.mpiio, "mpiio_rate_over_time",
                                    "Rate over time of what was asked of MPI-IO",
                                    "What went to the file system for it is in the chart above."));
    const bool metadata = line.metadata >= telling_calls && line.metadata_time > telling_share * line.time;
    if (metadata) blocks.push_back(metadata_chart(line));
    if (job.ranks.size() < 2) return blocks;
    if (line.bytes.sum > 0) blocks.push_back(bytes_map(line));
    if (metadata || (line.bytes.sum == 0 && share_of_run(line) >= telling_run))
        blocks.push_back(time_map(line));
    return blocks;
}

}  // namespace fathom
