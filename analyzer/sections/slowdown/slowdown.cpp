// A sentence of which each number is a part of the difference, and its table.
#include "analyzer/sections/slowdown/slowdown.h"

#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

std::string part_words(const Slowdown::Part& part)
{
    return fmt::format("{}{} {}", part.seconds < 0 ? "less " : "", format_seconds(std::abs(part.seconds)),
                       part.words);
}

// "ran 412 s longer than"
std::string difference_words(const Slowdown& slowdown)
{
    const double more = slowdown.seconds - slowdown.median;
    constexpr double next_to_nothing = 0.001;
    if (std::abs(more) < next_to_nothing * slowdown.median)
        return slowdown.of_run_time ? "ran as long as" : "spent as long in I/O as";
    if (slowdown.of_run_time)
        return fmt::format("ran {} {} than", format_seconds(std::abs(more)), more < 0 ? "shorter" : "longer");
    return fmt::format("spent {} {} in I/O than", format_seconds(std::abs(more)), more < 0 ? "less" : "more");
}

}  // namespace

std::string sentence_on(const Slowdown& slowdown)
{
    const std::string who = "Job " + slowdown.job;
    const std::string others = fmt::format("the median of {} like it", counted(slowdown.runs, "run", "runs"));
    switch (slowdown.state) {
        case Slowdown::State::not_known:
            return fmt::format("Whether {} was slower than usual is not known. {}",
                               slowdown.job.empty() ? "it" : "job " + slowdown.job, slowdown.why_not);
        case Slowdown::State::usual:
            return fmt::format("{} took no longer than usual: it {} {} ({}){}.", who,
                               difference_words(slowdown), others, format_seconds(slowdown.median),
                               slowdown.limit > 0
                                   ? fmt::format(", and up to {} is usual", format_seconds(slowdown.limit))
                                   : "");
        default:
            break;
    }
    std::string parts;
    constexpr double worth_saying = 0.005;
    for (const Slowdown::Part& part : slowdown.parts)
        if (std::abs(part.seconds) >= worth_saying * std::abs(slowdown.seconds - slowdown.median))
            parts += (parts.empty() ? "" : ", ") + part_words(part);
    return fmt::format("{} {} {}{} ({}){}: {}.", who, difference_words(slowdown), others,
                       slowdown.state == Slowdown::State::since ? " before " + slowdown.since : "",
                       format_seconds(slowdown.median),
                       slowdown.state == Slowdown::State::since
                           ? fmt::format(", as do the {} since", counted(slowdown.since_runs, "run", "runs"))
                           : "",
                       parts);
}

Note note_on(const Slowdown& slowdown)
{
    const bool slower = slowdown.state == Slowdown::State::slower || slowdown.state == Slowdown::State::since;
    return {slower ? Weight::warning : Weight::information, sentence_on(slowdown)};
}

Blocks slowdown_blocks(const Slowdown& slowdown)
{
    Blocks blocks;
    if (slowdown.parts.empty()) blocks.push_back(note_on(slowdown));
    if (slowdown.state == Slowdown::State::not_known) return blocks;
    Entries entries;
    entries.entries = {
        {"seconds", slowdown.of_run_time ? "run time" : "time in I/O", seconds(slowdown.seconds),
         slowdown.of_run_time ? "" : "of the slowest rank"},
        {"median", "median of the others", seconds(slowdown.median),
         fmt::format("{} that agree in {}", counted(slowdown.runs, "run", "runs"), slowdown.kind)},
        {"limit", "up to this is usual",
         slowdown.limit > 0 ? seconds(slowdown.limit) : unknown(Measure::seconds),
         slowdown.limit > 0 ? "for one more run like the others" : "too few runs"},
        {"difference", "difference", seconds(slowdown.seconds - slowdown.median),
         slowdown.parts.empty() ? "" : "the sum of what follows"}};
    DataTable table{.id = "slowdown_parts", .title = "Where the difference comes from"};
    table.for_programs = true;
    table.columns = {{"cause", "cause", Measure::text},
                     {"seconds", "seconds", Measure::seconds},
                     {"words", "", Measure::text}};
    for (const Slowdown::Part& part : slowdown.parts) {
        entries.entries.push_back(
            {fmt::format("part_{}", table.rows.size() + 1), part.label, seconds(part.seconds), part.words});
        table.rows.push_back({text(part.id), seconds(part.seconds), text(part.words)});
    }
    blocks.push_back(std::move(entries));
    if (!table.rows.empty()) blocks.push_back(std::move(table));
    for (const std::string& note : slowdown.notes) blocks.push_back(Paragraph{note});
    return blocks;
}

Blocks beside_kind(const Job& job, const SectionChoice&)
{
    return slowdown_blocks(*job.slowdown);
}

}  // namespace fathom
