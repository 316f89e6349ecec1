// The files that a measurement leaves, written and read.
#include "analyzer/timing/measure/results.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analyzer/timing/measure/clock.h"
#include "analyzer/timing/measure/read_back.h"
#include "tests/analyzer/temporary.h"
#include "tests/analyzer/timing/measure/content.h"

using namespace fathom::measure;
using Catch::Contains;
using fathom::testing::content_of;
using fathom::testing::Temporary;
namespace fs = std::filesystem;

namespace {

const Configuration one{State::uncached, Operation::write, Layout::rnd, Layout::stride8MiB, 4096, 2, 1};

}  // namespace

TEST_CASE("a row has all that is known of an operation, to the nanosecond")
{
    const Temporary folder;
    GrowingCsv csv(folder.path("a.csv"), samples_header, false);
    const std::vector<Sample> samples = {{8192, 0, 5'000'000'123, 77},
                                         {12345, 0, 5'000'001'000, 2'000'000'001}};
    add_samples(csv, one, 1, samples, 4'000'000'000);
    csv.flush();
    CHECK(content_of(folder.path("a.csv")) ==
          "state,operation,memory,file,size,threads,thread,repeat,number,offset,start_s,duration_s\n"
          "uncached,write,rnd,stride8MiB,4096,2,1,1,0,8192,1.000000123,0.000000077\n"
          "uncached,write,rnd,stride8MiB,4096,2,1,1,1,12345,1.000001000,2.000000001\n");
    std::vector<double> durations;
    read_samples(folder.path("a.csv"),
                 [&](const Configuration& found, double seconds) {
                     CHECK(found == one);
                     durations.push_back(seconds);
                 },
                 {});
    CHECK(durations == std::vector<double>{77e-9, 2.000000001});
}

TEST_CASE("checks come back as they were written, also what is not known")
{
    const Temporary folder;
    GrowingCsv csv(folder.path("a.csv"), checks_header, false);
    Check check{one, {}, {AsAsked::no, "1, 2"}};
    check.seen.how = How::dropped;
    check.seen.operations = 9;
    check.seen.planned = 10;
    check.seen.bytes = 90;
    check.seen.resident_before = 0.125;
    check.seen.read_bytes = 4096;
    add_check(csv, check, 4096);
    csv.flush();
    const auto found = read_checks(folder.path("a.csv"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].configuration == one);
    CHECK(found[0].seen.how == How::dropped);
    CHECK(found[0].seen.operations == 9);
    CHECK(found[0].seen.planned == 10);
    CHECK(found[0].seen.bytes == 90);
    CHECK(found[0].seen.resident_before == 0.125);
    CHECK(!found[0].seen.resident_after);
    CHECK(found[0].seen.read_bytes == 4096u);
    CHECK(!found[0].seen.write_bytes);
    CHECK(found[0].verdict.as_asked == AsAsked::no);
    CHECK(found[0].verdict.why == "1, 2");
}

TEST_CASE("a word that is no state is reported with its line")
{
    const Temporary folder;
    std::ofstream(folder.path("a.csv")) << samples_header << "warm,read,off0,off0,1,1,0,0,0,0,0.1,0.000001\n";
    CHECK_THROWS_WITH(read_samples(folder.path("a.csv"), [](const Configuration&, double) {}, {}),
                      Contains("a.csv, line 2") && Contains("warm") && Contains("discard, cached, uncached"));
}

TEST_CASE("results are not written over unless that is asked for, and go again where they stay empty")
{
    const Temporary folder;
    const std::string path = folder.path("a.csv");
    CHECK(checks_beside(path) == folder.path("a.checks.csv"));
    CHECK(checks_beside("a") == "a.checks.csv");
    {
        ResultFiles files(path, false);
        CHECK(fs::exists(path));
        CHECK_THROWS_WITH(ResultFiles(path, false), Contains("is there already") && Contains("--overwrite"));
    }
    CHECK(!fs::exists(path));
    CHECK(!fs::exists(checks_beside(path)));
    {
        ResultFiles files(path, false);
        const Results results = files.taking();
        const std::vector<Sample> samples = {{0, 0, now(), 77}};
        results.samples(one, 0, samples);
        results.check({one, {}, {}});
        CHECK(files.summary().operations() == 1);
        CHECK(files.checks().size() == 1);
    }
    CHECK(fs::exists(path));
    CHECK_THROWS_WITH(ResultFiles(path, false), Contains("is there already"));
    fs::remove(path);
    CHECK_THROWS_WITH(ResultFiles(path, false), Contains("a.checks.csv"));
    CHECK(!fs::exists(path));
    CHECK_THROWS_WITH(ResultFiles("/nowhere/a.csv", false), Contains("/nowhere/a.csv"));
}

TEST_CASE("a disk that is full is reported")
{
    GrowingCsv csv("/dev/full", "", true);
    csv.add("1\n");
    CHECK_THROWS_WITH(csv.flush(), Contains("/dev/full") && Contains("free some space"));
}
