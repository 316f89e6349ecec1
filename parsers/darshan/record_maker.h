// Makes the records of a module of Darshan from those of a layer of ours, by tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/blocks/columns.h"
#include "logformat/log/words.h"
#include "parsers/darshan/from_log_parts.h"
#include "parsers/darshan/record_columns.h"
#include "parsers/darshan/told_records.h"

namespace fathom::darshan {

// A counter, our column that it is made of, and how. -1 where the log does not have the column.
template <class Record>
struct MadeNumber {
    std::size_t place;
    std::string_view column;
    std::uint64_t (*of)(const Record&);
};
// A time in seconds: of a duration, or since the job's start.
struct MadeTime {
    std::size_t place;
    std::string_view column;
    std::uint64_t Transfers::*of;
    bool instant;
};

// Where a module keeps what all of them have.
struct Spots {
    std::size_t fastest_rank, fastest_bytes, slowest_rank, slowest_bytes;
    std::size_t fastest_time, slowest_time, variance_time, variance_bytes;
};
// Sizes, where a module has them: ten classes of reads and of writes, four common ones and their counts.
struct SizeSpots {
    std::size_t reads, writes, common, counts;
};
constexpr std::size_t common_told = 4;
inline double seconds_of(std::uint64_t ns)
{
    return static_cast<double>(ns) / 1e9;
}

// Turns the records of one layer into those of its module.
template <class Record>
class Maker {
  public:
    Maker(const LogView& view, std::string_view table, Module module)
        : view_(view),
          table_(table),
          module_(module),
          records_(view),
          numbers_(counters_of(module)->numbers.size()),
          times_(counters_of(module)->times.size())
    {}

    const ToldRecords<Record>& records() const { return records_; }

    void begin(std::int64_t rank)
    {
        std::fill(numbers_.begin(), numbers_.end(), 0);
        std::fill(times_.begin(), times_.end(), 0.0);
        rank_ = rank;
    }
    void set(std::size_t place, std::int64_t number) { numbers_[place] = number; }

    void add(const Record& record, std::span<const MadeNumber<Record>> rows)
    {
        for (const MadeNumber<Record>& row : rows)
            numbers_[row.place] = has(row.column) ? static_cast<std::int64_t>(row.of(record)) : -1;
    }
    void add_times(const Record& record, std::span<const MadeTime> rows)
    {
        for (const MadeTime& row : rows) {
            const std::uint64_t time = record.*row.of;
            times_[row.place] = !has(row.column) ? -1
                                : row.instant    ? view_.seconds_at(time)
                                                 : seconds_of(time);
        }
    }
    void add_slowest(const Record& record, std::size_t read, std::size_t write)
    {
        times_[read] = has("slowest_read_time") ? seconds_of(record.slowest_read.time) : -1;
        times_[write] = has("slowest_write_time") ? seconds_of(record.slowest_write.time) : -1;
    }
    void add_sizes(const Record& record, const SizeSpots& spots)
    {
        for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
            set(spots.reads + at, static_cast<std::int64_t>(record.read_size.count[at]));
            set(spots.writes + at, static_cast<std::int64_t>(record.write_size.count[at]));
        }
        auto common = record.common_size.slot;
        std::sort(common.begin(), common.end(), [](const auto& a, const auto& b) {
            return a.count != b.count ? a.count > b.count : a.size > b.size;
        });
        for (std::size_t at = 0; at < common_told; ++at) {
            set(spots.common + at, static_cast<std::int64_t>(common[at].size));
            set(spots.counts + at, static_cast<std::int64_t>(common[at].count));
        }
        if (common[common_told].count > 0) ++more_common_;
    }
    // Who was fastest and slowest is recorded for shared files alone.
    void add_sharing(const Record& record, const Spots& spots)
    {
        if (rank_ >= 0) return;
        set(spots.fastest_rank, view_.rank_of(record.fastest.process).value_or(reduced));
        set(spots.fastest_bytes, static_cast<std::int64_t>(record.fastest.bytes));
        set(spots.slowest_rank, view_.rank_of(record.slowest.process).value_or(reduced));
        set(spots.slowest_bytes, static_cast<std::int64_t>(record.slowest.bytes));
        times_[spots.fastest_time] = seconds_of(record.fastest.time);
        times_[spots.slowest_time] = seconds_of(record.slowest.time);
        constexpr double square_of_second = 1e18;
        times_[spots.variance_time] = record.time.variance() / square_of_second;
        times_[spots.variance_bytes] = record.bytes.variance();
        if (record.readers > 0 || record.writers > 0) ++with_readers_;
        if (record.processes < static_cast<std::uint64_t>(view_.processes())) ++partly_shared_;
    }
    // As Darshan does where it had no room for some files.
    void mark_partial(Writer& writer) const
    {
        if (records_.without_some_files()) writer.mark_partial(module_);
    }
    void write(const Record& record, Writer& writer)
    {
        writer.add(module_, CounterRecord{view_.id_of(record.file), rank_, 0, numbers_, times_});
    }

    // Counts that no row has, once for the layer.
    void tell(std::span<const MadeNumber<Record>> rows, std::span<const MadeTime> times, bool sizes,
              Losses& losses) const
    {
        const Columns columns = columns_of<Record>();
        std::set<std::uint32_t> told;
        for (const auto& row : rows) told.insert(number_of(columns, row.column));
        for (const auto& row : times) told.insert(number_of(columns, row.column));
        std::string lost;
        for (const Column& column : columns.all()) {
            const bool of_sizes =
                column.label().starts_with("read_size") || column.label().starts_with("write_size");
            const bool sums = column.type == ScalarType::u64 && column.rule == Rule::sum;
            const bool of_sharing = is_sharing(column.label());
            if (told.contains(number_of(columns, column.label())) || of_sharing || (of_sizes ? sizes : !sums))
                continue;
            std::uint64_t sum = 0;
            records_.each(
                [&](const Record& record, std::int64_t) { sum += load<std::uint64_t>(&record, column); });
            if (sum == 0) continue;
            add_to_list(lost,
                        fmt::format("{} {}", column.label(),
                                    column.unit == Unit::duration ? fmt::format("{:.6f} s", seconds_of(sum))
                                                                  : fmt::format("{}", sum)));
        }
        if (!lost.empty()) losses.add(fmt::format("counters of {}: {}", table_, lost));
        if (more_common_ > 0)
            losses.add(fmt::format("common sizes of {} but the first {}, of {} records", table_, common_told,
                                   more_common_));
        if (with_readers_ > 0)
            losses.add(fmt::format("how many processes read and wrote shared files: of {} records of {}",
                                   with_readers_, table_));
        if (partly_shared_ > 0)
            losses.add(
                fmt::format("how many processes used a file: {} records of {} are of some of them, and "
                            "are kept as of all",
                            partly_shared_, table_));
    }

  private:
    static bool is_sharing(std::string_view label)
    {
        return is_any_of(label, &Sharing::processes, &Sharing::readers, &Sharing::writers);
    }
    bool has(std::string_view column) const { return view_.log().recorded(table_, column); }

    const LogView& view_;
    std::string_view table_;
    Module module_;
    ToldRecords<Record> records_;
    std::vector<std::int64_t> numbers_;
    std::vector<double> times_;
    std::int64_t rank_ = 0;
    std::size_t more_common_ = 0, partly_shared_ = 0, with_readers_ = 0;
};

}  // namespace fathom::darshan
