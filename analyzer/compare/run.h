// A run as numbers that can be laid beside those of another.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analyzer/compare/decompose.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/job.h"

namespace fathom {

// What a run did of one kind: how often, and for how long by wall clock, which is the time of all processes
// over how many ran at once.
// `variance` is that of the seconds, as far as the operations, independent of one another, make it up.
struct Work {
    double operations = 0, seconds = 0, variance = 0;
};

struct Run;
// Which of a run's sums operations of a kind are in; calls that failed are metadata, whatever they were for.
Work Run::*work_of(Kind kind);

struct Run {
    // `by_totals`: times by kind of call alone, as for a run that has no histograms, so that both are alike.
    Run(const Job& of, std::string called, bool by_totals = false);

    const Job* job;
    std::string path;  // of its log
    // How many processes ran at the same time: all ranks of an MPI job; else the time of all processes over
    // the run time. Seconds of all of them over this are seconds that the user waits.
    double at_once = 1;
    double run_time = 0;        // s
    double slowest_io = 0;      // s in I/O calls, of the rank that spent most there
    bool slowest_known = true;  // false: the log does not separate the ranks, and there is no such number
    double mean_io = 0;         // s in I/O calls of all over at_once
    JobRates rates;
    double bytes_read = 0, bytes_written = 0;  // as the program asked for them
    Work reads, writes, syncs, metadata;       // writes without syncs; metadata: all other calls
    double opens = 0, files = 0;
    bool timed = false;  // the classes are those of histograms: they are, and have all kinds of calls

    // Operations at the level of the program: what went on beneath MPI-IO is left out, as a share of the
    // layer. Times are by wall clock.
    std::map<OperationClass, ClassSum> classes;

    double mean_size(Direction direction) const;  // bytes of a read or write; 0 where there are none
    double bytes(Direction direction) const
    {
        return direction == Direction::read ? bytes_read : bytes_written;
    }
};

}  // namespace fathom
