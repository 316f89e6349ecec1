// Series and the job's time bins on one grid of each group's own interval.
#include "analyzer/system/load.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

#include "analyzer/document/units.h"
#include "analyzer/job/slices.h"
#include "analyzer/methods/quartiles.h"
#include "analyzer/series/bins.h"
#include "analyzer/series/by_component.h"
#include "analyzer/system/ill_servers.h"
#include "analyzer/system/job_in_bins.h"
#include "analyzer/system/matching.h"

namespace fathom {
namespace {

using series::Bin;
using series::ByComponent;
using series::Component;
using series::ComponentType;
using series::Grid;
using series::Nanoseconds;
using series::Series;
using series::Table;

// Servers with less than this part of the job's bytes say nothing about it.
constexpr double telling_part = 0.01;
// Saturated is what has this part of the highest rate.
constexpr double saturated_part = 0.9;
// A job of weeks has longer bins.
constexpr std::size_t most_bins = 4096;
// The job's own bins: as short as they were recorded, as far as memory goes.
constexpr std::size_t most_job_slices = 65536;

struct Quantities {
    std::string_view read, written;
};
Quantities quantities_of(ComponentType type)
{
    if (type == ComponentType::interface) return {"bytes_received", "bytes_sent"};
    return {"bytes_read", "bytes_written"};
}

bool is_metadata(const Series& series)
{
    const series::Quantity* const row = series::quantity_named(series.quantity);
    return row != nullptr && row->subject == series::Subject::metadata &&
           row->unit == series::Unit::operations;
}

// The median of its series' intervals; 0: there are none.
Nanoseconds interval_of(const ByComponent& all, const MatchedGroup& group)
{
    std::vector<Nanoseconds> intervals;
    for (const std::uint32_t component : group.components)
        for (const Series* const series : all.of(component))
            if (series->usual_interval > 0) intervals.push_back(series->usual_interval);
    if (intervals.empty()) return 0;
    const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
    std::nth_element(intervals.begin(), middle, intervals.end());
    return *middle;
}

Nanoseconds rounded(Nanoseconds interval)
{
    // Monitors are late by a moment now and then.
    constexpr Nanoseconds step = series::one_second / 10;
    return std::max(step, (interval + step / 2) / step * step);
}

// As short as it is clear: servers of a group are often one on each host.
class MemberNames {
  public:
    MemberNames(const Table& table, const MatchedGroup& matched) : table_(table)
    {
        for (const std::uint32_t at : matched.components) {
            hosts_.insert(table.components[at].host);
            names_.insert(table.components[at].name);
        }
        by_host_ = hosts_.size() == matched.components.size() && !hosts_.contains("");
        by_name_ = names_.size() == matched.components.size();
    }
    std::string of(std::uint32_t at) const
    {
        const Component& component = table_.components[at];
        const bool is_path = component.name.find('/') != std::string::npos;
        if (by_host_ && (is_path || component.name.empty())) return component.host;
        if ((by_name_ && hosts_.size() == 1 && component.type != ComponentType::device) ||
            component.host.empty())
            return component.name;
        return fmt::format("{} on {}", component.name, component.host);
    }

