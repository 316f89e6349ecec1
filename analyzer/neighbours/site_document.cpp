// Tables of a site: what programs reach alone, and what they lose beside others.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/methods/not_finite.h"
#include "analyzer/neighbours/documents.h"
#include "analyzer/neighbours/words.h"

namespace fathom::neighbours {
namespace {

using namespace report;

constexpr double seconds_an_hour = 3600;

std::string more_rows(std::size_t all, std::size_t top)
{
    return all > top ? fmt::format("{} more are left out; --top shows them.", format_count(all - top)) : "";
}

Section pairs_section(const Site& site, std::size_t top)
{
    Section section{"pairs", "Which programs disturb which", {}};
    if (site.pairs.empty()) {
        section.blocks.push_back(Paragraph{"No two jobs were active on one file system at the same time."});
        return section;
    }
    DataTable table{.id = "pairs"};
    table.columns = {{"program", "program"},
                     {"beside", "beside"},
                     {"runs", "runs", Measure::count},
                     {"met", "jobs met", Measure::count},
                     {"hours", "hours together", Measure::number},
                     {"slower", "slower by", Measure::share},
                     {"lost", "hours lost", Measure::number},
                     {"process_hours", "process hours", Measure::number}};
    double lost = 0, processes = 0;
    for (const PairRow& pair : site.pairs) {
        lost += std::max(pair.lost, 0.0);
        processes += std::max(pair.process_seconds, 0.0);
        if (table.rows.size() == top) continue;
        table.rows.push_back(
            {name_cell(pair.program), name_cell(pair.by), count(pair.runs), count(pair.by_runs),
             with_decimals(number(pair.beside.seconds / seconds_an_hour), 2),
             share_cell(pair.usual_bytes > 0 ? 1 - pair.beside.bytes / pair.usual_bytes : nan),
             with_decimals(number(pair.lost / seconds_an_hour), 2),
             with_decimals(number(pair.process_seconds / seconds_an_hour), 1)});
    }
    table.remark = more_rows(site.pairs.size(), top);
    section.blocks.push_back(
        Paragraph{fmt::format("Neighbours cost {} of run time, {} times processes, where anything was lost.",
                              format_seconds(lost), format_seconds(processes))});
    section.blocks.push_back(std::move(table));
    section.blocks.push_back(Paragraph{
        "Definition: a run loses (1 - rate / rate alone) of the time in which others are active on its file "
        "system, divided over them by their bytes. The rate alone is that of its own time bins without "
        "neighbours where they are half of its active time, else of all runs of its program, mode and "
        "processes. Process hours are hours times processes. Below 0: quicker than alone. Source: Fathom's "
        "own; "
        "Yang et al. 2019 (Beacon), table 5, has waits of two programs, alone and together."});
    return section;
}

Section alone_section(const Site& site, std::size_t top)
{
    Section section{"alone", "Rates alone and beside others", {}};
    if (site.alone.empty()) return section;
    DataTable table{.id = "alone"};
    table.columns = {{"program", "program"},
                     {"mode", "mode"},
                     {"processes", "processes", Measure::count},
                     {"runs", "runs", Measure::count},
                     {"alone", "alone", Measure::rate},
                     {"beside", "beside others", Measure::rate},
                     {"time_beside", "time beside", Measure::share}};
    for (const AloneRow& row : site.alone) {
        if (table.rows.size() == top) break;
        table.rows.push_back({name_cell(row.program), name_cell(row.mode), count_cell(row.processes),
                              count(row.runs), rate_cell(row.alone.rate()), rate_cell(row.beside.rate()),
                              share_cell(row.beside.seconds / (row.alone.seconds + row.beside.seconds))});
    }
    table.remark = more_rows(site.alone.size(), top);
    section.blocks.push_back(std::move(table));
    section.blocks.push_back(Paragraph{
        "Definition: bytes over the length of the time bins in which runs were active, without and with "
        "neighbours that were active too. The mode is that of the writes, of programs that only read that of "
        "the "
        "reads. Source: the LWM2 study of two jobs on one file server, tables 1 to 3."});
    return section;
}

Section site_not_told(const Site& site)
{
    Section section{"not_told", "What cannot be told", {}};
    const auto say = [&](std::size_t jobs, std::string_view words) {
        if (jobs > 0)
            section.blocks.push_back(
                Note{Weight::information, fmt::format("{} {}", counted(jobs, "job", "jobs"), words)});
    };
    say(site.without_rate, "had neighbours, and a rate alone that is not known: they are in no pair.");
    say(site.several_places,
        "moved less than 90 % of their bytes on one file system: when they were active on which is not "
        "known.");
    say(site.own_place, "moved their bytes on file systems that each node has for itself.");
    for (std::size_t at = 1; at < site.lacking.size(); ++at)
        say(site.lacking[at], fmt::format("{}.", lack_words[at]));
    section.blocks.push_back(
        Note{Weight::information,
             "A mount whose server no log names is taken for that of the same place and type, unless several "
             "servers were seen there. Programs of which there is no log are not seen."});
    return section;
}

}  // namespace

Document document_of(const Site& site, std::size_t top)
{
    Document document;
    document.title = "Jobs side by side";
    document.subtitle = fmt::format("{} with a log, {} with known activity on a shared file system",
                                    counted(site.runs, "run", "runs"), format_count(site.timed));
    for (Section& section :
         std::vector<Section>{pairs_section(site, top), alone_section(site, top), site_not_told(site)})
        if (!section.blocks.empty()) document.sections.push_back(std::move(section));
    return document;
}

}  // namespace fathom::neighbours
