// Rows and logs for tests: values of every kind in every column, and logs as bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "logformat/blocks/columns.h"
#include "logformat/blocks/encode.h"
#include "logformat/log/log.h"

namespace fathom::sample {

// The values that a test puts into a column, whatever its type.
struct Value {
    std::uint64_t u64 = 0;
    std::int64_t i64 = 0;
    double f64 = 0;
    std::string_view text;
};

inline void set(void* row, const Column& column, const Value& value)
{
    switch (column.type) {
        case ScalarType::u64:
            store(row, column, value.u64);
            break;
        case ScalarType::i64:
            store(row, column, value.i64);
            break;
        case ScalarType::f64:
            store(row, column, value.f64);
            break;
        case ScalarType::text:
            store(row, column, value.text);
            break;
    }
}

// Calls visit(a Row{}, the table's name) for each table.
template <class Visit>
void each_row_type(Visit visit)
{
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        visit(Row{}, table.name);
    });
}

// A different value in every column of every row; `texts` keeps the texts alive.
template <class Row>
Row distinct_row(std::uint64_t number, Log& texts)
{
    Row row;
    std::uint64_t at = number * most_columns;
    const Columns columns = columns_of<Row>();
    for (const Column& column : columns.all()) {
        ++at;
        const auto signed_at = static_cast<std::int64_t>(at);
        const bool text = column.type == ScalarType::text;
        // Of what merges to the largest -1 is the least that there is.
        const bool positive = at % 2 == 0 || column.rule == Rule::largest;
        set(&row, column,
            {at, positive ? signed_at : -signed_at, static_cast<double>(at) + 0.5,
             text ? texts.keep("text " + std::to_string(at)) : std::string_view{}});
    }
    return row;
}

// Bytes of the members that the table of Row names: all of it, where no member was forgotten.
template <class Row>
constexpr std::size_t size_of_fields()
{
    std::size_t size = 0;
    each_field<Row>([&](const auto& field) { size += sizeof(std::declval<Row&>().*field.member); });
    return size;
}

// The first column in which two rows differ bit by bit, or nothing. Texts are compared by their bytes.
template <class Row>
std::string first_difference(const Row& one, const Row& other)
{
    const Columns columns = columns_of<Row>();
    for (const Column& column : columns.all()) {
        const bool same = column.type == ScalarType::text
                              ? load<std::string_view>(&one, column) == load<std::string_view>(&other, column)
                              : load<std::uint64_t>(&one, column) == load<std::uint64_t>(&other, column);
        if (!same) return std::string(column.label());
    }
    return {};
}

// The bytes of a log; what write_log puts into a file.
inline std::vector<std::byte> encode(const Log& log)
{
    Bytes bytes;
    Encoder encoder(bytes);
    encode_log(log, encoder);
    return {bytes.view().begin(), bytes.view().end()};
}

// One row of distinct values in each table.
inline Log small_log()
{
    Log log;
    each_row_type([&](auto row, std::string_view) {
        log.rows<decltype(row)>().push_back(distinct_row<decltype(row)>(1, log));
    });
    return log;
}

}  // namespace fathom::sample
