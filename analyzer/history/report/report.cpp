// Puts the documents together: sentences first, then what they rest on.
#include "analyzer/history/report/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/history/circumstances.h"
#include "analyzer/history/phases.h"
#include "analyzer/history/read.h"
#include "analyzer/history/report/phase_section.h"
#include "analyzer/history/report/sections.h"
#include "analyzer/sections/slowdown/slowdown.h"

namespace fathom::history {
namespace {

using namespace report;

std::string with_capital(std::string sentence)
{
    if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
        sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
    return sentence;
}

// What is told without --fail-if: whatever is beyond chance.
SlowerRule usual_rule(const HistoryChoice& choice)
{
    return choice.rule.value_or(SlowerRule{.share = 0, .since = choice.since});
}

std::string count_sentence(const Kind& kind)
{
    return fmt::format("{} from {} to {}", counted(kind.runs.size(), "run", "runs"),
                       day_words(kind.runs.front().start), day_words(kind.newest().start));
}

// What few runs, or few known times, cannot tell.
std::string too_few_words(const Kind& kind, const Course& course)
{
    const std::size_t runs = kind.runs.size();
    if (runs < fewest_of_a_history)
        return fmt::format("{} {} no history: there is nothing to compare {} with but {}.",
                           counted(runs, "run", "runs"), runs == 1 ? "is" : "are", runs == 1 ? "it" : "them",
                           runs == 1 ? "runs of other kinds" : "each other");
    if (course.runs.empty())
        return "The time in I/O of none of these runs is known: they moved no data, or their logs have no "
               "times.";
    if (course.runs.size() < fewest_to_judge)
        return fmt::format(
            "{} with a known time in I/O show how much such runs differ, but not what is a change "
            "and what chance: that takes {}.",
            counted(course.runs.size(), "run", "runs"), fewest_to_judge);
    return {};
}

std::string rule_words(const SlowerRule& rule)
{
    std::string words = fmt::format("slower by {:g} % or more", rule.share * 100);
    if (rule.since > 0) words += " since " + minute_words(rule.since);
    return words;
}

std::string alarms_a_month_words(double a_month)
{
    if (a_month < 0.005) return "fewer than one false alarm in 200 months";
    return fmt::format("about {:.2g} false alarms a month", a_month);
}

// "Job 40 took 129 s in I/O, 2.85 s less than the usual 131 s."
std::string today_words(const Course& course, const KindRun& today)
{
    for (std::size_t at = 0; at < course.runs.size(); ++at) {
        if (course.runs[at]->id != today.id) continue;
        const std::vector<double> others = course.others_of(at);
        const auto judged = judge(course.seconds[at], others);
        if (!judged) return {};
        const double usual = five_numbers_of(others)->median, more = course.seconds[at] - usual;
        const std::string difference =
            std::abs(more) < 0.001 * usual
                ? "as long as"
                : fmt::format("{} {} than", format_seconds(std::abs(more)), more < 0 ? "less" : "more");
        return fmt::format("Job {} took {} in I/O, {} the usual {} of {} at its level: {}.", today.id,
                           format_seconds(course.seconds[at]), difference, format_seconds(usual),
                           counted(others.size(), "other run", "other runs"),
                           judged->slow ? "that is slow" : "within what is usual");
    }
    return {};
}

Section variance_section(const std::vector<const Kind*>& kinds, bool with_users, std::size_t top)
{
    Section section{"variance", "How much runs of one kind differ", {}};
    DataTable table = variance_table(kinds, with_users);
    if (table.rows.size() > top) {
        DataTable all = table;
        all.id = "variance_all";
        all.for_programs = true;
        table.remark =
            fmt::format("{} of {}; --top shows more.", top, counted(table.rows.size(), "kind", "kinds"));
        table.rows.resize(top);
        section.blocks.push_back(std::move(table));
        section.blocks.push_back(std::move(all));
    } else {
        section.blocks.push_back(std::move(table));
    }
    section.blocks.push_back(
        Paragraph{"Definition: seconds in reads, writes and metadata calls of the slowest rank; stddev is "
                  "that of a sample "
                  "(n - 1), CV is stddev / mean, GiB are means. Source: Carns et al. 2011, table IV."});
    return section;
}

}  // namespace

HistoryReport report_on(jobs::Database& database, const KindRun& today, std::vector<Kind> others,
                        const HistoryChoice& choice, const Slowdown* why)
{
    HistoryReport made;
    jobs::Choice like = choice_like(today, choice.match);
    like.conditions.insert(like.conditions.end(), choice.only.conditions.begin(),
                           choice.only.conditions.end());
    const Kind kind = kind_of(today, runs_in(database, like), choice.match);
    if (kind.runs.empty())
        throw jobs::DatabaseError(
            fmt::format("{}: job {} is none of the runs that were asked for", database.name(), today.id));
    const Course course = course_of(kind);
    Document& document = made.document;
    document.title = fmt::format("The history of {}", today.program.empty() ? "a program" : today.program);
    document.subtitle = fmt::format("{}; job {}", count_sentence(kind), today.id);

    Section first{"summary", "In short", {}};
    const std::string few = too_few_words(kind, course);
    SlowerRule rule = usual_rule(choice);
    rule.job = today.id;
    PhaseStudy phases;
    Circumstances circumstances;
    if (!course.runs.empty()) circumstances = circumstances_of(database, course.runs);
    if (kind.runs.size() >= fewest_of_a_history) {
        std::vector<const KindRun*> past;
        for (const KindRun& run : kind.runs)
            if (run.id != today.id) past.push_back(&run);
        const KindRun* const one = &today;
        phases = study_phases(phases_of(database, past), phases_of(database, std::span(&one, 1)).front());
    }
    if (!few.empty()) first.blocks.push_back(Note{Weight::information, few});
    if (const auto times = variance_of(course.seconds); times && course.runs.size() >= fewest_of_a_history)
        first.blocks.push_back(Paragraph{fmt::format(
            "{} of this kind with a known time spent {} in I/O in the mean, from {} to {} (CV {}).",
            counted(times->samples, "run", "runs"), format_seconds(times->mean), format_seconds(times->least),
            format_seconds(times->most), times->coefficient() ? format_share(*times->coefficient()) : "-")});
    if (const std::string words = today_words(course, today); why == nullptr && !words.empty())
        first.blocks.push_back(Paragraph{words});
    if (const std::string fresh = what_is_new(course, today, circumstances); !fresh.empty())
        first.blocks.push_back(
            Note{Weight::information,
                 fmt::format("Job {} is the first of this kind with {}.{}", today.id, fresh,
                             course.runs.back()->id == today.id
                                 ? " Whether it is slower or faster for that, one run does not tell."
                                 : "")});
    const std::vector<Slower> slower = what_is_slower(course, rule);
    for (const Slower& one : slower) {
        const std::string sentence = sentence_on(one, course);
        first.blocks.push_back(Note{Weight::warning, with_capital(sentence) + "."});
        if (choice.rule) made.alarms.push_back(sentence);
    }
    if (phases.anomaly()) first.blocks.push_back(Note{Weight::warning, anomaly_sentence(phases, today)});
    if (few.empty() && slower.empty() && !phases.anomaly())
        first.blocks.push_back(Paragraph{"Nothing became slower, beyond what chance does."});
    if (few.empty() && course.trend && is_sure(*course.trend) && course.trend->slope > 0 &&
        course.changes.empty())
        first.blocks.push_back(Note{Weight::warning, "Runs become slower all along; see the trend."});
    if (choice.rule)
        if (const auto a_month = false_alarms_a_month(course, rule))
            first.blocks.push_back(
                Paragraph{fmt::format("Were nothing ever to happen, --fail-if ({}) would "
                                      "give {} of this kind of run.",
                                      rule_words(rule), alarms_a_month_words(*a_month))});
    Entries values;
    values.for_programs = true;
    values.entries = {{"slower", "what became slower: levels, and runs", count(slower.size()), ""},
                      {"odd_phases", "phases of this run in no cluster", count(phases.odd.size()), ""},
                      {"anomaly", "1: a phase of this run is like none of other runs",
                       count(phases.anomaly() ? 1 : 0), ""}};
    first.blocks.push_back(std::move(values));
    if (why != nullptr) first.blocks.push_back(note_on(*why));
    document.sections.push_back(std::move(first));
    if (why != nullptr && !why->parts.empty())
        document.sections.push_back({"slowdown", "Why it was slower", slowdown_blocks(*why)});

    document.sections.push_back(
        {"kind", "What these runs have in common", kind_section(kind, today, choice.match)});
    std::vector<const Kind*> kinds{&kind};
    for (const Kind& other : others) kinds.push_back(&other);
    document.sections.push_back(variance_section(kinds, true, choice.top));
    if (!course.runs.empty()) {
        document.sections.push_back({"today", "This run against the others", today_section(course, today)});
        if (course.runs.size() >= fewest_of_a_history) {
            document.sections.push_back({"over_time", "Over time", time_section(course, today)});
            document.sections.push_back(
                {"changes", "What changed, and when", change_section(course, circumstances)});
        }
    }
    if (kind.runs.size() >= fewest_of_a_history)
        document.sections.push_back({"phases", "Phases", phase_section(database, phases, today)});
    return made;
}

HistoryReport report_on_all(jobs::Database& database, const HistoryChoice& choice, const Tick& tick)
{
    HistoryReport made;
    Document& document = made.document;
    std::vector<KindRun> runs = runs_in(database, choice.only);
    const std::size_t in_all = runs.size();
    const std::vector<Kind> kinds = kinds_of(std::move(runs), choice.match);
    const SlowerRule rule = usual_rule(choice);
    document.title = "The history of all programs";
    Number first = 0, last = 0;
    std::size_t few = 0, judged = 0, with_alarm = 0;
    double a_month = 0;
    bool a_month_known = false;
    std::vector<const Kind*> shown;
    DataTable table{.id = "slower", .title = "What became slower"};
    table.columns = {{"program", "program", Measure::text},
                     {"user", "user", Measure::text},
                     {"what", "what", Measure::text},
                     {"since", "since", Measure::text},
                     {"job", "job", Measure::text},
                     {"before", "before", Measure::seconds},
                     {"after", "after", Measure::seconds},
                     {"ratio", "times", Measure::number},
                     {"confidence", "confidence", Measure::share},
                     {"false_alarms", "false/month", Measure::number}};
    std::vector<std::string> sentences;
    std::uint64_t done = 0;
    for (const Kind& kind : kinds) {
        tell_progress(tick, done++, kinds.size());
        first = first == 0 ? kind.runs.front().start : std::min(first, kind.runs.front().start);
        last = std::max(last, kind.newest().start);
        if (kind.runs.size() < fewest_of_a_history) {
            ++few;
            continue;
        }
        shown.push_back(&kind);
        if (kind.newest().start < rule.since) continue;
        const Course course = course_of(kind);
        if (course.runs.size() < fewest_to_judge) continue;
        ++judged;
        const auto own_a_month = false_alarms_a_month(course, rule);
        a_month += own_a_month.value_or(0);
        a_month_known = a_month_known || own_a_month;
        const std::vector<Slower> slower = what_is_slower(course, rule);
        with_alarm += !slower.empty();
        const std::vector<LastingChange> lasting =
            slower.empty() ? std::vector<LastingChange>()
                           : lasting_changes(circumstances_of(database, course.runs));
        for (const Slower& one : slower) {
            const KindRun& run = *course.runs[one.run];
            const bool level = one.what == Slower::What::level;
            std::string sentence = sentence_on(one, course);
            std::string with;
            for (const LastingChange& change : changes_near(lasting, one.run))
                with += fmt::format("{}{}: {}, before {}", with.empty() ? "" : "; ",
                                    aspects()[change.aspect].words, change.after, change.before);
            if (!with.empty()) sentence += "; " + with;
            sentences.push_back(sentence);
            table.rows.push_back(
                {text(run.program), text(run.user), text(level ? "level" : "one run"),
                 text(minute_words(run.start)), text(fmt::format("{}", run.id)), seconds(one.before),
                 seconds(one.after), with_decimals(number(one.ratio()), 2),
                 with_decimals(share(1 - one.chance), 2),
                 own_a_month ? with_decimals(number(*own_a_month), 2) : unknown(Measure::number)});
        }
    }
    document.subtitle = in_all == 0 ? "no run with a log"
                                    : fmt::format("{} with a log, {} to {}", counted(in_all, "run", "runs"),
                                                  day_words(first), day_words(last));
    Section summary{"summary", "In short", {}};
    summary.blocks.push_back(Paragraph{fmt::format(
        "{}: {} with {} runs or more; of {}, of {} or more{}, can be told whether they became slower.",
        counted(kinds.size(), "kind of run", "kinds of runs"), format_count(shown.size()),
        fewest_of_a_history, format_count(judged), fewest_to_judge,
        rule.since > 0 ? " that ran since " + minute_words(rule.since) : "")});
    if (few > 0)
        summary.blocks.push_back(Paragraph{
            fmt::format("{} of one or two runs: 2 runs are no history.", counted(few, "kind", "kinds"))});
    for (const std::string& sentence : sentences)
        summary.blocks.push_back(Note{Weight::warning, with_capital(sentence) + "."});
    if (judged > 0 && sentences.empty())
        summary.blocks.push_back(Paragraph{fmt::format(
            "Nothing became {}.", choice.rule ? rule_words(rule) : "slower, beyond what chance does")});
    if (judged > 0 && a_month_known)
        summary.blocks.push_back(
            Paragraph{fmt::format("Were nothing ever to happen, this setting ({}) would give {}: from the "
                                  "spread of these histories themselves and how often their programs run.",
                                  rule_words(rule), alarms_a_month_words(a_month))});
    Entries values;
    values.for_programs = true;
    values.entries = {{"kinds", "kinds of runs", count(kinds.size()), ""},
                      {"judged", "of which can be told whether they became slower", count(judged), ""},
                      {"slower", "that became slower", count(with_alarm), ""},
                      {"false_alarms_a_month", "false alarms in 30 days",
                       a_month_known ? number(a_month) : unknown(Measure::number), ""}};
    summary.blocks.push_back(std::move(values));
    document.sections.push_back(std::move(summary));
    if (!table.rows.empty()) {
        table.remark =
            "confidence: 1 less the chance of as much where nothing happened; false/month: false alarms in "
            "30 days of this kind of run, at this setting.";
        document.sections.push_back({"slower", "What became slower", {std::move(table)}});
    }
    std::sort(shown.begin(), shown.end(), [](const Kind* a, const Kind* b) {
        return std::tuple(b->runs.size(), b->newest().id) < std::tuple(a->runs.size(), a->newest().id);
    });
    if (!shown.empty()) document.sections.push_back(variance_section(shown, true, choice.top));
    if (choice.rule) made.alarms = std::move(sentences);
    return made;
}

}  // namespace fathom::history
