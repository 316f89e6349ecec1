// `fathom convert` as users type it.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "parsers/darshan/file.h"
#include "parsers/open.h"
#include "tests/analyzer/convert/inflated.h"
#include "tests/analyzer/synthetic.h"
#include "tests/parsers/darshan_logs.h"
#include "tests/parsers/small_darshan_logs.h"
#include "tests/run_fathom.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

Ran run_convert(const std::string& arguments)
{
    return run_fathom("convert " + arguments);
}

}  // namespace

TEST_CASE("a log is converted from each form to each, by the suffix or by --to")
{
    const TemporaryFolder folder;
    const std::string first = write_small_darshan_logs(folder.path)[0];
    const std::string ours = folder.path / "a.fathom", theirs = folder.path / "b.darshan",
                      copy = folder.path / "copy", again = folder.path / "again.fathom";
    CHECK(run_convert(first + " " + ours).status == 0);
    CHECK(run_convert(ours + " " + theirs).status == 0);
    CHECK(run_convert(first + " " + copy + " --to darshan").status == 0);
    CHECK(run_convert(ours + " " + again).status == 0);
    const Log log = open_dataset(ours);
    CHECK(log.fact("source") == "darshan");
    CHECK(log.rows<PosixRecord>().size() == 3);
    CHECK(!log.rows<TracePiece>().empty());
    CHECK(darshan::File(theirs).modules().size() == darshan::File(first).modules().size());
    CHECK(darshan::File(copy).job().command == "./app -o /scratch/out");
    CHECK(read_log(again).rows<PosixRecord>().size() == 3);
}

TEST_CASE("a note is reported by the log that has it, of either form")
{
    const TemporaryFolder folder;
    const std::string first = write_small_darshan_logs(folder.path)[0];
    for (const char* const name : {"noted.darshan", "noted.fathom"}) {
        const std::string noted = folder.path / name;
        CHECK(run_convert(fmt::format("{} {} --note 'before tuning'", first, noted)).status == 0);
        CHECK(open_dataset(noted).fact("note") == "before tuning");
    }
}

TEST_CASE("a log is not written over itself, and what is asked for has to be clear")
{
    const TemporaryFolder folder;
    const std::string first = write_small_darshan_logs(folder.path)[0];
    const std::string before = bytes_of(first);
    fs::create_hard_link(first, folder.path / "link.darshan");
    const Ran same = run_convert(first + " " + (folder.path / "link.darshan").string());
    CHECK(same.status == 2);
    CHECK_THAT(same.said, Contains("this is the log to convert"));
    CHECK(bytes_of(first) == before);
    const Ran no_suffix = run_convert(first + " " + (folder.path / "out").string());
    CHECK(no_suffix.status == 2);
    CHECK_THAT(no_suffix.said, Contains("--to darshan or --to fathom"));
    const Ran no_file = run_convert(first + " " + (folder.path / "x.darshan").string() + " --only nowhere");
    CHECK(no_file.status == 1);
    CHECK_THAT(no_file.said, Contains("no file is called nowhere"));
    CHECK(!fs::exists(folder.path / "x.darshan"));
    const Ran no_name = run_convert(first + " " + (folder.path / "x.darshan").string() + " --key " + first);
    CHECK(no_name.status == 2);
    CHECK(run_convert((folder.path / "none.darshan").string() + " " + (folder.path / "x.darshan").string())
              .status == 1);
}

TEST_CASE("every way from one form to the other leaves no name where none is wanted")
{
    const TemporaryFolder folder;
    const std::string first = write_small_darshan_logs(folder.path)[0], ours = folder.path / "ours.fathom";
    REQUIRE(run_convert(first + " " + ours).status == 0);
    for (const std::string& from : {first, ours}) {
        const std::string anonymous = folder.path / "anonymous.darshan",
                          log = folder.path / "anonymous.fathom";
        REQUIRE(run_convert(from + " " + anonymous + " --anonymize").status == 0);
        const std::string bytes = inflated_regions(anonymous);
        for (const char* const word : {"scratch", "out", "app", "node1", "data", "fast"}) {
            INFO(from << " " << word);
            CHECK(bytes.find(word) == std::string::npos);
        }
        REQUIRE(run_convert(from + " " + log + " --anonymize").status == 0);
        const Log back = read_log(log);
        for (const FileName& name : back.rows<FileName>())
            CHECK(name.path.find("scratch") == std::string_view::npos);
        for (const Process& process : back.rows<Process>()) CHECK(process.host != "node1");
        CHECK(back.fact("command") != "./app -o /scratch/out");
    }
}

TEST_CASE("what has no place is reported on standard error")
{
    const TemporaryFolder folder;
    Synthetic made;
    made.ranks(2);
    made.io<PosixRecord>(made.file("/a"), 0, {1, 2, 3, 4, 5}).unlinks = 3;
    const std::string ours = folder.path / "ours.fathom";
    write_log(made.log, ours);
    const Ran outcome = run_convert(ours + " " + (folder.path / "a.darshan").string());
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.said, Contains("left out: counters of posix: unlinks 3"));
}
