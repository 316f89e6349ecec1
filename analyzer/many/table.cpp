// Says above the table what it is of, and below it what the columns are and how many rows were left out.
#include "analyzer/many/table.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "analyzer/document/units.h"
#include "analyzer/many/pages.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t most_troubles = 10;  // listed in the document; standard error has all

struct FormLimit {
    std::string_view format;
    TableForm form;
};
// A page that a browser still sorts at once, and a hundred sheets or so. Text may go on to a file or a pager,
// JSON to a program.
constexpr FormLimit limits[] = {{"html", {5000, false}}, {"pdf", {5000, false}}, {"json", {no_limit, true}}};

bool has_value(std::span<const JobRow> rows, const JobColumn& column)
{
    return std::any_of(rows.begin(), rows.end(), [&](const JobRow& row) { return column.cell(row).known(); });
}

std::vector<const JobColumn*> columns_shown(std::span<const JobRow> rows, bool all)
{
    std::vector<const JobColumn*> shown;
    for (const JobColumn& column : job_columns()) {
        const bool here = all || column.shown == Shown::always ||
                          (column.shown == Shown::where_known && has_value(rows, column));
        if (here) shown.push_back(&column);
    }
    return shown;
}

std::string remark_of(const std::vector<const JobColumn*>& columns, const RowOrder& order, std::size_t rows,
                      std::size_t left_out)
{
    std::string remark;
    for (const JobColumn* const column : columns)
        if (column->shown != Shown::to_programs)
            add_to_list(remark, fmt::format("{}: {}", column->heading, column->meaning), "; ");
    remark += fmt::format(". In the order of {}{}.", order.column->heading,
                          order.descending ? ", the largest first" : "");
    if (left_out > 0)
        remark =
            fmt::format("The first {} of {}; {} are left out, --csv has all of them. {}", format_count(rows),
                        format_count(rows + left_out), format_count(left_out), remark);
    return remark;
}

// Said once above the table, and not in each row.
void shorten_logs(DataTable& table, std::size_t characters)
{
    for (std::size_t at = 0; at < table.columns.size(); ++at)
        if (table.columns[at].id == "log")
            for (auto& row : table.rows) std::get<std::string>(row[at].value).erase(0, characters);
}

DataTable table_of(std::span<const JobRow> rows, const RowOrder& order, std::size_t shown, bool all_columns)
{
    DataTable table{.id = "logs"};
    const std::vector<const JobColumn*> columns = columns_shown(rows, all_columns);
    for (const JobColumn* const column : columns)
        table.columns.push_back({std::string(column->name), std::string(column->heading), column->measure});
    for (const JobRow& row : rows.first(shown)) {
        auto& cells = table.rows.emplace_back();
        cells.reserve(columns.size());
        for (const JobColumn* const column : columns) cells.push_back(column->cell(row));
    }
    table.remark = remark_of(columns, order, shown, rows.size() - shown);
    return table;
}

Entries sums_of(const GatheredRows& gathered)
{
    const std::vector<JobRow>& rows = gathered.rows;
    std::uint64_t moved = 0, partial = 0, slowed = 0;
    for (const JobRow& row : rows) {
        moved += row.bytes;
        partial += row.problems > 0;
        slowed += row.findings > 0;
    }
    Entries entries;
    entries.entries = {{"logs", "logs that were read", count(rows.size()), ""},
                       {"unreadable", "files that could not be read", count(gathered.troubles.size()), ""},
                       {"partial", "logs read in part", count(partial), ""},
                       {"slowed", "with a finding", count(slowed), "fathom report LOG says what to do"},
                       {"bytes", "bytes moved", bytes(moved), "by all of them"}};
    return entries;
}

}  // namespace

TableForm table_form_of(std::string_view format)
{
    const auto found = std::find_if(std::begin(limits), std::end(limits),
                                    [&](const FormLimit& one) { return one.format == format; });
    return found == std::end(limits) ? TableForm{no_limit, false} : found->form;
}

report::Document make_table(const GatheredRows& gathered, const RowOrder& order, std::size_t shown,
                            const TableForm& form, std::span<const std::string> pages)
{
    const std::span<const JobRow> rows = gathered.rows;
    Document document;
    document.title = "The I/O of " + counted(rows.size(), "log", "logs");
    const std::string folder = form.all_columns ? "" : common_folder(rows);
    if (!folder.empty())
        document.subtitle = "in " + std::filesystem::absolute(folder).lexically_normal().string();
    Section section{"logs", "Logs", {sums_of(gathered)}};
    const std::size_t told = std::min(gathered.troubles.size(), most_troubles);
    for (std::size_t at = 0; at < told; ++at)
        section.blocks.push_back(Note{Weight::warning, gathered.troubles[at]});
    if (gathered.troubles.size() > told)
        section.blocks.push_back(
            Note{Weight::warning,
                 fmt::format("{} more could not be read.", format_count(gathered.troubles.size() - told))});
    DataTable table = table_of(rows, order, std::min({rows.size(), shown, form.most_rows}), form.all_columns);
    shorten_logs(table, folder.size());
    table.links.assign(pages.begin(), pages.end());
    section.blocks.push_back(std::move(table));
    document.sections.push_back(std::move(section));
    return document;
}

}  // namespace fathom
