// Phases of a job, and how evenly its ranks shared the I/O, on logs that are made up.
#include <catch2/catch.hpp>

#include "analyzer/document/renderers/renderers.h"
#include "analyzer/job/job_phases.h"
#include "analyzer/sections/ranks/rank_balance.h"
#include "analyzer/sections/sections.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Every rank writes so much in each second of each phase, which begins after another `every` seconds.
void phases_of_writing(Synthetic& made, std::int64_t ranks, std::uint64_t count, std::uint64_t every,
                       std::uint64_t length)
{
    for (std::uint64_t phase = 0; phase < count; ++phase)
        for (std::uint64_t at = 0; at < length; ++at)
            for (std::int64_t rank = 0; rank < ranks; ++rank)
                made.slice(rank, Layer::posix, 5 + phase * every + at, second,
                           {.bytes_written = 10 * mib, .write_time = second / 2});
}

}  // namespace

TEST_CASE("phases have their time, bytes and period")
{
    Synthetic made;
    made.ranks(4);
    phases_of_writing(made, 4, 6, 15, 3);
    const JobPhases found = phases_of(Job(made.log), 12);
    REQUIRE(found.phases.size() == 6);
    const Phase& second_one = found.phases[1];
    CHECK(second_one.start == job_start + 20 * second);
    CHECK(second_one.end == job_start + 23 * second);
    CHECK(second_one.done.bytes_written == 120 * mib);
    CHECK(second_one.done.transfers == 12);
    CHECK(second_one.peak == 40 * mib);
    REQUIRE(second_one.ranks);
    CHECK(second_one.ranks->movers == 4);
    CHECK(second_one.ranks->slowest_time == 3 * second / 2);
    REQUIRE(found.period);
    CHECK(found.period->bursts == 6);
    CHECK(found.period->median == Approx(15));
    const std::string text = section_text(phases(Job(made.log), {}));
    CHECK_THAT(text,
               Contains("with 100 % of the bytes") && Contains("they come one every") && Contains("15.0 s"));
    CHECK_THAT(text, Contains("40.0 MiB/s") || Contains("40 MiB/s"));
}

TEST_CASE("a phase begins and ends with its operations where the log knows when that was")
{
    Synthetic made;
    made.ranks(2);
    phases_of_writing(made, 2, 1, 1, 3);
    made.burst(0, 5.5, 6.5);
    made.burst(1, 6.25, 7.75);
    made.burst(1, 50, 51);
    const JobPhases found = phases_of(Job(made.log), 12);
    REQUIRE(found.phases.size() == 1);
    CHECK(found.phases[0].start == job_start + 55 * second / 10);
    CHECK(found.phases[0].end == job_start + 775 * second / 100);
    CHECK_FALSE(found.period);
}

TEST_CASE("the slow rank of a phase is reported, and what the others waited")
{
    Synthetic made;
    made.ranks(4);
    phases_of_writing(made, 4, 3, 20, 2);
    for (Slice& slice : made.log.rows<Slice>())
        if (slice.process == 2) slice.write_time = second;
    const JobPhases found = phases_of(Job(made.log), 12);
    REQUIRE(found.phases.size() == 3);
    CHECK(found.phases[0].ranks->slowest == 2);
    CHECK(found.phases[0].ranks->slowest_time == 2 * second);
    CHECK(found.phases[0].ranks->mean_time == Approx(1.25e9));
    CHECK_THAT(section_text(phases(Job(made.log), {})),
               Contains("2.25 s") && Contains("37.5 % of its time in I/O, in all phases together"));
}

TEST_CASE("the mode of a phase is of the files that were used in it")
{
    Synthetic made;
    made.ranks(2);
    phases_of_writing(made, 2, 2, 20, 2);
    const auto used = [&](PosixRecord& row, double from, double to) {
        row.first_write = job_start + static_cast<std::uint64_t>(from * 1e9);
        row.last_write = job_start + static_cast<std::uint64_t>(to * 1e9);
    };
    for (std::int64_t rank = 0; rank < 2; ++rank)
        used(
            made.io<PosixRecord>(made.file("/own" + std::to_string(rank)), rank, {.bytes_written = 20 * mib}),
            5, 7);
    used(made.reduced_io<PosixRecord>(made.file("/shared"), 2, 0, 2, {.bytes_written = 40 * mib}), 25, 27);
    const JobPhases found = phases_of(Job(made.log), 12);
    REQUIRE(found.phases.size() == 2);
    CHECK(found.phases[0].ranks->mode == Mode::n_to_n);
    CHECK(found.phases[0].ranks->mode_exact);
    CHECK(found.phases[1].ranks->mode == Mode::n_to_1);
    CHECK(found.phases[1].ranks->mode_exact);
    made.log.rows<PosixRecord>().back().first_write = job_start + 6 * second;
    const JobPhases doubtful = phases_of(Job(made.log), 12);
    CHECK_FALSE(doubtful.phases[1].ranks->mode_exact);
    CHECK_THAT(section_text(phases(Job(made.log), {})), Contains("N-1?"));
}

TEST_CASE("of many phases those with most bytes are reported in detail")
{
    Synthetic made;
    made.ranks(1);
    for (std::uint64_t at = 0; at < 40; ++at)
        made.slice(0, Layer::posix, 4 * at, second / 2, {.bytes_written = (at % 3 == 0 ? 30 : 20) * mib});
    const JobPhases found = phases_of(Job(made.log), 5);
    CHECK(found.phases.size() == 40);
    CHECK(std::count_if(found.phases.begin(), found.phases.end(),
                        [](const Phase& one) { return one.ranks.has_value(); }) == 5);
    CHECK(found.phases[0].ranks);
    CHECK_THAT(section_text(phases(Job(made.log), {})), Contains("The 12 with most bytes of 40"));
}

