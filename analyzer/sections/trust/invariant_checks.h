// What must hold in every log, a row each: of records, of totals, and of what was timed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/job/job.h"

namespace fathom {

struct Outcome {
    std::uint64_t checked = 0, failed = 0;
    std::string example;  // the first that failed, with its numbers

    // `what` is called only for the first that fails.
    template <class What>
    void expect(bool holds, What what)
    {
        ++checked;
        if (holds) return;
        if (failed++ == 0) example = what();
    }
};

struct InvariantCheck {
    std::string_view id;
    std::string_view holds;  // what must be so, as a sentence
    std::string_view means;  // what it means where it is not
    Outcome (*check)(const Job& job);
};

// Checks that a log has no rows for come out with nothing checked.
std::span<const InvariantCheck> record_checks();
std::span<const InvariantCheck> total_checks();
std::span<const InvariantCheck> timing_checks();

}  // namespace fathom