  private:
    const Table& table_;
    std::set<std::string> hosts_, names_;
    bool by_host_ = false, by_name_ = false;
};

// The highest rate of an interval in all of the series, of one component or of several together.
double peak_of(const ByComponent& all, std::span<const std::uint32_t> components, const Quantities& of,
               Nanoseconds length)
{
    const std::vector<const Series*> reads = all.of(components, of.read),
                                     writes = all.of(components, of.written);
    series::Window window{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
    for (const auto* const some : {&reads, &writes})
        for (const Series* const series : *some) {
            window.begin = std::min(window.begin, series->samples.front().begin);
            window.end = std::max(window.end, series->samples.back().end);
        }
    if (window.begin >= window.end) return 0;
    // A year of seconds goes through here piece by piece.
    constexpr std::size_t piece = 1 << 16;
    const Grid whole = series::grid_over(window, length);
    double highest = 0;
    for (std::size_t from = 0; from < whole.count; from += piece) {
        const Grid grid{whole.begin_of(from), length, std::min(piece, whole.count - from)};
        const std::vector<Bin> read = series::sum_in_bins(reads, grid),
                               written = series::sum_in_bins(writes, grid);
        for (std::size_t at = 0; at < grid.count; ++at) {
            // Of an interval that is known in a small part the rate may be anything.
            const double known = static_cast<double>(length) / 2e9;
            const double rate = (read[at].covered >= known ? read[at].rate() : 0) +
                                (written[at].covered >= known ? written[at].rate() : 0);
            highest = std::max(highest, rate);
        }
    }
    return highest;
}

void add_members(const ByComponent& all, const MatchedGroup& matched, const Grid& grid, LoadGroup& group)
{
    const Table& table = all.table();
    const MemberNames names(table, matched);
    const double length = static_cast<double>(grid.length) / 1e9;
    for (const std::uint32_t at : matched.components) {
        const Component& component = table.components[at];
        const Quantities of = quantities_of(component.type);
        const std::uint32_t alone[] = {at};
        const std::vector<Bin> read = series::sum_in_bins(all.of(alone, of.read), grid),
                               written = series::sum_in_bins(all.of(alone, of.written), grid);
        LoadMember member;
        member.name = names.of(at);
        member.peak = peak_of(all, alone, of, grid.length);
        for (std::size_t bin = 0; bin < grid.count; ++bin) {
            if (!group.bins[bin].job_active()) continue;
            member.read += read[bin].amount;
            member.written += written[bin].amount;
        }
        const AtBest best = at_best(group, read, written);
        member.at_best = best.seconds;
        member.best_rate = best.rate();
        if (const auto times = all.of(alone, "busy_time"); !times.empty()) {
            const std::vector<Bin> busy = series::sum_in_bins(times, grid);
            member.busy = 0;
            for (std::size_t bin = 0; bin < grid.count; ++bin)
                if (group.bins[bin].job_active()) member.busy += std::min(busy[bin].amount, length);
        }
        group.members.push_back(std::move(member));
    }
}

void add_sums(const ByComponent& all, const MatchedGroup& matched, const Grid& grid, LoadGroup& group)
{
    const Quantities of = quantities_of(all.table().components[matched.components.front()].type);
    const std::vector<Bin> read = series::sum_in_bins(all.of(matched.components, of.read), grid),
                           written = series::sum_in_bins(all.of(matched.components, of.written), grid);
    std::set<std::string> operations;
    for (const std::uint32_t component : matched.components)
        for (const Series* const series : all.of(component))
            if (is_metadata(*series)) operations.insert(series->quantity);
    group.has_metadata = !operations.empty();
    for (std::size_t at = 0; at < grid.count; ++at) {
        LoadGroup::Bin& bin = group.bins[at];
        bin.read = read[at].rate();
        bin.written = written[at].rate();
        bin.known = read[at].covered > 0 && written[at].covered > 0
                        ? std::min(read[at].covered, written[at].covered)
                        : std::max(read[at].covered, written[at].covered);
    }
    for (const std::string& operation : operations) {
        const std::vector<Bin> some = series::sum_in_bins(all.of(matched.components, operation), grid);
        for (std::size_t at = 0; at < grid.count; ++at) {
            group.bins[at].metadata += some[at].rate();
            if (matched.metadata_alone)
                group.bins[at].known = std::max(group.bins[at].known, some[at].covered);
        }
    }
}

void sum_up(LoadGroup& group)
{
    const double length = static_cast<double>(group.length) / 1e9;
    for (std::size_t at = 0; at < group.bins.size(); ++at) {
        const LoadGroup::Bin& bin = group.bins[at];
        const bool near = (at > 0 && group.bins[at - 1].job_active()) || bin.job_active() ||
                          (at + 1 < group.bins.size() && group.bins[at + 1].job_active());
        if (near) {
            group.around_read += bin.read * bin.known;
            group.around_written += bin.written * bin.known;
        }
        if (!bin.job_active()) continue;
        group.job_io += length;
        group.known += bin.known;
        group.read += bin.read * bin.known;
        group.written += bin.written * bin.known;
        group.metadata += bin.metadata * bin.known;
        group.job_read += bin.job_read * bin.known;
        group.job_written += bin.job_written * bin.known;
        group.job_metadata += bin.job_metadata * bin.known;
        if (group.peak > 0 && bin.read + bin.written >= saturated_part * group.peak)
            group.saturated += bin.known;
    }
}

// Of each earlier run in the intervals in which it was in I/O, where half of them are known.
void add_usual(const ByComponent& all, const MatchedGroup& matched, const LoadChoice& choice,
               LoadGroup& group)
{
    const Quantities of = quantities_of(all.table().components[matched.components.front()].type);
    const auto reads = all.of(matched.components, of.read), writes = all.of(matched.components, of.written);
    std::vector<double> rates;
    for (const std::vector<series::Window>& run : choice.earlier) {
        if (run.empty()) continue;
        const Grid grid = series::grid_over({run.front().begin, run.back().end}, group.length);
        if (grid.count > most_bins) continue;
        std::vector<bool> active(grid.count, false);
        for (const series::Window& stretch : run) {
            const auto first = (stretch.begin - grid.begin) / grid.length,
                       last = (stretch.end - 1 - grid.begin) / grid.length;
            for (auto at = first; at <= last; ++at) active[static_cast<std::size_t>(at)] = true;
        }
        const std::vector<Bin> read = series::sum_in_bins(reads, grid),
                               written = series::sum_in_bins(writes, grid);
        double bytes = 0, known = 0, length = 0;
        for (std::size_t at = 0; at < grid.count; ++at) {
            if (!active[at]) continue;
            bytes += read[at].amount + written[at].amount;
            known += std::max(read[at].covered, written[at].covered);
            length += static_cast<double>(grid.length) / 1e9;
        }
        if (known >= length / 2) rates.push_back(bytes / known);
    }
    group.usual_runs = rates.size();
    if (const auto numbers = five_numbers_of(std::move(rates))) group.usual_rate = numbers->median;
}

LoadGroup load_of_group(const Job& job, const JobSlices& slices, const ByComponent& all,
                        const MatchedGroup& matched, const Parts& parts, const LoadChoice& choice)
{
    LoadGroup group;
    group.name = matched.name;
    group.member = matched.member;
    group.known_by = matched.known_by;
    group.serves_files = matched.serves_files;
    Nanoseconds length = rounded(interval_of(all, matched));
    // One interval before the job and one behind it.
    const auto window = [&] {
        return series::Window{static_cast<Nanoseconds>(job.start) - length,
                              static_cast<Nanoseconds>(job.end) + length};
    };
    while (static_cast<double>(window().end - window().begin) / static_cast<double>(length) >
           static_cast<double>(most_bins))
        length *= 2;
    const Grid grid = series::grid_over(window(), length);
    group.begin = grid.begin;
    group.length = grid.length;
    group.bins.resize(grid.count);
    group.job_all_read = parts.read;
    group.job_all_written = parts.written;
    group.part_of_reads = parts.of_reads();
    group.part_of_writes = parts.of_writes();
    group.by_time_bins = slices.recorded > 0;
    if (group.by_time_bins)
        add_time_bins(slices, parts, group);
    else
        add_records(job, matched, group);
    add_sums(all, matched, grid, group);
    const Quantities of = quantities_of(all.table().components[matched.components.front()].type);
    group.peak_stated = choice.peak > 0 && matched.serves_files && !matched.metadata_alone;
    group.peak = group.peak_stated ? choice.peak : peak_of(all, matched.components, of, grid.length);
    sum_up(group);
    if (matched.serves_files && !matched.metadata_alone) add_usual(all, matched, choice, group);
    add_members(all, matched, grid, group);
    return group;
}

std::string span_of(const Table& table)
{
    Nanoseconds begin = std::numeric_limits<Nanoseconds>::max(),
                end = std::numeric_limits<Nanoseconds>::min();
    for (const Series& series : table.series) {
        if (series.samples.empty()) continue;
        begin = std::min(begin, series.samples.front().begin);
        end = std::max(end, series.samples.back().end);
    }
    if (begin >= end) return {};
    const auto in_words = [](Nanoseconds time) {
        return report::format(report::instant(static_cast<std::uint64_t>(std::max<Nanoseconds>(time, 0))));
    };
    return fmt::format("{} to {}", in_words(begin), in_words(end));
}

}  // namespace

SystemLoad load_of(const Job& job, const series::Table& table, const LoadChoice& choice)
{
    SystemLoad load;
    load.problems = table.problems;
    load.span = span_of(table);
    Matching matching = match(job, table);
    load.without = std::move(matching.without);
    if (matching.groups.empty() || job.run_time() == 0) return load;
    const JobSlices slices = slices_of(job, most_job_slices, 2);
    const ByComponent all(table);
    for (const MatchedGroup& matched : matching.groups) {
        const Parts parts = parts_of(job, matched);
        if (parts.read + parts.written < telling_part * (parts.all_read + parts.all_written)) continue;
        load.groups.push_back(load_of_group(job, slices, all, matched, parts, choice));
    }
    load.ill = ill_servers(load);
    return load;
}

}  // namespace fathom
