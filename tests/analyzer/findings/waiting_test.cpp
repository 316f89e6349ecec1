// Rules about what waits for the device, and what is written for nothing.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Matchers::Contains;

namespace {

// A process that writes 1000 times 1 KiB, 10 ms each, of which so many wait for the device.
Synthetic writing_through(std::uint64_t synced)
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = calls(made, made.file("/data"), 0, Direction::write, 1000, 1024, 10 * ms);
    row.synced_writes = synced;
    row.synced_write_time = synced * 10 * ms;
    return made;
}

// One that syncs so many files, or a folder so often, once each for 50 ms.
Synthetic syncing(int files, NameKind kind = NameKind::file)
{
    Synthetic made;
    made.process(-1);
    for (int file = 0; file < files; ++file) {
        PosixRecord& row = made.io<PosixRecord>(made.file("/d/" + std::to_string(file), kind), 0,
                                                {.bytes_written = 1000, .write_time = 50 * ms});
        row.syncs = 1;
        row.sync_time = 50 * ms;
    }
    return made;
}

// 100 MiB written so often to the same place of a file, in 10 s of a run of 100 s, from the first to the last
// in `span`.
Synthetic writing_over(std::uint64_t times, std::uint64_t span = 10 * second)
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row = made.io<PosixRecord>(made.file("/data"), 0,
                                            {.bytes_written = times * 100 * mib, .write_time = 10 * second});
    row.highest_written = 100 * mib;
    row.first_write = job_start;
    row.last_write = job_start + span;
    return made;
}

// One that computes for 60 s and has so many page faults on a mapped file.
Synthetic faulting(std::uint64_t faults)
{
    Synthetic made;
    made.process(-1);
    Process& process = made.log.rows<Process>().front();
    process.major_faults = faults;
    process.cpu_time = 60 * second;
    process.core_wait = second;
    made.io<PosixRecord>(made.file("/mapped"), 0, {.bytes_read = mib, .read_time = 19 * second})
        .mapped_bytes = mib;
    return made;
}

}  // namespace

TEST_CASE("syncs: writes that wait for the device are reported as such, not as small ones")
{
    const report::Finding one = finding_of(writing_through(1000).log, "frequent_syncs");
    CHECK_THAT(one.title, Contains("1,000 writes that wait for the device"));
    CHECK(cost_of(one) == Approx(10).epsilon(0.01));
    CHECK_THAT(one.advice.front().text, Contains("O_SYNC"));
    CHECK_FALSE(finds(writing_through(1000).log, "small_requests"));
    CHECK(finds(writing_through(500).log, "small_requests"));
    CHECK_FALSE(finds(writing_through(0).log, "frequent_syncs"));
}

TEST_CASE("syncs: large files that are made, synced and renamed under one name are others each time")
{
    const auto log_with = [](std::uint64_t size, std::uint64_t creates) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file("/state.tmp"), 0, Direction::write, 40, size, 250 * ms);
        row.creates = creates;
        row.syncs = 40;
        row.sync_time = 9 * second;
        return made;
    };
    CHECK_FALSE(finds(log_with(mib, 40).log, "frequent_syncs"));
    CHECK(finds(log_with(mib, 39).log, "frequent_syncs"));
    CHECK(finds(log_with(mib - 1, 40).log, "frequent_syncs"));
}

TEST_CASE("syncs: many files or folders once each, but for one, from twenty on")
{
    const report::Finding one = finding_of(syncing(100).log, "frequent_syncs");
    CHECK_THAT(one.title, Contains("100 files synced one by one"));
    CHECK(cost_of(one) == Approx(99 * 0.05));
    CHECK_THAT(lines_of(one), Contains("syncfs"));
    CHECK(finds(syncing(100, NameKind::directory).log, "frequent_syncs"));
    Synthetic few = syncing(20);
    few.log.rows<Process>().front().end = job_start + 2 * second;
    CHECK(finds(few.log, "frequent_syncs"));
    few.log.rows<PosixRecord>().pop_back();
    CHECK_FALSE(finds(few.log, "frequent_syncs"));
}

TEST_CASE(
    "written again: what was written over at once, but not a state that is kept up to date or made anew")
{
    const report::Finding one = finding_of(writing_over(4).log, "written_again");
    CHECK_THAT(one.title, Contains("300 MiB written over"));
    CHECK(cost_of(one) == Approx(7.5));
    CHECK_FALSE(finds(writing_over(1).log, "written_again"));
    CHECK(finds(writing_over(4, 20 * second).log, "written_again"));
    CHECK_FALSE(finds(writing_over(4, 20 * second + 1).log, "written_again"));
    Synthetic anew = writing_over(4);
    anew.log.rows<PosixRecord>().front().creates = 4;
    CHECK_FALSE(finds(anew.log, "written_again"));
    Synthetic read = writing_over(4);
    read.log.rows<PosixRecord>().front().bytes_read = 41 * mib;
    CHECK_FALSE(finds(read.log, "written_again"));
}

