// Cells, words and axes that several sections have.
#pragma once

#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/document/units.h"
#include "analyzer/series/report/load.h"

namespace fathom::series {

inline constexpr std::size_t most_columns = 300;  // of a chart over time

report::Cell rate_cell(double bytes_a_second);  // NaN: not known
report::Cell bytes_cell(double bytes);
report::Cell moment_cell(Nanoseconds time);
std::string rate_words(double bytes_a_second);
std::string bytes_words(double bytes);
std::string time_words(Nanoseconds length);  // "60 s", "5 min", "3 h", "3 h 25 min"
std::string moment_words(Nanoseconds time);
// "5 %"
std::string percent_words(double share);
// "2018-01-28 00:00:00 to 00:05:00 UTC"
std::string from_to_words(Nanoseconds begin, Nanoseconds end);

// Bins of a grid drawn together, so that there are no more than most_columns.
struct Columns {
    explicit Columns(const Grid& grid);
    report::TimeAxis axis;
    std::size_t bins = 1;  // a column

    // Over the bins of each column that are known, NaN where none is; of rates in MiB/s.
    std::vector<double> means(const std::vector<double>& values, double unit) const;
    std::vector<double> highest(const std::vector<double>& values, double unit) const;
};

inline constexpr double mebibyte = 1 << 20;

}  // namespace fathom::series
