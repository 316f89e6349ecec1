// How far each invariant lets numbers be apart, and no further: on made-up logs, one step at both sides.
#include <catch2/catch.hpp>
#include <functional>

#include "analyzer/sections/trust/cut_short.h"
#include "analyzer/sections/trust/invariant_checks.h"
#include "tests/analyzer/imported.h"
#include "tests/analyzer/sections/sound_log.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

bool breaks(std::string_view id, const std::function<void(Log&)>& harm)
{
    return broken_by(harm).contains(std::string(id));
}

// What a check says first about a log that was harmed.
std::string says(std::string_view id, const std::function<void(Log&)>& harm)
{
    Synthetic made = sound();
    harm(made.log);
    return outcome_of(made.log, id).example;
}

// An imported log with a file that four ranks share.
Imported shared_file()
{
    Imported made(4);
    auto& row =
        made.shared<PosixRecord>(made.file("/shared"), {{.bytes_written = 8 * mib, .write_time = 40 * second},
                                                        {2, 20 * second, 2 * mib},
                                                        {1, second, 2 * mib}});
    row.first_open = row.first_write = job_start + second;
    row.last_open = row.last_write = job_start + 90 * second;
    return made;
}

}  // namespace

TEST_CASE("sizes: of reads and of writes alike, one more in a class than there are calls")
{
    CHECK(breaks("sizes_are_calls", [](Log& log) { ++record_of(log).write_size.count[5]; }));
    CHECK_THAT(says("sizes_are_calls", [](Log& log) { ++record_of(log).read_size.count[9]; }),
               Contains("POSIX, /out0: 1 reads, 2 by size; 1 writes, 1 by size"));
    CHECK_FALSE(breaks("sizes_are_calls", [](Log& log) {
        ++record_of(log).write_size.count[5];
        log.not_recorded.insert("posix.read_size_0_100");
    }));
}

TEST_CASE("bytes: no fewer than the classes' least and no more than their most")
{
    const auto read = [](std::uint64_t bytes) {
        return breaks("bytes_fit_sizes", [&](Log& log) { record_of(log).bytes_read = bytes; });
    };
    CHECK_FALSE(read(mib));  // of 100 KiB + 1 to 1 MiB
    CHECK(read(mib + 1));
    CHECK_FALSE(read((100 << 10) + 1));
    CHECK(read(100 << 10));
    const auto written = [](std::uint64_t bytes) {
        return breaks("bytes_fit_sizes", [&](Log& log) { record_of(log).bytes_written = bytes; });
    };
    CHECK_FALSE(written(4 * mib));
    CHECK(written(4 * mib + 1));
    CHECK_FALSE(breaks("bytes_fit_sizes", [](Log& log) {  // the last class has no end
        record_of(log).read_size.count = {};
        record_of(log).read_size.count[9] = 1;
        record_of(log).bytes_read = std::uint64_t{1} << 60;
    }));
    CHECK_FALSE(breaks("bytes_fit_sizes", [](Log& log) {
        record_of(log).bytes_read = 1;
        log.rows<Process>().front().ending = static_cast<std::uint64_t>(Ending::killed);
        log.rows<Process>().front().threads = 1;
    }));
    CHECK_THAT(says("bytes_fit_sizes", [](Log& log) { record_of(log).bytes_read = 7; }),
               Contains("7 bytes in 1 reads, 2097152 in 1 writes"));
}

TEST_CASE("patterns: as many forwards or strided as there are calls, and no more")
{
    const auto set = [](std::uint64_t Pattern::*counter, std::uint64_t count) {
        return breaks("patterns_are_calls", [&](Log& log) {
            Pattern& pattern = record_of(log);
            pattern.consecutive_reads = 0;
            pattern.*counter = count;
        });
    };
    for (const auto counter :
         {&Pattern::sequential_reads, &Pattern::consecutive_reads, &Pattern::strided_reads,
          &Pattern::sequential_writes, &Pattern::consecutive_writes, &Pattern::strided_writes}) {
        CHECK_FALSE(set(counter, 1));
        CHECK(set(counter, 2));
    }
    CHECK(breaks("patterns_are_calls",
                 [](Log& log) { record_of(log).sequential_writes = record_of(log).consecutive_writes = 1; }));
    CHECK_THAT(says("patterns_are_calls", [](Log& log) { record_of(log).sequential_reads = 4; }),
               Contains("1 reads, 5 forwards, 0 strided; 1 writes, 0 forwards, 0 strided"));
}

