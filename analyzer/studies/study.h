// A study is a row: the section it fills, which jobs have something to say there, and the function that says
// it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/report/document.h"
#include "analyzer/studies/job.h"

namespace fathom {

struct StudyChoice {
    std::size_t files = 10;  // rows of a table of files
};

using Blocks = std::vector<report::Block>;

struct Study {
    std::string_view id;
    std::string_view title;
    bool (*applies)(const Job& job);
    Blocks (*run)(const Job& job, const StudyChoice& choice);
};

// All studies, in the order of the report: most important first.
std::span<const Study> studies();

// Runs every study that applies.
report::Document make_report(const Job& job, const StudyChoice& choice);

// The rows of the table, one a file of its name.
Blocks summary(const Job& job, const StudyChoice& choice);
Blocks findings(const Job& job, const StudyChoice& choice);  // analyzer/findings/section.cpp
Blocks job_facts(const Job& job, const StudyChoice& choice);
Blocks rates(const Job& job, const StudyChoice& choice);
Blocks io_modes(const Job& job, const StudyChoice& choice);
Blocks time_use(const Job& job, const StudyChoice& choice);
Blocks timeline(const Job& job, const StudyChoice& choice);
Blocks phases(const Job& job, const StudyChoice& choice);
Blocks ranks(const Job& job, const StudyChoice& choice);
Blocks layer_tables(const Job& job, const StudyChoice& choice);
Blocks libraries(const Job& job, const StudyChoice& choice);
Blocks durations(const Job& job, const StudyChoice& choice);
Blocks operation_clusters(const Job& job, const StudyChoice& choice);
Blocks further_calls(const Job& job, const StudyChoice& choice);
Blocks access_pattern(const Job& job, const StudyChoice& choice);
Blocks access_sizes(const Job& job, const StudyChoice& choice);
Blocks mpiio_to_posix(const Job& job, const StudyChoice& choice);
Blocks file_tables(const Job& job, const StudyChoice& choice);
Blocks file_systems(const Job& job, const StudyChoice& choice);
Blocks processes(const Job& job, const StudyChoice& choice);
Blocks other_processes(const Job& job, const StudyChoice& choice);
Blocks invariants(const Job& job, const StudyChoice& choice);

}  // namespace fathom
