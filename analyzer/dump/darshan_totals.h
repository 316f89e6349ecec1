// What Darshan's tool adds up over the records of a module: totals, categories of files, and the rate. The
// definitions are its own, with their quirks, so that the numbers can be compared; what a report says is
// computed elsewhere.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "parsers/darshan/modules.h"
#include "parsers/darshan/records.h"

namespace fathom {

struct DarshanCategory {
    std::int64_t files = 0, bytes = 0, max_offset = 0;
};

struct DarshanCategories {
    DarshanCategory all, read_only, write_only, read_write, unique, shared;
};

struct DarshanPerformance {
    std::int64_t bytes = 0;
    double unique = 0, unique_metadata = 0, unique_transfers = 0;  // seconds, of the slowest rank
    std::int64_t slowest_rank = 0;
    double shared = 0;  // seconds
    double time() const { return unique + shared; }
    double rate() const;  // MiB/s; 0 without time
};

// For POSIX, MPI-IO and STDIO.
class DarshanTotals {
  public:
    explicit DarshanTotals(const darshan::Counters& counters);
    // Room for so many files at once.
    void expect_files(std::size_t files) { files_.reserve(files); }
    void add(const darshan::CounterRecord& record);

    const std::vector<std::int64_t>& numbers() const { return numbers_; }
    const std::vector<double>& times() const { return times_; }
    DarshanCategories categories() const;
    DarshanPerformance performance() const;

  private:
    enum class Rule : std::uint8_t { sum, sum_or_unknown, largest, last, earliest, common, other };
    struct FileSum {
        std::int64_t read = 0, written = 0, max_offset = 0, processes = 0;
    };
    struct RankSum {
        double all = 0, metadata = 0, transfers = 0;
    };
    struct Place {
        std::size_t number = 0;
        bool there = false;
    };
    Place number(std::string_view name) const;
    Place time(std::string_view name) const;
    void add_common(std::size_t first, const darshan::CounterRecord& record);
    void add_slowest_call(const darshan::CounterRecord& record, const Place& time, const Place& size);
    void add_extreme_rank(const darshan::CounterRecord& record, bool slowest);

    const darshan::Counters& counters_;
    std::vector<Rule> number_rules_, time_rules_;
    std::vector<std::int64_t> numbers_;
    std::vector<double> times_;
    bool first_ = true, one_file_ = true;
    std::uint64_t first_id_ = 0;
    Place bytes_read_, bytes_written_, last_byte_read_, last_byte_written_;
    Place read_time_, write_time_, metadata_time_, longest_read_, longest_write_, longest_read_size_,
        longest_write_size_;
    struct Extreme {
        Place rank, bytes, time;
    } fastest_, slowest_;
    std::unordered_map<std::uint64_t, FileSum> files_;
    std::unordered_map<std::int64_t, RankSum> ranks_;
    double shared_ = 0;
    std::int64_t bytes_ = 0;
};

}  // namespace fathom
