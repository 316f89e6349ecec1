// The section on phases: clusters of past ones, and those of this run outside of them.
#pragma once

#include <string>

#include "analyzer/document/document.h"
#include "analyzer/history/phases.h"

namespace fathom::history {

report::Blocks phase_section(jobs::Database& database, const PhaseStudy& study, const KindRun& today);

// Of a study with an anomaly.
std::string anomaly_sentence(const PhaseStudy& study, const KindRun& today);

}  // namespace fathom::history
