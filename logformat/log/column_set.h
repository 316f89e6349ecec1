// Some of the columns of all tables, by their names, "posix.sync_time".
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace fathom {

// Whether some table has a column of this name.
bool is_column(std::string_view name);

class ColumnSet {
  public:
    ColumnSet() = default;
    // std::logic_error where no table has such a column.
    ColumnSet(std::initializer_list<std::string_view> names);

    bool empty() const;
    bool contains(std::string_view name) const;
    void insert(std::string_view name);  // std::logic_error as above
    void erase(std::string_view name);
    void merge(const ColumnSet& other);
    std::vector<std::string_view> names() const;  // sorted; they live as long as the program

    friend bool operator==(const ColumnSet& a, const ColumnSet& b) { return a.names() == b.names(); }

  private:
    std::vector<std::uint64_t> words_;  // a bit a column, in the order of their names
};

}  // namespace fathom
