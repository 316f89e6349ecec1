// What the rules look at: which calls give the measure of a fast one, what a second in I/O costs the run, and
// what makes findings less sure.
#include "analyzer/findings/scene.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "analyzer/findings/remedy.h"
#include "analyzer/findings/sizes.h"
#include "analyzer/job/measured_rates.h"
#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"
#include "tests/analyzer/findings/imported_calls.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

bool measured(std::uint64_t count, std::uint64_t size, Direction direction = Direction::write)
{
    Synthetic made;
    made.process(-1);
    calls(made, made.file("/large"), 0, direction, count, size, ms);
    const Job job(made.log);
    return Scene(job).reference(direction).measured;
}

// A process without MPI, from so many seconds after the job's start to so many, with so many of them in I/O.
void add_process(Synthetic& made, std::uint64_t from, std::uint64_t to, std::uint64_t in_io)
{
    const std::int64_t number = made.process(-1);
    made.log.rows<Process>().back().start = job_start + from * second;
    made.log.rows<Process>().back().end = job_start + to * second;
    made.io<PosixRecord>(made.file("/file" + std::to_string(number)), number,
                         {.bytes_written = mib, .write_time = in_io * second});
}

// Ranks that write a file of their own each, for 10, 50 and 20 s.
Synthetic three_ranks()
{
    Synthetic made;
    made.ranks(3);
    std::int64_t rank = 0;
    for (const std::uint64_t seconds : {10, 50, 20}) {
        made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                             {.bytes_written = mib, .write_time = seconds * second});
        ++rank;
    }
    return made;
}

}  // namespace

TEST_CASE("cost: what one rank alone does counts, though another has as much to do at another time")
{
    // Rank 0 opens files for 10 s, then rank 1 writes for 10 s; or both at the same time.
    const auto cost_with = [](std::uint64_t second_from) {
        Synthetic made;
        made.ranks(2);
        PosixRecord& opened = made.io<PosixRecord>(made.file("/opened"), 0, {.metadata_time = 10 * second});
        opened.opens = 1000;
        made.io<PosixRecord>(made.file("/written"), 1, {.bytes_written = mib, .write_time = 10 * second});
        for (std::uint64_t at = 0; at < 10; ++at) {
            made.slice(0, Layer::posix, at, second, {.metadata_time = second});
            made.slice(1, Layer::posix, second_from + at, second,
                       {.bytes_written = mib / 10, .write_time = second});
        }
        const Job job(made.log);
        LostTime lost(job);
        lost.add(job.ranks[0], 8e9);
        return Scene(job).cost(lost);
    };
    CHECK(cost_with(50) == Approx(8));
    CHECK(cost_with(5) == Approx(5));
    CHECK(cost_with(0) == Approx(0));
}

TEST_CASE("cost: of ranks that do their I/O one after the other, what all of them spend is waited for")
{
    // Each of two ranks writes for a second, four times; the second one right after the first, or beside it.
    const auto cost_with = [](double later, std::size_t turns) {
        Synthetic made;
        made.ranks(2);
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                                 {.bytes_written = mib, .write_time = 4 * second});
            for (std::size_t turn = 0; turn < turns; ++turn) {
                const double from = static_cast<double>(turn) * 10 + (rank == 0 ? 0 : later);
                made.burst(rank, from, from + 1);
            }
        }
        const Job job(made.log);
        LostTime lost(job);
        for (const Member& rank : job.ranks) lost.add(rank, 3e9);
        return Scene(job).cost(lost);
    };
    CHECK(cost_with(1, 4) == Approx(6));
    CHECK(cost_with(1, 3) == Approx(2.25));  // so few may be chance
    CHECK(cost_with(0.5, 4) == Approx(3));
    CHECK(cost_with(3, 4) == Approx(3));  // which need not have waited
}

TEST_CASE("cost: three ranks that are always in I/O in the same order take turns, however long the pauses")
{
    const auto cost_with = [](bool in_order) {
        Synthetic made;
        made.ranks(3);
        for (std::int64_t rank = 0; rank < 3; ++rank) {
            made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                                 {.bytes_written = mib, .write_time = 4 * second});
            for (std::int64_t turn = 0; turn < 4; ++turn) {
                const std::int64_t place = in_order || turn % 2 == 0 ? rank : 2 - rank;
                const double from = static_cast<double>(turn * 12 + place * 4);
                made.burst(rank, from, from + 1);
            }
        }
        const Job job(made.log);
        LostTime lost(job);
        for (const Member& rank : job.ranks) lost.add(rank, 3e9);
        return Scene(job).cost(lost);
    };
    CHECK(cost_with(true) == Approx(9));
    CHECK(cost_with(false) == Approx(3));
}