TEST_CASE("mapped faults: the time that nothing else explains, no more than a fault can take")
{
    // 100 s, of which 60 s computing, 1 s waiting for a core, 19 s in calls.
    // Of the computing, 10 to 70 µs a fault are the kernel's.
    const report::Finding many = finding_of(faulting(1'000'000).log, "mapped_faults");
    CHECK(cost_of(many) == Approx(20 + 60));
    CHECK(*many.cost_least == Approx(20 + 10));
    const report::Finding one = finding_of(faulting(50'000).log, "mapped_faults");
    CHECK(cost_of(one) == Approx(20 + 3.5));
    CHECK(*one.cost_least == Approx(10 + 0.5));
    CHECK(cost_of(faulting(500).log, "mapped_faults") == Approx(5 + 0.035));  // of a slow disk
    // 2 s of 40 s, or none.
    const auto few = [](std::uint64_t faults) {
        Synthetic made = faulting(faults);
        made.log.rows<Process>().front().end = job_start + 40 * second;
        made.log.rows<Process>().front().cpu_time = second;
        return made;
    };
    CHECK(finds(few(200).log, "mapped_faults"));
    CHECK_FALSE(finds(few(199).log, "mapped_faults"));
    Synthetic none = faulting(50'000);
    none.log.rows<PosixRecord>().front().mapped_bytes = 0;
    CHECK_FALSE(finds(none.log, "mapped_faults"));
    // 20 s for 4 million faults and more: pages that are filled with zeros.
    CHECK(finds(faulting(4'000'000).log, "mapped_faults"));
    CHECK_FALSE(finds(faulting(4'000'001).log, "mapped_faults"));
    Synthetic threads = faulting(4'000'001);
    threads.log.rows<Process>().front().threads = 2;
    CHECK(finds(threads.log, "mapped_faults"));
}

TEST_CASE("slow storage: large requests at less than 100 MiB/s, where nothing else explains half of it")
{
    const auto log_with = [](std::uint64_t each) {
        Synthetic made;
        made.process(-1);
        calls(made, made.file("/data"), 0, Direction::write, 100, 10 * mib, each);
        return made;
    };
    const report::Finding one = finding_of(log_with(200 * ms).log, "slow_storage");
    CHECK(one.title == "The storage gives 50.0 MiB/s to large requests");
    CHECK(cost_of(one) == Approx(20 - 2));
    CHECK_FALSE(finds(log_with(100 * ms).log, "slow_storage"));
    Synthetic locked = log_with(200 * ms);
    locked.io<PosixRecord>(locked.file("/lock"), 0, {.metadata_time = 10 * second}).lock_time = 10 * second;
    CHECK_FALSE(finds(locked.log, "slow_storage"));
}

TEST_CASE("stdio: without the time of making text, and what the clock adds to each call")
{
    const auto log_with = [](std::uint64_t formatted, std::uint64_t clock_cost) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().clock_cost = clock_cost;
        StdioRecord& row = made.io<StdioRecord>(made.file("/text"), 0,
                                                {.bytes_written = 100 * mib, .write_time = 20 * second});
        row.writes = 1'000'000'000;
        row.formatted = formatted;
        row.format_time = formatted * 20;
        return made;
    };
    const double moving = 100 / 2048.0;
    CHECK(cost_of(log_with(0, 0).log, "stdio_bulk") == Approx(20 - moving));
    CHECK(cost_of(log_with(0, 5).log, "stdio_bulk") == Approx(15 - moving));
    CHECK_FALSE(finds(log_with(1'000'000'000, 0).log, "stdio_bulk"));
}

TEST_CASE("stdio: calls that the buffer serves are not timed, what they take is assumed")
{
    const auto log_with = [](std::uint64_t size, std::uint64_t served, std::uint64_t core_wait = 0,
                             std::uint64_t threads = 1) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().threads = threads;
        made.log.rows<Process>().front().cpu_time = 10 * second;
        made.log.rows<Process>().front().core_wait = core_wait;
        large(made, made.file("/reference"), 0, Direction::read);
        StdioRecord& row = made.io<StdioRecord>(made.file("/text"), 0,
                                                {.bytes_read = served * size, .read_time = 20 * second});
        row.reads = row.buffered_reads = served;
        return finding_of(made.log, "stdio_bulk");
    };
    constexpr std::uint64_t count = 1'000'000'000;
    const double moving = static_cast<double>(count) / (1024.0 * mib);
    CHECK(cost_of(log_with(1, count)) == Approx(20 - moving + 4).epsilon(1e-3));
    CHECK(cost_of(log_with(2, count)) == Approx(20 - 2 * moving + 15).epsilon(1e-3));
    // Beside other programs, each takes longer.
    CHECK(cost_of(log_with(1, count, 10 * second)) == Approx(20 - moving + 8).epsilon(1e-3));
    CHECK(cost_of(log_with(2, count, 10 * second)) == Approx(20 - 2 * moving + 15).epsilon(1e-3));
    // Where there are threads, a character takes a lock.
    CHECK(cost_of(log_with(1, count, 0, 2)) == Approx(20 - moving + 10).epsilon(1e-3));
    CHECK(log_with(1, count).confidence == report::Confidence::high);
    CHECK(log_with(2, 3 * count).confidence == report::Confidence::medium);  // most of it is assumed
}

TEST_CASE("stdio: a seek before each piece belongs to it, of half of them not")
{
    const auto cost_with = [](std::uint64_t seeks) {
        Synthetic made;
        made.process(-1);
        StdioRecord& row = made.io<StdioRecord>(
            made.file("/text"), 0,
            {.bytes_read = 100 * mib, .read_time = 20 * second, .metadata_time = 10 * second});
        row.reads = 1'000'000;
        row.seeks = seeks;
        return cost_of(made.log, "stdio_bulk");
    };
    const double moving = 100 / 2048.0;
    CHECK(cost_with(500'000) == Approx(20 - moving));
    CHECK(cost_with(500'001) == Approx(30 - moving));
}

TEST_CASE("written again: with the syncs that had 16 MiB to write")
{
    const auto cost_with = [](std::uint64_t syncs) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = calls(made, made.file("/field"), 0, Direction::write, 64, 4 * mib, 500 * ms);
        row.highest_written = 128 * mib;
        row.first_write = job_start;
        row.last_write = job_start + 33 * second;
        row.syncs = syncs;
        row.sync_time = 16 * second;
        return cost_of(made.log, "written_again");
    };
    CHECK(cost_with(16) == Approx(16));
    CHECK(cost_with(17) == Approx(8));
}

TEST_CASE("one finding a fault: a rank that is slow for a reason of its own is reported by that reason")
{
    Synthetic made;
    made.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank) large(made, made.file("/own" + std::to_string(rank)), rank);
    calls(made, made.file("/lines"), 2, Direction::write, 100'000, 100, 200 * us);
    CHECK(finds(made.log, "small_requests"));
    CHECK_FALSE(finds(made.log, "stragglers"));
}

TEST_CASE("stragglers: not where the rank's thread waited for a core as long")
{
    Synthetic made;
    made.ranks(3);
    for (std::int64_t rank = 0; rank < 3; ++rank)
        made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                             {.bytes_written = 100 * mib, .write_time = (rank == 1 ? 30 : 10) * second});
    CHECK(finds(made.log, "stragglers"));
    made.log.rows<Process>()[1].core_wait = 11 * second;
    CHECK_FALSE(finds(made.log, "stragglers"));
    for (Process& process : made.log.rows<Process>()) process.core_wait = 20 * second - 1;
    CHECK(finds(made.log, "stragglers"));
    for (Process& process : made.log.rows<Process>()) process.core_wait = 20 * second;  // all of it, perhaps
    CHECK_FALSE(finds(made.log, "stragglers"));
}

TEST_CASE("one finding a fault: a journal that is made, synced and removed for each change is the syncs'")
{
    Synthetic made;
    made.process(-1);
    PosixRecord& row =
        made.io<PosixRecord>(made.file("/x.db-journal"), 0,
                             {.bytes_written = mib, .write_time = 20 * second, .metadata_time = 15 * second});
    row.opens = row.closes = 300;
    row.syncs = 600;
    row.sync_time = 20 * second;
    const auto found = found_in(made.log);
    REQUIRE(found.size() == 1);
    CHECK(found[0].id == "frequent_syncs");
    CHECK(cost_of(found[0]) == Approx(35).epsilon(0.01));
    made.log.rows<PosixRecord>().front().syncs =
        1201;  // more than four each time: the file is kept open for them
    CHECK(finds(made.log, "open_close_churn"));
}
