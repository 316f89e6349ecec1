// Values that merge, at their edges: equals, nothing, and what takes the place of what.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "logformat/field.h"
#include "logformat/rows.h"
#include "logformat/values.h"

using namespace fathom;

namespace {

// The slots as "size count error", in their order.
std::vector<std::string> slots_of(const CommonSizes& common)
{
    std::vector<std::string> all;
    for (const auto& slot : common.slot)
        all.push_back(std::to_string(slot.size) + " " + std::to_string(slot.count) + " " +
                      std::to_string(slot.error));
    return all;
}

CommonSizes full()
{
    CommonSizes common;
    for (std::uint64_t size = 1; size <= CommonSizes::slots; ++size) common.add(size * 10, size + 1);
    return common;
}

// The parts of a value as "suffix value unit".
template <class Value>
std::vector<std::string> parts_of(const Value& value)
{
    std::vector<std::string> all;
    Value::parts(value, [&](std::string_view suffix, const auto& number, Unit unit) {
        all.push_back(std::string(suffix) + " " + std::to_string(number) + " " +
                      std::to_string(static_cast<int>(unit)));
    });
    return all;
}

std::string unit(Unit of)
{
    return std::to_string(static_cast<int>(of));
}

}  // namespace

TEST_CASE("common sizes: a new one takes the place of the rarest, with its count as the error")
{
    CommonSizes common = full();
    common.add(99, 3);
    CHECK(slots_of(common) == std::vector<std::string>{"99 5 2", "20 3 0", "30 4 0", "40 5 0", "50 6 0",
                                                       "60 7 0", "70 8 0", "80 9 0"});
    common.add(77, 1, 4);  // of the rarest: 20
    CHECK(slots_of(common)[1] == "77 4 7");
    common.add(77, 10, 5);  // is there: both add up
    CHECK(slots_of(common)[1] == "77 14 12");
    common.add(55);  // of equally rare ones the first
    CHECK(slots_of(common)[2] == "55 5 4");
    CHECK(slots_of(common)[3] == "40 5 0");
}

TEST_CASE("common sizes: one is counted where it is, first or not, and 0 is a size too")
{
    CommonSizes common;
    common.count(512);
    common.count(512);
    common.count(0);
    common.count(0);
    common.count(7);
    const auto slots = slots_of(common);
    CHECK(slots[0] == "512 2 0");
    CHECK(slots[1] == "0 2 0");
    CHECK(slots[2] == "7 1 0");
    CHECK(slots[3] == "0 0 0");
    CommonSizes other = full();
    other.count(20);
    CHECK(slots_of(other)[1] == "20 4 0");
    CommonSizes none;
    none.merge(CommonSizes{});
    CHECK(slots_of(none) == slots_of(CommonSizes{}));
    none.merge(common);
    CHECK(slots_of(none) == slots);
}

TEST_CASE("common sizes: what was taken over stays known when counts are merged")
{
    CommonSizes one = full(), other;
    one.add(99);
    other.add(99, 5, 1);
    other.add(123, 20);
    one.merge(other);
    CHECK(slots_of(one)[0] == "99 8 3");
    CHECK(slots_of(one)[1] == "123 23 3");
}

