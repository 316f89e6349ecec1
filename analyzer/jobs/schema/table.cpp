// The words of all tables, made once from their types.
#include "analyzer/jobs/schema/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

#include "analyzer/document/printable.h"

namespace fathom::jobs {
namespace {

template <class Member>
constexpr ValueType type_of()
{
    if (std::is_same_v<Member, std::string>) return ValueType::text;
    return std::is_same_v<Member, Real> ? ValueType::real : ValueType::integer;
}

template <class Row>
TableWords words_from(Row row)
{
    TableWords words{Row::table, Row::view, Row::meaning, {}};
    Row::columns(row, [&]<class Member>(std::string_view name, Member&, Unit unit, std::string_view meaning,
                                        Seen seen = Seen::in_view) {
        constexpr bool optional = std::is_same_v<Member, Known> || std::is_same_v<Member, Real>;
        words.columns.push_back(
            {std::string(name), type_of<Member>(), unit, std::string(meaning), !optional, seen});
    });
    return words;
}

}  // namespace

std::span<const TableWords> all_tables()
{
    static const std::vector<TableWords> tables = [] {
        std::vector<TableWords> all;
        each_table([&](const auto& row) { all.push_back(words_from(row)); });
        return all;
    }();
    return tables;
}

const TableWords& words_of(std::string_view table)
{
    const auto tables = all_tables();
    const auto found = std::find_if(tables.begin(), tables.end(),
                                    [&](const TableWords& words) { return words.table == table; });
    if (found == tables.end()) throw std::logic_error(fmt::format("no table {}", table));
    return *found;
}

void store(const std::string& text, Value& value)
{
    std::string valid = report::valid_utf8(text);
    std::erase(valid, '\0');
    value = std::move(valid);
}

std::vector<ValueType> types_of(const TableWords& table)
{
    std::vector<ValueType> types;
    for (const ColumnWords& column : table.columns) types.push_back(column.type);
    return types;
}

std::string select_from(const TableWords& table)
{
    std::string sql;
    for (const ColumnWords& column : table.columns)
        sql += fmt::format("{} {}", sql.empty() ? "select" : ",", column.name);
    return fmt::format("{} from {}", sql, table.table);
}

void insert(Database& database, std::string_view table, std::span<const Value> cells)
{
    const TableWords& words = words_of(table);
    std::vector<std::string_view> names;
    for (const ColumnWords& column : words.columns) names.push_back(column.name);
    database.insert(table, names, types_of(words), cells);
}

}  // namespace fathom::jobs
