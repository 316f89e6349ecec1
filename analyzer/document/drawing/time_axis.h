// An axis of time: round ticks with short labels, and where slices lie on it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/document/document.h"

namespace fathom::report {

struct Tick {
    double at;  // seconds
    std::string label;
};

// Ticks from 0 on up to the end, at most `most` of them (at least 2), all in one unit: s, min, h or d. Of an
// axis by UTC: at round times of day, and dates where a day begins.
std::vector<Tick> time_ticks(const TimeAxis& axis, std::size_t most);

// Where a slice begins and ends within the job, in seconds.
double begin_of(const TimeAxis& axis, std::size_t slice);
double end_of(const TimeAxis& axis, std::size_t slice);
Cell from_cell(const TimeAxis& axis, std::size_t slice);          // seconds, or the moment of an axis by UTC
std::string from_words(const TimeAxis& axis, std::size_t slice);  // "from 4.00 s"
std::string heading_of(const TimeAxis& axis);                     // "since the job's start"

}  // namespace fathom::report
