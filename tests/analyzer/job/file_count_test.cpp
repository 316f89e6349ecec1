// How many files there were where some have no record of their own.
#include "analyzer/job/file_count.h"

#include <catch2/catch.hpp>

#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

namespace fathom::testing {
namespace {

void use_files(Synthetic& made, std::int64_t process, int from, int to,
               const Io& done = {.bytes_written = 10})
{
    for (int number = from; number < to; ++number)
        made.io<PosixRecord>(made.file("/d/" + std::to_string(number)), process, done);
}

// Files of a process that have no record of their own.
std::uint64_t further_files(Synthetic& made, std::uint64_t files)
{
    const std::uint64_t id = made.file("/d/<further files>", NameKind::overflow);
    made.log.rows<FileName>().back().files = files;
    return id;
}

std::string counted(const Synthetic& made, std::optional<Direction> direction = {})
{
    return count_files(Job(made.log), direction).words();
}

}  // namespace

TEST_CASE("files are counted exactly where all have records, and about where one process had no room")
{
    Synthetic made;
    made.process(-1);
    use_files(made, 0, 0, 1500);
    CHECK(counted(made) == "1,500");
    PosixRecord& further = made.io<PosixRecord>(further_files(made, 2000), 0, {.bytes_written = 5 * mib});
    further.writes = 2500;
    further.opens = 2000;
    CHECK(counted(made) == "about 3,500");
    CHECK(counted(made, Direction::write) == "about 3,500");
    CHECK(counted(made, Direction::read) == "0");
    further.writes = 100;  // so many calls cannot have written more files
    CHECK(counted(made, Direction::write) == "about 1,600");
    further.opens = 0;  // nor the one file that the process was given open, whatever else it looked at
    CHECK(counted(made, Direction::write) == "about 1,501");
}

TEST_CASE(
    "files that were not opened are counted together, and are no fewer than those that were opened later")
{
    Synthetic made;
    made.process(-1);
    use_files(made, 0, 0, 1500);
    for (int number = 1500; number < 2500; ++number)
        made.io<PosixRecord>(made.file("/d/" + std::to_string(number)), 0, {}).opens = 0;
    const std::uint64_t rest = made.file("/d/<files that were not opened>", NameKind::by_path);
    made.log.rows<FileName>().back().files = 1000;
    made.io<PosixRecord>(rest, 0, {}).opens = 0;
    CHECK(counted(made) == "at least 2,500");  // the thousand may be among the 1,500
    CHECK(counted(made, Direction::write) == "1,500");
    made.log.rows<FileName>().back().files = 5000;
    CHECK(counted(made) == "at least 6,000");
}

TEST_CASE("files of several processes that had no room are at least as many as those of one of them")
{
    Synthetic made;
    made.process(-1);
    made.process(-1);
    use_files(made, 0, 0, 100);
    use_files(made, 1, 100, 250);
    made.io<PosixRecord>(made.file("/e/1"), 1, {.bytes_written = 10});
    const std::uint64_t rest = further_files(made, 200);
    made.io<PosixRecord>(rest, 0, {.bytes_written = mib});
    CHECK(counted(made) == "at least 301");  // 100 and 200 of the first process, and one elsewhere
    made.io<PosixRecord>(rest, 1, {.bytes_written = mib});
    CHECK(counted(made) == "at least 301");
    made.log.rows<FileName>().back().files = 10;
    CHECK(counted(made) == "at least 251");
}

TEST_CASE("a report has one number of files, wherever it says it")
{
    Synthetic made;
    made.process(-1);
    use_files(made, 0, 0, 300);
    PosixRecord& rest = made.io<PosixRecord>(further_files(made, 700), 0,
                                             {.bytes_written = mib, .metadata_time = 50 * second});
    rest.opens = rest.writes = 700;
    const std::string text = report_text(made.log);
    CHECK_THAT(text, Catch::Contains("about 1,000 files"));
    CHECK_THAT(text, Catch::Contains("About 1,000 files with"));
    CHECK_THAT(text, Catch::Contains("of about 1,000 in"));
    CHECK_THAT(text, Catch::Contains("About 700 more files, with 0 B read and 1 MiB written"));
    CHECK_THAT(text, !Catch::Contains(" 300 files"));
}

}  // namespace fathom::testing
