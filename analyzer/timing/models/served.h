// Sums over operations by what served them: of a log, or of a CSV.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/timing/models/judge.h"
#include "analyzer/timing/operations/timed_operations.h"
#include "logformat/log/tick.h"

namespace fathom {

// Operations that are in one row. Numbers are exact, or estimates from every so many-th operation.
struct ServedGroup {
    std::string name;     // "POSIX read of 1 MiB", "uncached-rnd-seq read"
    std::string state;    // where it is known what served them
    bool counted = true;  // false: of a layer whose operations are made of those of another one

    // By class; all as long as there are classes.
    std::vector<double> operations, time, lost;
    double unjudged = 0;      // operations of which no model speaks
    double unknown_loss = 0;  // slow operations of which no model says how long they take from the cache

    explicit ServedGroup(std::size_t classes = 0) : operations(classes), time(classes), lost(classes) {}
    double all_operations() const;
    double all_time() const;
    double all_lost() const;
};

// Some operations over time, by class: at most so many, every so many-th.
struct ServedSamples {
    std::vector<double> starts, durations;  // seconds
    std::vector<std::size_t> served;
    std::uint64_t every = 1;
};

struct Served {
    std::vector<ServedClass> classes;
    std::vector<ServedGroup> groups;
    ServedSamples samples;
    std::vector<std::string> notes;  // a sentence each

    // Of the groups that are counted.
    ServedGroup total() const;
    bool knows_states() const;
};

// Which operations of a CSV are judged by models of what memory.
struct MemoryChoice {
    std::string layout;    // empty: any
    bool of_rows = false;  // as the CSV's column `memory` says
};

// Of a measurement, where it is known what served each operation: a group for each state, layout and kind.
// Throws as each_measured.
Served served_of_measurement(const std::string& path, Judge& judge, const MemoryChoice& memory,
                             const Tick& tick = {});

// Of the reads and writes of a log, or of a CSV of others: a group for each class of operations.
Served served_of(const TimedOperations& operations, Judge& judge, const MemoryChoice& memory);

}  // namespace fathom