TEST_CASE("instants: a millisecond before the start and after the end is a clock's error, and no more")
{
    const auto first = [](std::uint64_t at) {
        return breaks("instants_in_order", [&](Log& log) { record_of(log).first_read = at; });
    };
    CHECK_FALSE(first(job_start - second / 1000));
    CHECK(first(job_start - second / 1000 - 1));
    const auto last = [](std::uint64_t at) {
        return breaks("instants_in_order", [&](Log& log) { record_of(log).last_write = at; });
    };
    const std::uint64_t end = job_start + 100 * second;
    CHECK_FALSE(last(end + second / 1000));
    CHECK(last(end + second / 1000 + 1));
    CHECK_FALSE(last(job_start + second));  // the first is the last
    CHECK(last(job_start + second - 1));
    CHECK(last(0));
    CHECK_FALSE(breaks("instants_in_order",
                       [](Log& log) { record_of(log).first_close = record_of(log).last_close = 0; }));
    CHECK(breaks("instants_in_order", [](Log& log) { record_of(log).last_open = 0; }));
    CHECK_THAT(
        says("instants_in_order", [](Log& log) { record_of(log).first_read = job_start - 2 * second; }),
        Contains("from -2000000000 to 2000000000 ns after the job's start, which took 100000000000 ns"));
}

TEST_CASE("instants: other tools say the job's start in whole seconds, and some times not at all")
{
    const auto holds = [](const std::function<void(PosixRecord&)>& change) {
        Imported made = shared_file();
        change(made.log.rows<PosixRecord>().front());
        return outcome_of(made.log, "instants_in_order").failed == 0;
    };
    CHECK(holds([](PosixRecord& row) { row.first_open = job_start - second; }));
    CHECK_FALSE(holds([](PosixRecord& row) { row.first_open = job_start - second - 1; }));
    Imported made = shared_file();
    made.log.rows<PosixRecord>().front().first_write = job_start - 9 * second;
    CHECK(outcome_of(made.log, "instants_in_order").failed == 1);
    made.log.not_recorded.insert("posix.first_write");
    CHECK(outcome_of(made.log, "instants_in_order").failed == 0);
    made.log.not_recorded.erase("posix.first_write");
    made.log.not_recorded.insert("posix.last_write");
    CHECK(outcome_of(made.log, "instants_in_order").failed == 0);
}

TEST_CASE("sharing: no more readers and writers than users, and some where bytes were moved")
{
    const auto set = [](std::uint64_t Sharing::*counter, std::uint64_t count) {
        return breaks("sharing_agrees", [&](Log& log) {
            Sharing& sharing = record_of(log);
            sharing.processes = 2;
            sharing.*counter = count;
        });
    };
    for (const auto counter : {&Sharing::readers, &Sharing::writers}) {
        CHECK(set(counter, 0));
        CHECK_FALSE(set(counter, 2));
        CHECK(set(counter, 3));
    }
    CHECK(breaks("sharing_agrees", [](Log& log) { record_of(log).bytes_read = 0; }));
    CHECK(breaks("sharing_agrees", [](Log& log) { record_of(log).bytes_written = 0; }));
    for (const char* const column : {"posix.readers", "posix.writers"})
        CHECK_FALSE(breaks("sharing_agrees", [&](Log& log) {
            record_of(log).readers = 9;
            log.not_recorded.insert(column);
        }));
    CHECK_THAT(says("sharing_agrees", [](Log& log) { record_of(log).readers = 3; }),
               Contains("1 processes, 3 of them read 1048576 bytes, 1 wrote 2097152"));
}

