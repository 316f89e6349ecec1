// Where the difference of two runs' times comes from, with what probably caused it.
#pragma once

#include <string>
#include <vector>

#include "analyzer/compare/run.h"

namespace fathom {

// A change and the seconds of run time that it took; negative where it saved them.
struct Cause {
    std::string id, what;  // "write_size", "smaller writes"
    double seconds = 0;
    std::string from_to;  // "64.0 KiB on average, before 1.00 MiB"
    std::string because;  // the likely cause, a sentence; empty where nothing hints at one
    bool certain = true;  // false: chance alone might have done it
};

// All changes, the largest first; together they are the difference of the run times. `earlier` is one run:
// where there are several, the one in the middle.
std::vector<Cause> causes_of(const Run& earlier, const Run& later);

}  // namespace fathom