TEST_CASE("cost: ranks that keep out of each other's way by more than chance wait for each other")
{
    // In each of eight steps of 4 s two ranks are in I/O for 1 s each, in an order that changes, and for a
    // part of that at the same time. By chance it would be a quarter.
    const auto cost_with = [](double overlap, std::size_t steps) {
        Synthetic made;
        made.ranks(2);
        for (std::size_t step = 0; step < steps; ++step) {
            const std::int64_t first = (step / 2) % 2;
            const double from = static_cast<double>(step) * 4;
            made.burst(first, from, from + 1);
            const double early = step % 2 == 0 ? overlap : 0;
            made.burst(1 - first, from + 1 - early, from + 2 - early);
        }
        for (std::int64_t rank = 0; rank < 2; ++rank)
            made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                                 {.bytes_written = mib, .write_time = steps * second});
        const Job job(made.log);
        LostTime lost(job);
        for (const Member& rank : job.ranks) lost.add(rank, 4e9);
        return Scene(job).cost(lost);
    };
    CHECK(cost_with(0.16, 8) == Approx(8));
    CHECK(cost_with(0.3, 8) == Approx(4));
    CHECK(cost_with(0.16, 7) == Approx(4));  // too few to tell
}

TEST_CASE("cost: turns show in the first bursts, though later ones were put together")
{
    const auto cost_with = [](std::size_t as_they_were) {
        Synthetic made;
        made.ranks(2);
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            made.log.rows<Process>()[static_cast<std::size_t>(rank)].burst_gap = second;
            made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                                 {.bytes_written = mib, .write_time = 20 * second});
            for (std::size_t turn = 0; turn < as_they_were; ++turn) {
                const double from = static_cast<double>(turn) * 2 + static_cast<double>(rank);
                made.burst(rank, from, from + 1);
            }
            made.burst(rank, 2 * static_cast<double>(as_they_were), 60);
        }
        const Job job(made.log);
        LostTime lost(job);
        for (const Member& rank : job.ranks) lost.add(rank, 15e9);
        return Scene(job).cost(lost);
    };
    CHECK(cost_with(first_bursts) == Approx(30));
    CHECK(cost_with(first_bursts - 9) == Approx(15));
}

TEST_CASE("cost: ranks that come together in phases wait for the slowest of each")
{
    // In each of six phases one rank is in I/O for 2 s, and the others for half a second.
    const auto cost_with = [](std::size_t phases, double apart) {
        Synthetic made;
        made.ranks(3);
        std::vector<std::uint64_t> times(3);
        for (std::size_t phase = 0; phase < phases; ++phase)
            for (std::size_t rank = 0; rank < 3; ++rank) {
                const double from = static_cast<double>(phase) * 4 + apart * static_cast<double>(rank),
                             length = phase % 3 == rank ? 2 : 0.5;
                made.burst(static_cast<std::int64_t>(rank), from, from + length);
                times[rank] += static_cast<std::uint64_t>(length * 1e9);
            }
        for (std::int64_t rank = 0; rank < 3; ++rank)
            made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank,
                                 {.bytes_written = mib, .write_time = times[static_cast<std::size_t>(rank)]});
        const Job job(made.log);
        LostTime lost(job);
        for (const Member& rank : job.ranks) lost.add(rank, 3e9);
        return Scene(job).cost(lost);
    };
    CHECK(cost_with(6, 0) == Approx(6));  // half of each rank's time, and of each phase's
    CHECK(cost_with(6, 0.2) == Approx(6));
    CHECK(cost_with(6, 1.5) == Approx(3));  // they do not come together
    CHECK(cost_with(3, 0) == Approx(3));    // nor often enough
}

