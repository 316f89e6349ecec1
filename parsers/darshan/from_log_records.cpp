// Records of files in the layers POSIX, stdio and MPI-IO: which counter of Darshan is made of which of ours.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <vector>

#include "logformat/columns.h"
#include "parsers/darshan/from_log_parts.h"

namespace fathom::darshan {
namespace {

// A counter, our column that it is made of, and how. -1 where the log does not have the column.
template <class Record>
struct NumberRow {
    std::size_t place;
    std::string_view column;
    std::uint64_t (*of)(const Record&);
};
// A time in seconds: of a duration, or since the job's start.
struct TimeRow {
    std::size_t place;
    std::string_view column;
    std::uint64_t Transfers::*of;
    bool instant;
};

// Darshan tells the last byte rather than the end.
constexpr std::uint64_t last_byte(std::uint64_t end)
{
    return end == 0 ? 0 : end - 1;
}
constexpr std::uint64_t rest_of(std::uint64_t all, std::uint64_t others)
{
    return all > others ? all - others : 0;
}

// Sequential accesses are those behind the last one; Darshan counts those right behind it among them. Opens
// have dups among them.
using P = PosixRecord;
constexpr NumberRow<P> posix_rows[] = {
    {posix("OPENS"), "opens", [](const P& r) { return r.opens + r.dups; }},
    {posix("DUPS"), "dups", [](const P& r) { return r.dups; }},
    {posix("READS"), "reads", [](const P& r) { return r.reads; }},
    {posix("WRITES"), "writes", [](const P& r) { return r.writes; }},
    {posix("SEEKS"), "seeks", [](const P& r) { return r.seeks; }},
    {posix("STATS"), "stats", [](const P& r) { return r.stats; }},
    {posix("MMAPS"), "maps", [](const P& r) { return r.maps; }},
    {posix("FSYNCS"), "syncs", [](const P& r) { return r.syncs; }},
    {posix("RENAME_SOURCES"), "renames", [](const P& r) { return r.renames; }},
    {posix("BYTES_READ"), "bytes_read", [](const P& r) { return r.bytes_read; }},
    {posix("BYTES_WRITTEN"), "bytes_written", [](const P& r) { return r.bytes_written; }},
    {posix("MAX_BYTE_READ"), "highest_read", [](const P& r) { return last_byte(r.highest_read); }},
    {posix("MAX_BYTE_WRITTEN"), "highest_written", [](const P& r) { return last_byte(r.highest_written); }},
    {posix("CONSEC_READS"), "consecutive_reads", [](const P& r) { return r.consecutive_reads; }},
    {posix("CONSEC_WRITES"), "consecutive_writes", [](const P& r) { return r.consecutive_writes; }},
    {posix("SEQ_READS"), "sequential_reads",
     [](const P& r) { return r.sequential_reads + r.consecutive_reads; }},
    {posix("SEQ_WRITES"), "sequential_writes",
     [](const P& r) { return r.sequential_writes + r.consecutive_writes; }},
    {posix("RW_SWITCHES"), "switches", [](const P& r) { return r.switches; }},
    {posix("MEM_NOT_ALIGNED"), "memory_unaligned", [](const P& r) { return r.memory_unaligned; }},
    {posix("MEM_ALIGNMENT"), "memory_unaligned", [](const P&) { return std::uint64_t{8}; }},
    {posix("FILE_NOT_ALIGNED"), "file_unaligned", [](const P& r) { return r.file_unaligned; }},
    {posix("FILE_ALIGNMENT"), "file_alignment", [](const P& r) { return r.file_alignment; }},
    {posix("MAX_READ_TIME_SIZE"), "slowest_read_size", [](const P& r) { return r.slowest_read.size; }},
    {posix("MAX_WRITE_TIME_SIZE"), "slowest_write_size", [](const P& r) { return r.slowest_write.size; }}};

using M = MpiioRecord;
constexpr NumberRow<M> mpiio_rows[] = {
    {mpiio("INDEP_OPENS"), "opens", [](const M& r) { return rest_of(r.opens, r.collective_opens); }},
    {mpiio("COLL_OPENS"), "collective_opens", [](const M& r) { return r.collective_opens; }},
    {mpiio("INDEP_READS"), "reads",
     [](const M& r) { return rest_of(r.reads, r.collective_reads + r.split_reads + r.nonblocking_reads); }},
    {mpiio("INDEP_WRITES"), "writes",
     [](const M& r) {
         return rest_of(r.writes, r.collective_writes + r.split_writes + r.nonblocking_writes);
     }},
    {mpiio("COLL_READS"), "collective_reads", [](const M& r) { return r.collective_reads; }},
    {mpiio("COLL_WRITES"), "collective_writes", [](const M& r) { return r.collective_writes; }},
    {mpiio("SPLIT_READS"), "split_reads", [](const M& r) { return r.split_reads; }},
    {mpiio("SPLIT_WRITES"), "split_writes", [](const M& r) { return r.split_writes; }},
    {mpiio("NB_READS"), "nonblocking_reads", [](const M& r) { return r.nonblocking_reads; }},
    {mpiio("NB_WRITES"), "nonblocking_writes", [](const M& r) { return r.nonblocking_writes; }},
    {mpiio("SYNCS"), "syncs", [](const M& r) { return r.syncs; }},
    {mpiio("VIEWS"), "views", [](const M& r) { return r.views; }},
    {mpiio("BYTES_READ"), "bytes_read", [](const M& r) { return r.bytes_read; }},
    {mpiio("BYTES_WRITTEN"), "bytes_written", [](const M& r) { return r.bytes_written; }},
    {mpiio("RW_SWITCHES"), "switches", [](const M& r) { return r.switches; }},
    {mpiio("MAX_READ_TIME_SIZE"), "slowest_read_size", [](const M& r) { return r.slowest_read.size; }},
    {mpiio("MAX_WRITE_TIME_SIZE"), "slowest_write_size", [](const M& r) { return r.slowest_write.size; }}};

using S = StdioRecord;
constexpr NumberRow<S> stdio_rows[] = {
    {stdio("OPENS"), "opens", [](const S& r) { return r.opens; }},
    {stdio("READS"), "reads", [](const S& r) { return r.reads; }},
    {stdio("WRITES"), "writes", [](const S& r) { return r.writes; }},
    {stdio("SEEKS"), "seeks", [](const S& r) { return r.seeks; }},
    {stdio("FLUSHES"), "syncs", [](const S& r) { return r.syncs; }},
    {stdio("BYTES_READ"), "bytes_read", [](const S& r) { return r.bytes_read; }},
    {stdio("BYTES_WRITTEN"), "bytes_written", [](const S& r) { return r.bytes_written; }},
    {stdio("MAX_BYTE_READ"), "highest_read", [](const S& r) { return last_byte(r.highest_read); }},
    {stdio("MAX_BYTE_WRITTEN"), "highest_written", [](const S& r) { return last_byte(r.highest_written); }}};

using T = Transfers;
constexpr TimeRow transfer_rows[] = {
    {transfer_time("OPEN_START_TIMESTAMP"), "first_open", &T::first_open, true},
    {transfer_time("READ_START_TIMESTAMP"), "first_read", &T::first_read, true},
    {transfer_time("WRITE_START_TIMESTAMP"), "first_write", &T::first_write, true},
    {transfer_time("CLOSE_START_TIMESTAMP"), "first_close", &T::first_close, true},
    {transfer_time("OPEN_END_TIMESTAMP"), "last_open", &T::last_open, true},
    {transfer_time("READ_END_TIMESTAMP"), "last_read", &T::last_read, true},
    {transfer_time("WRITE_END_TIMESTAMP"), "last_write", &T::last_write, true},
    {transfer_time("CLOSE_END_TIMESTAMP"), "last_close", &T::last_close, true},
    {transfer_time("READ_TIME"), "read_time", &T::read_time, false},
    {transfer_time("WRITE_TIME"), "write_time", &T::write_time, false},
    {transfer_time("META_TIME"), "metadata_time", &T::metadata_time, false}};
constexpr TimeRow stdio_time_rows[] = {
    {stdio_time("OPEN_START_TIMESTAMP"), "first_open", &T::first_open, true},
    {stdio_time("READ_START_TIMESTAMP"), "first_read", &T::first_read, true},
    {stdio_time("WRITE_START_TIMESTAMP"), "first_write", &T::first_write, true},
    {stdio_time("CLOSE_START_TIMESTAMP"), "first_close", &T::first_close, true},
    {stdio_time("OPEN_END_TIMESTAMP"), "last_open", &T::last_open, true},
    {stdio_time("READ_END_TIMESTAMP"), "last_read", &T::last_read, true},
    {stdio_time("WRITE_END_TIMESTAMP"), "last_write", &T::last_write, true},
    {stdio_time("CLOSE_END_TIMESTAMP"), "last_close", &T::last_close, true},
    {stdio_time("READ_TIME"), "read_time", &T::read_time, false},
    {stdio_time("WRITE_TIME"), "write_time", &T::write_time, false},
    {stdio_time("META_TIME"), "metadata_time", &T::metadata_time, false}};

// Where a module keeps what all of them have.
struct Spots {
    std::size_t fastest_rank, fastest_bytes, slowest_rank, slowest_bytes;
    std::size_t fastest_time, slowest_time, variance_time, variance_bytes;
};
constexpr Spots posix_spots = {posix("FASTEST_RANK"),
                               posix("FASTEST_RANK_BYTES"),
                               posix("SLOWEST_RANK"),
                               posix("SLOWEST_RANK_BYTES"),
                               transfer_time("FASTEST_RANK_TIME"),
                               transfer_time("SLOWEST_RANK_TIME"),
                               transfer_time("VARIANCE_RANK_TIME"),
                               transfer_time("VARIANCE_RANK_BYTES")};
constexpr Spots mpiio_spots = {mpiio("FASTEST_RANK"),
                               mpiio("FASTEST_RANK_BYTES"),
                               mpiio("SLOWEST_RANK"),
                               mpiio("SLOWEST_RANK_BYTES"),
                               transfer_time("FASTEST_RANK_TIME"),
                               transfer_time("SLOWEST_RANK_TIME"),
                               transfer_time("VARIANCE_RANK_TIME"),
                               transfer_time("VARIANCE_RANK_BYTES")};
constexpr Spots stdio_spots = {stdio("FASTEST_RANK"),
                               stdio("FASTEST_RANK_BYTES"),
                               stdio("SLOWEST_RANK"),
                               stdio("SLOWEST_RANK_BYTES"),
                               stdio_time("FASTEST_RANK_TIME"),
                               stdio_time("SLOWEST_RANK_TIME"),
                               stdio_time("VARIANCE_RANK_TIME"),
                               stdio_time("VARIANCE_RANK_BYTES")};
// Sizes, where a module tells them: ten classes of reads and of writes, four common ones and their counts.
struct SizeSpots {
    std::size_t reads, writes, common, counts;
};
constexpr std::size_t common_told = 4;
constexpr SizeSpots posix_sizes = {posix("SIZE_READ_0_100"), posix("SIZE_WRITE_0_100"),
                                   posix("ACCESS1_ACCESS"), posix("ACCESS1_COUNT")};
constexpr SizeSpots mpiio_sizes = {mpiio("SIZE_READ_AGG_0_100"), mpiio("SIZE_WRITE_AGG_0_100"),
                                   mpiio("ACCESS1_ACCESS"), mpiio("ACCESS1_COUNT")};

double seconds_of(std::uint64_t ns)
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
          numbers_(counters_of(module)->numbers.size()),
          times_(counters_of(module)->times.size())
    {}

