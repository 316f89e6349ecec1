// Logs of Darshan as datasets: sums of every counter, operations of traces, and figures of real ones of
// which the value is known.
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <map>
#include <zlib.h>

#include "logformat/log/trace.h"
#include "parsers/darshan/dataset.h"
#include "tests/parsers/darshan_logs.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

std::vector<std::string> lines_of(const std::string& path)
{
    std::vector<std::string> lines;
    const gzFile file = gzopen(path.c_str(), "rb");
    if (file == nullptr) return lines;
    char line[8192];
    while (gzgets(file, line, sizeof line) != nullptr) lines.emplace_back(line);
    gzclose(file);
    return lines;
}

// The totals that darshan-parser prints; what is not recorded, -1, is left out.
class PrintedTotals {
  public:
    explicit PrintedTotals(const std::string& log)
    {
        for (const std::string& line : lines_of(log + ".parser.txt.gz")) {
            const std::size_t colon = line.find(": ");
            if (!line.starts_with("total_") || colon == std::string::npos) continue;
            const double value = std::stod(line.substr(colon + 2));
            if (value >= 0) values_[line.substr(6, colon - 6)] = std::stoull(line.substr(colon + 2));
        }
    }
    std::uint64_t operator()(const std::string& name) const
    {
        const auto found = values_.find(name);
        return found == values_.end() ? 0 : found->second;
    }

  private:
    std::map<std::string, std::uint64_t> values_;
};

template <class Row, class Number>
std::uint64_t sum_of(const Log& log, Number number)
{
    std::uint64_t sum = 0;
    for (const Row& row : log.rows<Row>()) sum += row.*number;
    return sum;
}

template <class Row>
SizeHistogram sizes_of(const Log& log, SizeHistogram Transfers::*sizes)
{
    SizeHistogram sum;
    for (const Row& row : log.rows<Row>()) sum.merge(row.*sizes);
    return sum;
}

constexpr std::string_view class_names[] = {"0_100", "100_1K", "1K_10K",   "10K_100K", "100K_1M",
                                            "1M_4M", "4M_10M", "10M_100M", "100M_1G",  "1G_PLUS"};

std::string file_name(const std::string& path)
{
    return path.substr(path.rfind('/') + 1);
}

// The time of the slowest process in files of its own, and of the slowest ones in shared files, in seconds.
template <class Row>
std::pair<double, double> times_of(const Log& log)
{
    std::map<std::int64_t, std::uint64_t> own;
    std::uint64_t shared = 0, longest = 0;
    for (const Row& row : log.rows<Row>())
        if (row.process == reduced)
            shared += row.slowest.time;
        else
            longest =
                std::max(longest, own[row.process] += row.read_time + row.write_time + row.metadata_time);
    return {static_cast<double>(longest) / 1e9, static_cast<double>(shared) / 1e9};
}

}  // namespace