TEST_CASE("steady time: waiting for a core counts, as much as the process waited for each second of one")
{
    const auto cost_with = [](std::uint64_t core_wait) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().cpu_time = 10 * second;
        made.log.rows<Process>().front().core_wait = core_wait;
        // 20 s of quick ones, and 60 s of those that waited for something.
        calls(made, made.file("/a"), 0, Direction::write, 20'000, 8, ms);
        calls(made, made.file("/b"), 0, Direction::write, 1200, 8, 50 * ms);
        return cost_of(finding_of(made.log, "small_requests"));
    };
    const double alone = cost_with(0);
    CHECK(alone == Approx(21.2).epsilon(0.05));
    CHECK(cost_with(10 * second) == Approx(2 * alone).epsilon(0.01));
    CHECK(cost_with(1000 * second) == Approx(80).epsilon(0.05));  // no more than they took
}

TEST_CASE("reference: eight requests of over 1 MiB, 16 MiB in all, show how fast large ones are")
{
    CHECK(measured(8, 4 * mib));
    CHECK_FALSE(measured(7, 4 * mib));
    CHECK_FALSE(measured(1000, mib));
    CHECK(measured(8, 4 * mib, Direction::read));
    CHECK(measured(16, mib + 1));  // by the middle of their class, 2 MiB
    CHECK(measured(8, 2 * mib));
}

TEST_CASE(
    "reference: where a log has no large requests, what was measured of the file system makes costs one "
    "number")
{
    // A million reads of 1 KiB, of 2 us each or of 80 us. From the page cache such take 1 us, from the device
    // 100 us.
    MeasuredRates rates{.of = {}, .name = "here.json", .where = "node7, ext4"};
    const auto lines = [](double small, double for_4_mib) {
        return MeasuredTimes::Lines{true, {small, 0}, {small, for_4_mib / (4 << 20)}};
    };
    rates.of[0] = {lines(1e-6, 1e-3), lines(100e-6, 4e-3)};
    const auto finding_with = [&](std::uint64_t each, const MeasuredRates* measured) {
        Synthetic made;
        made.process(-1);
        calls(made, made.file("/a"), 0, Direction::read, 1'000'000, 1024, each);
        Job job(made.log);
        job.rates = measured;
        const auto found = findings_of(job);
        const report::Finding* const one = of_rule(found, "small_requests");
        REQUIRE(one != nullptr);
        return *one;
    };
    const report::Finding assumed = finding_with(80 * us, nullptr);
    CHECK(assumed.cost_least);
    CHECK(assumed.confidence == report::Confidence::medium);
    const report::Finding device = finding_with(80 * us, &rates);
    CHECK_FALSE(device.cost_least);
    CHECK(device.confidence == report::Confidence::high);
    CHECK(cost_of(device) == Approx(80 - 976.5625 / 4 * 0.0041).epsilon(0.001));
    CHECK_THAT(device.cost_basis, Contains("here.json has from node7, ext4 for 4 MiB past the page cache"));
    const report::Finding memory = finding_with(9 * us, &rates);
    CHECK(cost_of(memory) == Approx(9 - 976.5625 / 4 * 0.001001).epsilon(0.001));
    CHECK_THAT(memory.cost_basis, Contains("in the page cache"));
    CHECK_THAT(finding_with(11 * us, &rates).cost_basis, Contains("past the page cache"));
    rates.of[0].uncached = {};
    CHECK_THAT(finding_with(80 * us, &rates).cost_basis, Contains("in the page cache"));
    rates.of[0].cached = {};
    CHECK(finding_with(80 * us, &rates).cost_least);
}

TEST_CASE("reference: POSIX comes before stdio, and none of streams counts")
{
    Synthetic made;
    made.process(-1);
    const std::size_t large_class = SizeHistogram::class_of(2 * mib);
    made.operations(Layer::posix, Kind::write, large_class, std::vector<std::uint64_t>(100, ms), true);
    made.operations(Layer::stdio, Kind::write, large_class, std::vector<std::uint64_t>(100, 10 * ms));
    const Job job(made.log);
    const double of_stdio = Scene(job).reference(Direction::write).ns_per_byte;
    // The middle of 1 to 4 MiB in 10 ms; a bin of durations is no wider than a few per cent.
    CHECK(of_stdio == Approx(1e7 / (2.0 * mib)).epsilon(0.05));
    CHECK_FALSE(Scene(job).reference(Direction::read).measured);
    CHECK(Scene(job).reference(Direction::read).ns_per_byte == Approx(1e9 / (2048.0 * mib)));
    made.operations(Layer::posix, Kind::write, large_class, std::vector<std::uint64_t>(100, 20 * ms));
    const Job both(made.log);
    CHECK(Scene(both).reference(Direction::write).ns_per_byte == Approx(2 * of_stdio).epsilon(0.05));
}

