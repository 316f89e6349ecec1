// Throughput of operations of one kind and size, with and without those that were unusually slow.
#pragma once

#include <cstdint>
#include <map>

namespace fathom::measure {

struct Throughput {
    std::uint64_t operations = 0, outliers = 0;
    // The size divided by the mean duration, in bytes per second: of all, and without the outliers.
    double of_all = 0, purged = 0;
    double mean_of_all = 0, mean_purged = 0;  // seconds
};

// Durations in bounded memory: counts and sums in bins of a thousandth of a decade.
class Durations {
  public:
    void add(double seconds);

    // Outliers are what lies beyond the cutoff of the density of log10 of the durations (Kunkel 2015,
    // sections 4.1 and 6; methods/density.h). Zeros where nothing was added.
    Throughput throughput(std::uint64_t size) const;

  private:
    struct Bin {
        std::uint64_t operations = 0;
        double seconds = 0;
    };
    std::map<int, Bin> bins_;  // by floor(1000 log10 seconds)
};

}  // namespace fathom::measure