    void clear(const Record& record)
    {
        std::fill(numbers_.begin(), numbers_.end(), 0);
        std::fill(times_.begin(), times_.end(), 0.0);
        rank_ = LogView::rank_of(record.process, record);
    }
    void set(std::size_t place, std::int64_t number) { numbers_[place] = number; }

    void add(const Record& record, std::span<const NumberRow<Record>> rows)
    {
        for (const NumberRow<Record>& row : rows)
            numbers_[row.place] = has(row.column) ? static_cast<std::int64_t>(row.of(record)) : -1;
    }
    void add_times(const Record& record, std::span<const TimeRow> rows)
    {
        for (const TimeRow& row : rows) {
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
    // Who was fastest and slowest is told of shared files alone.
    void add_sharing(const Record& record, const Spots& spots)
    {
        if (rank_ >= 0) return;
        set(spots.fastest_rank, record.fastest.process);
        set(spots.fastest_bytes, static_cast<std::int64_t>(record.fastest.bytes));
        set(spots.slowest_rank, record.slowest.process);
        set(spots.slowest_bytes, static_cast<std::int64_t>(record.slowest.bytes));
        times_[spots.fastest_time] = seconds_of(record.fastest.time);
        times_[spots.slowest_time] = seconds_of(record.slowest.time);
        constexpr double square_of_second = 1e18;
        times_[spots.variance_time] = record.time.variance() / square_of_second;
        times_[spots.variance_bytes] = record.bytes.variance();
        if (record.processes < static_cast<std::uint64_t>(view_.processes())) ++partly_shared_;
    }
    void write(const Record& record, Writer& writer)
    {
        writer.add(module_, CounterRecord{view_.id_of(record.file), rank_, 0, numbers_, times_});
    }

    // Counts that no row tells, once for the layer.
    void tell(std::span<const NumberRow<Record>> rows, std::span<const TimeRow> times, bool sizes,
              Losses& losses) const
    {
        std::set<std::string_view> told;
        for (const auto& row : rows) told.insert(row.column);
        for (const auto& row : times) told.insert(row.column);
        std::string lost;
        const Columns columns = columns_of<Record>();
        for (const Column& column : columns.all()) {
            const bool of_sizes =
                column.label().starts_with("read_size") || column.label().starts_with("write_size");
            const bool sums = column.type == ScalarType::u64 && column.rule == Rule::sum;
            if (told.contains(column.label()) || (of_sizes ? sizes : !sums)) continue;
            std::uint64_t sum = 0;
            for (const Record& record : view_.log().template rows<Record>())
                sum += load<std::uint64_t>(&record, column);
            if (sum == 0) continue;
            lost += fmt::format("{}{} {}", lost.empty() ? "" : ", ", column.label(),
                                column.unit == Unit::duration ? fmt::format("{:.6f} s", seconds_of(sum))
                                                              : fmt::format("{}", sum));
        }
        if (!lost.empty()) losses.add(fmt::format("counters of {}: {}", table_, lost));
        if (more_common_ > 0)
            losses.add(fmt::format("common sizes of {} but the first {}, of {} records", table_, common_told,
                                   more_common_));
        if (partly_shared_ > 0)
            losses.add(
                fmt::format("how many processes used a file: {} records of {} are of some of them, and "
                            "are told as of all",
                            partly_shared_, table_));
    }

  private:
    bool has(std::string_view column) const
    {
        return view_.log().not_recorded.empty() || view_.log().recorded(fmt::format("{}.{}", table_, column));
    }

    const LogView& view_;
    std::string_view table_;
    Module module_;
    std::vector<std::int64_t> numbers_;
    std::vector<double> times_;
    std::int64_t rank_ = 0;
    std::size_t more_common_ = 0, partly_shared_ = 0;
};

constexpr std::int64_t not_recorded = -1;

}  // namespace

// Of FSYNCS and FDSYNCS tools make a sum, so the latter is 0: all syncs are in the former. Strides, which
// tools merge by their counts, are 0 as well.
void write_posix(const LogView& view, Writer& writer, Losses& losses)
{
    Maker<PosixRecord> maker(view, "posix", Module::posix);
    for (const PosixRecord& record : view.log().rows<PosixRecord>()) {
        maker.clear(record);
        for (const std::size_t place : {posix("FILENOS"), posix("RENAME_TARGETS"), posix("MODE")})
            maker.set(place, not_recorded);
        maker.add(record, posix_rows);
        maker.add_sizes(record, posix_sizes);
        maker.add_times(record, transfer_rows);
        maker.add_slowest(record, transfer_time("MAX_READ_TIME"), transfer_time("MAX_WRITE_TIME"));
        maker.add_sharing(record, posix_spots);
        maker.write(record, writer);
    }
    maker.tell(posix_rows, transfer_rows, true, losses);
}

void write_mpiio(const LogView& view, Writer& writer, Losses& losses)
{
    Maker<MpiioRecord> maker(view, "mpiio", Module::mpiio);
    for (const MpiioRecord& record : view.log().rows<MpiioRecord>()) {
        maker.clear(record);
        for (const std::size_t place : {mpiio("HINTS"), mpiio("MODE")}) maker.set(place, not_recorded);
        maker.add(record, mpiio_rows);
        maker.add_sizes(record, mpiio_sizes);
        maker.add_times(record, transfer_rows);
        maker.add_slowest(record, transfer_time("MAX_READ_TIME"), transfer_time("MAX_WRITE_TIME"));
        maker.add_sharing(record, mpiio_spots);
        maker.write(record, writer);
    }
    maker.tell(mpiio_rows, transfer_rows, true, losses);
}

void write_stdio(const LogView& view, Writer& writer, Losses& losses)
{
    Maker<StdioRecord> maker(view, "stdio", Module::stdio);
    for (const StdioRecord& record : view.log().rows<StdioRecord>()) {
        maker.clear(record);
        maker.set(stdio("FDOPENS"), not_recorded);
        maker.add(record, stdio_rows);
        maker.add_times(record, stdio_time_rows);
        maker.add_sharing(record, stdio_spots);
        maker.write(record, writer);
    }
    maker.tell(stdio_rows, stdio_time_rows, false, losses);
}

}  // namespace fathom::darshan
