// The grid, what it is expected to take, what is refused, how states are had and judged.
#include <catch2/catch.hpp>

#include "analyzer/timing/measure/axes.h"
#include "analyzer/timing/measure/buffer.h"
#include "analyzer/timing/measure/check.h"
#include "analyzer/timing/measure/estimate.h"
#include "analyzer/timing/measure/plan.h"
#include "analyzer/timing/measure/quantity.h"
#include "analyzer/timing/measure/room.h"
#include "analyzer/timing/measure/summary.h"

using namespace fathom::measure;
using Catch::Contains;

namespace {

constexpr std::uint64_t gib = kib * mib, page = 4096;

Configuration of(State state, Operation operation, std::uint64_t size)
{
    return {state, operation, Layout::off0, Layout::off0, size, 1, 0};
}

}  // namespace

TEST_CASE("sizes are read as they are typed, and printed so")
{
    CHECK(bytes_of("1") == 1u);
    CHECK(bytes_of("4K") == 4096u);
    CHECK(bytes_of("4k") == 4096u);
    CHECK(bytes_of("16MiB") == 16 * mib);
    CHECK(bytes_of("512B") == 512u);
    CHECK(bytes_of("2T") == 2048 * gib);
    for (const char* const wrong : {"", "0", "K", "-1", "4X", "4KB", "4K4", "1.5M", " 4", "9999999999T"}) {
        INFO(wrong);
        CHECK(!bytes_of(wrong));
    }
    CHECK(typed(4096) == "4K");
    CHECK(typed(4097) == "4097");
    CHECK(typed(16 * mib) == "16M");
    for (const std::uint64_t size : full_grid().sizes) CHECK(bytes_of(typed(size)) == size);
}

