// The sections of the report: a function each, in a file of its name in one of the rooms here.
// analyzer/book/book.cpp puts them into order.
#pragma once

#include <cstddef>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

struct SectionChoice {
    std::size_t files = 10;  // rows of a table of files
};

using report::Blocks;

// overview/
Blocks summary(const Job& job, const SectionChoice& choice);
Blocks job_facts(const Job& job, const SectionChoice& choice);
Blocks rates(const Job& job, const SectionChoice& choice);
Blocks time_use(const Job& job, const SectionChoice& choice);

// ranks/
Blocks ranks(const Job& job, const SectionChoice& choice);
Blocks processes(const Job& job, const SectionChoice& choice);
Blocks other_processes(const Job& job, const SectionChoice& choice);

// time/
Blocks timeline(const Job& job, const SectionChoice& choice);
Blocks phases(const Job& job, const SectionChoice& choice);
Blocks durations(const Job& job, const SectionChoice& choice);
Blocks operation_clusters(const Job& job, const SectionChoice& choice);

// requests/
Blocks layer_tables(const Job& job, const SectionChoice& choice);
Blocks further_calls(const Job& job, const SectionChoice& choice);
Blocks access_sizes(const Job& job, const SectionChoice& choice);
Blocks access_pattern(const Job& job, const SectionChoice& choice);

// files/
Blocks io_modes(const Job& job, const SectionChoice& choice);
Blocks file_tables(const Job& job, const SectionChoice& choice);
Blocks file_systems(const Job& job, const SectionChoice& choice);

// system/
Blocks system_load(const Job& job, const SectionChoice& choice);

// slowdown/
Blocks beside_kind(const Job& job, const SectionChoice& choice);

// mpi/ and libraries/
Blocks mpiio_to_posix(const Job& job, const SectionChoice& choice);
Blocks mpi_hints(const Job& job, const SectionChoice& choice);
Blocks libraries(const Job& job, const SectionChoice& choice);

// trust/
Blocks invariants(const Job& job, const SectionChoice& choice);

}  // namespace fathom
