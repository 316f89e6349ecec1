// A mean that is the same in whatever order its values come: they are added up as whole numbers of
// billionths.
//
// Error: half a billionth a value. Takes 9e6 values of 1e12 without overflow.
#pragma once

#include <cstdint>
#include <optional>

namespace fathom {

class ExactMean {
  public:
    // What is not finite or beyond 1e12 is passed over.
    void add(double value);
    std::uint64_t values() const { return values_; }
    // Nothing where there are no values.
    std::optional<double> mean() const;

  private:
    std::int64_t whole_ = 0, billionths_ = 0;
    std::uint64_t values_ = 0;
};

}  // namespace fathom