TEST_CASE(
    "extremes: the slowest took no less than the mean, and no more than all, but for a thousandth and a "
    "millisecond")
{
    const auto holds = [](std::uint64_t slowest) {
        Imported made = shared_file();
        made.log.rows<PosixRecord>().front().slowest.time = slowest;
        const Outcome outcome = outcome_of(made.log, "extremes_fit");
        CHECK(outcome.checked == 1);
        return outcome.failed == 0;
    };
    constexpr std::uint64_t ms = second / 1000;
    CHECK(holds(10 * second));
    CHECK(holds(9990 * ms));
    CHECK_FALSE(holds(9988 * ms));
    CHECK(holds(40 * second));
    CHECK(holds(40'040 * ms));
    CHECK_FALSE(holds(40'042 * ms));
    Imported made = shared_file();
    auto& row = made.log.rows<PosixRecord>().front();
    row.read_time = 400 * second;
    CHECK(outcome_of(made.log, "extremes_fit").failed == 1);
    CHECK_THAT(outcome_of(made.log, "extremes_fit").example,
               Contains("20000000000 ns by the slowest, 440000000000 ns by all 4"));
    row.read_time = 0;
    row.metadata_time = 60 * second;
    CHECK(outcome_of(made.log, "extremes_fit").failed == 1);
    row.slowest.process = -1;  // not told
    CHECK(outcome_of(made.log, "extremes_fit").checked == 0);
    row.slowest.process = 0;
    CHECK(outcome_of(made.log, "extremes_fit").checked == 1);
    row.processes = 0;
    CHECK(outcome_of(made.log, "extremes_fit").checked == 0);
    made.own<PosixRecord>(made.file("/own"), 0, {.bytes_written = 1});
    CHECK(outcome_of(made.log, "extremes_fit").checked == 0);
}

TEST_CASE("references: of each table to a process, and of records to a name")
{
    const auto refers = [](const std::function<void(Log&)>& harm) { return says("references_exist", harm); };
    CHECK_THAT(refers([](Log& log) { record_of(log).process = 5; }), Contains("records: process 5"));
    CHECK_THAT(refers([](Log& log) { log.rows<Totals>().front().process = 6; }),
               Contains("totals: process 6"));
    CHECK_THAT(refers([](Log& log) { log.rows<Slice>().front().process = 7; }),
               Contains("time_bins: process 7"));
    CHECK_THAT(refers([](Log& log) {
                   log.rows<Burst>().push_back({8, 0, 0});
               }),
               Contains("bursts: process 8"));
    CHECK_THAT(refers([](Log& log) { record_of(log).file = 0xabc; }),
               Contains("POSIX, file abc has no name"));
    CHECK_FALSE(breaks("references_exist", [](Log& log) { record_of(log).process = reduced; }));
    CHECK_FALSE(breaks("references_exist", [](Log& log) { log.rows<Totals>().front().process = reduced; }));
    CHECK(outcome_of(sound().log, "references_exist").checked == 2 * (1 + 1 + 1 + 1));
}

TEST_CASE("calls cut short: one a thread, of processes that did not end by themselves or had several")
{
    Synthetic made;
    made.ranks(5);
    auto& processes = made.log.rows<Process>();
    processes[0].threads = 1;
    processes[1].threads = 2;
    processes[2].threads = 1;
    processes[2].ending = static_cast<std::uint64_t>(Ending::killed);
    processes[3].threads = 1;
    processes[3].ending = static_cast<std::uint64_t>(Ending::finalized);
    processes[4].threads = 4;
    processes[4].ending = static_cast<std::uint64_t>(Ending::running);
    const CutShort cut(made.log);
    CHECK(cut.of(0) == 0);
    CHECK(cut.of(1) == 2);
    CHECK(cut.of(2) == 1);
    CHECK(cut.of(3) == 0);
    CHECK(cut.of(4) == 4);
    CHECK(cut.of(99) == 0);
    CHECK(cut.of(reduced) == 7);
    CHECK(cut.all() == 7);
    CHECK(differ_by_at_most(2, 5, 7));
    CHECK(differ_by_at_most(2, 7, 5));
    CHECK_FALSE(differ_by_at_most(2, 5, 8));
    CHECK_FALSE(differ_by_at_most(2, 8, 5));
    CHECK(differ_by_at_most(0, 3, 3));
}