TEST_CASE("reference: in logs without durations, files that have large requests alone")
{
    const auto words = [](std::uint64_t count, std::uint64_t size, std::uint64_t small_ones) {
        Imported made = with_small(10);
        auto& row = made.own<PosixRecord>(made.file("/large"), 1,
                                          {.bytes_written = count * size, .write_time = second});
        row.writes = count + small_ones;
        row.write_size = {};
        row.write_size.add(size, count);
        row.write_size.add(100, small_ones);
        auto& other =
            made.own<PosixRecord>(made.file("/read"), 1, {.bytes_read = 100 * mib, .read_time = 2 * second});
        other.reads = 20;
        other.read_size = {};
        other.read_size.add(5 * mib, 20);
        const Job job(made.log);
        const Scene scene(job);
        CHECK(scene.reference(Direction::read).words ==
              "as fast as the 100 MiB to and from files that have only requests of over 1 MiB: 50.0 MiB/s");
        CHECK(scene.reference(Direction::read).ns_per_byte == Approx(2e9 / (100.0 * mib)));
        return scene.reference(Direction::write).words;
    };
    CHECK_THAT(words(8, 2 * mib, 0), Contains("as fast as the 16 MiB to and from"));
    CHECK_THAT(words(8, 2 * mib - 1, 0), Contains("which is assumed"));
    CHECK_THAT(words(7, 3 * mib, 0), Contains("which is assumed"));
    CHECK_THAT(words(32, mib, 0), Contains("which is assumed"));
    CHECK_THAT(words(8, 2 * mib, 1), Contains("which is assumed"));
}

TEST_CASE("cost: without MPI, time is divided by the processes that ran side by side")
{
    Synthetic made;
    add_process(made, 0, 100, 60);
    add_process(made, 0, 50, 40);
    add_process(made, 50, 100, 20);
    add_process(made, 0, 100, 2);  // less than a twentieth of the busiest
    Job job(made.log);
    CHECK(Scene(job).at_a_time == 2);
    CHECK(Scene(job).io == Approx(61));
    CHECK(Scene(job).cost(12.2e9) == Approx(6.1));
    CHECK(Scene(job).cost(1e15) == Approx(61));  // no more than all
    made.log.rows<PosixRecord>().back().write_time = made.log.rows<Totals>().back().write_time = 3 * second;
    const Job four(made.log);
    CHECK(Scene(four).at_a_time == 3);
    // A shell waits for what it starts.
    Process& shell = made.log.rows<Process>().front();
    for (Process& process : made.log.rows<Process>()) process.parent = shell.pid;
    shell.cpu_time = (shell.end - shell.start) / 5;
    CHECK(Scene(Job(made.log)).at_a_time == 3);
    --shell.cpu_time;
    CHECK(Scene(Job(made.log)).at_a_time == 2);
    CHECK(Scene(Job(Log())).cost(1e9) == 0);
}

TEST_CASE("cost: with MPI, what the slowest rank would be spared, no more than it ran")
{
    Synthetic made = three_ranks();
    const auto io = [&] {
        const Job job(made.log);
        return Scene(job).io;
    };
    CHECK(io() == 50);
    CHECK(Scene(Job(made.log)).at_a_time == 1);
    made.log.rows<Process>()[1].end = job_start + 30 * second;
    CHECK(io() == 30);
    made.log.rows<Process>()[1].end = job_start;  // not known how long it ran
    CHECK(io() == 50);
}

TEST_CASE(
    "cost: a rank's own time counts whole where the others wait for it, and not where it waits for them")
{
    const Synthetic made = three_ranks();
    const Job job(made.log);
    const Scene scene(job);
    const auto of_rank = [&](std::int64_t rank, double seconds) {
        LostTime lost(job);
        for (const RecordView& record : job.records)
            if (record.process == rank) lost.add(record, seconds * 1e9);
        return scene.cost(lost);
    };
    CHECK(of_rank(1, 20) == Approx(20));
    CHECK(of_rank(1, 40) == Approx(30));  // then rank 2 is the slowest
    CHECK(of_rank(2, 20) == 0);
    LostTime all(job);
    all.add_to_all(5e9);
    CHECK(scene.cost(all) == Approx(5));
    CHECK(scene.cost(all, all.total() * 2) == Approx(10));
    CHECK(scene.cost(LostTime(job)) == 0);
}

