// What a part says of how long operations took and when: histograms and slices of all its threads, as rows.
#pragma once

#include <cstdint>
#include <span>

#include "logformat/blocks/bytes.h"
#include "logformat/part/part.h"

namespace fathom {

class PartTimes {
  public:
    PartTimes(std::span<const std::byte> part, const ClockMap& clock) : part_(part), clock_(clock) {}

    void add(const HistogramChunk& histogram);
    void add(const SlicesChunk& table);
    void add(const ThreadChunk& thread);

    // Appends the rows of operations, durations and slices. All slices get the length of the longest.
    void make_rows(std::int64_t process, PartRows& rows);

    bool good() const { return histograms_.good() && slices_.good() && counts_.good(); }

  private:
    struct Sums {
        std::uint64_t place, number;
        std::uint32_t level;
        std::uint64_t sum[slice_sums];
    };

    void add_sums(std::uint64_t place, std::uint64_t number, std::uint32_t level, const std::uint64_t* sum);
    void make_histogram(std::span<const HistogramChunk* const> of_one_class, PartRows& rows);
    void make_slices(std::int64_t process, Bytes& to);

    std::span<const std::byte> part_;
    const ClockMap& clock_;
    Bytes histograms_, slices_;
    Bytes counts_;  // of all bins, in ticks and in nanoseconds
};

}  // namespace fathom