TEST_CASE("classes of sizes: every power of two and its neighbours lie where their bounds say")
{
    for (unsigned digits = 0; digits < 64; ++digits)
        for (const std::int64_t apart : {-1, 0, 1}) {
            const std::uint64_t size = (std::uint64_t{1} << digits) + static_cast<std::uint64_t>(apart);
            std::size_t expected = 0;
            while (expected < SizeHistogram::upper_bounds.size() &&
                   size > SizeHistogram::upper_bounds[expected])
                ++expected;
            INFO(size);
            CHECK(SizeHistogram::class_of(size) == expected);
        }
    CHECK(SizeHistogram::upper_bounds == std::array<std::uint64_t, 9>{100, 1024, 10240, 102'400, 1'048'576,
                                                                      4'194'304, 10'485'760, 104'857'600,
                                                                      1'073'741'824});
    SizeHistogram sizes;
    sizes.add(5);
    sizes.add(UINT64_MAX, 3);
    CHECK(sizes.count[0] == 1);
    CHECK(sizes.count[9] == 3);
    SizeHistogram both = sizes;
    both.merge(sizes);
    CHECK(both.count[9] == 6);
}

TEST_CASE("the slowest call keeps its size beside an equal one")
{
    SlowestCall slowest{10, 4096};
    slowest.merge({10, 1});
    CHECK(slowest.size == 4096);
    slowest.merge({0, 0});
    CHECK(slowest.time == 10);
}

TEST_CASE(
    "the slowest and the fastest process are there from the first, number 0 among them, and stay beside "
    "equal ones")
{
    const auto check = [](auto extreme, std::uint64_t better, std::uint64_t worse) {
        using Extreme = decltype(extreme);
        extreme.merge(Extreme{});
        CHECK(extreme.process == -1);
        extreme.merge(Extreme{{0, 50, 3}});
        CHECK(extreme.process == 0);
        extreme.merge(Extreme{{1, 50, 4}});
        CHECK(extreme.process == 0);
        extreme.merge(Extreme{{2, worse, 5}});
        CHECK(extreme.process == 0);
        extreme.merge(Extreme{{-1, better, 6}});
        CHECK(extreme.process == 0);
        extreme.merge(Extreme{{3, better, 7}});
        CHECK(extreme.process == 3);
        CHECK(extreme.bytes == 7);
    };
    check(Slowest{}, 51, 49);
    check(Fastest{}, 49, 51);
}

TEST_CASE("moments of two groups, worked by hand")
{
    Moments one, other;  // 1, 3 and 10, 10, 16
    for (const std::uint64_t sample : {1, 3}) one.merge(Moments::of(sample));
    for (const std::uint64_t sample : {10, 10, 16}) other.merge(Moments::of(sample));
    CHECK(one.squares == 2);
    CHECK(other.squares == 24);
    CHECK(other.mean() == 12);
    CHECK(other.variance() == 8);
    one.merge(other);
    CHECK(one.n == 5);
    CHECK(one.sum == 40);
    CHECK(one.squares == Approx(49 + 25 + 4 + 4 + 64));
    Moments none;
    none.merge(one);
    CHECK(none.squares == one.squares);
    CHECK(Moments{}.mean() == 0);
}

TEST_CASE("moments are rounded to the nearest of 12 binary digits, upwards from the middle")
{
    const auto rounded = [](double squares) {
        Moments moments{1, 1, squares};
        moments.round();
        return moments.squares;
    };
    CHECK(rounded(1 + 0x1p-12) == 1 + 0x1p-12);
    CHECK(rounded(1 + 0x1p-13) == 1 + 0x1p-12);
    CHECK(rounded(1 + 0x1p-13 - 0x1p-52) == 1);
    CHECK(rounded(1 + 0x1p-14) == 1);
}

TEST_CASE("parts of values have their names, units and numbers in the order of their columns")
{
    CHECK(parts_of(SlowestCall{3, 4}) ==
          std::vector<std::string>{"_time 3 " + unit(Unit::duration), "_size 4 " + unit(Unit::bytes)});
    CHECK(parts_of(Slowest{{3, 4, 5}}) == std::vector<std::string>{" 3 " + unit(Unit::rank),
                                                                   "_time 4 " + unit(Unit::duration),
                                                                   "_bytes 5 " + unit(Unit::bytes)});
    CHECK(parts_of(Moments{3, 4, 5}) == std::vector<std::string>{"_n 3 " + unit(Unit::count),
                                                                 "_sum 4 " + unit(Unit::none),
                                                                 "_squares 5.000000 " + unit(Unit::none)});
    const auto common = parts_of(full());
    REQUIRE(common.size() == 24);
    CHECK(common[0] == "_1 10 " + unit(Unit::bytes));
    CHECK(common[1] == "_1_count 2 " + unit(Unit::count));
    CHECK(common[2] == "_1_error 0 " + unit(Unit::count));
    CHECK(common[21] == "_8 80 " + unit(Unit::bytes));
    SizeHistogram sizes;
    sizes.count = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const auto classes = parts_of(sizes);
    REQUIRE(classes.size() == 10);
    CHECK(classes[0] == "_0_100 1 " + unit(Unit::count));
    CHECK(classes[9] == "_1G_plus 10 " + unit(Unit::count));
}

TEST_CASE("the earliest of two instants is neither 0 nor the later, and equal ones stay")
{
    const auto merged = [](Rule rule, std::int64_t into, std::int64_t from) {
        merge_value(into, from, rule);
        return into;
    };
    CHECK(merged(Rule::earliest, 4, 4) == 4);
    CHECK(merged(Rule::earliest, 0, 9) == 9);
    CHECK(merged(Rule::earliest, 9, 0) == 9);
    CHECK(merged(Rule::largest, -5, -3) == -3);
    CHECK(merged(Rule::largest, 4, 4) == 4);
    CHECK(merged(Rule::sum, -5, 3) == -2);
}

TEST_CASE("several processes and a status that is not known are -1 in logs, as docs/COUNTERS.md says")
{
    CHECK(PosixRecord{}.process == -1);
    CHECK(reduced == -1);
    CHECK(Process{}.status == -1);
}
