// Operations with their times: of a trace, of histograms, of a CSV.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>

#include "analyzer/timing/operations/class_groups.h"
#include "analyzer/timing/operations/timed_operations.h"
#include "tests/analyzer/synthetic.h"
#include "tests/analyzer/temporary.h"
#include "tests/logformat/trace_sample.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

std::string saved(const Temporary& folder, const std::string& text, const std::string& name = "x.csv")
{
    std::ofstream(folder.path(name)) << text;
    return folder.path(name);
}

const TimedClass& class_named(const TimedOperations& all, const std::string& name)
{
    for (const TimedClass& one : all.classes)
        if (one.name() == name) return one;
    FAIL("no class is called " << name);
    return all.classes.front();
}

// Reads of 4 KiB by one rank, three in four quick, one slow, with a trace and with histograms; an open of
// each file, and writes to standard output.
Synthetic both_ways(std::size_t reads)
{
    Synthetic made;
    made.ranks(1);
    const std::uint64_t data = made.file("/data"), out = made.file("<STDOUT>", NameKind::stream);
    std::mt19937_64 random(3);
    std::lognormal_distribution<double> quick(std::log(20e3), 0.15), slow(std::log(900e3), 0.2);
    sample::TracedThread thread(made.log, 0, 0, 500);
    std::uint64_t now = job_start + second;
    const auto add = [&](std::uint64_t file, Kind kind, std::uint64_t size, std::uint64_t duration) {
        thread.add({file, Layer::posix, kind, no_offset, size, now, now + duration});
        now += duration + 5000;
    };
    std::vector<std::uint64_t> durations;
    add(data, Kind::open, 0, 7000);
    for (std::size_t at = 0; at < reads; ++at) {
        durations.push_back(static_cast<std::uint64_t>(at % 4 == 3 ? slow(random) : quick(random)));
        add(data, Kind::read, 4096, durations.back());
        if (at % 100 == 0) add(out, Kind::write, 80, 3000);
    }
    thread.end();
    made.operations(Layer::posix, Kind::read, SizeHistogram::class_of(4096), durations);
    made.operations(Layer::posix, Kind::open, 0, {7000});
    auto& row = made.io<PosixRecord>(data, 0, {.bytes_read = reads * 4096});
    row.reads = reads;
    row.read_size = {};
    row.read_size.add(4096, reads);
    row.common_size.add(4096, reads);
    return made;
}

}  // namespace

TEST_CASE("a trace gives each operation on files, by layer, kind and size")
{
    const Synthetic made = both_ways(1000);
    const TimedOperations all = timed_operations(made.log);
    CHECK(all.source == TimedSource::trace);
    CHECK(all.problems.empty());
    CHECK(all.notes.empty());
    REQUIRE(all.classes.size() == 2);
    const TimedClass& reads = all.classes[0];
    CHECK(reads.name() == "POSIX read of 4 KiB");
    CHECK(reads.plural() == "reads of 4 KiB");
    CHECK(reads.operations == 1000);
    CHECK(reads.each);
    CHECK(reads.durations.size() == 1000);
    CHECK(reads.sizes == std::vector<std::uint64_t>(1000, 4096));
    REQUIRE(reads.starts.size() == 1000);
    CHECK(reads.starts[0] == Approx(1).epsilon(0.01));
    CHECK(std::is_sorted(reads.starts.begin(), reads.starts.end()));
    CHECK(all.classes[1].name() == "POSIX open");
    CHECK(all.classes[1].plural() == "open calls");
    CHECK_FALSE(all.classes[1].mean_bytes);
}

TEST_CASE("a trace and histograms of the same operations have the same clusters")
{
    const Synthetic made = both_ways(4000);
    const TimedOperations traced = timed_operations(made.log),
                          counted = timed_operations(made.log, {.from = TimedFrom::histograms});
    CHECK(counted.source == TimedSource::histograms);
    const TimedClass &one = class_named(traced, "POSIX read of 4 KiB"),
                     &other = class_named(counted, "POSIX read of 4 KiB");
    CHECK_FALSE(other.each);
    CHECK(other.durations.empty());
    CHECK(other.operations == one.operations);
    CHECK(other.mean_bytes == 4096);
    CHECK(other.size_basis == "the size of each");
    const auto a = groups_of(one, traced.resolution), b = groups_of(other, counted.resolution);
    REQUIRE(a->clusters.size() == 2);
    REQUIRE(b->clusters.size() == 2);
    for (std::size_t at = 0; at < 2; ++at) {
        CHECK(b->found.peaks[at] == Approx(a->found.peaks[at]).margin(0.02));
        CHECK(b->clusters[at].operations == a->clusters[at].operations);
        CHECK(b->clusters[at].time == Approx(a->clusters[at].time).epsilon(0.032));
    }
    CHECK(b->found.splits[0] == Approx(a->found.splits[0]).margin(0.06));
}

