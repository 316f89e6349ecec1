// From a type of rows.h: the columns of its table, statements, and rows as values and back.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

struct ColumnWords {
    std::string name;
    ValueType type;
    Unit unit;
    std::string meaning;
    bool required;  // never NULL
    Seen seen;
};

struct TableWords {
    std::string_view table, view, meaning;
    std::vector<ColumnWords> columns;
};

// All tables, in the order of each_table.
std::span<const TableWords> all_tables();
const TableWords& words_of(std::string_view table);

inline void store(const Number& number, Value& value)
{
    value = number;
}
inline void store(const Known& number, Value& value)
{
    value = number ? Value(*number) : Value();
}
inline void store(const Real& number, Value& value)
{
    value = number ? Value(*number) : Value();
}
void store(const std::string& text, Value& value);

inline void fetch(const Value& value, Number& number)
{
    const auto* const whole = std::get_if<std::int64_t>(&value);
    number = whole == nullptr ? 0 : *whole;
}
inline void fetch(const Value& value, Known& number)
{
    const auto* const whole = std::get_if<std::int64_t>(&value);
    number = whole == nullptr ? std::nullopt : Known(*whole);
}
inline void fetch(const Value& value, Real& number)
{
    const auto* const real = std::get_if<double>(&value);
    number = real == nullptr ? std::nullopt : Real(*real);
}
inline void fetch(const Value& value, std::string& text)
{
    const auto* const words = std::get_if<std::string>(&value);
    text = words == nullptr ? std::string() : *words;
}

template <class Row>
void append(const Row& row, Values& values)
{
    Row::columns(
        row, [&](std::string_view, const auto& member, auto&&...) { store(member, values.emplace_back()); });
}

template <class Row>
Row row_of(std::span<const Value> values)
{
    Row row;
    std::size_t at = 0;
    Row::columns(row, [&](std::string_view, auto& member, auto&&...) { fetch(values[at++], member); });
    return row;
}

// "insert" for many rows, whose cells lie one behind the other.
void insert(Database& database, std::string_view table, std::span<const Value> cells);

// Calls visit(row) for each that the rest of the statement chooses: "where id = ? order by id".
template <class Row, class Visit>
void select(Database& database, std::string_view rest, std::span<const Value> values, Visit visit);

// The same, with a statement that is kept: where `rest` is one of few.
template <class Row, class Visit>
void select_again(Database& database, std::string_view rest, std::span<const Value> values, Visit visit);

// "select a, b, c from t"
std::string select_from(const TableWords& table);
std::vector<ValueType> types_of(const TableWords& table);

template <class Row, class Visit>
void select(Database& database, std::string_view rest, std::span<const Value> values, Visit visit)
{
    const TableWords& words = words_of(Row::table);
    database.each(select_from(words) + " " + std::string(rest), values, types_of(words),
                  [&](std::span<const Value> row) { visit(row_of<Row>(row)); });
}

template <class Row, class Visit>
void select_again(Database& database, std::string_view rest, std::span<const Value> values, Visit visit)
{
    const TableWords& words = words_of(Row::table);
    database.each_again(select_from(words) + " " + std::string(rest), values, types_of(words),
                        [&](std::span<const Value> row) { visit(row_of<Row>(row)); });
}

}  // namespace fathom::jobs
