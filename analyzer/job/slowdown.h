// Why a job took longer than others of its kind, from the job database: what reports show of it. Plain words
// and numbers: analyzer/slowdown makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

struct Slowdown {
    enum class State : std::uint8_t {
        not_known,  // see why_not
        usual,      // no longer than usual
        slower,     // than the others
        since,      // as are all runs since some date; the others are those before it
    } state = State::not_known;
    std::string why_not;  // a sentence

    std::string job;                 // "41 (4711.0)"
    std::string kind;                // in what the runs agree
    std::size_t runs = 0;            // others
    bool of_run_time = false;        // else of the time in I/O of the slowest rank
    double seconds = 0, median = 0;  // of this run, of the others
    double limit = 0;                // of what is usual; 0: too few runs
    std::string since;               // "2026-11-12"
    std::size_t since_runs = 0;

    struct Part {
        std::string id, label;  // "outside_io", "outside of I/O"
        std::string words;      // behind its seconds: "while job 8812 (ior of anna) moved 2.1 GiB/s"
        double seconds = 0;
    };
    std::vector<Part> parts;         // add up to seconds - median; the largest first, the rest last
    std::vector<std::string> notes;  // what may have to do with it, and what is not known; sentences
};

}  // namespace fathom
