// When I/O happened, from traces and heatmaps of Darshan's logs.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "logformat/log/trace.h"
#include "logformat/path_id.h"
#include "made_darshan_log.h"

using namespace fathom;
using namespace fathom::darshan;
using Catch::Contains;
using testing::MadeDarshanLog;

// Other tests of this folder have things of the same names.
namespace darshan_timings {
namespace {

constexpr std::uint64_t file = 77, other = 78;
constexpr std::uint64_t s = 1'000'000'000;

std::vector<TraceEvent> events_of(const Log& log)
{
    std::vector<TraceEvent> events;
    CHECK(for_each_traced(log, [&](const TraceEvent& event) { events.push_back(event); }).empty());
    return events;
}

struct Sums {
    std::uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
};

Sums sums_of(const Log& log, Layer layer)
{
    Sums sums;
    for (const Slice& slice : log.rows<Slice>()) {
        CHECK(slice.start % slice.length == 0);
        if (slice.layer != static_cast<std::uint64_t>(layer)) continue;
        sums.reads += slice.reads;
        sums.writes += slice.writes;
        sums.bytes_read += slice.bytes_read;
        sums.bytes_written += slice.bytes_written;
    }
    return sums;
}

}  // namespace

TEST_CASE("a trace becomes operations, histograms, time bins and bursts")
{
    const Log log = MadeDarshanLog(2)
                        .name(file, "/scratch/out")
                        .traced(Module::dxt_posix, file, 1,
                                {{true, 0, 4096, 0.5, 0.75, 9},
                                 {true, 4096, 100, 2, 2.0625, 9},
                                 {false, 8192, 4096, 1, 1.5, 8}})
                        .traced(Module::dxt_mpiio, file, 0, {{true, -1, 4096, 0.25, 1, 7}})
                        .read();
    CHECK(log.problems.empty());
    REQUIRE(log.trace_elsewhere);
    const auto events = events_of(log);
    REQUIRE(events.size() == 4);
    CHECK(events[0].process == 1);
    CHECK(events[0].layer == Layer::posix);
    CHECK(events[0].kind == Kind::write);
    CHECK(events[0].file == path_id("/scratch/out"));
    CHECK(events[0].offset == 0);
    CHECK(events[0].size == 4096);
    CHECK(events[0].start == MadeDarshanLog::start + s / 2);
    CHECK(events[0].duration == s / 4);
    CHECK(events[0].tid == 9);
    CHECK(events[2].kind == Kind::read);
    CHECK(events[3].layer == Layer::mpiio);
    CHECK(events[3].offset == no_offset);

    const auto& operations = log.rows<OperationTimes>();
    REQUIRE(operations.size() == 4);
    CHECK(operations[0].kind == static_cast<std::uint64_t>(Kind::read));
    CHECK(operations[0].longest == s / 2);
    CHECK(operations[1].size_class == 0);
    CHECK(operations[1].operations == 1);
    CHECK(operations[2].size_class == 2);
    std::uint64_t binned = 0;
    for (const DurationBin& bin : log.rows<DurationBin>()) binned += bin.operations;
    CHECK(binned == 4);

    CHECK(sums_of(log, Layer::posix).writes == 2);
    CHECK(sums_of(log, Layer::posix).bytes_written == 4196);
    CHECK(sums_of(log, Layer::posix).bytes_read == 4096);
    CHECK(sums_of(log, Layer::mpiio).bytes_written == 4096);
    CHECK(log.recorded("time_bins.reads"));
    CHECK_FALSE(log.recorded("time_bins.metadata"));

    REQUIRE(log.rows<Burst>().size() == 4);
    CHECK(log.rows<Burst>()[0].process == 0);
    CHECK(log.rows<Burst>()[0].end == MadeDarshanLog::start + s);
    CHECK(log.rows<Process>()[1].host == "node1");
    CHECK(log.rows<Process>()[1].traced == 3);
    CHECK(log.rows<Process>()[1].burst_gap == 1'000'000);
    CHECK(log.fact("time_bins_from") == "DXT for POSIX, DXT for MPI-IO");
}

TEST_CASE("reading a trace stops where it is asked to")
{
    const Log log = MadeDarshanLog(1)
                        .traced(Module::dxt_posix, file, 0, {{true, 0, 1, 0, 1}, {true, 1, 1, 0, 1}})
                        .traced(Module::dxt_mpiio, file, 0, {{true, 0, 1, 0, 1}})
                        .read();
    int seen = 0;
    for_each_traced(log, [&](const TraceEvent&) { return ++seen < 2; });
    CHECK(seen == 2);
}

TEST_CASE("a trace that has fewer operations than the counters says so")
{
    const Log log = MadeDarshanLog(1)
                        .record(Module::posix, file, 0, {{posix("WRITES"), 5}, {posix("BYTES_WRITTEN"), 5}})
                        .traced(Module::dxt_posix, file, 0, {{true, 0, 1, 0, 1}})
                        .read();
    REQUIRE(log.problems.size() == 1);
    CHECK_THAT(log.problems[0], Contains("traced 1 of 5 reads and writes"));
}

TEST_CASE("operations at times and of sizes that cannot be stay in bounds")
{
    const double infinity = std::numeric_limits<double>::infinity();
    const Log log = MadeDarshanLog(2)
                        .traced(Module::dxt_posix, file, 0,
                                {{true, -5, -1, std::nan(""), infinity},
                                 {true, 0, std::numeric_limits<std::int64_t>::max(), 5, 1},
                                 {true, 0, 1, -1e300, 8e9},
                                 {false, 0, 1, 1e300, -infinity}})
                        .traced(Module::dxt_posix, other, 99, {{true, 0, 1, 0, 1}})
                        .traced(Module::dxt_posix, other, -1, {{true, 0, 1, 0, 1}})
                        .read();
    const auto events = events_of(log);
    REQUIRE(events.size() == 4);
    CHECK(events[0].size == 0);
    CHECK(events[0].offset == no_offset);
    CHECK(events[1].duration == 0);
    CHECK(sums_of(log, Layer::posix).bytes_written ==
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + 1);
    REQUIRE(log.problems.size() == 1);
    CHECK_THAT(log.problems[0], Contains("2 records, of ranks that the job does not have"));
}

TEST_CASE("where there is no trace, heatmaps say when bytes moved, and no more")
{
    const Log log = MadeDarshanLog(2)
                        .name(file, "heatmap:POSIX")
                        .name(other, "heatmap:STDIO")
                        .name(79, "heatmap:DFS")
                        .name(80, "<STDOUT>")
                        .record(Module::stdio, 80, 0, {{stdio("WRITES"), 1}, {stdio("BYTES_WRITTEN"), 11}})
                        .heatmap(file, 1, 0.1, {1000, 0, 7}, {0, 31, -4})
                        .heatmap(other, 0, 0.1, {11, 0, 0}, {0, 0, 0})
                        .heatmap(79, 0, 0.1, {1, 1, 1}, {0, 0, 0})
                        .read();
    CHECK(log.problems.empty());
    CHECK(sums_of(log, Layer::posix).bytes_written == 1007);
    CHECK(sums_of(log, Layer::posix).bytes_read == 31);
    CHECK(sums_of(log, Layer::stdio).bytes_written == 11);
    for (const Slice& slice : log.rows<Slice>()) {
        CHECK(slice.length == 125'000'000);
        CHECK(slice.streams == (slice.layer == static_cast<std::uint64_t>(Layer::stdio)));
    }
    CHECK(log.recorded("time_bins.bytes_read"));
    for (const std::string_view column :
         {"time_bins.reads", "time_bins.write_time", "time_bins.metadata", "bursts.start", "operations.operations",
          "durations.below", "processes.host"})
        CHECK_FALSE(log.recorded(column));
    CHECK_FALSE(log.trace_elsewhere);
    CHECK(log.rows<FileName>().size() == 1);
    CHECK(log.fact("time_bins_from") == "HEATMAP for POSIX, HEATMAP for stdio");
}

TEST_CASE("the heatmap stands in for a trace that broke off")
{
    const Log log = MadeDarshanLog(1)
                        .name(other, "heatmap:POSIX")
                        .traced(Module::dxt_posix, file, 0, {{true, 0, 1, 0, 1}})
                        .heatmap(other, 0, 0.1, {1000}, {0})
                        .partial(Module::dxt_posix)
                        .read();
    CHECK(sums_of(log, Layer::posix).bytes_written == 1000);
    CHECK(sums_of(log, Layer::posix).writes == 0);
    CHECK(log.rows<OperationTimes>().size() == 1);
    CHECK_FALSE(log.recorded("time_bins.writes"));
}

TEST_CASE("bins of a width that cannot be are left out")
{
    for (const double width : {std::nan(""), 0.0, -1.0, 1e300}) {
        const Log log =
            MadeDarshanLog(1).name(file, "heatmap:POSIX").heatmap(file, 0, width, {1, 2}, {3, 4}).read();
        CHECK(log.rows<Slice>().empty());
        REQUIRE(log.problems.size() == 1);
        CHECK_THAT(log.problems[0], Contains("module HEATMAP"));
    }
    const Log years =
        MadeDarshanLog(1).name(file, "heatmap:POSIX").heatmap(file, 0, 8e9, {1, 2, 3}, {3, 4, 5}).read();
    CHECK(years.rows<Slice>().size() < 10'000);
}

}  // namespace darshan_timings
