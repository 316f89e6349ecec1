// What is missing from a log, one kind at a time, and from those of other tools.
#include "analyzer/sections/trust/missing.h"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "logformat/blocks/columns.h"
#include "tests/analyzer/imported.h"
#include "tests/analyzer/sections/sound_log.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

std::vector<std::string> missing_after(const std::function<void(Log&)>& change)
{
    Synthetic made = sound();
    change(made.log);
    return missing_from(Job(made.log));
}

using Sentences = std::vector<std::string>;

}  // namespace

TEST_CASE("missing: numbers are added up over all processes, and reported in the singular and the plural")
{
    const auto set = [](std::uint64_t Process::*number, std::uint64_t first, std::uint64_t last) {
        return missing_after([&](Log& log) {
            log.rows<Process>().front().*number = first;
            log.rows<Process>().back().*number = last;
        });
    };
    CHECK(set(&Process::missed, 1, 0) ==
          Sentences{"Not counted: 1 call, of which neither file nor bytes are known."});
    CHECK(set(&Process::missed, 1000, 234) ==
          Sentences{"Not counted: 1,234 calls, of which neither file nor bytes are known."});
    CHECK(set(&Process::untimed, 1, 1) ==
          Sentences{"Not timed for want of room: 2 operations, which are in no histogram and no time bin."});
    CHECK(set(&Process::untraced, 3, 4) ==
          Sentences{"Not in the trace for want of room: 7 of 7 operations."});
    CHECK(set(&Process::trace_lost, 3, 4) ==
          Sentences{"Lost from the trace: the last 7 operations of processes that were killed."});
    CHECK(set(&Process::traced, 3, 4).empty());
}

TEST_CASE("missing: how many processes ended in which way")
{
    const auto ended = [](Ending ending) {
        return missing_after([&](Log& log) {
            for (Process& process : log.rows<Process>()) process.ending = static_cast<std::uint64_t>(ending);
        });
    };
    CHECK(ended(Ending::unknown) == Sentences{"Nobody saw the end of 2 processes."});
    CHECK(ended(Ending::killed) ==
          Sentences{"Ended by a signal: 2 processes. A call that was under way then is not counted."});
    CHECK(ended(Ending::finalized).empty());
    CHECK(missing_after([](Log& log) {
              log.rows<Process>().front().ending = static_cast<std::uint64_t>(Ending::unknown);
              log.not_recorded.insert("processes.ending");
          }).empty());
}

TEST_CASE("missing: facts of one name, files without room, and tables of which no column was recorded")
{
    CHECK(
        missing_after([](Log& log) {
            log.add_fact("not_recorded", "one");
            log.add_fact("not_recorded", "");
            log.add_fact("not_recorded", "two");
        }) ==
        Sentences{
            "Not recorded: these programs, which the job started and which cannot be preloaded: one, two."});
    CHECK(missing_after([](Log& log) {
              record_of(log).file = 999;
              log.rows<FileName>().push_back({999, static_cast<std::uint64_t>(NameKind::overflow), "/", 40});
          }) ==
          Sentences{
              "Not listed by file: about 40 files for which a process had no room; each file system has one "
              "record for all of them."});
    CHECK(missing_after([](Log& log) {
              record_of(log).file = 999;
              log.rows<FileName>().push_back({999, static_cast<std::uint64_t>(NameKind::by_path), "/", 40});
          }).empty());
    const auto without_bursts = [](std::size_t left) {
        return missing_after([&](Log& log) {
            const Columns columns = columns_of<Burst>();
            for (std::size_t at = left; at < columns.count; ++at)
                log.not_recorded.insert("bursts." + std::string(columns.column[at].label()));
        });
    };
    CHECK(without_bursts(0) ==
          Sentences{"Not recorded by the version that made the log: the tables bursts."});
    CHECK(without_bursts(1).empty());
}

TEST_CASE("missing: what logs of another tool never have, and what this one does not have either")
{
    Imported made(2);
    made.shared<PosixRecord>(made.file("/shared"),
                             {{.bytes_written = mib, .write_time = second}, {0, second, mib}, {1, 1, 1}});
    const Sentences all = missing_from(Job(made.log));
    REQUIRE(all.size() == 2);
    CHECK_THAT(
        all[0],
        Contains(
            "which does not record closes, failed calls, time in syncs apart from writes, which files were "
            "created, locks, process numbers."));
    CHECK(all[1] ==
          "This log does not have: of files that all ranks opened, which rank did what (the slowest "
          "and the fastest are "
          "known); when I/O happened, beyond first and last times; how long single operations took; the "
          "nodes.");
    Imported apart(2);
    apart.own<PosixRecord>(apart.file("/own"), 0, {.bytes_written = mib, .write_time = second});
    apart.slice(0, Layer::posix, 1, second, {.bytes_written = mib});
    apart.operations(Layer::posix, Kind::write, 4, {1000});
    CHECK(missing_from(Job(apart.log)).back() == "This log does not have: the nodes.");
    for (Process& process : apart.log.rows<Process>()) process.host = "node";
    CHECK(missing_from(Job(apart.log)).size() == 1);
    apart.log.problems.push_back("cut off");
    CHECK_THAT(missing_from(Job(apart.log)).front(), Contains("Incomplete or damaged: 1 problem ("));
}
