// What h5py and netCDF4 compute around calls of HDF5 and NetCDF, which no call shows and a repair saves as
// well.
#pragma once

#include <algorithm>

#include "analyzer/findings/dataset_records.h"

namespace fathom {

// ns around some calls. Assumed for a quick machine of 2022; a slower one is known by how long the library's
// own work in the same calls took, of which Python's is about a multiple.
struct AroundLibrary {
    double assumed = 0, own = 0, times_own = 0;
    double between = 0;  // the first and the last of them, outside of calls on the dataset; 0: not known

    double ns() const
    {
        constexpr double slowest_machine = 4.5;
        const double here = std::clamp(times_own * own, assumed, slowest_machine * assumed);
        return between > 0 ? std::min(here, between) : here;
    }
};

// From the first to the last of some calls, for `between`.
class CallSpan {
  public:
    void add(std::uint64_t first, std::uint64_t last, double ns_in_calls)
    {
        in_calls_ += ns_in_calls;
        if (last == 0) return;
        first_ = std::min(first_, first);
        last_ = std::max(last_, last);
    }
    // ns of so many processes, each of which had this span.
    double between(double processes) const
    {
        return last_ <= first_ ? 0
                               : std::max(processes * static_cast<double>(last_ - first_) - in_calls_, 1.0);
    }

  private:
    std::uint64_t first_ = UINT64_MAX, last_ = 0;
    double in_calls_ = 0;
};

}  // namespace fathom
