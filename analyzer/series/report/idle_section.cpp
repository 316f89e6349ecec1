// Table III: how long nothing much was moved.
#include <fmt/format.h>

#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

// "1", "2-5", "> 60"
std::string class_name(std::size_t at)
{
    if (at == 0) return fmt::format("{}", idle_class_minutes[0]);
    const Nanoseconds from = idle_class_minutes[at - 1];
    if (at == idle_class_minutes.size()) return fmt::format("> {}", from);
    return fmt::format("{}-{}", from + 1, idle_class_minutes[at]);
}

DataTable table_of_classes(const Part& part, const Choice& choice, std::size_t number)
{
    DataTable table{.id = fmt::format("idle_{}", number), .title = "Idle periods of " + name_of(*part.pool)};
    const std::string idle = "below " + percent_words(choice.idle);
    table.columns = {
        {"minutes", "minutes", Measure::text},        {"periods", idle, Measure::count},
        {"total", "together", Measure::seconds},      {"share", "of all", Measure::share},
        {"still_periods", "nothing", Measure::count}, {"still_total", "together", Measure::seconds},
        {"still_share", "of all", Measure::share}};
    const double bin = seconds_in(part.load.grid.length);
    const auto add = [&](std::string name, const IdleClass& low, const IdleClass& none) {
        table.rows.push_back({text(name), count(low.periods), seconds(static_cast<double>(low.bins) * bin),
                              share(part.of_known(low.bins)), count(none.periods),
                              seconds(static_cast<double>(none.bins) * bin),
                              share(part.of_known(none.bins))});
    };
    IdleClass all, all_still;
    for (std::size_t at = 0; at < part.idle.size(); ++at) {
        add(class_name(at), part.idle[at], part.still[at]);
        all.periods += part.idle[at].periods;
        all.bins += part.idle[at].bins;
        all_still.periods += part.still[at].periods;
        all_still.bins += part.still[at].bins;
    }
    add("all", all, all_still);
    table.remark = fmt::format(
        "{}: how many periods, how long they are together, and their share of the time that is known. "
        "nothing: "
        "the same of those without any read or write.",
        idle);
    return table;
}

}  // namespace

std::size_t bins_of(const IdleClasses& classes)
{
    std::size_t bins = 0;
    for (const IdleClass& one : classes) bins += one.bins;
    return bins;
}

Blocks idle_blocks(const Facts& facts)
{
    Blocks blocks;
    for (std::size_t at = 0; at < facts.shown; ++at) {
        const Part& part = facts.parts[at];
        const Grid& grid = part.load.grid;
        if (!(part.load.peak > 0) || bins_of(part.idle) == 0) continue;
        const Run& longest = part.longest_idle;
        blocks.push_back(Paragraph{fmt::format(
            "{} is idle for {} of the time, below {} of its peak of {}. The longest idle period lasts {}: "
            "{}.",
            name_of(*part.pool), percent_words(part.of_known(bins_of(part.idle))),
            percent_words(facts.choice.idle), rate_words(part.load.peak),
            time_words(static_cast<Nanoseconds>(longest.bins) * grid.length),
            from_to_words(grid.begin_of(longest.first), grid.begin_of(longest.first + longest.bins)))});
        blocks.push_back(table_of_classes(part, facts.choice, at));
    }
    return blocks;
}

}  // namespace fathom::series
