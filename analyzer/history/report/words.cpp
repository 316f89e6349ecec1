// Words and cells of several sections.
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/history/report/sections.h"

namespace fathom::history {

std::string day_words(Number moment)
{
    constexpr std::size_t date = 10;
    return report::format_instant(static_cast<std::uint64_t>(std::max<Number>(moment, 0))).substr(0, date);
}

std::string minute_words(Number moment)
{
    constexpr std::size_t minute = 16;
    return report::format_instant(static_cast<std::uint64_t>(std::max<Number>(moment, 0))).substr(0, minute);
}

std::string slower_words(double ratio)
{
    const double percent = (ratio - 1) * 100;
    if (std::abs(percent) < 0.5) return "as long as";
    if (ratio >= 2) return fmt::format("{:.1f} times", ratio);
    return fmt::format("{:.0f} % {} than", std::abs(percent), percent > 0 ? "longer" : "shorter");
}

std::string chance_words(double chance)
{
    if (!(chance > 0)) return "none";
    if (chance > 0.5) return fmt::format("{:.0f} %", chance * 100);
    return "1 in " + report::format_count(static_cast<std::uint64_t>(std::llround(1 / chance)));
}

report::Cell known_count(const Known& number)
{
    return number && *number >= 0 ? report::count(static_cast<std::uint64_t>(*number))
                                  : report::unknown(report::Measure::count);
}

std::string sentence_on(const Slower& slower, const Course& course)
{
    const KindRun& run = *course.runs[slower.run];
    if (slower.what == Slower::What::level)
        return fmt::format("since {} runs of {} take {} in I/O, {} the {} before (chance {} without a cause)",
                           day_words(run.start), run.program, report::format_seconds(slower.after),
                           slower_words(slower.ratio()), report::format_seconds(slower.before),
                           chance_words(slower.chance));
    return fmt::format(
        "job {} of {} took {} in I/O, {} the usual {} and longer than all others (chance {} "
        "without a cause)",
        run.id, run.program, report::format_seconds(slower.after), slower_words(slower.ratio()),
        report::format_seconds(slower.before), chance_words(slower.chance));
}

}  // namespace fathom::history
