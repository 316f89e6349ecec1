// What changed between two scans: Carns et al. 2011, section 4.2, table V.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/scan/document/parts.h"

namespace fathom::scan {
namespace {

using namespace report;

struct Change {
    std::string name;
    Sums before, after;

    double new_files() const { return static_cast<double>(after.files) - static_cast<double>(before.files); }
    double new_bytes() const { return static_cast<double>(after.bytes) - static_cast<double>(before.bytes); }
};

// Those of either scan, by name: numbers of users differ between machines.
std::vector<Change> changes_of(const Material& material)
{
    std::map<std::string, Change> changes;
    for (const auto& [key, tally] : material.earlier->counts.by(material.by))
        changes[name_of_key(*material.earlier, material.by, key)].before.merge(tally.sums);
    for (const auto& [key, tally] : material.scan.counts.by(material.by))
        changes[name_of_key(material.scan, material.by, key)].after.merge(tally.sums);
    std::vector<Change> sorted;
    for (auto& [name, change] : changes) {
        change.name = name;
        sorted.push_back(change);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Change& a, const Change& b) {
        return std::abs(a.new_bytes()) > std::abs(b.new_bytes());
    });
    return sorted;
}

Cell change_cell(std::uint64_t before, std::uint64_t after)
{
    return share_of(static_cast<double>(after) - static_cast<double>(before), static_cast<double>(before));
}

DataTable growth_table(std::string id, std::string title, std::string heading)
{
    DataTable table{.id = std::move(id), .title = std::move(title)};
    table.columns = {
        {"name", std::move(heading), Measure::text},      {"bytes_before", "usage before", Measure::bytes},
        {"bytes_after", "usage now", Measure::bytes},     {"bytes_change", "change", Measure::share},
        {"files_before", "files before", Measure::count}, {"files_after", "files now", Measure::count},
        {"files_change", "change", Measure::share}};
    return table;
}

void add_row(DataTable& table, const Change& change)
{
    const Sums &before = change.before, &after = change.after;
    table.rows.push_back({text(change.name), bytes(before.bytes), bytes(after.bytes),
                          change_cell(before.bytes, after.bytes), count(before.files), count(after.files),
                          change_cell(before.files, after.files)});
}

std::string more_or_less(double change, std::string words)
{
    return fmt::format("{} {}", words, change < 0 ? "less" : "more");
}

}  // namespace

Blocks growth_section(const Material& material)
{
    Blocks blocks;
    const Change all{"total", material.earlier->counts.all().sums, material.all().sums};
    const double days = static_cast<double>(material.scan.began - material.earlier->began) /
                        static_cast<double>(seconds_a_day);
    if (material.scan.asked.roots != material.earlier->asked.roots ||
        material.scan.asked.other_mounts != material.earlier->asked.other_mounts)
        blocks.push_back(Note{Weight::warning,
                              "The two scans are of different paths or mounts: what changed may be that."});
    for (const Scan* scan : {material.earlier, &material.scan})
        if (!scan->has_ended || !scan->counts.troubles.is_whole())
            blocks.push_back(
                Note{Weight::warning, fmt::format("The {} scan is not whole: what changed may be that.",
                                                  scan == &material.scan ? "later" : "earlier")});
    const auto magnitude = [](double value) { return static_cast<std::uint64_t>(std::abs(value)); };
    blocks.push_back(
        Paragraph{fmt::format("In {:.1f} days, files became {} ({}) and {} ({}).", days,
                              more_or_less(all.new_files(), format_count(magnitude(all.new_files()))),
                              format(change_cell(all.before.files, all.after.files)),
                              more_or_less(all.new_bytes(), format_bytes(magnitude(all.new_bytes()))),
                              format(change_cell(all.before.bytes, all.after.bytes)))});
    if (days > 0)
        blocks.push_back(Entries{
            {{"days", "Time between the scans", number(days), "days"},
             {"files_a_day", "New files a day", number(all.new_files() / days), "less those removed"},
             {"bytes_a_day", "New bytes a day", number(all.new_bytes() / days), "less those removed"}}});
    const std::vector<Change> changes = changes_of(material);
    const auto most = std::max_element(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.new_files() < b.new_files();
    });
    DataTable table = growth_table("growth", "File system statistics", "");
    add_row(table, all);
    if (most != changes.end() && changes.size() > 1 && most->new_files() > 0) {
        add_row(table, *most);
        if (all.new_files() > 0)
            blocks.push_back(Paragraph{fmt::format(
                "{} made {} of the additional files{}.", most->name,
                format(share(most->new_files() / all.new_files())),
                all.new_bytes() > 0 ? fmt::format(" and {} of the new bytes",
                                                  format(share(most->new_bytes() / all.new_bytes())))
                                    : std::string())});
    }
    blocks.push_back(std::move(table));
    DataTable each = growth_table(fmt::format("growth_by_{}", breakdown(material.by).id),
                                  fmt::format("Growth by {}", breakdown(material.by).one),
                                  std::string(breakdown(material.by).one));
    for (const Change& change : changes) {
        if (each.rows.size() == material.top) break;
        add_row(each, change);
    }
    if (changes.size() > each.rows.size())
        each.remark = fmt::format("{} with smaller changes are left out.",
                                  format_count(changes.size() - each.rows.size()));
    blocks.push_back(std::move(each));
    return blocks;
}

}  // namespace fathom::scan
