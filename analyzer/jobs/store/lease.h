// What a log and accounting know of the same job. Logs that come later find their row by it (store.cpp), and
// so does accounting that comes later (accounting/).
#pragma once

#include <limits>
#include <string>

#include "analyzer/jobs/schema/rows.h"

namespace fathom::jobs {

// Of an allocation, what a log does not know.
struct Lease {
    Number id = 0, start = 0, end = 0;
    std::string cluster{}, account{}, user{};
    Known cores{};
};

// The end of what accounting saw under way, where rows have 0: later than all others. Differences to it do
// not overflow.
inline constexpr Number open_end = std::numeric_limits<Number>::max() / 2;
inline constexpr Number end_or_open(Number end)
{
    return end == 0 ? open_end : end;
}

// Two stretches of time, in nanoseconds, are of one program: at least half of the shorter one is in both,
// where they may be apart by `slack`.
inline constexpr Number second_of_slack = 1'000'000'000;
bool were_together(Number start, Number end, Number other_start, Number other_end,
                   Number slack = second_of_slack);

// Between two logs: a second where one has whole seconds, else next to nothing. Steps of a job may follow one
// another within less than a second.
Number slack_between(Number start, Number end, Number other_start, Number other_end);

// How far two stretches are from being the same.
Number distance(Number start, Number end, Number other_start, Number other_end);

// The job is one of this allocation.
void lend(const Lease& lease, Job& job);

}  // namespace fathom::jobs
