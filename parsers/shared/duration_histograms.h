// How long operations took, by layer, kind and, of reads and writes, class of size.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "logformat/duration_bins.h"
#include "logformat/log/log.h"

namespace fathom {

class DurationHistograms {
  public:
    // `bytes`: of reads and writes.
    void add(Layer layer, bool streams, Kind kind, std::uint64_t bytes, std::uint64_t duration)
    {
        const std::size_t row = histogram_of(kind, SizeHistogram::class_of(bytes));
        auto& histogram = histograms_[timing_place(layer, streams)][row];
        if (!histogram) histogram = std::make_unique<Histogram>();
        ++histogram->operations;
        histogram->time += duration;
        if (duration > histogram->longest) histogram->longest = duration;
        ++histogram->count[bins::bin_of(duration).number()];
    }

    void make_rows(Log& log) const;

  private:
    struct Histogram {
        std::uint64_t operations = 0, time = 0, longest = 0;
        std::array<std::uint64_t, bins::count> count{};
    };

    std::array<std::array<std::unique_ptr<Histogram>, histogram_count>, timing_places> histograms_;
};

}  // namespace fathom
