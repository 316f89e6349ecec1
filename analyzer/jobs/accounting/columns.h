// Some columns of a table: what accounting knows of a job, without all that logs do.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/jobs/schema/table.h"

namespace fathom::jobs {

inline constexpr std::string_view job_columns[] = {
    "id",        "allocation",  "recorded", "cluster", "batch_system", "job",       "step",
    "array_job", "array_index", "job_name", "account", "queue",        "user_name", "project",
    "program",   "start_ns",    "end_ns",   "run_ns",  "processes",    "nodes",     "cores"};
inline constexpr std::string_view allocation_columns[] = {"id",        "cluster", "job",   "name",
                                                          "user_name", "account", "queue", "state",
                                                          "start_ns",  "end_ns",  "nodes", "cores"};

// Statements for those columns of Row's table.
template <class Row>
class Columns {
  public:
    explicit Columns(std::span<const std::string_view> names)
    {
        const TableWords& words = words_of(Row::table);
        std::string changes;
        for (const ColumnWords& column : words.columns) {
            used_.push_back(std::find(names.begin(), names.end(), column.name) != names.end());
            if (!used_.back()) continue;
            types_.push_back(column.type);
            select_ += (select_.empty() ? "select " : ", ") + column.name;
            if (column.name != "id") changes += (changes.empty() ? "" : ", ") + column.name + " = ?";
        }
        select_ += " from " + std::string(words.table);
        update_ = "update " + std::string(words.table) + " set " + changes + " where id = ?";
    }

    const std::string& select() const { return select_; }
    std::span<const ValueType> types() const { return types_; }

    Row row_of(std::span<const Value> values) const
    {
        Row row;
        std::size_t at = 0, from = 0;
        Row::columns(row, [&](std::string_view, auto& member, auto&&...) {
            if (used_[at++]) fetch(values[from++], member);
        });
        return row;
    }
    // The key comes first.
    Values values_of(const Row& row) const
    {
        Values values;
        std::size_t at = 0;
        Row::columns(row, [&](std::string_view, const auto& member, auto&&...) {
            if (used_[at++]) store(member, values.emplace_back());
        });
        return values;
    }
    void update(Database& database, const Row& row) const
    {
        Values values = values_of(row);
        std::rotate(values.begin(), values.begin() + 1, values.end());
        database.run(update_, values);
    }

  private:
    std::vector<bool> used_;  // of all columns of the table
    std::vector<ValueType> types_;
    std::string select_, update_;
};

}  // namespace fathom::jobs
