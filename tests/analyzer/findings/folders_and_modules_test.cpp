// Folders that are listed again and again, and modules that Python imports.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Processes of a program, each of which opens the folder so often, and reads so many names in all, in 10 s.
Synthetic listing(std::uint64_t opens, std::uint64_t names, std::int64_t processes = 1,
                  std::string_view program = "/usr/bin/python3")
{
    Synthetic made;
    const std::uint64_t folder = made.file("/out/tiles", NameKind::directory);
    for (std::int64_t at = 0; at < processes; ++at) {
        made.process(-1);
        Process& one = made.log.rows<Process>().back();
        one.program = program;
        one.libraries = "libc libpython3";
        PosixRecord& row = made.io<PosixRecord>(folder, at, {.metadata_time = 10 * second});
        row.opens = opens;
        row.directory_reads = names;
    }
    return made;
}

// Tasks of a step that open so many files of one mount, each once, in a second each.
Synthetic opening(std::string_view path, std::string_view type, std::size_t files, std::int64_t nodes = 1)
{
    Synthetic made;
    made.log.rows<Mount>().push_back({"/", type, "there"});
    for (std::int64_t at = 0; at < nodes; ++at) {
        made.process(-1, "node" + std::to_string(at));
        Process& one = made.log.rows<Process>().back();
        one.program = "/usr/bin/python3";
        one.libraries = "libc libpython3";
        one.task = at;
        one.tasks = static_cast<std::uint64_t>(nodes);
    }
    for (std::size_t file = 0; file < files; ++file)
        made.io<PosixRecord>(made.file(std::string(path) + std::to_string(file) + ".pyc"), 0,
                             {.bytes_read = 1000, .read_time = ms, .metadata_time = 100 * ms});
    made.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(files, 100 * ms));
    return made;
}

}  // namespace

TEST_CASE("listed again: six times by a process, with ten names and more each time")
{
    const report::Finding one = finding_of(listing(1000, 100'000).log, "listed_again");
    CHECK(one.title == "One folder listed 999 times beyond the first");
    CHECK(cost_of(one) == Approx(0.999 * (10 + 100'000 * 80e-9)));
    CHECK_THAT(numbers_of(one), Contains("/out/tiles (1,000 times, 98 names each on average)"));
    CHECK_THAT(lines_of(one), Contains("os.listdir"));
    // Who looks at each name as well should keep what the listing brought along.
    Synthetic looking = listing(1000, 100'000);
    looking.log.rows<PosixRecord>().front().stats = 50'000;
    CHECK_THAT(lines_of(finding_of(looking.log, "listed_again")), Contains("os.scandir"));
    looking.log.rows<PosixRecord>().front().stats = 49'000;
    CHECK_THAT(lines_of(finding_of(looking.log, "listed_again")), !Contains("os.scandir"));
    CHECK_FALSE(finds(listing(20, 10'000).log, "listed_again"));  // 19 of them are needless
    CHECK(finds(listing(21, 10'000).log, "listed_again"));
    CHECK_FALSE(finds(listing(100, 999).log, "listed_again"));
    CHECK(finds(listing(6, 10'000, 10).log, "listed_again"));
    CHECK_FALSE(finds(listing(5, 10'000, 10).log, "listed_again"));
}

TEST_CASE("listed again: by run after run of a packaged tool, which one run would do")
{
    const report::Finding one = finding_of(listing(1, 1000, 25, "/usr/bin/find").log, "listed_again");
    CHECK(one.title == "One folder listed 24 times beyond the first");
    CHECK_THAT(one.advice.front().text, Contains("Have one run of find look for all"));
    CHECK_FALSE(finds(listing(1, 1000, 25, "/home/user/app").log, "listed_again"));
    CHECK(finds(listing(7, 1000, 3, "/usr/bin/du").log, "listed_again"));
    CHECK_FALSE(finds(listing(7, 1000, 2, "/usr/bin/du").log, "listed_again"));
}

TEST_CASE("listed again: what the program may do with each name is the most that it costs")
{
    Synthetic made = listing(1000, 10'000'000);
    made.log.rows<Process>().front().cpu_time = 50 * second;
    const report::Finding one = finding_of(made.log, "listed_again");
    CHECK(*one.cost_least == Approx(0.999 * (10 + 0.8)));
    CHECK(cost_of(one) == Approx(0.999 * (10 + 11)));
}

TEST_CASE("metadata bound: names of a folder are no calls, and to list it once is needed")
{
    const auto found = [](std::uint64_t opens) {
        Synthetic made = listing(opens, 100'000);
        made.operations(Layer::posix, Kind::other, 0, std::vector<std::uint64_t>(100'000, 100 * us));
        return finds(made.log, "metadata_bound");
    };
    CHECK_FALSE(found(1));
    CHECK(found(9));  // less than listed_again asks for
}

TEST_CASE("modules of Python: nothing to change on a node's own disk, an archive elsewhere")
{
    const auto there = opening("/shared/env/lib/python3.11/site-packages/m", "lustre", 300);
    const report::Finding many = finding_of(there.log, "many_files");
    CHECK_THAT(many.advice.front().text, Contains("modules of Python"));
    CHECK_THAT(lines_of(many), Contains("tar -xf ENVIRONMENT.tar"));
    const auto here = opening("/tmp/env/lib/python3.11/site-packages/m", "ext4", 300);
    CHECK_FALSE(finds(here.log, "many_files"));
    CHECK_FALSE(finds(here.log, "metadata_bound"));
    CHECK_THAT(finding_of(opening("/shared/env/__pycache__/m", "lustre", 250).log, "metadata_bound")
                   .advice.front()
                   .text,
               Contains("modules of Python"));
}

TEST_CASE("many files: those that a job of several nodes brought to their own disks are where they should be")
{
    const auto found = [](std::string_view type, std::int64_t nodes) {
        Synthetic made = opening("/tmp/stage/part", type, 300, nodes);
        for (FileName& name : made.log.rows<FileName>())
            name.path = made.log.keep(std::string(name.path) + ".dat");
        return finds(made.log, "many_files");
    };
    CHECK(found("lustre", 2));
    CHECK_FALSE(found("tmpfs", 2));
    CHECK(found("tmpfs", 1));
}

TEST_CASE("metadata bound: files that each process opens once leave nothing to open less often")
{
    const auto found = [](std::uint64_t files, std::size_t opens) {
        Synthetic made;
        made.process(-1);
        for (std::uint64_t file = 0; file < files; ++file)
            made.io<PosixRecord>(made.file("/in/" + std::to_string(file)), 0,
                                 {.bytes_read = mib, .read_time = ms, .metadata_time = second});
        made.operations(Layer::posix, Kind::open, 0, std::vector<std::uint64_t>(opens, 100 * ms));
        made.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(300, us));
        return finds(made.log, "metadata_bound");
    };
    CHECK_FALSE(found(40, 49));
    CHECK(found(120, 240));  // twice each
    CHECK(found(210, 210));  // more than 50 are many for one process
}