TEMPLATE_TEST_CASE("sums of counters are those that darshan-parser prints", "", MadeLogs, RealLogs)
{
    for (const std::string& path : darshan_logs<TestType>()) {
        INFO(path);
        const Log log = darshan::read_darshan_log(path);
        const PrintedTotals total(path);
        using P = PosixRecord;
        CHECK(sum_of<P>(log, &P::opens) + sum_of<P>(log, &P::dups) + total("POSIX_FILENOS") ==
              total("POSIX_OPENS"));
        CHECK(sum_of<P>(log, &P::reads) == total("POSIX_READS"));
        CHECK(sum_of<P>(log, &P::writes) == total("POSIX_WRITES"));
        CHECK(sum_of<P>(log, &P::seeks) == total("POSIX_SEEKS"));
        CHECK(sum_of<P>(log, &P::stats) == total("POSIX_STATS"));
        CHECK(sum_of<P>(log, &P::maps) == total("POSIX_MMAPS"));
        CHECK(sum_of<P>(log, &P::syncs) == total("POSIX_FSYNCS") + total("POSIX_FDSYNCS"));
        CHECK(sum_of<P>(log, &P::renames) == total("POSIX_RENAME_SOURCES"));
        CHECK(sum_of<P>(log, &P::bytes_read) == total("POSIX_BYTES_READ"));
        CHECK(sum_of<P>(log, &P::bytes_written) == total("POSIX_BYTES_WRITTEN"));
        CHECK(sum_of<P>(log, &P::consecutive_reads) == total("POSIX_CONSEC_READS"));
        CHECK(sum_of<P>(log, &P::consecutive_writes) == total("POSIX_CONSEC_WRITES"));
        CHECK(sum_of<P>(log, &P::sequential_reads) + sum_of<P>(log, &P::consecutive_reads) ==
              total("POSIX_SEQ_READS"));
        CHECK(sum_of<P>(log, &P::sequential_writes) + sum_of<P>(log, &P::consecutive_writes) ==
              total("POSIX_SEQ_WRITES"));
        CHECK(sum_of<P>(log, &P::switches) == total("POSIX_RW_SWITCHES"));
        CHECK(sum_of<P>(log, &P::file_unaligned) == total("POSIX_FILE_NOT_ALIGNED"));
        CHECK(sum_of<P>(log, &P::memory_unaligned) == total("POSIX_MEM_NOT_ALIGNED"));
        using M = MpiioRecord;
        CHECK(sum_of<M>(log, &M::opens) == total("MPIIO_INDEP_OPENS") + total("MPIIO_COLL_OPENS"));
        CHECK(sum_of<M>(log, &M::reads) == total("MPIIO_INDEP_READS") + total("MPIIO_COLL_READS") +
                                               total("MPIIO_SPLIT_READS") + total("MPIIO_NB_READS"));
        CHECK(sum_of<M>(log, &M::collective_writes) == total("MPIIO_COLL_WRITES"));
        CHECK(sum_of<M>(log, &M::writes) == total("MPIIO_INDEP_WRITES") + total("MPIIO_COLL_WRITES") +
                                                total("MPIIO_SPLIT_WRITES") + total("MPIIO_NB_WRITES"));
        CHECK(sum_of<M>(log, &M::bytes_read) == total("MPIIO_BYTES_READ"));
        CHECK(sum_of<M>(log, &M::bytes_written) == total("MPIIO_BYTES_WRITTEN"));
        CHECK(sum_of<M>(log, &M::syncs) == total("MPIIO_SYNCS"));
        CHECK(sum_of<M>(log, &M::views) == total("MPIIO_VIEWS"));
        using S = StdioRecord;
        CHECK(sum_of<S>(log, &S::opens) + total("STDIO_FDOPENS") == total("STDIO_OPENS"));
        CHECK(sum_of<S>(log, &S::reads) == total("STDIO_READS"));
        CHECK(sum_of<S>(log, &S::writes) == total("STDIO_WRITES"));
        CHECK(sum_of<S>(log, &S::bytes_read) == total("STDIO_BYTES_READ"));
        CHECK(sum_of<S>(log, &S::bytes_written) == total("STDIO_BYTES_WRITTEN"));
        CHECK(sum_of<S>(log, &S::seeks) == total("STDIO_SEEKS"));
        CHECK(sum_of<S>(log, &S::syncs) == total("STDIO_FLUSHES"));
        for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
            CHECK(sizes_of<P>(log, &Transfers::read_size).count[at] ==
                  total(fmt::format("POSIX_SIZE_READ_{}", class_names[at])));
            CHECK(sizes_of<P>(log, &Transfers::write_size).count[at] ==
                  total(fmt::format("POSIX_SIZE_WRITE_{}", class_names[at])));
            CHECK(sizes_of<M>(log, &Transfers::read_size).count[at] ==
                  total(fmt::format("MPIIO_SIZE_READ_AGG_{}", class_names[at])));
        }
        // Totals and records tell the same.
        std::uint64_t in_totals = 0;
        for (const Totals& row : log.rows<Totals>()) in_totals += row.bytes_read + row.bytes_written;
        CHECK(in_totals == total("POSIX_BYTES_READ") + total("POSIX_BYTES_WRITTEN") +
                               total("MPIIO_BYTES_READ") + total("MPIIO_BYTES_WRITTEN") +
                               total("STDIO_BYTES_READ") + total("STDIO_BYTES_WRITTEN"));
    }
}

