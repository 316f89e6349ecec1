// Runs over time: a plot, the trend, changes of level with what else changed then.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/history/circumstances.h"
#include "analyzer/history/report/sections.h"

namespace fathom::history {
namespace {

using namespace report;

constexpr double nanoseconds_a_day = 86400e9;

std::string trend_words(const Course& course)
{
    if (!course.trend) return {};
    const double days =
        static_cast<double>(course.runs.back()->start - course.runs.front()->start) / nanoseconds_a_day;
    const double whole = std::expm1(course.trend->slope * days), month = std::expm1(course.trend->slope * 30);
    if (!is_sure(*course.trend))
        return fmt::format("Trend: none that is beyond chance (it would be {:+.1f} % over the whole time).",
                           whole * 100);
    return fmt::format(
        "Trend: {:+.1f} % in 30 days, {:+.1f} % over the whole time; a rise or fall this even "
        "comes about by chance in {} histories.{}",
        month * 100, whole * 100, chance_words(std::max(course.trend->chance, 1e-6)),
        course.changes.empty() ? "" : " The changes below are part of it.");
}

std::string what_changed(const std::vector<LastingChange>& changes, const Course& course, std::size_t run)
{
    std::string all;
    for (const LastingChange& one : changes) {
        if (!all.empty()) all += "; ";
        all += fmt::format("{}: {}, before {}", aspects()[one.aspect].words, one.after, one.before);
        if (one.run != run) all += fmt::format(" (from {} on)", minute_words(course.runs[one.run]->start));
    }
    return all;
}

}  // namespace

Blocks time_section(const Course& course, const KindRun& today)
{
    Blocks blocks;
    const Number began = course.runs.front()->start;
    const auto days = [&](const KindRun& run) {
        return static_cast<double>(run.start - began) / nanoseconds_a_day;
    };
    Plot plot{.id = "times",
              .title = "Time in I/O of the slowest rank, run by run",
              .x = {.heading = fmt::format("days since {} UTC", minute_words(began)),
                    .measure = Measure::number,
                    .began = static_cast<std::uint64_t>(std::max<Number>(began, 0)),
                    .unit = nanoseconds_a_day / 1e9},
              .y = {"time in I/O", Measure::seconds},
              .remark = ""};
    PlotSeries runs{"runs", Mark::points, {}, {}, 0}, levels{"level", Mark::steps, {}, {}, 1},
        one{"this run", Mark::points, {}, {}, 2};
    for (std::size_t at = 0; at < course.runs.size(); ++at) {
        PlotSeries& series = course.runs[at]->id == today.id ? one : runs;
        series.x.push_back(days(*course.runs[at]));
        series.y.push_back(course.seconds[at]);
    }
    for (const Level& level : course.levels) {
        levels.x.push_back(days(*course.runs[level.from]));
        levels.y.push_back(level.median);
    }
    levels.x.push_back(days(*course.runs.back()));
    levels.y.push_back(course.levels.back().median);
    plot.series = {std::move(runs), std::move(levels), std::move(one)};
    for (const ChangePoint& change : course.changes)
        plot.marks.push_back({day_words(course.runs[change.at]->start), days(*course.runs[change.at])});
    blocks.push_back(std::move(plot));
    if (const std::string words = trend_words(course); !words.empty()) blocks.push_back(Paragraph{words});
    return blocks;
}

Blocks change_section(const Course& course, const Circumstances& circumstances)
{
    Blocks blocks;
    const std::vector<LastingChange> lasting = lasting_changes(circumstances);
    DataTable table{.id = "changes", .title = "Changes of the level"};
    table.columns = {{"since", "since", Measure::text},      {"job", "first job", Measure::text},
                     {"before", "before", Measure::seconds}, {"after", "after", Measure::seconds},
                     {"ratio", "times", Measure::number},    {"chance", "by chance", Measure::text}};
    std::vector<std::string> sentences;
    for (std::size_t at = 0; at < course.changes.size(); ++at) {
        const ChangePoint& change = course.changes[at];
        const double before = course.levels[at].median, after = course.levels[at + 1].median;
        const KindRun& run = *course.runs[change.at];
        table.rows.push_back(
            {text(minute_words(run.start)), text(fmt::format("{}", run.id)), seconds(before), seconds(after),
             before > 0 ? with_decimals(number(after / before), 2) : unknown(Measure::number),
             text(chance_words(change.chance))});
        const std::string what = what_changed(changes_near(lasting, change.at), course, change.at);
        sentences.push_back(fmt::format(
            "{}: {}", day_words(run.start),
            what.empty() ? "nothing else that the database knows changed within two runs." : what + "."));
    }
    if (table.rows.empty()) {
        blocks.push_back(
            Paragraph{course.runs.size() < fewest_to_judge
                          ? fmt::format("{} tell no change from chance; that takes {}.",
                                        counted(course.runs.size(), "run", "runs"), fewest_to_judge)
                          : std::string("The level did not change beyond chance.")});
    } else {
        table.remark = "by chance: how often runs in any other order show a difference this clear.";
        blocks.push_back(std::move(table));
        for (std::string& sentence : sentences) blocks.push_back(Paragraph{"What changed " + sentence});
    }
    DataTable others{.id = "circumstances", .title = "What else changed for good, and when"};
    others.columns = {{"since", "since", Measure::text},
                      {"job", "first job", Measure::text},
                      {"what", "what", Measure::text},
                      {"before", "before", Measure::text},
                      {"after", "after", Measure::text}};
    for (const LastingChange& one : lasting)
        others.rows.push_back({text(minute_words(course.runs[one.run]->start)),
                               text(fmt::format("{}", course.runs[one.run]->id)),
                               text(aspects()[one.aspect].words), text(one.before), text(one.after)});
    if (!others.rows.empty()) blocks.push_back(std::move(others));
    if (!circumstances.unknown.empty()) {
        std::string names;
        for (const std::size_t at : circumstances.unknown)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", aspects()[at].words);
        blocks.push_back(Paragraph{"Not known of any of these runs: " + names + "."});
    }
    return blocks;
}

std::string what_is_new(const Course& course, const KindRun& today, const Circumstances& circumstances)
{
    std::string all;
    for (const LastingChange& one : lasting_changes(circumstances))
        if (course.runs[one.run]->id == today.id)
            all += fmt::format("{}{}: {}, before {}", all.empty() ? "" : "; ", aspects()[one.aspect].words,
                               one.after, one.before);
    return all;
}

Blocks today_section(const Course& course, const KindRun& today)
{
    Blocks blocks;
    std::size_t at = 0;
    while (at < course.runs.size() && course.runs[at]->id != today.id) ++at;
    if (at == course.runs.size()) {
        blocks.push_back(
            Paragraph{"How long this run was in I/O is not known: it moved no data, or its log "
                      "has no times."});
        return blocks;
    }
    const std::vector<double> others = course.others_of(at);
    const auto judged = judge(course.seconds[at], others);
    Entries entries;
    entries.entries = {
        {"job", "job", text(fmt::format("{}", today.id)), minute_words(today.start) + " UTC"},
        {"time", "time in I/O", seconds(course.seconds[at]), "of the slowest rank"},
    };
    if (const auto usual = usual_of(others); usual && judged) {
        const FiveNumbers& numbers = usual->numbers;
        entries.entries.push_back({"usual", "usual", seconds(numbers.median),
                                   fmt::format("median of {} at the same level, half of them from {} to {}",
                                               counted(numbers.values, "other run", "other runs"),
                                               format_seconds(numbers.q1), format_seconds(numbers.q3))});
        entries.entries.push_back({"limit", "usual up to", seconds(usual->limit),
                                   fmt::format("runs usually differ by {:.0f} %", usual->spread * 100)});
        entries.entries.push_back(
            {"difference", "this run less the usual", seconds(course.seconds[at] - numbers.median), ""});
        entries.entries.push_back({"as_slow", "others that took as long", count(judged->as_slow),
                                   fmt::format("chance of that place: {}", chance_words(judged->chance()))});
    }
    blocks.push_back(std::move(entries));
    if (!judged)
        blocks.push_back(
            Note{Weight::information,
                 fmt::format("Whether that is slow cannot be told: there are {} at the same "
                             "level, and it takes {}.",
                             counted(others.size(), "other run", "other runs"), fewest_to_judge)});
    return blocks;
}

}  // namespace fathom::history