TEST_CASE(
    "cost: of processes that come one after another, what waits for them at the other end of a pipe is none")
{
    Synthetic made;
    for (const std::uint64_t at : {0u, 1u, 2u}) {
        add_process(made, 10 * at, 10 * at + 10, 1);
        add_process(made, 10 * at, 10 * at + 10, 1);
    }
    const Job job(made.log);
    const Scene scene(job);
    REQUIRE(scene.at_a_time == 2);
    LostTime most(job), little(job), both(job);
    for (const std::size_t at : {0u, 2u, 4u}) {
        most.add(job.ranks[at], 6e9);
        little.add(job.ranks[at], 4e9);
    }
    for (std::size_t at = 0; at < 6; ++at) both.add(job.ranks[at], 6e9);
    CHECK(scene.cost_beyond_io(most) == Approx(18));
    CHECK(scene.cost_beyond_io(little) == Approx(6));  // less than half of their lives
    CHECK(scene.cost_beyond_io(both) == Approx(18));
}

TEST_CASE("cost: threads that do I/O side by side are no longer at it than their bursts")
{
    Synthetic made;
    made.process(-1);
    made.io<PosixRecord>(made.file("/a"), 0, {.bytes_written = mib, .write_time = 80 * second});
    made.log.rows<Burst>().push_back({0, job_start, job_start + 10 * second});
    const Job job(made.log);
    const Scene scene(job);
    CHECK(scene.io == Approx(10));
    LostTime lost(job);
    lost.add(job.records.front(), 40e9);
    CHECK(scene.cost(lost) == Approx(5));
}

TEST_CASE("files: regular ones and those beyond the room of a process, each with its own records")
{
    Synthetic made;
    made.process(-1);
    made.io<PosixRecord>(made.file("/a"), 0, {.bytes_written = 1});
    made.io<PosixRecord>(made.file("tty", NameKind::stream), 0, {.bytes_written = 2});
    const std::uint64_t both = made.file("/b");
    made.io<PosixRecord>(both, 0, {.bytes_written = 3});
    made.io<StdioRecord>(both, 0, {.bytes_written = 4});
    made.io<PosixRecord>(made.file("/", NameKind::overflow), 0, {.bytes_written = 5});
    const Job job(made.log);
    const Scene scene(job);
    REQUIRE(scene.files.size() == 3);
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records) CHECK(record.file == file.use->file);
    CHECK(scene.files[0].records.size() == 1);
    CHECK(scene.files[1].records.size() == 2);
    CHECK(scene.files[2].records.size() == 1);
    CHECK_FALSE(scene.files[1].shared());
}

TEST_CASE("sizes: the middle of a class is the geometric mean of its bounds")
{
    CHECK(size_of_class(0) == Approx(40));  // of 16 and 100
    CHECK(size_of_class(1) == Approx(std::sqrt(100.0 * 1024)));
    CHECK(size_of_class(SizeHistogram::classes - 1) == Approx(std::sqrt(2.0) * 0x1p30));
    CHECK(SizeHistogram::upper_bounds[small_classes - 1] == 100 << 10);
    CHECK(SizeHistogram::upper_bounds[first_large_class - 1] == 1 << 20);
}

TEST_CASE("imported: times of nine tenths of the operations are those of all")
{
    const auto timed = [](std::size_t count, Kind kind) {
        Imported made = with_small(10);
        made.log.rows<PosixRecord>().front().writes = 100;
        made.log.rows<PosixRecord>().front().reads = 100;
        made.operations(Layer::posix, kind, 1, std::vector<std::uint64_t>(count, ms));
        const Job job(made.log);
        return Scene(job).times(Layer::posix, kind);
    };
    CHECK(timed(90, Kind::write));
    CHECK_FALSE(timed(89, Kind::write));
    CHECK(timed(90, Kind::read));
    CHECK_FALSE(timed(100, Kind::open));
    const Imported without = with_small(10);
    const Job job(without.log);
    CHECK_FALSE(Scene(job).times(Layer::posix, Kind::read));
}

