// The first page of a report: all that most readers need, on one screen, one page or 40 lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/document/document.h"

namespace fathom::report {

// A bar of the first page: where the run time of a rank, or of the mean of all, went.
struct TimeBar {
    std::string label;                         // "mean of 24 ranks", "rank 17, the slowest"
    double read = 0, write = 0, metadata = 0;  // s
    double run = 0;                            // s; 0: not known

    double io() const { return read + write + metadata; }
};

// A number of the first page: what it is, and what it is of.
struct KeyNumber {
    std::string id;
    std::string label;
    Cell value;
    std::string about;  // "4 files shared by all (N-1)"
    std::string rate;   // "84.2 MiB/s, 28.1 per node"; empty: none
};

// A finding in two lines; the section of findings has all of it.
struct FindingInBrief {
    std::string title;
    std::string cost;  // "41 s", "up to 9 s"
    double part = 0;   // of the costliest one's cost, for a bar
    Confidence confidence = Confidence::medium;
    std::string advice;  // the first sentence
};

// Of the time in I/O.
struct LayerShare {
    std::string name;
    double share = 0;
};

// All that most readers need: one screen, one page, 40 lines.
struct FirstPage {
    std::string recorded;  // "all 24 ranks recorded, exit status 0"
    bool all_well = true;  // nothing is missing and nothing failed
    std::string verdict;
    std::vector<Note> notes;  // what must not be overlooked
    std::vector<TimeBar> bars;
    std::vector<KeyNumber> numbers;
    std::vector<FindingInBrief> findings;
    std::size_t findings_in_all = 0;
    std::string on_findings;  // how many more there are
    std::optional<TimeChart> over_time;
    std::optional<Heatmap> by_rank;
    std::optional<Chart> sizes;
    std::vector<LayerShare> layers;  // of the time in I/O
};

}  // namespace fathom::report