TEST_CASE("without bytes, without time bins and in a moment there are no phases")
{
    Synthetic made;
    made.ranks(2);
    CHECK(phases_of(Job(made.log), 12).phases.empty());
    CHECK(phases(Job(made.log), {}).empty());
    made.slice(0, Layer::posix, 3, second, {.metadata_time = second});
    CHECK(phases(Job(made.log), {}).empty());
    made.slice(0, Layer::posix, 0, second, {.bytes_read = mib});
    CHECK_FALSE(phases(Job(made.log), {}).empty());
    for (Process& process : made.log.rows<Process>()) process.end = process.start + second / 100;
    made.log.rows<Slice>().erase(made.log.rows<Slice>().begin());
    CHECK(phases(Job(made.log), {}).empty());
}

TEST_CASE("time bins and bursts that make no sense do no harm to phases")
{
    Synthetic made;
    made.ranks(2);
    made.slice(0, Layer::posix, 0, second, {.bytes_read = mib}).start = 0;
    made.slice(1, Layer::posix, 0, second, {.bytes_read = mib}).start = ~std::uint64_t{0};
    made.slice(1, Layer::posix, 0, second, {.bytes_read = ~std::uint64_t{0}}).length = ~std::uint64_t{0};
    made.log.rows<Burst>().push_back({0, ~std::uint64_t{0}, 0});
    made.log.rows<Burst>().push_back({1, 0, ~std::uint64_t{0}});
    CHECK_NOTHROW(section_text(phases(Job(made.log), {})));
}

TEST_CASE("the excess of the slow rank is split into bytes, rate and metadata")
{
    Synthetic made;
    made.ranks(4);
    const std::uint64_t file = made.file("/out");
    for (std::int64_t rank = 0; rank < 3; ++rank)
        made.io<PosixRecord>(file, rank, {.bytes_written = 100 * mib, .write_time = second});
    // Twice the bytes at half the rate, and a second of metadata calls.
    made.io<PosixRecord>(file, 3,
                         {.bytes_written = 200 * mib, .write_time = 4 * second, .metadata_time = second});
    const Job job(made.log);
    const SlowRank slow = slow_rank_of(job, compared_ranks(job));
    CHECK(slow.rank == 3);
    CHECK(slow.time == 5);
    CHECK(slow.over_mean == Approx(3));  // 5 - (3 * 1 + 5) / 4
    CHECK(slow.over_median == Approx(4));
    CHECK(slow.by_bytes + slow.by_rate + slow.by_metadata == Approx(slow.over_mean));
    CHECK(slow.by_bytes == Approx(75 / (500.0 / 7)));  // 75 MiB more than the mean, at 500 MiB in 7 s
    CHECK(slow.by_metadata == Approx(0.75));
    const std::string text = section_text(ranks(job, {}));
    CHECK_THAT(text, Contains("The slowest, rank 3, spent 3.00 s longer") && Contains("It was slower"));
}

TEST_CASE("a rank that moves more is reported as that, and ranks that are alike as alike")
{
    Synthetic made;
    made.ranks(3, 1);
    const std::uint64_t file = made.file("/out");
    for (std::int64_t rank = 0; rank < 3; ++rank)
        made.io<PosixRecord>(file, rank, {.bytes_read = 100 * mib, .read_time = second});
    CHECK_THAT(section_text(ranks(Job(made.log), {})),
               Contains("All ranks spent about as long") && Contains("By node"));
    made.io<PosixRecord>(made.file("/more"), 1, {.bytes_read = 200 * mib, .read_time = 2 * second});
    const std::string text = section_text(ranks(Job(made.log), {}));
    CHECK_THAT(text, Contains("It moved more: 300 MiB, 1.8 times the mean"));
    CHECK_THAT(text, Contains("0.27"));  // Gini of 1 1 3
}

TEST_CASE("ranks that did nothing have no balance, and processes that moved nothing are not compared")
{
    Synthetic idle;
    idle.ranks(3);
    CHECK(ranks(Job(idle.log), {}).empty());
    CHECK(slow_rank_of(Job(idle.log), {}).time == 0);
    Synthetic made;
    const std::uint64_t file = made.file("/out");
    for (int at = 0; at < 3; ++at) made.process(-1);
    made.io<PosixRecord>(file, 1, {.bytes_read = mib, .read_time = second});
    CHECK(ranks(Job(made.log), {}).empty());
    made.io<PosixRecord>(file, 2, {.bytes_read = mib, .read_time = 2 * second});
    CHECK(compared_ranks(Job(made.log)) == std::vector<std::size_t>{1, 2});
    CHECK_THAT(section_text(ranks(Job(made.log), {})),
               Contains("Of 3 processes these are the 2 that moved data"));
}

TEST_CASE("the balance of a quantity by hand")
{
    const Balance balance = balance_of({4, 1, 3, 2});
    CHECK(balance.spread.largest == 4);
    CHECK(balance.median == 2);
    CHECK(balance.over_mean() == Approx(1.6));
    CHECK(balance.gini == Approx(0.25));
    CHECK(balance_of({}).over_mean() == 0);
    CHECK(balance_of({0, 0}).over_mean() == 0);
}
