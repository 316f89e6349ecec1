// What there is in all, and who holds it.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/scan/document/parts.h"

namespace fathom::scan {
namespace {

using namespace report;

std::string percent(std::uint64_t part, std::uint64_t whole)
{
    return format(share_cell(part, whole));
}

constexpr std::uint32_t bits_of_mebibyte = 20;

Histogram::Cell under_a_mebibyte(const Tally& tally)
{
    return tally.by(Axis::size).before(bits_of_mebibyte + 1);
}

// "anna holds 61.0 %, bert 20.0 %, carl 7.0 % of all bytes."
std::string words_of_holders(const Material& material, By by, std::string_view others)
{
    constexpr std::size_t named = 3;
    const std::vector<Holder> holders = material.holders(by);
    const std::uint64_t all = material.all().sums.bytes;
    std::string words;
    for (std::size_t at = 0; at < std::min(named, holders.size()); ++at)
        words += fmt::format("{}{}{} {}", at == 0 ? "" : ", ", holders[at].name, at == 0 ? " holds" : "",
                             percent(holders[at].tally->sums.bytes, all));
    return fmt::format("{} of all bytes; there {} {}.", words, holders.size() == 1 ? "is" : "are",
                       counted(holders.size(), breakdown(by).one, others));
}

}  // namespace

Blocks held_section(const Material& material)
{
    const Tally& all = material.all();
    const Sums& sums = all.sums;
    const auto year = older_than(all, Axis::accessed, 365), quarter = older_than(all, Axis::accessed, 90);
    const auto small = under_a_mebibyte(all);
    Blocks blocks;
    blocks.push_back(Paragraph{fmt::format(
        "{} {}, and {} {} on the device.", counted(sums.files, "file holds", "files hold"),
        format_bytes(sums.bytes), sums.files == 1 ? "takes" : "take", format_bytes(sums.file_allocated))});
    if (sums.bytes > 0) {
        blocks.push_back(Paragraph{words_of_holders(material, By::user, breakdown(By::user).many)});
        if (material.scan.counts.by(By::project).size() > 1)
            blocks.push_back(Paragraph{words_of_holders(material, By::project, breakdown(By::project).many)});
        blocks.push_back(
            Paragraph{fmt::format("Nobody has accessed {} of all bytes for 90 days, {} for a year.",
                                  percent(quarter.bytes, sums.bytes), percent(year.bytes, sums.bytes))});
        blocks.push_back(
            Paragraph{fmt::format("{} of all files are under 1 MiB; they hold {} of all bytes.",
                                  percent(small.files, sums.files), percent(small.bytes, sums.bytes))});
    }
    blocks.push_back(Entries{
        {{"inodes", "Inodes", count(sums.inodes), "files, directories and all else, each once"},
         {"files", "Files", count(sums.files), "regular ones"},
         {"bytes", "Bytes", bytes(sums.bytes), "as programs see them"},
         {"file_allocated", "On the device", bytes(sums.file_allocated), "what files take"},
         {"allocated", "On the device, all inodes", bytes(sums.allocated), "with directories"},
         {"largest", "Largest file", bytes(sums.largest), ""},
         {"bytes_90_days", "Not accessed for 90 days", bytes(quarter.bytes),
          percent(quarter.bytes, sums.bytes)},
         {"bytes_365_days", "Not accessed for a year", bytes(year.bytes), percent(year.bytes, sums.bytes)},
         {"files_under_1_mib", "Files under 1 MiB", count(small.files), percent(small.files, sums.files)}}});
    DataTable table{.id = "kinds", .title = "Inodes by kind"};
    table.columns = {{"kind", "kind", Measure::text},
                     {"inodes", "inodes", Measure::count},
                     {"share", "of all inodes", Measure::share},
                     {"allocated", "on the device", Measure::bytes}};
    for (const Holder& kind : material.holders(By::kind)) {
        const Sums& its = kind.tally->sums;
        table.rows.push_back(
            {text(kind.name), count(its.inodes), share_cell(its.inodes, sums.inodes), bytes(its.allocated)});
    }
    blocks.push_back(std::move(table));
    return blocks;
}

Blocks breakdown_section(const Material& material, By by)
{
    const Breakdown& row = breakdown(by);
    const Sums& all = material.all().sums;
    DataTable table{.id = std::string("by_") + std::string(row.id)};
    table.columns = {{"name", std::string(row.one), by == By::top ? Measure::path : Measure::text},
                     {"inodes", "inodes", Measure::count},
                     {"files", "files", Measure::count},
                     {"bytes", "bytes", Measure::bytes},
                     {"share", "of all bytes", Measure::share},
                     {"allocated", "on the device", Measure::bytes},
                     {"largest", "largest", Measure::bytes}};
    if (!row.of_each)
        for (const DataColumn& column :
             {DataColumn{"under_1_mib", "files under 1 MiB", Measure::share},
              DataColumn{"unused_90_days", "bytes not accessed for 90 d", Measure::share},
              DataColumn{"unused_365_days", "bytes not accessed for a year", Measure::share}})
            table.columns.push_back(column);
    const auto add = [&](Cell name, const Tally& tally) {
        const Sums& sums = tally.sums;
        std::vector<Cell> cells = {std::move(name),
                                   count(sums.inodes),
                                   count(sums.files),
                                   bytes(sums.bytes),
                                   share_cell(sums.bytes, all.bytes),
                                   bytes(sums.file_allocated),
                                   bytes(sums.largest)};
        if (!row.of_each) {
            cells.push_back(share_cell(under_a_mebibyte(tally).files, sums.files));
            cells.push_back(share_cell(older_than(tally, Axis::accessed, 90).bytes, sums.bytes));
            cells.push_back(share_cell(older_than(tally, Axis::accessed, 365).bytes, sums.bytes));
        }
        table.rows.push_back(std::move(cells));
    };
    const std::vector<Holder> holders = material.holders(by);
    const std::size_t shown = holders.size() <= material.top + 1 ? holders.size() : material.top;
    Tally others;
    for (std::size_t at = 0; at < holders.size(); ++at) {
        if (at < shown)
            add(by == By::top ? path(holders[at].name) : text(holders[at].name), *holders[at].tally);
        else
            others.merge(*holders[at].tally);
    }
    if (shown < holders.size())
        add(text(fmt::format("{} others", format_count(holders.size() - shown))), others);
    Blocks blocks;
    blocks.push_back(std::move(table));
    blocks.push_back(
        Paragraph{fmt::format("Definition: {} Bytes are those of regular files.", row.definition)});
    return blocks;
}

}  // namespace fathom::scan
