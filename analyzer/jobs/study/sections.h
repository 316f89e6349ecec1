// The sections of a study: each asks the database and gives the blocks of the document. A section is a row in
// study.cpp.
#pragma once

#include <memory>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/jobs/study/site.h"

namespace fathom::jobs {

struct LargeJobs;

// What the sections share.
class Study {
  public:
    Study(Database& database, const StudyChoice& choice) : site(database, choice) {}
    ~Study();
    Study(const Study&) = delete;
    Study& operator=(const Study&) = delete;

    // Read when first asked for.
    const LargeJobs& large_jobs();
    // Those of them that moved most in all, as many as are shown.
    std::vector<const Group*> large_groups();

    Site site;

  private:
    std::unique_ptr<const LargeJobs> large_;
};

report::Blocks study_coverage(Study& study);
report::Blocks study_interfaces(Study& study);
report::Blocks study_sharing(Study& study);
report::Blocks study_volumes(Study& study);
report::Blocks study_file_counts(Study& study);
report::Blocks study_access_sizes(Study& study);
report::Blocks study_created_files(Study& study);
report::Blocks study_rates(Study& study);
report::Blocks study_large_jobs(Study& study);
report::Blocks study_large_sizes(Study& study);
report::Blocks study_by_performance(Study& study);
report::Blocks study_by_job_size(Study& study);
report::Blocks study_core_hours(Study& study);
report::Blocks study_io_modes(Study& study);
report::Blocks study_findings(Study& study);
report::Blocks study_repairs(Study& study);

}  // namespace fathom::jobs
