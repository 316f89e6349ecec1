// Totals a day.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/series/report/days.h"
#include "analyzer/series/report/sections.h"
#include "analyzer/series/report/words.h"

namespace fathom::series {
namespace {

using namespace report;

constexpr std::size_t most_days = 31;

std::vector<Cell> day_row(const Day& day)
{
    constexpr std::size_t date = 10;
    return {text(moment_words(day.begin).substr(0, date)), bytes_cell(day.bytes_read),
            bytes_cell(day.bytes_written), share(day.known)};
}

std::string day_sentence(const Part& part, const Days& days)
{
    double known = 0;
    for (const Day& day : days.days) known += day.known;
    std::string words = fmt::format("{} read {} and wrote {} in all", name_of(*part.pool),
                                    bytes_words(part.load.bytes_read), bytes_words(part.load.bytes_written));
    if (known >= 1)
        words += fmt::format(", {} and {} a day", bytes_words(part.load.bytes_read / known),
                             bytes_words(part.load.bytes_written / known));
    words += part.load.bytes() > 0
                 ? fmt::format(": {} are reads.", percent_words(part.load.bytes_read / part.load.bytes()))
                 : ".";
    if (days.undated > 0)
        words += fmt::format(" Of this, {} were moved in gaps across days and are in no row.",
                             bytes_words(days.undated));
    return words;
}

}  // namespace

Blocks day_blocks(const Facts& facts)
{
    Blocks blocks;
    for (std::size_t at = 0; at < facts.shown; ++at) {
        const Part& part = facts.parts[at];
        const Days days = days_of(facts.pools, *part.pool, part.load);
        if (days.days.empty()) continue;
        blocks.push_back(Paragraph{day_sentence(part, days)});
        DataTable table{.id = fmt::format("days_{}", at), .title = "By day: " + name_of(*part.pool)};
        table.columns = {{"day", "day (UTC)", Measure::text},
                         {"bytes_read", "read", Measure::bytes},
                         {"bytes_written", "written", Measure::bytes},
                         {"known", "known", Measure::share}};
        for (const Day& day : days.days) table.rows.push_back(day_row(day));
        if (days.days.size() > most_days) {
            // People get the days with most, in the order of time.
            DataTable most = table;
            most.id += "_most";
            most.title += fmt::format(": the {} with most of {}", most_days, days.days.size());
            std::vector<Day> chosen = days.days;
            std::ranges::sort(chosen, std::ranges::greater{},
                              [](const Day& day) { return day.bytes_read + day.bytes_written; });
            chosen.resize(most_days);
            std::ranges::sort(chosen, {}, &Day::begin);
            most.rows.clear();
            for (const Day& day : chosen) most.rows.push_back(day_row(day));
            table.for_programs = true;
            blocks.push_back(std::move(most));
        }
        blocks.push_back(std::move(table));
    }
    return blocks;
}

}  // namespace fathom::series
