// A log as one row of a table of many: the numbers of its report, without the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"
#include "analyzer/methods/modes.h"

namespace fathom {

// Empty texts and optionals: not known. What the report says of the same log is the same.
struct JobRow {
    std::uint64_t id = 0;     // in a job database; 0: it is from none
    bool recorded = true;     // false: of accounting alone, nothing is known of its I/O
    std::string log;          // path of the file, as it was named
    std::string program;      // path of the executable that did the work: no launcher, no shell
    std::string user, group;  // by name, by number where that is not known
    std::string batch_system, job, job_step, array_job, array_index, job_name, account, queue, job_nodes;
    std::string project;              // as the job database has it
    std::uint64_t nodes = 0;          // compute nodes; 0: not known
    std::uint64_t processes = 0;      // MPI ranks; all processes where there are none
    std::uint64_t ranks_missing = 0;  // or tasks, that were started and the log has nothing of
    std::uint64_t start = 0;          // ns of UNIX time; 0: not known
    std::optional<double> run_time;   // s
    std::uint64_t bytes = 0;          // each once, at the lowest layer: what the rates are made of
    std::uint64_t bytes_read = 0, bytes_written = 0;                    // as the program asked for them
    std::optional<double> rate;                                         // MiB/s, while data was transferred
    std::optional<double> rate_by_slowest, rate_per_node, rate_window;  // MiB/s, MiB/s/CN, MiB/s
    Mode reads = Mode::none, writes = Mode::none;                       // at the application's layer
    std::optional<double> io_share;                                     // of the run time, over all of them
    std::uint64_t findings = 0;
    std::string finding, finding_title;  // the costliest: its rule, and what it is in a sentence
    std::optional<double> finding_cost;  // s
    std::uint64_t problems = 0;          // what is damaged or missing; 0: the log is whole
    std::string problem;                 // the first of them
};

JobRow row_of(const Job& job, const std::string& path);
// With the findings of that job.
JobRow row_of(const Job& job, const std::string& path, std::span<const report::Finding> found);

}  // namespace fathom
