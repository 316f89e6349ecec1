// `fathom measure` as users type it, with a grid that takes a second.
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "analyzer/timing/measure/layouts.h"
#include "analyzer/timing/measure/samples_csv.h"
#include "parsers/csv/csv_file.h"
#include "tests/analyzer/temporary.h"
#include "tests/analyzer/timing/measure/content.h"
#include "tests/run_fathom.h"
#include "tests/skip.h"

using namespace fathom::measure;
using Catch::Contains;
using fathom::CsvFile;
using fathom::CsvRow;
using fathom::testing::content_of;
using fathom::testing::Ran;
using fathom::testing::Temporary;
namespace fs = std::filesystem;

namespace {

Ran run_measure(const std::string& arguments, const std::string& before = "")
{
    return fathom::testing::run_fathom("measure " + arguments, before);
}

const std::string tiny =
    " --file-size 4M --buffer-size 4M --sizes 64,4K --file off0,seq,reverse --memory off0 --count 20 "
    "--repeats 2 "
    "--time-limit 0 ";

}  // namespace

TEST_CASE("a measurement leaves a row for each operation, where its layout says, and no file to measure with")
{
    const Temporary folder;
    fs::create_directory(folder.path("in"));
    const std::string csv = folder.path("a.csv");
    const Ran outcome = run_measure(folder.path("in") + tiny + "-o " + csv);
    INFO(outcome.said);
    REQUIRE(outcome.status == 0);
    CHECK_THAT(outcome.said, Contains("Throughput by layout and size") && Contains("cached reads") &&
                                 Contains("the clock's part") && Contains("Checks of the states"));
    CHECK(fs::is_empty(folder.path("in")));
    CHECK(content_of(csv).starts_with(samples_header));

    CsvFile file(csv);
    std::map<std::string, std::uint64_t> rows;  // of each run
    double last = 0;
    file.each_row([&](const CsvRow& row) {
        const auto text = [&](const char* name) { return std::string(row.text(file.column(name))); };
        const std::uint64_t size = row.whole(file.column("size")), number = row.whole(file.column("number"));
        const auto layout = named<Layout>(layout_names, text("file"));
        REQUIRE(layout);
        Places places(*layout, size, 4 << 20, 1, 1);
        std::uint64_t offset = 0;
        for (std::uint64_t at = 0; at <= number; ++at) offset = places.next();
        CHECK(row.whole(file.column("offset")) == offset);
        CHECK(row.number(file.column("start_s")) >= last);
        last = row.number(file.column("start_s"));
        CHECK(row.number(file.column("duration_s")) < 10);
        const std::string run = fmt::format("{} {} {} {} {}", text("state"), text("operation"), text("file"),
                                            size, text("repeat"));
        CHECK(rows[run]++ == number);
    });
    CHECK(rows.size() == 3 * 2 * 3 * 2 * 2);
    for (const auto& [run, count] : rows) {
        INFO(run);
        CHECK(count == 20);
    }
}

TEST_CASE("the checks say of each run whether the data was where it should be")
{
    const Temporary folder;
    const std::string csv = folder.path("a.csv");
    REQUIRE(run_measure(folder.path(".") + tiny + "-o " + csv).status == 0);
    CsvFile file(checks_beside(csv));
    CHECK(content_of(checks_beside(csv)).starts_with(checks_header));
    std::uint64_t runs = 0;
    file.each_row([&](const CsvRow& row) {
        const auto text = [&](const char* name) { return std::string(row.text(file.column(name))); };
        ++runs;
        CHECK(row.whole(file.column("operations")) == 20);
        if (text("state") == "discard") CHECK(text("how") == "null");
        if (text("state") != "uncached") CHECK(text("as_asked") == "yes");
        if (text("state") == "cached") {
            CHECK(text("how") == "warm");
            CHECK(row.number(file.column("resident_before")) == 1);
        }
        // What uncached is depends on where the test runs; no run may go without an answer.
        if (text("state") == "uncached" && text("as_asked") != "yes") CHECK(!text("why").empty());
    });
    CHECK(runs == 3 * 2 * 3 * 2 * 2);
}

TEST_CASE("files in memory are never uncached, and the summary warns of that")
{
    if (!fs::exists("/dev/shm")) {
        fathom::testing::skip("there is no /dev/shm here");
        return;
    }
    const Temporary folder;
    const Ran outcome = run_measure("/dev/shm" + tiny + "--states uncached -o " + folder.path("a.csv"));
    REQUIRE(outcome.status == 0);
    CHECK_THAT(outcome.said, Contains("do not train on these") && Contains("keeps its files in memory"));
    CHECK_THAT(content_of(folder.path("a.checks.csv")),
               Contains(",no,the file system keeps its files in memory"));
}

TEST_CASE("threads have files of their own")
{
    const Temporary folder;
    const std::string csv = folder.path("a.csv");
    REQUIRE(
        run_measure(folder.path(".") + tiny + "--states cached --sizes 4K --threads 1,3 -o " + csv).status ==
        0);
    CsvFile file(csv);
    std::map<std::string, std::uint64_t> rows;
    file.each_row([&](const CsvRow& row) {
        ++rows[fmt::format("{}/{}", row.text(file.column("thread")), row.text(file.column("threads")))];
    });
    CHECK(rows.size() == 4);
    CHECK(rows.size() == 4);
    // 2 repeats of reads and writes of 2 sizes in 3 layouts
    for (const char* const thread : {"0/1", "0/3", "1/3", "2/3"}) CHECK(rows[thread] == 2 * 2 * 2 * 3 * 20);
}