TEST_CASE("what the trace lacks is reported, and where it has nothing the histograms stand in")
{
    Synthetic made = both_ways(100);
    made.operations(Layer::stdio, Kind::write, 3, {10, 20, 30});
    TimedOperations all = timed_operations(made.log);
    REQUIRE(all.notes.size() == 1);
    CHECK_THAT(all.notes[0], Contains("lacks 3 of these operations"));
    CHECK(timed_operations(made.log, {.layer = "stdio"}).source == TimedSource::histograms);
    CHECK(timed_operations(made.log, {.layer = "stdio", .from = TimedFrom::trace}).classes.empty());
    CHECK(timed_operations(Synthetic().log).classes.empty());
}

TEST_CASE("a choice of layer, operation and size leaves the others out")
{
    const Synthetic made = both_ways(100);
    CHECK(timed_operations(made.log, {.layer = "posix", .operation = "open"}).classes.size() == 1);
    CHECK(timed_operations(made.log, {.layer = "mpi-io"}).classes.empty());
    CHECK(timed_operations(made.log, {.size = 4096}).classes.size() == 1);
    CHECK(timed_operations(made.log, {.size = 4097}).classes.empty());
}

TEST_CASE("of more operations than are to be kept, some are, evenly, and bins count them all")
{
    const Synthetic made = both_ways(4000);
    const TimedOperations some = timed_operations(made.log, {.most_kept = 600}),
                          whole = timed_operations(made.log);
    const TimedClass &one = class_named(some, "POSIX read of 4 KiB"),
                     &all = class_named(whole, "POSIX read of 4 KiB");
    CHECK_FALSE(one.each);
    CHECK(one.durations.size() == 500);  // every eighth
    CHECK(one.starts.size() == 500);
    CHECK(one.starts[1] == all.starts[8]);
    CHECK(one.operations == 4000);
    CHECK(one.time == Approx(all.time));
    std::uint64_t in_bins = 0;
    for (const HistogramBin& bin : one.bins) in_bins += bin.operations;
    CHECK(in_bins == 4000);
    const auto a = groups_of(one, some.resolution), b = groups_of(all, whole.resolution);
    REQUIRE(a->clusters.size() == 2);
    CHECK(a->clusters[1].operations == b->clusters[1].operations);
}

TEST_CASE("rows of a CSV are classes by operation and size, and by the columns that separate them")
{
    const Temporary folder;
    const TimedOperations all = timed_operations(saved(folder,
                                                       "state,operation,memory,size,start_s,duration_s\n"
                                                       "cached,read,seq,4096,0.5,0.001\n"
                                                       "cached,read,seq,4096,0.6,0.002\n"
                                                       "cached,write,seq,1048576,0.75,0.5\n"
                                                       "uncached,read,seq,4096,1.5,0.25\n"));
    REQUIRE(all.classes.size() == 3);
    CHECK(all.source == TimedSource::csv);
    CHECK(all.classes[0].name() == "cached: write of 1 MiB");
    CHECK(all.classes[1].name() == "uncached: read of 4 KiB");
    CHECK(all.classes[2].name() == "cached: read of 4 KiB");
    CHECK(all.classes[2].durations == std::vector<double>{0.001, 0.002});
    CHECK(all.classes[1].starts == std::vector<double>{1});  // since the first of all
    CHECK(all.classes[0].mean_bytes == 1048576);
    CHECK(all.notes ==
          std::vector<std::string>{"Classes are named by state, in this order.", "All of them: memory seq."});
}

