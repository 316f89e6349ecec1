// Files without names, and the page cache as the kernel tells of it.
#include "analyzer/timing/measure/page_cache.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "analyzer/timing/measure/axes.h"
#include "analyzer/timing/measure/files.h"
#include "tests/analyzer/temporary.h"
#include "tests/skip.h"

using namespace fathom::measure;
using Catch::Contains;
using fathom::testing::Temporary;

namespace {

const std::atomic<bool> stop_never = false;

}  // namespace

TEST_CASE("files are shared out among threads, full, and have no names")
{
    const Temporary folder;
    std::uint64_t told = 0;
    const Files files(folder.path("."), 3, 4 * mib, 1, stop_never,
                      [&](std::uint64_t bytes) { told += bytes; });
    CHECK(files.count() == 3);
    CHECK(files.bytes_each() == 341 * 4096);
    CHECK(told == 3 * files.bytes_each());
    struct stat there {};
    REQUIRE(fstat(files.descriptor(2), &there) == 0);
    CHECK(there.st_size == static_cast<off_t>(files.bytes_each()));
    CHECK(there.st_nlink == 0);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path("")), {}) == 0);
}

TEST_CASE("a file is in the page cache when it was read, by both ways to find out")
{
    const Temporary folder;
    const Files files(folder.path("."), 2, 2 * mib, 1, stop_never, [](std::uint64_t) {});
    files.take_into_cache(stop_never);
    REQUIRE(files.resident());
    CHECK(*files.resident() == 1);
    for (int attempt = 0; attempt < 2; ++attempt) {
        const auto quick = resident_share(files.descriptor(0), files.bytes_each()),
                   slow = resident_share_by_mincore(files.descriptor(0), files.bytes_each());
        REQUIRE(quick);
        REQUIRE(slow);
        CHECK(*quick == Approx(*slow).margin(1e-9));
        files.take_out_of_cache(false);
    }
    CHECK(!resident_share(-1, mib));
}

TEST_CASE("a file that was taken out of the page cache is not in it")
{
    const Temporary folder;
    const Files files(folder.path("."), 1, 2 * mib, 1, stop_never, [](std::uint64_t) {});
    struct statfs kind {};
    REQUIRE(statfs(folder.path(".").c_str(), &kind) == 0);
    if (kind.f_type == TMPFS_MAGIC) {
        fathom::testing::skip("the folder for temporary files is in memory: set TMPDIR to another");
        return;
    }
    files.take_into_cache(stop_never);
    files.take_out_of_cache(false);
    REQUIRE(files.resident());
    CHECK(*files.resident() == 0);
}

TEST_CASE("work on files ends when it is asked to")
{
    const Temporary folder;
    const std::atomic<bool> stop = true;
    std::uint64_t told = 0;
    const Files files(folder.path("."), 1, 64 * mib, 1, stop, [&](std::uint64_t bytes) { told += bytes; });
    CHECK(told == 0);
}

TEST_CASE("a folder that is not there, or cannot be written, is named with what to do")
{
    CHECK_THROWS_WITH(unnamed_file("/nowhere"), Contains("/nowhere") && Contains("folder that is there"));
    CHECK_THROWS_WITH(unnamed_file("/proc"), Contains("/proc"));
    CHECK_THROWS_WITH(unnamed_file("/dev/null"), Contains("/dev/null"));
}

TEST_CASE("the kernel counts what this process writes")
{
    const Temporary folder;
    const auto before = io_counters();
    if (!before) {
        fathom::testing::skip("there is no /proc/self/io here");
        return;
    }
    std::ofstream(folder.path("a")) << std::string(mib, 'x');
    const auto after = io_counters();
    REQUIRE(after);
    CHECK(after->write_bytes >= before->write_bytes);
}
