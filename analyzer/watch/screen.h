// What `fathom watch` shows, as lines of text: for a terminal, or one after the other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/watch/snapshot.h"

namespace fathom::watch {

// A column: what a row is shown and sorted by. The largest come first.
struct Column {
    char key;                   // that chooses it
    std::string_view id, head;  // of JSON; above the column
    double (*of)(const Row& row, double seconds);
    std::string (*words)(double value);
};
std::vector<Column> columns();

struct Show {
    View view = View::recordings;
    std::size_t sort = 0;  // column
    std::string filter{};  // rows whose name has it
};

// Rows that the filter leaves, in order. `seconds` are between the two snapshots.
std::vector<Row> chosen(std::vector<Row> rows, const Show& show, double seconds);

// Bytes a second, of one look after the other.
using Timeline = std::vector<double>;

// At most `height` lines of at most `width` columns; 0: any. `timeline`: the last one is of now.
std::vector<std::string> lines_of(const Snapshot& before, const Snapshot& now, const Show& show,
                                  const Timeline& timeline, std::size_t width, std::size_t height);

// One line of JSON: docs/WATCH.md has its form.
std::string json_of(const Snapshot& before, const Snapshot& now);

}  // namespace fathom::watch