TEST_CASE("columns of a CSV can be named, and one of durations is enough")
{
    const Temporary folder;
    const std::string path = saved(folder, "who,took\na,1\nb,2\na,3\n");
    CHECK_THROWS_WITH(timed_operations(path),
                      Contains("no column is called 'duration_s'") && Contains("took"));
    const TimedOperations one = timed_operations(path, {.duration_column = "took"});
    REQUIRE(one.classes.size() == 1);
    CHECK(one.classes[0].name() == "operation");
    CHECK(one.classes[0].operations == 3);
    CHECK(one.classes[0].starts.empty());
    CHECK_FALSE(one.classes[0].least_bytes);
    const TimedOperations two = timed_operations(path, {.duration_column = "took", .group_columns = {"who"}});
    REQUIRE(two.classes.size() == 2);
    CHECK(two.classes[0].name() == "a: operation");
    const TimedOperations numbers =
        timed_operations(path, {.duration_column = "took", .group_columns = {"took"}});
    CHECK(numbers.classes.at(0).name() == "took 3: operation");
    CHECK_THROWS_WITH(timed_operations(path, {.duration_column = "took", .group_columns = {"whom"}}),
                      Contains("'whom'"));
}

TEST_CASE("more sizes than are reported one by one make classes of sizes")
{
    const Temporary folder;
    std::string text = "operation,size,duration_s\n";
    for (std::size_t at = 0; at < 40; ++at) text += "read," + std::to_string(2000 + at) + ",0.001\n";
    text += "read,1073741825,1\nread,2147483648,1\nwrite,5,0.1\n";
    const TimedOperations all = timed_operations(saved(folder, text));
    REQUIRE(all.classes.size() == 3);
    CHECK(all.classes[0].name() == "read > 1 GiB");
    CHECK(all.classes[1].name() == "write of 5 B");
    CHECK(all.classes[2].name() == "read ≤ 10 KiB");
    CHECK(all.classes[2].operations == 40);
    CHECK(all.classes[2].mean_bytes == 2019.5);
    CHECK(all.classes[2].plural() == "reads of up to 10 KiB");
    CHECK(timed_operations(saved(folder, text), {.size = 2005}).classes.size() == 1);
}

TEST_CASE("rows of errors and negative durations are left out and counted, what is no number is an error")
{
    const Temporary folder;
    const TimedOperations all =
        timed_operations(saved(folder,
                               "operation,latency_s,error\nread,0.1,\nread,,Input/output "
                               "error\nread,-0.1,\nread,0,\n"));
    REQUIRE(all.classes.size() == 1);
    CHECK(all.classes[0].operations == 2);
    REQUIRE(all.notes.size() == 2);
    CHECK_THAT(all.notes[0], Contains("1 of the rows are of errors"));
    CHECK_THAT(all.notes[1], Contains("latency_s is below 0, first in line 4"));
    for (const std::string wrong : {"nan", "inf", "", "fast", "1,5"})
        CHECK_THROWS_WITH(timed_operations(saved(folder, "duration_s,b\n0.1,\n" + wrong + ",\n")),
                          Contains("x.csv, line 3"));
    CHECK_THROWS_WITH(timed_operations(saved(folder, "")), Contains("empty"));
    CHECK(timed_operations(saved(folder, "duration_s\n")).classes.empty());
}

TEST_CASE("a file is a CSV by its name or its looks, and a log by what it begins with")
{
    const Temporary folder;
    const std::string csv = "duration_s\n1\n";
    CHECK(is_csv_file(saved(folder, csv, "times")));
    CHECK(is_csv_file(saved(folder, "", "empty.csv")));
    CHECK_FALSE(is_csv_file(saved(folder, "", "empty")));
    CHECK_FALSE(is_csv_file(saved(folder, "{\"a\": 1}\n", "json")));
    CHECK_FALSE(is_csv_file(saved(folder, std::string("\x01\x02\0abc", 6), "binary")));
    CHECK_FALSE(is_csv_file(folder.path("missing")));
    write_log(both_ways(10).log, folder.path("a.fathom"));
    CHECK_FALSE(is_csv_file(folder.path("a.fathom")));
    CHECK(timed_operations(folder.path("a.fathom")).classes.size() == 2);
    CHECK_THROWS_WITH(timed_operations(folder.path("missing")), Contains("missing"));
}
