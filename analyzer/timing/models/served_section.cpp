// What served the operations, by class and by kind and size; what is known of them beside what was found.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/methods/scatter.h"
#include "analyzer/timing/models/sections.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_groups = 40;
constexpr std::string_view judged_by[] = {
    "An operation counts for the first model whose limit it does not pass; beyond all of them it is "
    "uncached.",
    "An operation counts for the model whose usual time is nearest, by how many times as long the one is as "
    "the other."};

Cell whole(double n)
{
    return count(static_cast<std::uint64_t>(std::llround(std::max(n, 0.0))));
}

// "share_cached_off0"
std::string id_of(std::string_view prefix, std::string_view name)
{
    std::string id = fmt::format("{}_{}", prefix, name);
    std::replace(id.begin(), id.end(), ' ', '_');
    std::replace(id.begin(), id.end(), '.', '_');
    return id;
}

Entries main_numbers(const Served& served, const ServedGroup& total)
{
    const double operations = total.all_operations(), time = total.all_time();
    Entries entries;
    auto& all = entries.entries;
    all.push_back({"operations", "operations judged", whole(operations), ""});
    if (total.unjudged > 0)
        all.push_back(
            {"unjudged", "not judged", whole(total.unjudged), "no model speaks of their kind and size"});
    all.push_back({"seconds", "time they took", seconds(time), "of all processes together"});
    all.push_back({"seconds_lost", "lost", seconds(total.all_lost()),
                   "what operations that the cache did not serve took longer than from the cache, at least"});
    all.push_back({"share_lost", "of that time", share_of(total.all_lost(), time), ""});
    for (std::size_t at = 0; at < served.classes.size(); ++at)
        all.push_back({id_of("share", served.classes[at].name()), served.classes[at].name(),
                       share_of(total.operations[at], operations), "of the operations"});
    return entries;
}

DataTable by_class(const Served& served, const ServedGroup& total)
{
    DataTable table{.id = "classes", .title = "By what served them"};
    table.columns = {
        {"served_from", "served as", Measure::text}, {"operations", "operations", Measure::count},
        {"share", "of them", Measure::share},        {"time", "time", Measure::seconds},
        {"time_share", "of time", Measure::share},   {"lost", "lost", Measure::seconds}};
    for (std::size_t at = 0; at < served.classes.size(); ++at)
        table.rows.push_back({text(served.classes[at].name()), whole(total.operations[at]),
                              share_of(total.operations[at], total.all_operations()), seconds(total.time[at]),
                              share_of(total.time[at], total.all_time()), seconds(total.lost[at])});
    return table;
}

double right_of(const Served& served, const ServedGroup& group)
{
    double right = 0;
    for (std::size_t at = 0; at < served.classes.size(); ++at)
        if (served.classes[at].state == group.state) right += group.operations[at];
    return right;
}

void tell_of_the_rest(DataTable& table, const Served& served)
{
    if (served.groups.size() > most_groups)
        table.remark = fmt::format("The first {} of {}.", most_groups, format_count(served.groups.size()));
}

// The paper's table 4.
DataTable by_group(const Served& served)
{
    const bool known = served.knows_states();
    DataTable table{.id = "groups", .title = "By operation: share of each class"};
    table.columns = {{"group", known ? "state-memory-file" : "operation", Measure::text},
                     {"uncached", "uncached", Measure::share}};
    const std::size_t uncached = served.classes.size() - 1;
    for (std::size_t at = 0; at < uncached; ++at)
        table.columns.push_back(
            {id_of("class", served.classes[at].name()), served.classes[at].name(), Measure::share});
    if (known) table.columns.push_back({"right", "right", Measure::share});
    for (const ServedGroup& group : served.groups) {
        if (table.rows.size() == most_groups) break;
        const double operations = group.all_operations();
        std::vector<Cell> row{text(group.name), share_of(group.operations[uncached], operations)};
        for (std::size_t at = 0; at < uncached; ++at)
            row.push_back(share_of(group.operations[at], operations));
        if (known) row.push_back(share_of(right_of(served, group), operations));
        table.rows.push_back(std::move(row));
    }
    tell_of_the_rest(table, served);
    return table;
}

DataTable losses(const Served& served)
{
    DataTable table{.id = "losses", .title = "By operation: what was lost against the cache"};
    table.columns = {{"group", "operation", Measure::text},      {"operations", "operations", Measure::count},
                     {"unjudged", "not judged", Measure::count}, {"time", "time", Measure::seconds},
                     {"lost", "lost", Measure::seconds},         {"share_lost", "of time", Measure::share}};
    for (const ServedGroup& group : served.groups) {
        if (table.rows.size() == most_groups) break;
        table.rows.push_back({text(group.name), whole(group.all_operations()), whole(group.unjudged),
                              seconds(group.all_time()), seconds(group.all_lost()),
                              share_of(group.all_lost(), group.all_time())});
    }
    tell_of_the_rest(table, served);
    return table;
}