TEST_CASE("the full grid is the paper's")
{
    const Grid grid = full_grid();
    CHECK(grid.sizes.size() == 20);
    CHECK(grid.sizes.back() == 16 * mib);
    // 20 sizes, 6 x 6 layouts, 3 states, 2 operations, 2 numbers of threads, 3 repeats
    CHECK(configurations_of(grid).size() == 20 * 36 * 3 * 2 * 2 * 3);
    CHECK(planned_operations(of(State::cached, Operation::read, mib), grid.limits) == 10'000);
    CHECK(planned_operations(of(State::cached, Operation::read, 16 * mib), grid.limits) == 640);
}

TEST_CASE("repeats come one after the other, and states stay together in each")
{
    const auto all = configurations_of(quick_grid());
    unsigned changes = 0;
    for (std::size_t at = 1; at < all.size(); ++at) {
        CHECK(all[at].repeat >= all[at - 1].repeat);
        changes += all[at].state != all[at - 1].state ? 1 : 0;
    }
    CHECK(changes == 3 * 3 - 1);
    for (const Configuration& one : all)
        if (one.state == State::discard) CHECK(one.file == Layout::off0);
}

TEST_CASE("the quick grid has a thousand operations of small sizes, and few of large ones")
{
    const Grid grid = quick_grid();
    const auto operations = [&](std::uint64_t size) {
        return grid.repeats * planned_operations(of(State::cached, Operation::read, size), grid.limits);
    };
    CHECK(operations(1) >= 1000);
    CHECK(operations(256 * kib) >= 1000);
    CHECK(operations(16 * mib) == grid.repeats * grid.limits.least);
    Configuration eight = of(State::cached, Operation::read, mib);
    eight.threads = 8;
    CHECK(planned_operations(eight, grid.limits) == 16);  // 128 MiB of all threads
}

TEST_CASE("a time limit bounds what is expected, but not below the least operations")
{
    const Limits limits{.count = 1000, .bytes = 0, .seconds = 0.1, .least = 10};
    CHECK(expected(of(State::discard, Operation::read, 1), limits).operations == 1000);
    const Expectation slow = expected(of(State::uncached, Operation::read, 16 * mib), limits);
    CHECK(slow.operations == 10);
    CHECK(slow.seconds > 0.3);
    CHECK(expected(of(State::uncached, Operation::read, 1), limits).seconds < 0.11);
}

TEST_CASE("the time that is left follows what was measured")
{
    const Grid grid{.sizes = {1, 1024},
                    .memory = {Layout::off0},
                    .file = {Layout::off0, Layout::rnd},
                    .file_of_discard = {Layout::off0},
                    .states = {State::uncached},
                    .operations = {Operation::read},
                    .threads = {1},
                    .repeats = 1,
                    .limits = {.count = 10}};
    const auto all = configurations_of(grid);
    REQUIRE(all.size() == 4);
    Outlook outlook(all, grid.limits);
    const double each = expected(all[0], grid.limits).seconds, other = expected(all[2], grid.limits).seconds;
    CHECK(outlook.seconds_left() == Approx(2 * each + 2 * other));
    outlook.done(all[0], 7);
    CHECK(outlook.seconds_left() == Approx(7 + 2 * other));
    outlook.done(all[1], 5);
    outlook.done(all[2], 1);
    CHECK(outlook.seconds_left() == Approx(1));
    outlook.done(all[3], 1);
    CHECK(outlook.seconds_left() == 0);
}

TEST_CASE("a plan counts the files and all that is written to them")
{
    Grid grid = quick_grid();
    grid.sizes = {mib};
    grid.repeats = 2;
    grid.limits = {.count = 5};
    const Plan plan = plan_of(grid, 100 * mib);
    // discard: 2 layouts in memory; cached and uncached: 2 x 3; each read and written, twice
    CHECK(plan.runs == 2 * 2 * (2 + 6 + 6));
    CHECK(plan.operations == 5 * plan.runs);
    CHECK(plan.bytes_written == 100 * mib + 2 * 5 * (6 + 6) * mib);
    grid.states = {State::discard};
    CHECK(plan_of(grid, 100 * mib).bytes_written == 0);
}

TEST_CASE("what would fill a disk or the memory is refused, with numbers")
{
    const DiskRoom disk{10 * gib, false};
    const auto refusal = [&](Needs needs, double most = 0.5, std::uint64_t memory = 8 * gib) {
        return too_much(needs, disk, memory, most);
    };
    CHECK(refusal({.files = 4 * gib, .cached = true}) == "");
    CHECK_THAT(refusal({.files = 6 * gib}), Contains("6 GiB") && Contains("50 %") && Contains("10 GiB") &&
                                                Contains("5 GiB") && Contains("--file-size"));
    CHECK_THAT(refusal({.files = 4 * gib, .csv = 2 * gib}), Contains("files and results would take 6 GiB"));
    CHECK_THAT(refusal({.csv = 6 * gib}), Contains("results would take 6 GiB") && Contains("-o"));
    CHECK(refusal({.files = 6 * gib}, 0.7) == "");
    CHECK_THAT(refusal({.files = 10 * gib - 100 * mib}, 1), Contains("256 MiB have to stay free"));
    CHECK_THAT(refusal({.buffer = 3 * gib}),
               Contains("3 GiB") && Contains("2 GiB") && Contains("--buffer-size"));
    CHECK_THAT(refusal({.files = 5 * gib, .cached = true}, 0.9), Contains("4 GiB") && Contains("--states"));
    CHECK(refusal({.files = 5 * gib}, 0.9) == "");
    CHECK_THAT(too_much({.files = 2 * gib}, {10 * gib, true}, 3 * gib, 0.5), Contains("folder on a disk"));
}

TEST_CASE("the buffer is at most an eighth of the free memory")
{
    CHECK(usual_buffer_size(1024 * gib) >= 256 * mib);
    CHECK(usual_buffer_size(1024 * gib) <= gib);
    CHECK(usual_buffer_size(gib) == 128 * mib);
}

TEST_CASE("uncached is had past the page cache where sizes allow, and by dropping where not")
{
    const auto how = [](Operation operation, std::uint64_t size, Uncached wanted, std::uint64_t alignment) {
        return how_of(of(State::uncached, operation, size), wanted, alignment, page);
    };
    CHECK(how_of(of(State::discard, Operation::read, 1), Uncached::direct, 512, page) == How::null);
    CHECK(how_of(of(State::cached, Operation::read, 4096), Uncached::direct, 512, page) == How::warm);
    CHECK(how(Operation::read, 4096, Uncached::direct, 512) == How::direct);
    CHECK(how(Operation::write, 512, Uncached::direct, 512) == How::direct);
    CHECK(how(Operation::read, 512, Uncached::direct, 4096) == How::dropped);
    CHECK(how(Operation::write, 1, Uncached::direct, 512) == How::dropped);
    CHECK(how(Operation::read, mib, Uncached::direct, 0) == How::dropped);
    CHECK(how(Operation::write, mib, Uncached::direct, 0) == How::synced);
    CHECK(how(Operation::read, mib, Uncached::dropped, 512) == How::dropped);
    CHECK(how(Operation::write, 256, Uncached::dropped, 512) == How::dropped);
    CHECK(how(Operation::read, mib, Uncached::once, 512) == How::dropped_once);
}

TEST_CASE("data that was not in the page cache when it should have been is reported")
{
    const Configuration read = of(State::cached, Operation::read, page);
    Observed seen;
    seen.how = How::warm;
    seen.operations = 100;
    seen.bytes = seen.page_bytes = 100 * page;
    seen.resident_before = 1;
    seen.read_bytes = 0;
    CHECK(judge(read, seen, page).as_asked == AsAsked::yes);
    CHECK(seen.cache_hits(Operation::read, page) == 100u);
    seen.read_bytes = 20 * page;
    CHECK(judge(read, seen, page).as_asked == AsAsked::no);
    CHECK_THAT(judge(read, seen, page).why, Contains("80 KiB"));
    CHECK(seen.cache_hits(Operation::read, page) == 80u);
    seen.resident_before = 0.5;
    CHECK_THAT(judge(read, seen, page).why, Contains("50 % of the files"));
    seen.resident_before.reset();
    CHECK(judge(read, seen, page).as_asked == AsAsked::unknown);
    seen.operations = 0;
    CHECK(judge(read, seen, page).as_asked == AsAsked::unknown);
}

TEST_CASE("what went past the page cache hit none of its pages, wherever it began")
{
    Observed seen;
    seen.how = How::direct;
    seen.bytes = 100 * page;
    seen.page_bytes = 199 * page;
    seen.read_bytes = 100 * page;
    CHECK(seen.cache_hits(Operation::read, page) == 0u);
    CHECK(!seen.cache_hits(Operation::write, page));
}

TEST_CASE("data that came from the page cache when it should not have is reported")
{
    const Configuration read = of(State::uncached, Operation::read, page),
                        write = of(State::uncached, Operation::write, page);
    Observed seen;
    seen.how = How::direct;
    seen.operations = 100;
    seen.bytes = seen.page_bytes = 100 * page;
    seen.resident_before = seen.resident_after = 0;
    seen.read_bytes = seen.write_bytes = 100 * page;
    CHECK(judge(read, seen, page).as_asked == AsAsked::yes);
    CHECK(judge(write, seen, page).as_asked == AsAsked::yes);
    seen.read_bytes = 50 * page;
    CHECK_THAT(judge(read, seen, page).why, Contains("200 KiB of 400 KiB"));
    seen.read_bytes = 0;
    CHECK(judge(read, seen, page).as_asked == AsAsked::unknown);
    seen.read_bytes = 100 * page;
    seen.resident_after = 0.2;
    CHECK_THAT(judge(read, seen, page).why, Contains("O_DIRECT left 20 %"));
    seen.resident_after = 0;
    seen.in_memory = true;
    CHECK_THAT(judge(read, seen, page).why, Contains("in memory"));
    seen.in_memory = false;
    seen.how = How::dropped;
    seen.resident_before = 0.3;
    CHECK_THAT(judge(read, seen, page).why, Contains("30 % of the files stayed"));
    seen.resident_before = 0;
    seen.how = How::dropped_once;
    CHECK(judge(write, seen, page).as_asked == AsAsked::no);  // whole pages are not read before
    seen.read_bytes.reset();
    CHECK(judge(read, seen, page).as_asked == AsAsked::unknown);
}

TEST_CASE("a read of a byte has to fetch its page to be uncached")
{
    Observed seen;
    seen.how = How::dropped;
    seen.operations = seen.bytes = 100;
    seen.page_bytes = 100 * page;
    seen.resident_before = seen.resident_after = 0;
    seen.write_bytes = 0;
    seen.read_bytes = 100 * page;
    CHECK(judge(of(State::uncached, Operation::read, 1), seen, page).as_asked == AsAsked::yes);
    CHECK(judge(of(State::uncached, Operation::write, 1), seen, page).as_asked == AsAsked::yes);
    seen.read_bytes = 40 * page;
    CHECK(judge(of(State::uncached, Operation::read, 1), seen, page).as_asked == AsAsked::no);
}

TEST_CASE("throughput is reported with and without what was unusually slow")
{
    Durations durations;
    CHECK(durations.throughput(1000).operations == 0);
    for (int at = 0; at < 990; ++at) durations.add(1e-6 * (1 + 0.0001 * at));
    for (int at = 0; at < 10; ++at) durations.add(1e-3 * (1 + 0.1 * at));
    const Throughput found = durations.throughput(1000);
    CHECK(found.operations == 1000);
    CHECK(found.outliers == 10);
    CHECK(found.mean_purged == Approx(1.04945e-6).epsilon(1e-9));
    CHECK(found.purged == Approx(1000 / 1.04945e-6).epsilon(1e-9));
    CHECK(found.mean_of_all == Approx((990 * 1.04945e-6 + 0.0145) / 1000).epsilon(1e-9));
}

TEST_CASE("durations that are equal, one alone, and none that the clock could measure have a throughput")
{
    Durations equal, one, zero;
    for (int at = 0; at < 100; ++at) equal.add(2e-6);
    CHECK(equal.throughput(4).purged == Approx(2e6));
    CHECK(equal.throughput(4).outliers == 0);
    one.add(1e-3);
    CHECK(one.throughput(1).purged == Approx(1000));
    zero.add(0);
    CHECK(zero.throughput(1).operations == 1);
    CHECK(zero.throughput(1).purged == 0);  // not known
}

TEST_CASE("the summary shows the sizes of the paper's table among many, and all among few")
{
    const std::vector<std::uint64_t> few = {3, 5, 9};
    CHECK(sizes_to_show(few) == few);
    CHECK(sizes_to_show(full_grid().sizes) ==
          std::vector<std::uint64_t>{1, kib, 4 * kib, 64 * kib, 256 * kib, mib, 16 * mib});
    std::vector<std::uint64_t> odd;
    for (std::uint64_t size = 1001; size <= 1017; ++size) odd.push_back(size);
    CHECK(sizes_to_show(odd) ==
          std::vector<std::uint64_t>{1001, 1003, 1005, 1007, 1009, 1011, 1013, 1015, 1017});
}
