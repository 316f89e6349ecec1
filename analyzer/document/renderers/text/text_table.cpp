// Tables in text. Where a row is too wide its path gets a line of its own; what still does not fit goes on
// below, with the first column again, or, in long tables, on further lines of each row.
#include <algorithm>
#include <numeric>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/renderers/text/text.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

constexpr std::size_t table_margin = 2, gap = 2;
constexpr std::size_t long_table = 24;  // rows: more than a screen has lines for
constexpr std::size_t comfortable_path = 32, narrowest_path = 20, narrowest_text = 20;

using Cells = std::vector<std::vector<std::string>>;  // the headings first

struct Layout {
    Cells cells;
    std::vector<std::size_t> widths;
};

std::size_t total(const std::vector<std::size_t>& widths, std::size_t from, std::size_t to)
{
    return std::accumulate(widths.begin() + static_cast<std::ptrdiff_t>(from),
                           widths.begin() + static_cast<std::ptrdiff_t>(to), std::size_t{0}) +
           gap * (to - from);
}

Layout lay_out(const DataTable& table)
{
    Layout layout;
    layout.cells.emplace_back();
    for (const DataColumn& column : table.columns) layout.cells[0].push_back(printable(column.heading));
    for (const auto& row : table.rows) {
        auto& line = layout.cells.emplace_back();
        for (const Cell& cell : row) line.push_back(printable(format(cell)));
    }
    layout.widths.assign(table.columns.size(), 0);
    for (const auto& line : layout.cells)
        for (std::size_t at = 0; at < line.size(); ++at)
            layout.widths[at] = std::max(layout.widths[at], display_width(line[at]));
    return layout;
}

// Takes columns of a measure down to `least` until the table fits, the widest first.
void narrow(const DataTable& table, std::vector<std::size_t>& widths, std::size_t room, Measure measure,
            std::size_t least)
{
    while (total(widths, 0, widths.size()) > room + gap) {
        std::size_t widest = widths.size();
        for (std::size_t at = 0; at < widths.size(); ++at)
            if (table.columns[at].measure == measure && widths[at] > least &&
                (widest == widths.size() || widths[at] > widths[widest]))
                widest = at;
        if (widest == widths.size()) return;
        const std::size_t excess = total(widths, 0, widths.size()) - room - gap;
        widths[widest] -= std::min(excess, widths[widest] - least);
    }
}

