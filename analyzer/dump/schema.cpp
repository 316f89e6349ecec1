// The columns of every table, as this version of Fathom writes them.
#include <fmt/format.h>

#include "analyzer/dump/dump.h"
#include "logformat/tables.h"

namespace fathom {
namespace {

constexpr std::string_view type_names[] = {"u64", "i64", "f64", "text"};
constexpr std::string_view unit_names[] = {"-", "count", "bytes", "duration", "timestamp", "process", "code"};
constexpr std::string_view rule_names[] = {"key", "sum", "largest", "earliest", "own"};

}  // namespace

std::string schema_text()
{
    std::string out =
        "# fathom schema 1\n"
        "# columns: table, column, type, unit, rule, meaning; tabs between them\n"
        "# type: u64, i64, f64 (numbers) or text\n"
        "# unit: in the log durations are nanoseconds and timestamps nanoseconds of UNIX time (0: never); the "
        "dump\n"
        "#   prints both as seconds, timestamps since the job's start\n"
        "# rule: how the values of two records of one file become one; own: the value has a rule of its own "
        "kind\n";
    for (std::size_t number = 0; number < table_count; ++number) {
        const TableWords& table = tables.words[number];
        const Columns columns = columns_of_table(number);
        out += fmt::format("# table {}: {}\n", table.name, table.meaning);
        for (const Column& column : columns.all())
            out += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", table.name, column.label(),
                               type_names[static_cast<std::size_t>(column.type)],
                               unit_names[static_cast<std::size_t>(column.unit)],
                               rule_names[static_cast<std::size_t>(column.rule)], column.meaning);
    }
    return out;
}

}  // namespace fathom
