// Takes what is measured: into the two files, and into the summary.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/timing/measure/check.h"
#include "analyzer/timing/measure/measurement.h"
#include "analyzer/timing/measure/samples_csv.h"
#include "analyzer/timing/measure/summary.h"

namespace fathom::measure {

class ResultFiles {
  public:
    // Throws std::runtime_error where the files are there already, unless `replace`, or cannot be written.
    ResultFiles(const std::string& samples, bool replace);
    // Files that nothing came into go again.
    ~ResultFiles();
    ResultFiles(const ResultFiles&) = delete;
    ResultFiles& operator=(const ResultFiles&) = delete;

    // Where a measurement hands on what it measured, for as long as this lives. Whole runs are written at
    // once.
    Results taking();

    const Summary& summary() const { return summary_; }
    std::span<const Check> checks() const { return all_checks_; }

  private:
    GrowingCsv samples_, checks_;
    Summary summary_;
    std::vector<Check> all_checks_;
    std::uint64_t begin_, page_;
};

}  // namespace fathom::measure
