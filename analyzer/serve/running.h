// What runs now: of the user who runs this server on this node, and on all nodes whose monitors tell it.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "analyzer/document/document.h"
#include "analyzer/jobs/schema/database.h"
#include "analyzer/watch/snapshot.h"

namespace fathom::serve {

class Running {
  public:
    // A row a recording that is under way on this node, but those of these jobs; nothing of none. Looks at
    // most once in two seconds, however many ask.
    report::Section section(const std::set<std::string>& but);

  private:
    std::mutex mutex_;
    watch::Snapshot before_, now_;
};

// A row for each job that nodes tell of to this viewer and that runs, the last that began first; nothing of
// none. `jobs`: their ids.
report::Section running_jobs(jobs::Database& database, std::set<std::string>& jobs);
// One of them, a row a node and step. Nothing where there is none.
std::optional<report::Document> running_job(jobs::Database& database, const std::string& job,
                                            const std::string& user);

}  // namespace fathom::serve