TEST_CASE("doubts: each takes a step from how sure a finding is, all together one")
{
    const auto sure = [](const std::function<void(Synthetic&)>& harm) {
        Synthetic made;
        made.process(-1);
        large(made, made.file("/large"), 0);
        calls(made, made.file("/small"), 0, Direction::write, 100'000, 1000, 100 * us);
        harm(made);
        return finding_of(made.log, "small_requests");
    };
    CHECK(sure([](Synthetic&) {}).confidence == report::Confidence::high);
    const auto missed = sure([](Synthetic& made) { made.log.rows<Process>().front().missed = 1; });
    CHECK(missed.confidence == report::Confidence::medium);
    CHECK_THAT(missed.doubt, Contains("Some calls could not be counted"));
    const auto threads = sure([](Synthetic& made) {
        made.log.rows<Process>().front().threads = 4;
        made.log.rows<Totals>().front().write_time += 100 * second;
    });
    CHECK(threads.confidence == report::Confidence::medium);
    CHECK_THAT(threads.doubt, Contains("Threads did I/O at the same time"));
    const auto impossible = sure([](Synthetic& made) {
        made.log.rows<Process>().front().threads = 1;
        made.log.rows<Totals>().front().write_time += 100 * second;
    });
    CHECK(impossible.confidence == report::Confidence::low);
    CHECK_THAT(impossible.doubt, Contains("longer in I/O than its threads existed"));
    const auto both = sure([](Synthetic& made) {
        made.log.rows<Process>().front().missed = 1;
        made.log.problems.push_back("a block is gone");
    });
    CHECK(both.confidence == report::Confidence::medium);
    CHECK_THAT(both.doubt, Contains("damaged") && Contains("could not be counted"));
}

TEST_CASE("doubts: a slowest rank that may be a tenth slower than is certain, and syncs among the writes")
{
    Imported made = with_small(10);
    const report::Finding sure = finding_of(made.log, "small_requests");
    CHECK(sure.confidence == report::Confidence::medium);
    CHECK_THAT(sure.doubt, !Contains("does not tell"));
    made.log.rows<PosixRecord>().front().syncs = 5;
    const report::Finding synced = finding_of(made.log, "small_requests");
    CHECK(synced.confidence == report::Confidence::low);
    CHECK_THAT(synced.doubt, Contains("includes that of syncs"));
}

TEST_CASE("findings: 4 % of the run, 120 ms or a tenth of a short one, and 50 ms are worth telling")
{
    const auto found = [](std::uint64_t lock_time, std::uint64_t run) {
        Synthetic made;
        made.process(-1);
        made.io<PosixRecord>(made.file("/file"), 0, {.bytes_written = mib, .metadata_time = lock_time})
            .lock_time = lock_time;
        made.log.rows<Process>().front().end = job_start + run;
        return finds(made.log, "lock_waits");
    };
    CHECK(found(4 * second, 100 * second));
    CHECK_FALSE(found(4 * second - 10, 100 * second));
    CHECK(found(120 * ms, 2 * second));
    CHECK_FALSE(found(120 * ms - 10, 2 * second));
    CHECK(found(100 * ms, second));
    CHECK_FALSE(found(100 * ms - 10, second));
    CHECK(found(50 * ms, second / 4));
    CHECK_FALSE(found(50 * ms - 10, second / 4));
}

TEST_CASE("operations of a kind are those of all sizes, the smallest among them")
{
    Synthetic made;
    made.process(-1);
    made.operations(Layer::posix, Kind::write, 0, {ms, ms});
    made.operations(Layer::posix, Kind::write, 3, {ms});
    made.operations(Layer::posix, Kind::write, 9, {ms, ms, ms, ms});
    made.operations(Layer::posix, Kind::read, 0, {ms});
    const Job job(made.log);
    const Scene scene(job);
    CHECK(scene.operations(Layer::posix, Kind::write).operations == 7);
    CHECK(scene.operations(Layer::posix, Kind::read).operations == 1);
    CHECK(scene.operations(Layer::stdio, Kind::write).operations == 0);
}

TEST_CASE("the folder of a path is what stands before its last slash, and none where that is the root")
{
    CHECK(folder_of("/scratch/run/data") == "/scratch/run");
    CHECK(folder_of("a/b") == "a");
    CHECK(folder_of("/data").empty());
    CHECK(folder_of("data").empty());
}