// What is known in the rows, what was found in the columns.
void add_confusion(const Served& served, Blocks& blocks)
{
    std::vector<std::string> states;
    for (const ServedClass& one : served.classes)
        if (std::find(states.begin(), states.end(), one.state) == states.end()) states.push_back(one.state);
    std::map<std::string, std::map<std::string, double>> found;
    std::vector<std::string> known;
    for (const ServedGroup& group : served.groups) {
        if (std::find(known.begin(), known.end(), group.state) == known.end()) known.push_back(group.state);
        for (std::size_t at = 0; at < served.classes.size(); ++at)
            found[group.state][served.classes[at].state] += group.operations[at];
    }
    std::stable_sort(known.begin(), known.end(), [](const std::string& a, const std::string& b) {
        return rank_of_state(a) < rank_of_state(b);
    });

    DataTable table{.id = "confusion", .title = "What is known, and what was found"};
    table.columns = {{"known", "known to be", Measure::text}, {"operations", "operations", Measure::count}};
    for (const std::string& state : states)
        table.columns.push_back({id_of("found", state), "found " + state, Measure::share});
    table.columns.push_back({"right", "right", Measure::share});
    Entries entries;
    double all = 0, right = 0, shares = 0;
    for (const std::string& state : known) {
        double operations = 0;
        for (const auto& [name, n] : found[state]) operations += n;
        std::vector<Cell> row{text(state), whole(operations)};
        for (const std::string& name : states) row.push_back(share_of(found[state][name], operations));
        row.push_back(share_of(found[state][state], operations));
        entries.entries.push_back({id_of("right", state), state + " found right", row.back(), ""});
        table.rows.push_back(std::move(row));
        all += operations;
        right += found[state][state];
        if (operations > 0) shares += found[state][state] / operations;
    }
    entries.entries.push_back({"right", "found right", share_of(right, all), "of all operations"});
    entries.entries.push_back({"right_mean", "mean of the states",
                               share_of(shares, static_cast<double>(known.size())),
                               "each state counts alike"});
    blocks.emplace_back(std::move(table));
    blocks.emplace_back(std::move(entries));
}

// Discarded data is drawn alike, and cached data by whether the buffer was always the same.
std::size_t colour_of(const ServedClass& served)
{
    if (served.state == discard_state) return 0;
    if (served.state == uncached_state) return 3;
    return served.memory == "off0" ? 1 : 2;
}

Plot timeline(const Served& served)
{
    Plot plot{.id = "timeline",
              .title = "Operations over time, by what served them",
              .x = {"start", Measure::seconds, Scale::linear},
              .y = {"duration", Measure::seconds, Scale::logarithmic}};
    const ServedSamples& samples = served.samples;
    // What a cell shows is not hidden by another class: each is thinned by itself.
    for (std::size_t at = 0; at < served.classes.size(); ++at) {
        PlotSeries series{
            .name = served.classes[at].name(), .mark = Mark::points, .colour = colour_of(served.classes[at])};
        std::vector<double> x, y, logs;
        for (std::size_t one = 0; one < samples.served.size(); ++one) {
            if (samples.served[one] != at || !(samples.durations[one] > 0)) continue;
            x.push_back(samples.starts[one]);
            y.push_back(samples.durations[one]);
            logs.push_back(std::log10(samples.durations[one]));
        }
        for (const std::size_t one : spread_out(x, logs)) {
            series.x.push_back(x[one]);
            series.y.push_back(y[one]);
        }
        if (!series.x.empty()) plot.series.push_back(std::move(series));
    }
    if (samples.every > 1)
        plot.remark = fmt::format("One operation of {} is drawn.", format_count(samples.every));
    return plot;
}

std::string legend(const Served& served)
{
    const auto any = [&](std::string_view state) {
        return std::any_of(served.classes.begin(), served.classes.end(),
                           [&](const ServedClass& one) { return one.state == state; });
    };
    std::string words;
    if (any(discard_state))
        words +=
            "discard: as quick as reading /dev/zero or writing /dev/null, so no more than a copy in "
            "memory. ";
    if (any(cached_state)) words += "cached: as from and to the page cache. ";
    words +=
        "uncached: slower than that, so that a device, a server or a wait was in the way. off0, rnd and "
        "the like: where the buffer lay when that was measured, always in one place or anywhere.";
    return words;
}

}  // namespace

Blocks served_blocks(const Served& served, const ModelFile& file, std::string_view model, JudgeRule rule)
{
    const ServedGroup total = served.total();
    Blocks blocks;
    if (total.all_operations() == 0) {
        blocks.emplace_back(Paragraph{total.unjudged > 0
                                          ? "No operation can be judged: of their kinds and sizes the model "
                                            "says nothing, or their sizes "
                                            "are not known."
                                          : "There are no reads or writes whose durations are known."});
        for (const std::string& note : served.notes) blocks.emplace_back(Note{Weight::information, note});
        return blocks;
    }
    blocks.emplace_back(
        Paragraph{fmt::format("Each operation is held against the models of {} ({}). {}", model,
                              origin_of(file), judged_by[static_cast<std::size_t>(rule)])});
    if (served.knows_states()) add_confusion(served, blocks);
    blocks.emplace_back(main_numbers(served, total));
    blocks.emplace_back(by_class(served, total));
    blocks.emplace_back(by_group(served));
    blocks.emplace_back(losses(served));
    if (!served.samples.starts.empty()) blocks.emplace_back(timeline(served));
    blocks.emplace_back(Paragraph{legend(served)});
    for (const std::string& note : served.notes) blocks.emplace_back(Note{Weight::information, note});
    if (total.unknown_loss > 0)
        blocks.emplace_back(
            Note{Weight::information,
                 "For some slow operations the models do not have how long they take from the "
                 "cache: what these lost is not counted."});
    if (std::any_of(served.groups.begin(), served.groups.end(),
                    [](const ServedGroup& one) { return !one.counted; }))
        blocks.emplace_back(
            Note{Weight::information,
                 "Operations of MPI-IO are made of those of POSIX below: sums leave them out."});
    return blocks;
}

Blocks served_section(const Log& log, const ModelFile& file, std::string_view model)
{
    Judge judge(file, usual_rule(file));
    return served_blocks(served_of(timed_operations(log), judge, {}), file, model, judge.rule());
}

}  // namespace fathom
