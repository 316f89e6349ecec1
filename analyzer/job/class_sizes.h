// How large the reads and writes of one class were, as far as the records show: histograms know only the
// class.
#pragma once

#include <optional>
#include <string>

#include "analyzer/job/counter_sums.h"
#include "analyzer/job/job.h"

namespace fathom {

struct ClassSize {
    double bytes = 0;   // mean of one operation
    bool same = false;  // all are of this size
    std::string basis;  // where it is from, in words
};

// Takes the files of all processes, as the histograms do.
class ClassSizes {
  public:
    explicit ClassSizes(const Log& log);

    // Of reads and writes: the layer's bytes where all its reads, or writes, are of that class; else the
    // commonest sizes where nine of ten operations of the class have them. Nothing where neither is known.
    std::optional<ClassSize> of(const OperationClass& operations) const;

  private:
    CounterSums sums_;
};

}  // namespace fathom
