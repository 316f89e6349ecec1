// How large the reads and writes of one class were, as far as the records show: histograms know only the
// class.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "analyzer/job/job.h"
#include "analyzer/job/size_sums.h"

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
    std::array<Transfers, layers> sums_;  // reads and writes, their bytes and sizes, and nothing else
    std::array<SizeSums, layers> sizes_;
};

}  // namespace fathom
