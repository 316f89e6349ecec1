// How long ago files were accessed and changed: Carns et al. 2011, section 4.3, figure 9.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/scan/document/parts.h"

namespace fathom::scan {
namespace {

using namespace report;

struct AgeWords {
    Axis axis;
    std::string_view id, title, heading, done;
};
constexpr AgeWords access_words{Axis::accessed, "access",
                                "Cumulative distribution of the time since the last access",
                                "days since the last access", "accessed"};
constexpr AgeWords change_words{Axis::modified, "change",
                                "Cumulative distribution of the time since the last change",
                                "days since the last change", "changed"};

std::string words_of_age_class(std::uint32_t place)
{
    if (place == 0) return "after the scan began";
    if (place == age_days.size()) return fmt::format("{} days and more", format_count(age_days.back()));
    return fmt::format("{} to {} days", format_count(age_days[place - 1]), format_count(age_days[place]));
}

Blocks age_blocks(const Material& material, const AgeWords& words)
{
    const Tally& all = material.all();
    const Sums& sums = all.sums;
    const Histogram& ages = all.by(words.axis);
    Blocks blocks;
    if (sums.files == 0) {
        blocks.push_back(Paragraph{"There are no files."});
        return blocks;
    }
    const auto recent = ages.before(10), month = older_than(all, words.axis, 30);
    static_assert(age_days[9] == 64);
    std::string in_brief = fmt::format("{} of all files were {} in the last 64 days",
                                       format(share_cell(recent.files, sums.files)), words.done);
    in_brief += sums.bytes == 0
                    ? "."
                    : fmt::format("; they hold {} of all bytes. {} of all bytes were not {} for 30 days.",
                                  format(share_cell(recent.bytes, sums.bytes)),
                                  format(share_cell(month.bytes, sums.bytes)), words.done);
    blocks.push_back(Paragraph{std::move(in_brief)});
    if (const Histogram::Cell later = ages.before(1); later.files > 0)
        blocks.push_back(Paragraph{fmt::format(
            "{} say that they were {} after the scan began: meanwhile, or by a clock that is ahead.",
            counted(later.files, "file", "files"), words.done)});

    Plot plot{.id = fmt::format("{}_distribution", words.id),
              .title = std::string(words.title),
              .x = {std::string(words.heading), Measure::number, Scale::logarithmic},
              .y = {"share younger than this", Measure::share, Scale::linear}};
    PlotSeries files{.name = "files", .mark = Mark::line, .colour = 0};
    PlotSeries volume{.name = "bytes", .mark = Mark::line, .colour = 2};
    for (std::uint32_t at = 1; at < age_days.size(); ++at) {
        const Histogram::Cell younger = ages.before(at + 1);
        files.x.push_back(age_days[at]);
        files.y.push_back(static_cast<double>(younger.files) / static_cast<double>(sums.files));
        if (sums.bytes == 0) continue;
        volume.x.push_back(age_days[at]);
        volume.y.push_back(static_cast<double>(younger.bytes) / static_cast<double>(sums.bytes));
    }
    plot.series.push_back(std::move(files));
    if (sums.bytes > 0) plot.series.push_back(std::move(volume));
    blocks.push_back(std::move(plot));

    DataTable table{.id = fmt::format("{}_ages", words.id),
                    .title = fmt::format("Files by when they were {}", words.done)};
    table.columns = {{"age", "age", Measure::text},
                     {"days", "younger than, days", Measure::number},
                     {"files", "files", Measure::count},
                     {"bytes", "bytes", Measure::bytes},
                     {"files_younger", "files up to here", Measure::share},
                     {"bytes_younger", "bytes up to here", Measure::share}};
    for (std::uint32_t place = 0; place <= age_days.size(); ++place) {
        const Histogram::Cell younger = ages.before(place + 1), before = ages.before(place);
        table.rows.push_back(
            {text(words_of_age_class(place)),
             place < age_days.size() ? with_decimals(number(age_days[place]), 0) : unknown(Measure::number),
             count(younger.files - before.files), bytes(younger.bytes - before.bytes),
             share_cell(younger.files, sums.files), share_cell(younger.bytes, sums.bytes)});
    }
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace

Blocks access_section(const Material& material)
{
    return age_blocks(material, access_words);
}

Blocks change_section(const Material& material)
{
    return age_blocks(material, change_words);
}

}  // namespace fathom::scan
