// How many accesses of each size many records know of.
//
// Exact, whatever order they come in: CommonSizes itself has room for eight sizes, and of many records with
// different ones would keep the last, each with the counts of those that it replaced.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "logformat/values.h"

namespace fathom {

class SizeSums {
  public:
    void add(const CommonSizes& sizes);
    void add(const SizeSums& other);
    // All sizes, or those of a class, the commonest first: that with most accesses for certain, which are
    // counts less their errors. Of equally common ones the largest is first.
    std::vector<CommonSizes::Slot> commonest() const;
    std::vector<CommonSizes::Slot> commonest_in(std::size_t size_class) const;

  private:
    void add(const CommonSizes::Slot& slot);

    std::unordered_map<std::uint64_t, CommonSizes::Slot> by_size_;
};

}  // namespace fathom
