// A row type seen as columns of plain scalars: what the encoder, the schema in the log and the dump work on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "logformat/field.h"

namespace fathom {

enum class ScalarType : std::uint8_t { u64, i64, f64, text };

// One scalar of a row: `name` is the counter's name with the part's suffix; `offset` is where it lies in the
// row.
struct Column {
    char name[56] = {};
    ScalarType type{};
    Unit unit{};
    Rule rule{};
    std::string_view meaning;
    std::uint32_t offset = 0;

    std::string_view label() const { return name; }
};

inline constexpr std::size_t most_columns = 160;

// The columns of one table, in the order of its fields.
struct Columns {
    std::array<Column, most_columns> column{};
    std::size_t count = 0;

    std::span<const Column> all() const& { return {column.data(), count}; }
    void all() const&& = delete;  // a range-for over a temporary would walk over what is gone
};

namespace detail {

template <class Scalar>
constexpr ScalarType type_of()
{
    if constexpr (std::is_same_v<Scalar, std::uint64_t>)
        return ScalarType::u64;
    else if constexpr (std::is_same_v<Scalar, std::int64_t>)
        return ScalarType::i64;
    else if constexpr (std::is_same_v<Scalar, double>)
        return ScalarType::f64;
    else {
        static_assert(std::is_same_v<Scalar, std::string_view>, "a column is u64, i64, f64 or text");
        return ScalarType::text;
    }
}

}  // namespace detail

// The flattened table of Row. For rows of a log's tables call columns_of (tables.h), which is compiled once.
template <class Row>
Columns made_columns()
{
    Columns columns;
    const Row row{};
    const auto add = [&](std::string_view name, std::string_view suffix, Unit unit, const auto& field,
                         const auto& scalar) {
        Column& column = columns.column.at(columns.count++);
        const std::size_t kept = name.copy(column.name, sizeof column.name - 1);
        suffix.copy(column.name + kept, sizeof column.name - 1 - kept);
        column.type = detail::type_of<std::remove_cvref_t<decltype(scalar)>>();
        column.unit = unit;
        column.rule = field.rule;
        column.meaning = field.meaning;
        column.offset = static_cast<std::uint32_t>(reinterpret_cast<const char*>(&scalar) -
                                                   reinterpret_cast<const char*>(&row));
    };
    each_field<Row>([&](const auto& field) {
        const auto& value = row.*field.member;
        if constexpr (Composite<std::remove_cvref_t<decltype(value)>>)
            std::remove_cvref_t<decltype(value)>::parts(
                value, [&](std::string_view suffix, const auto& scalar, Unit unit) {
                    add(field.name, suffix, unit, field, scalar);
                });
        else
            add(field.name, {}, field.unit, field, value);
    });
    return columns;
}

// Reads or writes the scalar of a column in a row.
template <class Scalar>
Scalar load(const void* row, const Column& column)
{
    Scalar value;
    std::memcpy(&value, static_cast<const char*>(row) + column.offset, sizeof value);
    return value;
}

template <class Scalar>
void store(void* row, const Column& column, Scalar value)
{
    std::memcpy(static_cast<char*>(row) + column.offset, &value, sizeof value);
}

// Calls visit(scalar&, unit) for each number of a row that counts ticks or instants, so that clocks can be
// converted.
template <class Row, class Visit>
void each_time(Row& row, Visit visit)
{
    each_field<Row>([&](const auto& field) {
        auto& value = row.*field.member;
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (Composite<Value>) {
            Value::parts(value, [&](std::string_view, auto& scalar, Unit unit) {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(scalar)>, std::uint64_t>)
                    if (unit == Unit::duration || unit == Unit::instant) visit(scalar, unit);
            });
        } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
            if (field.unit == Unit::duration || field.unit == Unit::instant) visit(value, field.unit);
        }
    });
}

}  // namespace fathom
