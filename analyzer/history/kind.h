// Runs of one kind: what makes two runs comparable, and which runs of many are alike.
//
// Source: METHODS section 17; Carns et al. (ACM TOS 2011), section 4.1 and table IV: runs of one user with
// the same processes and files whose bytes read and bytes written differ by no more than 1 %.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/jobs/schema/rows.h"

namespace fathom::history {

using jobs::Known;
using jobs::Number;

// A run with a log, as the job database has it. Times are ns, `start` of UNIX time.
struct KindRun {
    Number id = 0;
    std::string program, user;
    Known processes, files;
    Number bytes_read = 0, bytes_written = 0;
    Number start = 0;
    Known io_time;  // of the slowest rank (METHODS 1)
    Known run_time;
};

// In what runs of one kind must agree.
struct Match {
    bool program = true, user = true, processes = true, files = true, bytes = true;
    double within = 0.01;  // by how much bytes may differ, as a share of the larger number
};

// "program,user,processes,files,bytes", in any order; `within` stays as it is. Throws std::invalid_argument:
// which word is none, and which there are.
Match parse_match(std::string_view words, Match match = {});

// "program, user, processes, files, bytes read and written within 1 %"
std::string words_of(const Match& match);

// What is not known agrees with what is not known.
bool are_alike(const KindRun& one, const KindRun& other, const Match& match);

// Runs of one kind, in the order of time.
struct Kind {
    std::vector<KindRun> runs;

    const KindRun& newest() const { return runs.back(); }
};

// Those of the runs that are alike one run, itself among them if it is one of them.
Kind kind_of(const KindRun& model, std::vector<KindRun> runs, const Match& match);

// All runs, each in one kind: the newest run and those alike make one, then the newest of the rest. The kind
// with the newest run comes first; the order of `runs` does not matter. Takes time n log n.
std::vector<Kind> kinds_of(std::vector<KindRun> runs, const Match& match);

}  // namespace fathom::history
