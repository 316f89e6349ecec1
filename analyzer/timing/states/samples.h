// What a probe measured, from its CSV: the latencies of each target and operation over time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/log/tick.h"

namespace fathom {

// Which columns to read, by name, and which rows; empty: see read_samples.
struct SampleChoice {
    std::string time, latency, truth;
    std::string target, operation;  // rows of this target and operation alone
};

// Rows that are not among the samples, and why.
struct LeftOut {
    std::uint64_t failed = 0;      // the operation failed: the CSV has its error
    std::uint64_t no_latency = 0;  // empty, no number, or not above 0
    std::uint64_t same_time = 0;   // as that of the row before

    std::uint64_t all() const { return failed + no_latency + same_time; }
};

struct SampleGroup {
    std::string target, operation;         // empty where the CSV does not say
    std::vector<double> times, latencies;  // seconds; times ascend strictly
    std::vector<std::string> truths;       // of the column of true states: as many, or none
    LeftOut left_out;
    bool sorted = true;  // as the rows stood in the CSV
};

struct Samples {
    std::string time_column, latency_column;
    std::vector<SampleGroup> groups;  // in the order in which the CSV first has each
};

// Seconds that a unit of a column is, by the ending of its name: "_ns", "_us", "_ms", "_s", "_min", "_h"; one
// without any has seconds.
double unit_of_column(std::string_view name);

// Usual columns: time_s (of a probe), t_min, t_s, start_s or time; latency_s or duration_s. The columns
// target, operation and error count where there are such. Throws std::runtime_error: file, line, what is
// wrong.
Samples read_samples(const std::string& path, const SampleChoice& choice, const Tick& tick = {});

}  // namespace fathom