TEST_CASE("an interrupted measurement keeps whole rows of what was measured, and no file to measure with")
{
    const Temporary folder;
    fs::create_directory(folder.path("in"));
    const std::string csv = folder.path("a.csv"), in = folder.path("in"), said = folder.path("said");
    for (const int signal : {SIGINT, SIGTERM}) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            if (freopen(said.c_str(), "w", stderr) == nullptr) _exit(99);
            execl(FATHOM_PROGRAM, "fathom", "measure", in.c_str(), "-o", csv.c_str(), "--overwrite",
                  "--file-size", "4M", "--buffer-size", "4M", "--states", "discard,cached", "--sizes", "4K",
                  "--count", "1000", "--repeats", "2000", nullptr);
            _exit(98);
        }
        // Once some runs are there, it is well under way.
        while (!fs::exists(csv) || fs::file_size(csv) < 300'000) {
            REQUIRE(waitpid(child, nullptr, WNOHANG) == 0);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        kill(child, signal);
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == signal);
        CHECK_THAT(content_of(said), Contains("interrupted") && Contains(csv));
        CHECK(fs::is_empty(in));
        std::uint64_t rows = 0;
        CsvFile(csv).each_row([&](const CsvRow&) { ++rows; });  // throws where one is not whole
        CHECK(rows > 1000);
        CHECK(content_of(csv).back() == '\n');
        CHECK(content_of(checks_beside(csv)).back() == '\n');
        fs::remove(csv);
    }
}

TEST_CASE("what would fill the disk is refused with numbers, and nothing is left behind")
{
    const Temporary folder;
    const std::string csv = folder.path("in/a.csv");
    fs::create_directory(folder.path("in"));
    const Ran outcome = run_measure(folder.path("in") + " --file-size 1000T -o " + csv);
    CHECK(outcome.status == 1);
    CHECK_THAT(outcome.said, Contains("1,000 TiB") || Contains("1000 TiB"));
    CHECK_THAT(outcome.said, Contains("are free") && Contains("--file-size"));
    const Ran worn = run_measure(folder.path("in") + tiny + " --most-written 1M -o " + csv);
    CHECK(worn.status == 1);
    CHECK_THAT(worn.said, Contains("wears") && Contains("1 MiB") && Contains("--most-written"));
    CHECK(fs::is_empty(folder.path("in")));
    CHECK(run_measure("/nowhere -o " + csv).status == 1);
    CHECK(run_measure("/proc" + tiny + "-o " + csv).status == 1);
    CHECK(fs::is_empty(folder.path("in")));
}

TEST_CASE("a file that may not grow so large ends it with an error, and nothing is left behind")
{
    const Temporary folder;
    const std::string csv = folder.path("a.csv");
    const Ran outcome = run_measure(folder.path(".") + tiny + "--states cached -o " + csv,
                                    "ulimit -f 1000; ");  // blocks of 512
    CHECK(outcome.status == 1);
    CHECK_THAT(outcome.said, Contains("4194304 bytes") && Contains("too large") && Contains("--file-size"));
    CHECK(fs::is_empty(folder.path("")));
}

TEST_CASE("results that are there are kept, and read again for a summary")
{
    const Temporary folder;
    const std::string csv = folder.path("a.csv"), html = folder.path("a.html");
    REQUIRE(run_measure(folder.path(".") + tiny + "--report " + html + " -o " + csv).status == 0);
    CHECK_THAT(content_of(html), Contains("Throughput by layout and size"));
    const std::string before = content_of(csv);
    const Ran again = run_measure(folder.path(".") + tiny + "-o " + csv);
    CHECK(again.status == 1);
    CHECK_THAT(again.said, Contains("is there already"));
    CHECK(content_of(csv) == before);
    const Ran summary = run_measure("--summary " + csv + " --report " + folder.path("a.json"));
    CHECK(summary.status == 0);
    CHECK_THAT(summary.said, Contains("uncached writes") && Contains("Checks of the states"));
    CHECK_THAT(content_of(folder.path("a.json")), Contains("cached_read_1"));
    CHECK(content_of(csv) == before);
}

TEST_CASE("a dry run measures nothing and says what would be")
{
    const Temporary folder;
    const Ran outcome = run_measure(folder.path(".") + " --full --dry-run -o " + folder.path("a.csv"));
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.said, Contains("25,920") && Contains("10 GiB") && Contains("written to the device"));
    CHECK(fs::is_empty(folder.path("")));
}

TEST_CASE("what cannot be asked for is bad usage that says what can")
{
    const Temporary folder;
    const auto refused = [&](const std::string& options, const char* said) {
        const Ran outcome = run_measure(folder.path(".") + " -o " + folder.path("a.csv") + " " + options);
        INFO(options);
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.said, Contains(said));
        CHECK(fs::is_empty(folder.path("")));
    };
    refused("--sizes 4Q", "4Q: no size");
    refused("--states warm", "discard, cached, uncached");
    refused("--file sideways", "stride8MiB");
    refused("--operations append", "read, write");
    refused("--uncached never", "direct, dropped, once");
    refused("--threads 0", "--threads");
    refused("--repeats 0", "--repeats");
    refused("--file-size 1M", "the largest access has 16777216");
    refused("--buffer-size 32M --threads 4", "each of 4 threads");
    refused("--time-limit nan", "--time-limit");
    refused("--report a.xyz", "a.xyz");
}
