// A section a target: what there was, its states, how they change, and how far to trust that.
#include "analyzer/timing/states/document.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/timing/states/blocks.h"

namespace fathom {
namespace {

using namespace report;

// Seconds from here on are taken to be of UNIX time: those of 1973.
constexpr double unix_time_from = 1e8;

std::string title_of(const SampleGroup& group)
{
    if (group.target.empty() && group.operation.empty()) return "All latencies";
    if (group.target.empty()) return group.operation;
    return group.operation.empty() ? group.target : group.target + ", " + group.operation;
}

Cell moment(double time)
{
    return time >= unix_time_from ? instant(static_cast<std::uint64_t>(time * 1e9)) : seconds(time);
}

// "from 2026-11-23 08:45:02 to 08:45:09 UTC"
std::string stretch(double from, double to)
{
    const std::string first = format(moment(from)), last = format(moment(to));
    if (from < unix_time_from) return fmt::format("from {} to {}", first, last);
    constexpr std::size_t date = 11, seconds_end = 19;
    return fmt::format("from {} to {}", first.substr(0, seconds_end),
                       first.substr(0, date) == last.substr(0, date) ? last.substr(date) : last);
}

Paragraph when_busy(const StatesResult& result)
{
    const BusyTime busy = busy_time_of(result);
    const std::size_t states = result.fit.model.states();
    const std::string name =
        states <= 3 ? "Busy" : fmt::format("In {}, the slowest,", name_of_state(states - 1, states));
    if (busy.visits == 0) return {name + " at no time."};
    return {fmt::format("{} {} of the time, in {}; the longest {}.", name, format_share(busy.share),
                        counted(busy.visits, "visit", "visits"),
                        stretch(busy.longest_from, busy.longest_to))};
}

void add_merged(Section& section, const StatesResult& result)
{
    const std::size_t states = result.fit.model.states();
    if (states < result.asked_for)
        section.blocks.push_back(
            Note{Weight::information,
                 fmt::format("{} states were asked for, and {} are given: of more, two have latencies within "
                             "one standard deviation of each other, or say no more than one.",
                             result.asked_for, states)});
    if (result.alike)
        section.blocks.push_back(Note{Weight::warning,
                                      "The two states have latencies within one standard deviation of each "
                                      "other, or say no more than one: the storage may have had just one."});
}

void add_notes(Section& section, const SampleGroup& group)
{
    const auto note = [&](std::string words) {
        section.blocks.push_back(Note{Weight::information, std::move(words)});
    };
    const LeftOut& left = group.left_out;
    if (left.failed > 0)
        note(fmt::format("{} of operations that failed left out.", counted(left.failed, "row", "rows")));
    if (left.no_latency > 0)
        note(fmt::format("{} without a latency above 0 left out.", counted(left.no_latency, "row", "rows")));
    if (left.same_time > 0)
        note(fmt::format("{} with the time of the row before left out.",
                         counted(left.same_time, "row", "rows")));
    if (!group.sorted) note("The rows were not in the order of time; they are here.");
}

Entries facts_of(const StatesResult& result)
{
    Entries facts;
    auto& all = facts.entries;
    all.push_back({"samples", "Samples", count(result.times.size()),
                   result.held_out ? "that the model is made of" : ""});
    all.push_back({"first", "First sample", moment(result.times.front()), ""});
    all.push_back({"last", "Last sample", moment(result.times.back()), ""});
    all.push_back({"interval", "Time between samples", seconds(result.interval), "the median"});
    all.push_back(
        {"gaps", "Gaps", count(result.stretches.size()),
         result.stretches.empty()
             ? fmt::format("more than {} without a sample would be one", format_seconds(result.gap))
             : fmt::format("more than {} without a sample, up to {}; nothing is taken to be known of "
                           "the state across them",
                           format_seconds(result.gap), format_seconds(result.longest_gap))});
    all.push_back({"log_likelihood", "Log-likelihood", number(result.fit.smoothed.log_likelihood),
                   fmt::format("of latencies in seconds; {}{}", counted(result.fit.steps, "step", "steps"),
                               result.fit.settled ? "" : ", and still rising")});
    if (result.truth && result.truth->agreement)
        all.push_back({"agreement", "Agreement", share(*result.truth->agreement),
                       "samples whose state is the one that was set"});
    return facts;
}

void add_held_out(Section& section, const HeldOut& held_out)
{
    const bool alike = held_out.distance <= held_out.usual;
    section.blocks.push_back(
        Paragraph{fmt::format("{} that were measured later differ from simulated ones {}: K-S distance "
                              "{:.3f} (median of {} runs), where 95 % "
                              "of simulated runs differ from each other by no more than {:.3f}.",
                              counted(held_out.latencies.size(), "latency", "latencies"),
                              alike ? "no more than simulated ones do from each other"
                                    : "more than simulated ones do from each other",
                              held_out.distance, held_out.runs, held_out.usual)});
    section.blocks.push_back(
        Entries{{{"held_out_samples", "Held out", count(held_out.latencies.size()),
                  "samples after those of the model"},
                 {"held_out_distance", "K-S distance", number(held_out.distance),
                  "between measured and simulated latencies"},
                 {"held_out_usual", "K-S distance of runs", number(held_out.usual),
                  "95 % of pairs of simulated runs have no more"},
                 {"held_out_per_sample", "Log-likelihood a sample", number(held_out.per_sample),
                  fmt::format("held out; {:.4g} for the model's own", held_out.per_trained)}}});
    section.blocks.push_back(held_out_plot(held_out));
}

Section section_of(const GroupStates& one, std::size_t place, StatesDetail detail)
{
    Section section{.id = fmt::format("states_{}", place + 1), .title = title_of(one.group), .blocks = {}};
    add_notes(section, one.group);
    if (!one.result) {
        section.blocks.push_back(Note{Weight::warning, "No model: " + one.why_not + "."});
        return section;
    }
    const StatesResult& result = *one.result;
    section.blocks.push_back(when_busy(result));
    add_merged(section, result);
    section.blocks.push_back(facts_of(result));
    section.blocks.push_back(state_table(result, detail == StatesDetail::whole));
    section.blocks.push_back(timeline_plot(result));
    section.blocks.push_back(density_plot(result));
    section.blocks.push_back(rate_table(result));
    section.blocks.push_back(waiting_table(result));
    for (Plot& plot : waiting_plots(result)) section.blocks.push_back(std::move(plot));
    if (result.truth) section.blocks.push_back(truth_table(result, *result.truth));
    if (result.held_out) add_held_out(section, *result.held_out);
    if (detail == StatesDetail::whole) section.blocks.push_back(path_table(result));
    return section;
}

// All targets at a glance.
Section overview(const std::vector<GroupStates>& groups, std::size_t states)
{
    DataTable table{.id = "targets",
                    .title = "",
                    .columns = {{"target", "target", Measure::path},
                                {"operation", "operation", Measure::text},
                                {"samples", "samples", Measure::count}},
                    .rows = {},
                    .remark = "Median latency in each state, and its share of the samples."};
    for (std::size_t state = 0; state < states; ++state) {
        const std::string name = name_of_state(state, states);
        table.columns.push_back({fmt::format("median_{}", state + 1), name, Measure::seconds});
        table.columns.push_back({fmt::format("share_{}", state + 1), "share", Measure::share});
    }
    for (const GroupStates& one : groups) {
        table.rows.push_back(
            {path(one.group.target), text(one.group.operation), count(one.group.times.size())});
        const DataTable found = one.result ? state_table(*one.result, false) : DataTable{};
        for (std::size_t state = 0; state < states; ++state) {
            // Of fewer states than were asked for, the last is the slowest all the same.
            const std::size_t last = found.rows.empty() ? 0 : found.rows.size() - 1;
            const std::size_t row = state + 1 == states ? last : state;
            const bool has = one.result && (row < last || state + 1 == states);
            table.rows.back().push_back(has ? found.rows[row][1] : unknown(Measure::seconds));
            table.rows.back().push_back(has ? found.rows[row][3] : unknown(Measure::share));
        }
    }
    return {.id = "targets", .title = "All targets", .blocks = {std::move(table)}};
}

}  // namespace

Document states_document(const std::string& path, const std::vector<GroupStates>& groups,
                         const StatesChoice& choice, StatesDetail detail)
{
    std::uint64_t samples = 0, left_out = 0;
    for (const GroupStates& one : groups) {
        samples += one.group.times.size();
        left_out += one.group.left_out.all();
    }
    Document document{
        .title = "States of storage",
        .subtitle =
            fmt::format("{}: {}, {} states{}", path, counted(samples, "latency", "latencies"), choice.states,
                        left_out > 0 ? ", " + counted(left_out, "row", "rows") + " left out" : ""),
        .sections = {}};
    if (groups.size() > 1) document.sections.push_back(overview(groups, choice.states));
    for (std::size_t at = 0; at < groups.size(); ++at)
        document.sections.push_back(section_of(groups[at], at, detail));
    return document;
}

}  // namespace fathom
