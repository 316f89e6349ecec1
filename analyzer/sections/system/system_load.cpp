// What the servers and devices that the job used did while it ran, group by group.
#include "analyzer/job/system_load.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "analyzer/document/units.h"
#include "analyzer/methods/rate.h"
#include "analyzer/sections/sections.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_members = 16;
// What differs by less says nothing: both sides count a little beside one another.
constexpr double clearly_more = 1.1;
// A network that carried less than that of the job's bytes had no part in its I/O.
constexpr double telling_part = 0.05;

Cell bytes_cell(double value)
{
    return cell_of(Measure::bytes, value);
}
std::string in_bytes(double value)
{
    return format(bytes_cell(value));
}
// "52 % of what was read there while it was in I/O"
void say_share(const LoadGroup& group, Entries& entries)
{
    const auto add = [&](const char* id, const char* label, double job, double all) {
        if (all <= 0 || job <= 0) return;
        entries.entries.push_back(
            {id, label, share(std::min(job / all, 1.0)),
             fmt::format("{} of this job, {} in all, while it was in I/O", in_bytes(job), in_bytes(all))});
    };
    add("job_share_read", "this job's part of the reads", group.job_read, group.read);
    add("job_share_written", "this job's part of the writes", group.job_written, group.written);
}

// Volumes on both sides: what caches kept away, and what was moved more than once.
std::string volume_sentence(const LoadGroup& group, const char* verb, double job, double around,
                            const char* less, const char* more)
{
    if (job <= 0) return {};
    if (around * clearly_more < job)
        return fmt::format("This job {} {}, and {} only {} in its time: {}. ", verb, in_bytes(job),
                           group.name, in_bytes(around), less);
    if (around > clearly_more * job)
        return fmt::format("This job {} {}, and {} {}, {:.1f} times as much: {}. ", verb, in_bytes(job),
                           group.name, in_bytes(around), around / job, more);
    return {};
}

std::string sentences_of(const LoadGroup& group)
{
    std::string text = fmt::format("{} {}, known by {}. ", group.members.size(), group.name, group.known_by);
    if (group.members.size() == 1)
        text = fmt::format("{}, known by {}. ", group.members.front().name, group.known_by);
    if (group.known < 0.99 * group.job_io)
        text += fmt::format("Its series say something of {} of the {} in which this job was in I/O. ",
                            format_seconds(group.known), format_seconds(group.job_io));
    if (!group.serves_files || group.known <= 0) return text;
    text += volume_sentence(group, "read", group.job_read, group.around_read, "caches served the rest",
                            "other programs read there, or data was read ahead and thrown away");
    text += volume_sentence(
        group, "wrote", group.job_written, group.around_written, "caches have the rest, or wrote it later",
        "other programs wrote there, or data was written more than once (journals, copies)");
    return text;
}

void add_saturation(const LoadGroup& group, Entries& entries)
{
    if (group.peak <= 0 || group.known <= 0) return;
    entries.entries.push_back(
        {"peak", group.peak_stated ? "their peak, as stated" : "the highest rate in their series",
         rate(group.peak / mebibyte), group.peak_stated ? "" : "of all of them together, in one interval"});
    entries.entries.push_back({"saturated", "at 90 % of that or more", seconds(group.saturated),
                               fmt::format("of {} of this job's time in I/O", format_seconds(group.known))});
}

void add_metadata(const LoadGroup& group, Entries& entries)
{
    if (!group.has_metadata || group.known <= 0) return;
    double highest = 0;
    for (const LoadGroup::Bin& bin : group.bins)
        if (bin.job_active()) highest = std::max(highest, bin.metadata);
    entries.entries.push_back(
        {"metadata_rate", "metadata operations a second", number(group.metadata / group.known),
         fmt::format("at most {:.0f} in an interval; this job made {:.0f} calls a second that may need them",
                     highest, group.job_metadata / group.known)});
}

// Neither nothing nor all.
bool is_a_part(double share)
{
    return std::min(share, 1 - share) > 0.01;
}

