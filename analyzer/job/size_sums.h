// How many accesses of each size many records know of.
//
// Exact, whatever order they come in: CommonSizes itself has room for eight sizes, and of many records with
// different ones would keep the last, each with the counts of those that it replaced.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "logformat/values.h"

namespace fathom {

class SizeSums {
  public:
    void add(const CommonSizes& sizes);
    void add(const SizeSums& other);
    // Those with most accesses for certain, which are counts less their errors; the commonest first, of
    // equally common ones the largest.
    CommonSizes commonest() const;

  private:
    void add(const CommonSizes::Slot& slot);

    std::unordered_map<std::uint64_t, CommonSizes::Slot> by_size_;
};

}  // namespace fathom
