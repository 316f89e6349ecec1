// Says above the table what it is of, and below it how many rows were left out.
#include "analyzer/jobs/list/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

#include "analyzer/document/units.h"
#include "logformat/log/words.h"

namespace fathom::jobs {
namespace {

using namespace report;

// The finding comes last: its rule on a line, a sentence on a page.
constexpr std::string_view for_people[] = {"id",       "job",       "user",     "program", "date",
                                           "run_time", "processes", "io_share", "cost"};

const JobColumn* column_named(std::string_view name)
{
    const auto all = job_columns();
    const auto found = std::find_if(all.begin(), all.end(), [&](const JobColumn& column) {
        return column.name == name || column.csv_name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::vector<const JobColumn*> parse_columns(const std::string& said, Room room)
{
    std::vector<const JobColumn*> columns;
    if (said.empty()) {
        if (room == Room::all) {
            for (const JobColumn& column : job_columns()) columns.push_back(&column);
            return columns;
        }
        for (const std::string_view name : for_people) columns.push_back(column_named(name));
        columns.push_back(column_named(room == Room::line ? "finding" : "worst_finding"));
        return columns;
    }
    for (std::size_t from = 0; from <= said.size();) {
        const std::size_t comma = std::min(said.find(',', from), said.size());
        const std::string name = said.substr(from, comma - from);
        const JobColumn* const column = column_named(name);
        if (column == nullptr) {
            std::string names;
            for (const JobColumn& one : job_columns()) add_to_list(names, one.name);
            throw std::invalid_argument(
                fmt::format("--columns {}: no column is called so; there are: {}", name, names));
        }
        columns.push_back(column);
        from = comma + 1;
    }
    return columns;
}

Document list_document(const ChosenRows& chosen, const RowOrder& order,
                       std::span<const JobColumn* const> columns, bool asked, const std::string& about)
{
    DataTable table{.id = "jobs"};
    std::vector<const JobColumn*> shown;
    for (const JobColumn* const column : columns)
        if (asked || std::any_of(chosen.rows.begin(), chosen.rows.end(),
                                 [&](const JobRow& row) { return column->cell(row).known(); }))
            shown.push_back(column);
    for (const JobColumn* const column : shown)
        table.columns.push_back({std::string(column->name), std::string(column->heading), column->measure});
    for (const JobRow& row : chosen.rows) {
        auto& cells = table.rows.emplace_back();
        for (const JobColumn* const column : shown) cells.push_back(column->cell(row));
    }
    table.remark =
        fmt::format("In the order of {}{}.{} `fathom jobs show ID` has a page on each.",
                    order.column->heading, order.descending ? ", the largest first" : "",
                    chosen.more ? fmt::format(" The first {}; --top N shows more, --csv all of them.",
                                              format_count(chosen.rows.size()))
                                : "");
    Document document;
    document.title = chosen.more ? fmt::format("The first {} of more jobs", format_count(chosen.rows.size()))
                                 : counted(chosen.rows.size(), "job", "jobs");
    document.subtitle = about;
    document.sections.push_back({"jobs", "Jobs", {std::move(table)}});
    return document;
}

}  // namespace fathom::jobs