TEMPLATE_TEST_CASE("traces have the operations that Darshan's tool counts", "", MadeLogs, RealLogs)
{
    for (const std::string& path : darshan_logs<TestType>()) {
        std::uint64_t expected = 0;
        for (const std::string& line : lines_of(path + ".dxt.txt.gz"))
            if (unsigned long long writes = 0, reads = 0;
                std::sscanf(line.c_str(), "# DXT, write_count: %llu, read_count: %llu", &writes, &reads) == 2)
                expected += writes + reads;
        INFO(path);
        const Log log = darshan::read_darshan_log(path);
        std::uint64_t operations = 0, in_histograms = 0, in_bins = 0, in_slices = 0, traced = 0, bytes = 0,
                      slice_bytes = 0;
        for_each_traced(log, [&](const TraceEvent& event) {
            ++operations;
            bytes += event.size;
        });
        for (const OperationTimes& row : log.rows<OperationTimes>()) in_histograms += row.operations;
        for (const DurationBin& row : log.rows<DurationBin>()) in_bins += row.operations;
        for (const Process& row : log.rows<Process>()) traced += row.traced;
        for (const Slice& row : log.rows<Slice>()) {
            in_slices += row.reads + row.writes;
            if (row.layer != static_cast<std::uint64_t>(Layer::stdio))
                slice_bytes += row.bytes_read + row.bytes_written;
        }
        CHECK(operations == expected);
        CHECK(in_histograms == expected);
        CHECK(in_bins == expected);
        CHECK(in_slices == expected);
        CHECK(traced == expected);
        if (expected > 0) CHECK(slice_bytes == bytes);
    }
}

TEMPLATE_TEST_CASE("heatmaps have the bytes of their layers", "", MadeLogs, RealLogs)
{
    for (const std::string& path : darshan_logs<TestType>()) {
        INFO(path);
        const Log log = darshan::read_darshan_log(path);
        if (log.rows<Slice>().empty() || log.trace_elsewhere) continue;
        const PrintedTotals total(path);
        std::uint64_t bytes = 0;
        for (const Slice& row : log.rows<Slice>()) bytes += row.bytes_read + row.bytes_written;
        CHECK(bytes > 0);
        CHECK(bytes <= total("POSIX_BYTES_READ") + total("POSIX_BYTES_WRITTEN") + total("MPIIO_BYTES_READ") +
                           total("MPIIO_BYTES_WRITTEN") + total("STDIO_BYTES_READ") +
                           total("STDIO_BYTES_WRITTEN"));
    }
}

TEST_CASE("figures of real logs that are known")
{
    std::uint64_t dlio_bytes = 0, dlio_files = 0;
    double dlio_time = 0;
    for (const std::string& path : darshan_logs<RealLogs>()) {
        INFO(path);
        const std::string name = file_name(path);
        if (name == "imbalanced-io.darshan") {
            const Log log = darshan::read_darshan_log(path);
            CHECK(log.rows<PosixRecord>().size() == 2014);
            CHECK(sum_of<PosixRecord>(log, &PosixRecord::bytes_read) +
                      sum_of<PosixRecord>(log, &PosixRecord::bytes_written) ==
                  106'730'099'902);
            const auto [unique, shared] = times_of<PosixRecord>(log);
            CHECK(unique == Approx(33.762418).margin(1e-6));
            CHECK(shared == Approx(583.149111).margin(1e-6));
            CHECK(log.rows<MpiioRecord>().size() == 3);
            CHECK(times_of<MpiioRecord>(log).second == Approx(1243.618248).margin(1e-6));
        }
        if (name == "sample-badost.darshan") {
            const Log log = darshan::read_darshan_log(path);
            CHECK(log.rows<PosixRecord>().size() == 2048);
            CHECK(times_of<PosixRecord>(log).first == Approx(778.494366).margin(1e-6));
        }
        if (name.starts_with("snyder_python3")) {
            const Log log = darshan::read_darshan_log(path);
            dlio_bytes += sum_of<PosixRecord>(log, &PosixRecord::bytes_read) +
                          sum_of<PosixRecord>(log, &PosixRecord::bytes_written);
            dlio_files += log.rows<PosixRecord>().size();
            for (const PosixRecord& row : log.rows<PosixRecord>())
                dlio_time += static_cast<double>(row.read_time + row.write_time + row.metadata_time) / 1e9;
        }
    }
    if (dlio_files > 0) {
        CHECK(dlio_bytes == 130'477'937'977);
        CHECK(dlio_files == 670);
        CHECK(dlio_time == Approx(89.185973).margin(1e-5));
    }
}
