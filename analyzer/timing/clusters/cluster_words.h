// What is said of a class of operations whose durations have clusters: the numbers of each, and in a sentence
// what is worth one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/methods/duration_groups.h"

namespace fathom {

struct ClusteredClass {
    std::string whose;                 // what sentences begin with, "POSIX"; may be empty
    std::string plural;                // "writes of 1.00 MiB"
    std::optional<double> mean_bytes;  // of an operation
    DurationGroups groups;
};

// What one group of a class amounts to, a column each: how many, mean, median, share of the class's time,
// rate.
std::vector<report::DataColumn> columns_of_groups();
std::vector<report::Cell> cells_of(const ClusteredClass& of, const DurationGroup& part);

// MiB/s; unknown where sizes are not known.
report::Cell rate_of_group(const ClusteredClass& of, const DurationGroup& part);

// That a part took much longer than the others and much of the time; that most are slow and some are not.
// Often none of both.
std::vector<std::string> sentences_on(const ClusteredClass& of);

// How the groups come about.
extern const std::string_view words_on_groups;

}  // namespace fathom
