// Ranks that wait for each other, as far as their bursts of I/O show it (METHODS, section 9).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/job/job.h"

namespace fathom {

struct Turns {
    struct Part {
        std::size_t rank = 0;
        double time = 0;  // ns in I/O
    };
    // A stretch in which ranks had I/O under way, and before and after which none had.
    struct Phase {
        std::uint64_t start = 0, end = 0;
        std::vector<Part> parts;  // a rank each
    };

    bool one_by_one = false;  // each began when another had ended
    // …and most of them at once: ranks that compute between their turns leave pauses, and wait for nobody.
    bool handed_over = false;
    // …or about half of them no later after the end of the last than that was long.
    bool taken_over = false;
    // …or always in the same order of ranks, round after round, however long the pauses.
    bool in_rounds = false;
    double time = 0;     // ns of all turns, what lies between their calls included
    double pause = 0;    // ns from the end of one to the start of the next, which half of them have at most
    double spacing = 0;  // ns from the start of one to that of the next, the lesser median
    std::vector<Phase> phases;  // nearly all ranks take part in nearly each; empty: the log has no such
    double scale = 1;           // of all time in I/O to that in the phases, which are those of the beginning

    // ns by which the phases were shorter if of each rank's time in I/O this part went.
    template <class PartOf>
    double spared(PartOf part_of) const
    {
        double sum = 0;
        for (const Phase& phase : phases) {
            double most = 0, most_left = 0;
            for (const Part& part : phase.parts) {
                most = std::max(most, part.time);
                most_left = std::max(most_left, part.time * (1 - part_of(part.rank)));
            }
            sum += most - most_left;
        }
        return scale * sum;
    }
};

Turns turns_of(const Job& job);

}  // namespace fathom
