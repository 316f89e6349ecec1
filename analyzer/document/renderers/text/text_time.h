// What charts over time share in text: columns of characters that stand for one or several slices.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/document/document.h"

namespace fathom::report {

// The fewest slices of which each column must take the mean, so that there are no more than `room` columns.
std::size_t slices_per_column(const TimeAxis& axis, std::size_t room);

// The mean of each group of neighbours that are finite, NaN where none is; the last group may be smaller.
std::vector<double> means(const std::vector<double>& values, std::size_t group);
// The largest of each group instead.
std::vector<double> maxima(const std::vector<double>& values, std::size_t group);

// A line of ticks below `columns` of them, each label after the stroke that marks its place: "|0 s   |20 s".
std::string tick_line(const TimeAxis& axis, std::size_t group, std::size_t columns);

// How long a column is: "a column is 4 s", and of how many slices it is the mean, or the largest value.
std::string column_length(const TimeAxis& axis, std::size_t group, bool of_largest = false);

}  // namespace fathom::report