std::string line_of(const DataTable& table, const Layout& layout, std::size_t row,
                    const std::vector<std::size_t>& shown, bool first_blank = false)
{
    std::string line(table_margin, ' ');
    for (const std::size_t at : shown) {
        if (first_blank && at == 0) {
            line.append(layout.widths[at] + gap, ' ');
            continue;
        }
        const Align align = is_number(table.columns[at].measure) ? Align::right : Align::left;
        const bool words = table.columns[at].measure == Measure::text;
        const std::string cell =
            (words ? shorten_end : shorten_middle)(layout.cells[row][at], layout.widths[at]);
        line += pad(cell, layout.widths[at], align) + std::string(gap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

// The path of each row, the first column, on a line of its own, and the other columns indented below it.
std::string with_paths_apart(const DataTable& table, Layout layout, std::size_t room)
{
    std::vector<std::size_t> others(table.columns.size() - 1);
    std::iota(others.begin(), others.end(), 1);
    std::string out, rule(table_margin, ' ');
    const std::size_t used = total(layout.widths, 1, layout.widths.size());
    for (std::size_t dash = 0; dash < used; ++dash) rule += "─";
    for (std::size_t row = 0; row < layout.cells.size(); ++row) {
        out += "  " + shorten_middle(layout.cells[row][0], room) + "\n";
        out += "  " + line_of(table, layout, row, others);
        if (row == 0) out += rule + "\n";
    }
    return out;
}

bool paths_go_apart(const DataTable& table, const Layout& layout, std::size_t room)
{
    if (table.columns.empty() || table.columns[0].measure != Measure::path) return false;
    const std::size_t others = total(layout.widths, 1, layout.widths.size());
    if (others > room) return false;
    return others + std::min(layout.widths[0], comfortable_path) > room;
}

// How many columns after the first stand in each block, where not all fit: as many in one as in the next.
std::size_t columns_in_block(const std::vector<std::size_t>& widths, std::size_t room)
{
    std::size_t blocks = 1, used = widths[0] + gap;
    for (std::size_t at = 1; at < widths.size(); ++at) {
        if (used + widths[at] > room && used > widths[0] + gap) {
            ++blocks;
            used = widths[0] + gap;
        }
        used += widths[at] + gap;
    }
    return (widths.size() - 1 + blocks - 1) / blocks;
}

// Narrower where that makes all columns fit; else words keep what is comfortable, and columns go on below.
void fit_words(const DataTable& table, std::vector<std::size_t>& widths, std::size_t room)
{
    const std::vector<std::size_t> before = widths;
    narrow(table, widths, room, Measure::text, narrowest_text);
    if (total(widths, 0, widths.size()) <= room + gap) return;
    const std::size_t most = std::max(narrowest_text, room / 3);
    for (std::size_t at = 0; at < widths.size(); ++at)
        if (table.columns[at].measure == Measure::text) widths[at] = std::min(before[at], most);
}

// Which columns stand beside one another, the first one always with them.
using ColumnBlocks = std::vector<std::vector<std::size_t>>;

ColumnBlocks blocks_of(const std::vector<std::size_t>& widths, std::size_t room)
{
    const std::size_t most = columns_in_block(widths, room);
    ColumnBlocks blocks;
    std::size_t from = 1;
    do {
        auto& shown = blocks.emplace_back(1, 0);
        std::size_t used = widths[0] + gap;
        while (from < widths.size() && shown.size() <= most &&
               (shown.size() == 1 || used + widths[from] <= room)) {
            used += widths[from] + gap;
            shown.push_back(from++);
        }
    } while (from < widths.size());
    return blocks;
}

std::string rule_below(const Layout& layout, const std::vector<std::size_t>& shown)
{
    std::size_t used = 0;
    for (const std::size_t at : shown) used += layout.widths[at] + gap;
    std::string rule(table_margin, ' ');
    for (std::size_t dash = 0; dash + gap < used; ++dash) rule += "─";
    return rule + "\n";
}

std::string block_by_block(const DataTable& table, const Layout& layout, const ColumnBlocks& blocks)
{
    std::string out;
    for (const auto& shown : blocks) {
        out += out.empty() ? "" : "\n";
        out += line_of(table, layout, 0, shown) + rule_below(layout, shown);
        for (std::size_t row = 1; row < layout.cells.size(); ++row) out += line_of(table, layout, row, shown);
    }
    return out;
}

// The blocks of each row, and of the headings, below one another.
std::string folded(const DataTable& table, const Layout& layout, const ColumnBlocks& blocks)
{
    std::string out, rule;
    for (const auto& shown : blocks) {
        std::string one = rule_below(layout, shown);
        if (one.size() > rule.size()) rule = std::move(one);
    }
    for (std::size_t row = 0; row < layout.cells.size(); ++row) {
        for (const auto& shown : blocks) out += line_of(table, layout, row, shown, &shown != &blocks.front());
        if (row == 0) out += rule;
    }
    return out;
}

std::string in_columns(const DataTable& table, Layout layout, std::size_t room)
{
    const std::size_t columns = table.columns.size();
    if (columns == 0) return {};
    narrow(table, layout.widths, room, Measure::path, narrowest_path);
    fit_words(table, layout.widths, room);

    const auto blocks = blocks_of(layout.widths, room);
    const bool fold = blocks.size() > 1 && table.rows.size() > long_table;
    return fold ? folded(table, layout, blocks) : block_by_block(table, layout, blocks);
}

}  // namespace

std::string text_of(const DataTable& table, const TextStyle& style)
{
    Layout layout = lay_out(table);
    const std::size_t room = style.width - table_margin;
    std::string out;
    if (!table.title.empty())
        for (const std::string& line : wrap(printable(table.title), room)) out += "  " + line + "\n";
    out += paths_go_apart(table, layout, room) ? with_paths_apart(table, std::move(layout), room)
                                               : in_columns(table, std::move(layout), room);
    if (!table.remark.empty())
        for (const std::string& line : wrap(printable(table.remark), room)) out += "  " + line + "\n";
    return out;
}

}  // namespace fathom::report
