// A section a question: who, how fast meanwhile, whether the model foretells it, what cannot be told.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/methods/not_finite.h"
#include "analyzer/neighbours/documents.h"
#include "analyzer/neighbours/words.h"

namespace fathom::neighbours {
namespace {

using namespace report;

constexpr std::string_view lwm2 = "the LWM2 study of two jobs on one file server";

std::string who_of(const RunningJob& job)
{
    std::string words = job.program.empty() ? "a program without a name" : printable(job.program);
    if (!job.user.empty()) words += fmt::format(" of {}", printable(job.user));
    return words;
}

Cell moment(Number nanoseconds)
{
    return nanoseconds > 0 ? instant(static_cast<std::uint64_t>(nanoseconds)) : unknown(Measure::instant);
}

std::size_t timed_of(const Beside& beside)
{
    return static_cast<std::size_t>(std::ranges::count_if(beside.neighbours, &Neighbour::timed));
}

// One sentence: what it lost, and to whom.
std::string verdict_of(const Beside& beside)
{
    const Disturbance& seen = beside.disturbance;
    if (beside.job.lack != Lack::nothing) return "What neighbours did to this job is not known.";
    const std::size_t timed = timed_of(beside);
    const double active = seen.alone.seconds + seen.beside.seconds;
    if (timed == 0)
        return beside.neighbours.empty()
                   ? "Of the jobs that the database knows, none used its file system while it was in I/O."
                   : "Whether its neighbours were active while it was in I/O is not known.";
    std::string words = fmt::format("{} of its {} in I/O {} beside {}", format_seconds(seen.beside.seconds),
                                    format_seconds(active), seen.beside.seconds == 1 ? "was" : "were",
                                    counted(timed, "neighbour", "neighbours"));
    if (!std::isfinite(seen.lost)) return words + "; what that cost is not known.";
    if (!(seen.lost > 0)) return words + "; it was no slower there than alone.";
    words += fmt::format(" and cost it {}", format_seconds(seen.lost));
    const Neighbour& first = beside.neighbours.front();
    constexpr double nearly_all = 0.99;
    if (first.part.lost > 0)
        words += fmt::format("{} while job {} ({}) moved {} at {}",
                             first.part.lost >= nearly_all * seen.lost
                                 ? ","
                                 : fmt::format(": {}", format_seconds(first.part.lost)),
                             first.job.name(), who_of(first.job), format(bytes_cell(first.part.bytes)),
                             format(rate_cell(first.part.bytes / first.part.seconds)));
    return words + ".";
}

Section in_brief(const Beside& beside)
{
    const RunningJob& job = beside.job;
    const Disturbance& seen = beside.disturbance;
    Entries entries;
    const auto add = [&](const char* id, const char* label, Cell cell, std::string remark = {}) {
        entries.entries.push_back({id, label, std::move(cell), std::move(remark)});
    };
    add("job", "Job", text(job.name()));
    add("program", "Program", name_cell(job.program));
    add("user", "User", name_cell(job.user));
    add("start", "Start", moment(job.start));
    add("end", "End", moment(job.end));
    add("processes", "Processes", count_cell(job.processes));
    if (!job.places.empty()) {
        const Place& place = job.places[0];
        add("file_system", "File system", text(words_of(place)),
            fmt::format("{} of its bytes", format(share_cell(place.share))));
    }
    add("neighbour_count", "Neighbours", count(beside.neighbours.size()),
        "jobs that used it at the same time");
    add("active_alone", "In I/O alone", seconds_cell(seen.alone.seconds));
    add("active_beside", "In I/O beside others", seconds_cell(seen.beside.seconds));
    add("rate_beside", "Rate beside others", rate_cell(seen.beside.rate()));
    add("usual_rate", "Usual rate alone", rate_cell(beside.usual.rate), words_of(beside.usual));
    add("lost", "Lost to neighbours", seconds_cell(seen.lost),
        "(1 - rate / usual rate) of the time in I/O beside others");
    Section section{"brief", "In brief", {}};
    section.blocks.push_back(Paragraph{verdict_of(beside)});
    section.blocks.push_back(std::move(entries));
    return section;
}

std::string rows_left_out(std::size_t all, std::size_t top)
{
    return all > top ? fmt::format("{} more are left out; --top shows them. ", format_count(all - top)) : "";
}

Section who(const Beside& beside, std::size_t top)
{
    Section section{"neighbours", "Who ran beside it", {}};
    if (beside.neighbours.empty()) {
        section.blocks.push_back(Paragraph{"No job of the database used its file systems while it did."});
        return section;
    }
    DataTable table{.id = "neighbours"};
    table.columns = {{"job", "job"},
                     {"program", "program"},
                     {"user", "user"},
                     {"processes", "procs", Measure::count},
                     {"both_active", "both", Measure::seconds},
                     {"active_overlap", "overlap", Measure::seconds},
                     {"bytes", "moved", Measure::bytes},
                     {"lost", "lost", Measure::seconds}};
    for (const Neighbour& one : beside.neighbours) {
        if (table.rows.size() == top) break;
        const auto& overlap = one.pair.active_overlap;
        const double length = static_cast<double>(one.pair.length) / 1e9;
        table.rows.push_back({text(one.job.name()), name_cell(one.job.program), name_cell(one.job.user),
                              count_cell(one.job.processes), seconds_cell(one.timed ? one.part.seconds : nan),
                              seconds_cell(!one.timed ? nan
                                           : overlap  ? static_cast<double>(overlap->length()) * length
                                                      : 0),
                              bytes_cell(one.timed ? one.part.bytes : -1),
                              seconds_cell(one.timed ? one.part.lost : nan)});
    }
    table.remark = rows_left_out(beside.neighbours.size(), top) +
                   "Both: in I/O at the same time; overlap: the active overlap; moved: by it, while "
                   "this job was in I/O; lost: to it, below 0 where this job was quicker than usual.";
    section.blocks.push_back(std::move(table));
    section.blocks.push_back(Paragraph{fmt::format(
        "Definition: a job is active in a time bin in which it moved data or a process was in a read, write "
        "or "
        "sync. The active overlap is the longest stretch in which all processes of both that do I/O were. "
        "What was lost is divided over neighbours by the bytes of each. Source: {}, section 4.2; seconds "
        "lost are Fathom's own.",
        lwm2)});
    return section;
}

Section rates(const Beside& beside, std::size_t top)
{
    Section section{"rates", "Rates in and out of the overlap", {}};
    DataTable table{.id = "rates"};
    table.columns = {{"job", "job", Measure::count},        {"side", "whose"},
                     {"overlap", "overlap", Measure::rate}, {"together", "both", Measure::rate},
                     {"apart", "else", Measure::rate},      {"usual", "alone", Measure::rate},
                     {"spread", "spread", Measure::share}};
    DataTable ratios{.id = "ratios", .title = "Shares"};
    ratios.columns = {{"job", "job"}, {"rates", "rates, this : its"}, {"processes", "processes, this : its"}};
    for (const Neighbour& one : beside.neighbours) {
        if (!one.timed || ratios.rows.size() == top) continue;
        const auto row = [&](const char* side, const PairSide& of, const UsualRate& usual,
                             const std::optional<double>& spread) {
            table.rows.push_back({count(static_cast<std::uint64_t>(one.job.id)), text(side),
                                  rate_cell(of.overlap.rate()), rate_cell(of.together.rate()),
                                  rate_cell(of.apart.rate()),
                                  rate_cell(usual.from == UsualRate::From::nothing ? nan : usual.rate),
                                  share_cell(spread.value_or(nan))});
        };
        row("this job's", one.pair.first, beside.usual, one.spread[0]);
        row("its", one.pair.second, one.usual, one.spread[1]);
        const bool overlaps = one.pair.active_overlap.has_value();
        ratios.rows.push_back(
            {text(one.job.name()),
             overlaps ? ratio_cell(one.pair.first.overlap.bytes, one.pair.second.overlap.bytes)
                      : ratio_cell(one.pair.first.together.bytes, one.pair.second.together.bytes),
             ratio_cell(one.pair.first.processes, one.pair.second.processes)});
    }
    if (table.rows.empty()) return section;
    table.remark = rows_left_out(timed_of(beside), top);
    section.blocks.push_back(std::move(table));
    section.blocks.push_back(std::move(ratios));
    section.blocks.push_back(Paragraph{fmt::format(
        "Definition: rates are bytes over the length of the bins, in the active overlap, in all bins in "
        "which both were "
        "active, in the job's others, and as usual alone. Processes are those that were active at "
        "once; where each has the same share of the file system, both ratios are alike. The spread is the "
        "standard deviation of the bytes of each of a job's processes over their mean, in the active "
        "overlap; "
        "it takes the logs, where they still lie. Source: {}, section 4.2 and table 3.",
        lwm2)});
    return section;
}

Section modelled(const Beside& beside)
{
    Section section{"model", "Whether the model foretells it", {}};
    DataTable together{.id = "together", .title = "Together, from alone: (1), (2)"},
        alone{.id = "alone", .title = "Alone, from together: (3), (4)"};
    together.columns = {{"job", "job"},
                        {"side", "whose"},
                        {"processes", "procs", Measure::count},
                        {"alone", "alone", Measure::seconds},
                        {"predicted", "predicted", Measure::seconds},
                        {"observed", "observed", Measure::seconds},
                        {"error", "error", Measure::share},
                        {"by_nodes", "by nodes", Measure::seconds},
                        {"error_by_nodes", "error", Measure::share}};
    alone.columns = {{"job", "job"},
                     {"side", "whose"},
                     {"predicted", "predicted", Measure::seconds},
                     {"usual", "by its usual rate", Measure::seconds},
                     {"error", "error", Measure::share}};
    Blocks why_not;
    for (const Neighbour& one : beside.neighbours) {
        if (!one.model) continue;
        const ModelledPair& model = *one.model;
        using enum ModelledPair::Lack;
        const std::string name = one.job.name();
        if (model.lack == usual_rate)
            why_not.push_back(
                Paragraph{fmt::format("Job {}: the usual rate alone of one of the two is not known.", name)});
        if (model.lack == computes)
            why_not.push_back(Paragraph{fmt::format(
                "Job {}: one of the two does other things between its I/O; the model is of I/O alone.",
                name)});
        if (model.lack == others)
            why_not.push_back(Paragraph{
                fmt::format("Job {}: a third job was active meanwhile; the model is of two.", name)});
        if (model.lack != nothing) continue;
        for (const std::size_t at : {0, 1}) {
            const char* const side = at == 0 ? "this" : "its";
            together.rows.push_back({text(name), text(side), count_cell(model.processes[at]),
                                     seconds_cell(model.alone[at]), seconds_cell(model.predicted[at]),
                                     seconds_cell(model.observed[at]),
                                     share_cell(relative_error(model.predicted[at], model.observed[at])),
                                     seconds_cell(model.by_nodes[at]),
                                     share_cell(relative_error(model.by_nodes[at], model.observed[at]))});
            alone.rows.push_back({text(name), text(side), seconds_cell(model.alone_predicted[at]),
                                  seconds_cell(model.alone[at]),
                                  share_cell(relative_error(model.alone_predicted[at], model.alone[at]))});
        }
    }
    if (!together.rows.empty()) {
        section.blocks.push_back(std::move(together));
        section.blocks.push_back(std::move(alone));
    }
    section.blocks.insert(section.blocks.end(), why_not.begin(), why_not.end());
    if (section.blocks.empty()) return section;
    section.blocks.push_back(Paragraph{fmt::format(
        "Definition: while two jobs are active, each gets on at the share that its processes are of all; so "
        "the "
        "time together follows from the times alone and the moments of their starts. Observed is from the "
        "first active bin to the last. By nodes: if nodes had the same shares instead. The error is "
        "(predicted - observed) / observed. Source: {}, section "
        "4.3, "
        "which has errors under 12 % for files of one process each, of jobs of several processes.",
        lwm2)});
    return section;
}

// Bins of the job's grid are put together until there are few enough for a chart.
Section over_time(const Beside& beside)
{
    Section section{"over_time", "Rates over time", {}};
    const RunningJob& job = beside.job;
    if (job.lack != Lack::nothing || timed_of(beside) == 0) return section;
    constexpr std::uint64_t most_shown = 400;
    std::uint64_t length = job.bins.length;
    while ((job.bins.bins.back().number * job.bins.length - job.bins.bins.front().number * job.bins.length) /
               length >=
           most_shown)
        length *= 2;
    const ActiveBins own = on_grid(job.bins, length);
    const std::uint64_t first =
                            std::min(static_cast<std::uint64_t>(job.start) / length, own.bins.front().number),
                        slices = own.bins.back().number - first + 1;
    TimeChart chart{.id = "rates_over_time",
                    .title = "Rate of this job and of its neighbours",
                    .series = {{"this job", {}}, {"neighbours", {}}}};
    chart.time = {(static_cast<double>(first * length) - static_cast<double>(job.start)) / 1e9,
                  static_cast<double>(length) / 1e9, slices, static_cast<double>(job.end - job.start) / 1e9,
                  static_cast<std::uint64_t>(job.start)};
    for (Series& series : chart.series) series.values.resize(slices);
    const auto add = [&](const ActiveBins& bins, Series& series) {
        for (const ActiveBin& bin : on_grid(bins, length).bins)
            if (bin.number >= first && bin.number < first + slices)
                series.values[bin.number - first] += bin.bytes / 0x1p20 / (static_cast<double>(length) / 1e9);
    };
    add(job.bins, chart.series[0]);
    for (const Neighbour& one : beside.neighbours)
        if (one.timed) add(one.job.bins, chart.series[1]);
    section.blocks.push_back(std::move(chart));
    return section;
}

Section not_told(const Beside& beside)
{
    Section section{"not_told", "What cannot be told", {}};
    const auto say = [&](std::string words, Weight weight = Weight::information) {
        section.blocks.push_back(Note{weight, std::move(words)});
    };
    const RunningJob& job = beside.job;
    switch (job.lack) {
        case Lack::nothing:
            break;
        case Lack::log:
            say("There is no log of this job: nobody knows when it was in I/O, and on which file system.",
                Weight::warning);
            break;
        case Lack::time:
            say("The log of this job does not say when it began and ended.", Weight::warning);
            break;
        case Lack::bins:
            say("The log of this job has no time bins (Darshan without HEATMAP or DXT): when it was in I/O "
                "is "
                "not known, so that neighbours are those that used its file system at some time of its run.",
                Weight::warning);
            break;
        case Lack::clock:
            say("The time bins of this job lie outside of its run: the clocks of its nodes, or of its log, "
                "are "
                "apart. Nothing is said of moments.",
                Weight::warning);
            break;
    }
    if (!job.places.empty() && job.places[0].share < most_of_it)
        say(fmt::format("Time bins have the bytes of all file systems together, and this job moved {} of its "
                        "bytes on {}: rates on it are not known.",
                        format(share_cell(job.places[0].share)), words_of(job.places[0])),
            Weight::warning);
    std::size_t several = 0;
    for (const Neighbour& one : beside.neighbours)
        several += !one.timed && one.job.lack == Lack::nothing && one.share_there < most_of_it;
    if (several > 0)
        say(fmt::format(
            "{} moved less than 90 % of their bytes on the file system of this job: when they were "
            "active on it is not known.",
            counted(several, "neighbour", "neighbours")));
    if (beside.unsure > 0) {
        std::string where;
        for (const Place& place : beside.unsure_places)
            where += fmt::format("{}{}", where.empty() ? "" : "; ", words_of(place));
        say(fmt::format(
            "Of {} that ran at the time it is not known whether {} the same file system: {}. The "
            "log lacks the server or the nodes, or names servers differently.",
            counted(beside.unsure, "job", "jobs"), beside.unsure == 1 ? "it used" : "they used", where));
    }
    for (std::size_t at = 1; at < beside.lacking.size(); ++at)
        if (beside.lacking[at] > 0)
            say(fmt::format("There {} {} at the time {}.", beside.lacking[at] == 1 ? "was" : "were",
                            counted(beside.lacking[at], "job", "jobs"), lack_words[at]));
    say(fmt::format(
        "{} at the time used other file systems, {} this one but not while this job was in I/O, or next to "
        "nothing then. "
        "Programs of which the database has no log are not seen, nor is what jobs do without moving "
        "data. Moments are by the clocks of each job's nodes.",
        counted(beside.elsewhere, "job", "jobs"), format_count(beside.apart)));
    return section;
}

}  // namespace

Document document_of(const Beside& beside, std::size_t top)
{
    Document document;
    document.title = fmt::format("Neighbours of job {}", beside.job.name());
    document.subtitle = who_of(beside.job);
    if (beside.job.start > 0)
        document.subtitle +=
            fmt::format(", {}", format_instant(static_cast<std::uint64_t>(beside.job.start)));
    for (Section& section : std::vector<Section>{in_brief(beside), over_time(beside), who(beside, top),
                                                 rates(beside, top), modelled(beside), not_told(beside)})
        if (!section.blocks.empty()) document.sections.push_back(std::move(section));
    return document;
}

Planned planned_of(jobs::Database& database, Number id)
{
    const Beside beside = look_beside(database, id, 0);
    if (beside.job.lack != Lack::nothing)
        throw std::runtime_error(
            fmt::format("{}: when job {} was in I/O is not known, so that its rate is not; name another run "
                        "of it, or say "
                        "PROCESSES:BYTES:RATE",
                        database.name(), id));
    if (beside.usual.from == UsualRate::From::nothing)
        throw std::runtime_error(
            fmt::format("{}: the rate of job {} alone is not known ({}); name another run "
                        "of it, or say PROCESSES:BYTES:RATE",
                        database.name(), id, words_of(beside.usual)));
    return {printable(fmt::format("{} {}", id, beside.job.program)),
            std::max(most_active(beside.job.bins), 1.0),
            beside.job.nodes,
            beside.job.bytes(),
            beside.usual,
            beside.job};
}

Evidence find_evidence(jobs::Database& database, const Planned& first, const Planned& second)
{
    std::vector<RunningJob> jobs;
    for (const Planned* const one : {&first, &second})
        if (one->job) jobs.push_back(*one->job);
    return find_evidence(database, jobs);
}

namespace {

// Which of the two times is the one to expect, and why.
std::string words_of(const Evidence& evidence)
{
    if (evidence.side() == Evidence::For::neither)
        return evidence.pairs == 0 ? ""
                                   : "One pair like these ran before: too few to say whether processes or "
                                     "nodes have the same share here.";
    const bool nodes = evidence.side() == Evidence::For::nodes;
    const char *const closer = nodes ? "nodes" : "processes", *const other = nodes ? "processes" : "nodes";
    return fmt::format(
        "Of {} pairs like these that ran on this file system before, the times by {} were off by {} "
        "(median of the larger error of both jobs), by {} by {}: expect those by {}.",
        evidence.pairs, closer, format_share(nodes ? evidence.nodes : evidence.processes), other,
        format_share(nodes ? evidence.processes : evidence.nodes), closer);
}

}  // namespace

Document what_if(const Planned& first, const Planned& second, const Evidence& evidence)
{
    const Planned* const both[] = {&first, &second};
    std::vector<Contender> contenders;
    for (const Planned* const one : both)
        contenders.push_back({one->bytes / one->usual.rate, one->processes, 0});
    const auto together = seconds_side_by_side(contenders);
    contenders[0].processes = first.nodes;
    contenders[1].processes = second.nodes;
    const bool nodes_known = first.nodes > 0 && second.nodes > 0;
    const auto by_nodes = seconds_side_by_side(contenders);
    DataTable table{.id = "what_if"};
    table.columns = {{"job", "job"},
                     {"processes", "procs", Measure::count},
                     {"bytes", "bytes", Measure::bytes},
                     {"rate", "rate alone", Measure::rate},
                     {"alone", "I/O alone", Measure::seconds},
                     {"together", "together", Measure::seconds},
                     {"by_nodes", "by nodes", Measure::seconds},
                     {"expected", "to expect", Measure::seconds}};
    std::array<double, 2> expected{};
    for (std::size_t at = 0; at < 2; ++at) {
        const bool alike = nodes_known && std::abs(by_nodes[at] - together[at]) < 0.01 * together[at];
        expected[at] = nodes_known && evidence.side() == Evidence::For::nodes ? by_nodes[at]
                       : alike || evidence.side() == Evidence::For::processes ? together[at]
                                                                              : nan;
    }
    for (std::size_t at = 0; at < 2; ++at)
        table.rows.push_back({text(both[at]->name), count_cell(both[at]->processes),
                              bytes_cell(both[at]->bytes), rate_cell(both[at]->usual.rate),
                              seconds_cell(contenders[at].seconds), seconds_cell(together[at]),
                              seconds_cell(nodes_known ? by_nodes[at] : nan), seconds_cell(expected[at])});
    const double by_turns = contenders[0].seconds + contenders[1].seconds;
    table.remark = fmt::format("One after the other their I/O takes {} in all, together {}.",
                               format_seconds(by_turns), format_seconds(std::max(together[0], together[1])));
    Document document;
    document.title = "Two jobs side by side";
    document.subtitle = "foretold, before they run";
    Section section{"what_if", "What if they ran at once", {}};
    section.blocks.push_back(std::move(table));
    const bool can_be_followed = nodes_known || evidence.side() != Evidence::For::nodes;
    if (std::string words = words_of(evidence); can_be_followed && !words.empty())
        section.blocks.push_back(Paragraph{std::move(words)});
    section.blocks.push_back(
        Paragraph{fmt::format("Definition: both begin their I/O at once on one file system and do nothing "
                              "else; each gets on at the "
                              "share that its processes are of all; by nodes: that its nodes are; to expect: "
                              "the one that was closer for earlier pairs, or both where they agree. Source: "
                              "{}, section 4.3, equations (1) "
                              "and (2), which errs by less "
                              "than 12 % for files of one process each, of jobs of several processes; for "
                              "files that all share, and "
                              "jobs of one process, by up to 42 %.",
                              lwm2)});
    document.sections.push_back(std::move(section));
    return document;
}

}  // namespace fathom::neighbours
