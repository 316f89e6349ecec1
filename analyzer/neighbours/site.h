// Which programs of a site disturb which: what each run lost to its neighbours, by pairs of programs.
//
// METHODS section 18. Jobs come in the order of their starts, and each is laid beside those that ran
// meanwhile, so that no more is in memory than what runs at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/neighbours/running.h"
#include "logformat/log/tick.h"

namespace fathom::neighbours {

struct SiteChoice {
    jobs::Known since, before;  // ns of UNIX time: of their starts
};

// Runs of one program, I/O mode and number of processes, as tables 1 and 2 of the LWM2 study have them.
struct AloneRow {
    std::string program, mode;
    double processes = 0;
    std::size_t runs = 0;
    Moved alone, beside;
};

// What runs of one program lost to those of another.
struct PairRow {
    std::string program, by;
    std::size_t runs = 0, by_runs = 0;  // that lost, or gained, something
    double seconds = 0;                 // both active
    double lost = 0;                    // s, of the runs
    double process_seconds = 0;         // the same times the processes that wait
    Moved beside;                       // of the program in windows with the other one, by its share
    double usual_bytes = 0;             // what it would have moved then at its usual rate
};

struct Site {
    std::size_t runs = 0, timed = 0;  // with a log; of which activity is known
    std::size_t without_rate = 0;     // that had neighbours, and whose rate alone is not known
    std::array<std::size_t, std::size(lack_words)> lacking{};
    std::size_t several_places = 0,
                own_place = 0;  // no file system has 90 % of the bytes; one of a node alone
    std::vector<AloneRow> alone;
    std::vector<PairRow> pairs;  // those that lost most first
    Number first = 0, last = 0;  // starts
};

// Throws DatabaseError.
Site site_of(jobs::Database& database, const SiteChoice& choice, const Tick& tick);

}  // namespace fathom::neighbours