TimeChart chart_of(const LoadGroup& group, const Job& job, std::size_t at)
{
    const double start = static_cast<double>(static_cast<std::int64_t>(job.start) - group.begin) / 1e9;
    TimeChart chart{
        .id = fmt::format("system_rates_{}", at),
        .title = fmt::format("This job above {}", group.name),
        .time = {-start, static_cast<double>(group.length) / 1e9, group.bins.size(),
                 static_cast<double>(group.bins.size()) * static_cast<double>(group.length) / 1e9 - start},
        .measure = Measure::rate,
        .series = {},
        .remark = {}};
    const auto add = [&](const char* name, double LoadGroup::Bin::*member) {
        report::Series series{name, {}};
        for (const LoadGroup::Bin& bin : group.bins) series.values.push_back(bin.*member / mebibyte);
        if (std::ranges::any_of(series.values, [](double value) { return value > 0; }))
            chart.series.push_back(std::move(series));
    };
    add("this job, read", &LoadGroup::Bin::job_read);
    add("there, read", &LoadGroup::Bin::read);
    add("this job, written", &LoadGroup::Bin::job_written);
    add("there, written", &LoadGroup::Bin::written);
    const auto unknown =
        std::ranges::count_if(group.bins, [](const LoadGroup::Bin& bin) { return bin.known <= 0; });
    if (unknown > 0)
        chart.remark =
            fmt::format("Of {} of {} intervals the series say nothing. ", unknown, group.bins.size());
    if (!group.by_time_bins)
        chart.remark +=
            "The log has no time bins: what this job moved is spread evenly from each process's first read "
            "or "
            "write of a file to its last.";
    else if (group.serves_files && (is_a_part(group.part_of_reads) || is_a_part(group.part_of_writes)))
        chart.remark += fmt::format(
            "A log has no time bins of single files: this job's lines are those of all of its files, times "
            "the part that these have ({} of its reads, {} of its writes).",
            format(share(group.part_of_reads)), format(share(group.part_of_writes)));
    return chart;
}

DataTable table_of(const LoadGroup& group, std::size_t at)
{
    DataTable table{.id = fmt::format("system_members_{}", at),
                    .title = fmt::format("Each of {}", group.name)};
    const bool knows_busy =
        std::ranges::any_of(group.members, [](const LoadMember& one) { return one.busy >= 0; });
    table.columns = {{"name", group.member, Measure::text},       {"read", "read", Measure::bytes},
                     {"written", "written", Measure::bytes},      {"best_rate", "best rate", Measure::rate},
                     {"at_best", "time at it", Measure::seconds}, {"peak", "highest rate", Measure::rate}};
    if (knows_busy) table.columns.push_back({"busy", "busy", Measure::seconds});
    std::vector<const LoadMember*> members;
    for (const LoadMember& one : group.members) members.push_back(&one);
    // Those that took longest come first.
    std::ranges::stable_sort(members, std::greater(), [](const LoadMember* one) { return one->at_best; });
    for (const LoadMember* const one : members) {
        if (table.rows.size() == most_members) break;
        table.rows.push_back({text(one->name), bytes_cell(one->read), bytes_cell(one->written),
                              one->best_rate > 0 ? rate(one->best_rate / mebibyte) : unknown(Measure::rate),
                              seconds(one->at_best),
                              one->peak > 0 ? rate(one->peak / mebibyte) : unknown(Measure::rate)});
        if (knows_busy)
            table.rows.back().push_back(one->busy >= 0 ? seconds(one->busy) : unknown(Measure::seconds));
    }
    table.remark =
        "While this job was in I/O, other programs' data included. Best rate: of its best intervals in that "
        "time; time at it: what all of its bytes take so; highest rate: in all of its series.";
    if (members.size() > most_members)
        table.remark += fmt::format(" The {} with most time, of {}.", most_members, members.size());
    return table;
}

}  // namespace

Blocks system_load(const Job& job, const SectionChoice&)
{
    const SystemLoad& load = *job.system;
    Blocks blocks;
    if (!load.span.empty()) blocks.push_back(Paragraph{fmt::format("There are series from {}.", load.span)});
    for (std::size_t at = 0; at < load.groups.size(); ++at) {
        const LoadGroup& group = load.groups[at];
        if (!group.serves_files &&
            group.read + group.written < telling_part * (group.job_read + group.job_written))
            continue;
        blocks.push_back(Paragraph{sentences_of(group)});
        Entries entries;
        if (group.serves_files) say_share(group, entries);
        add_saturation(group, entries);
        add_metadata(group, entries);
        if (!entries.entries.empty()) blocks.push_back(std::move(entries));
        if (const TimeChart chart = chart_of(group, job, at); chart.series.size() > 1)
            blocks.push_back(chart);
        if (group.members.size() > 1) blocks.push_back(table_of(group, at));
    }
    std::string without;
    for (const std::string& mount : load.without) add_to_list(without, mount);
    if (!without.empty())
        blocks.push_back(
            Note{Weight::information, fmt::format("There is no series of what lies behind {}.", without)});
    if (load.groups.empty())
        blocks.push_back(
            Note{Weight::warning,
                 "None of the series is of a server, a device or a node that this job used in its time."});
    for (const std::string& problem : load.problems) blocks.push_back(Note{Weight::warning, problem});
    return blocks;
}

}  // namespace fathom
