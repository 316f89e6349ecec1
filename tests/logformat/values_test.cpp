// Sizes by class, the commonest sizes and moments, each against a direct computation.
#include "logformat/values.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

#include "logformat/blocks/bytes.h"

using namespace fathom;

TEST_CASE("a size equal to a class's upper bound belongs to that class")
{
    CHECK(SizeHistogram::class_of(0) == 0);
    for (std::size_t at = 0; at < SizeHistogram::upper_bounds.size(); ++at) {
        INFO("class " << SizeHistogram::names[at]);
        CHECK(SizeHistogram::class_of(SizeHistogram::upper_bounds[at]) == at);
        CHECK(SizeHistogram::class_of(SizeHistogram::upper_bounds[at] + 1) == at + 1);
    }
    CHECK(SizeHistogram::class_of(UINT64_MAX) == SizeHistogram::classes - 1);
}

TEST_CASE("histograms merge class by class")
{
    SizeHistogram one, other;
    one.add(50);
    other.add(50);
    other.add(2u << 20);
    one.merge(other);
    CHECK(one.count == decltype(one.count){2, 0, 0, 0, 0, 1, 0, 0, 0, 0});
}

namespace {

std::map<std::uint64_t, std::uint64_t> counts_of(const CommonSizes& common)
{
    std::map<std::uint64_t, std::uint64_t> counts;
    for (const auto& slot : common.slot)
        if (slot.count != 0) counts[slot.size] = slot.count;
    return counts;
}

}  // namespace

TEST_CASE("the commonest sizes are exact while there are no more of them than slots")
{
    std::mt19937 random(1);
    for (std::size_t kinds = 1; kinds <= CommonSizes::slots; ++kinds) {
        std::map<std::uint64_t, std::uint64_t> expected;
        CommonSizes one, other;
        for (int call = 0; call < 1000; ++call) {
            const std::uint64_t size = random() % kinds;  // 0 is a size too
            ++expected[size];
            (call % 3 == 0 ? one : other).add(size);
        }
        one.merge(other);
        INFO(kinds << " sizes");
        CHECK(counts_of(one) == expected);
        for (const auto& slot : one.slot) CHECK(slot.error == 0);
    }
}

TEST_CASE("with more sizes than slots a count is too high by at most its error")
{
    std::mt19937 random(2);
    std::map<std::uint64_t, std::uint64_t> truth;
    CommonSizes common;
    constexpr std::uint64_t calls = 20'000;
    for (std::uint64_t call = 0; call < calls; ++call) {
        const std::uint64_t size = call % 4 == 0 ? 4096 : random() % 300;
        ++truth[size];
        common.add(size);
    }
    std::uint64_t total = 0;
    bool found = false;
    for (const auto& slot : common.slot) {
        total += slot.count;
        found = found || slot.size == 4096;
        INFO("size " << slot.size);
        CHECK(slot.count >= truth[slot.size]);
        CHECK(slot.count - slot.error <= truth[slot.size]);
        CHECK(slot.error <= calls / CommonSizes::slots);
    }
    CHECK(total == calls);
    CHECK(found);  // every size with more than calls / slots of them is among the slots
}

TEST_CASE("merged counts of common sizes are too high by at most their error")
{
    std::mt19937 random(3);
    std::map<std::uint64_t, std::uint64_t> truth;
    CommonSizes parts[4];
    for (int call = 0; call < 8000; ++call) {
        const std::uint64_t size = random() % (random() % 40 + 1);
        ++truth[size];
        parts[call % 4].add(size);
    }
    for (int at = 1; at < 4; ++at) parts[0].merge(parts[at]);
    for (const auto& slot : parts[0].slot) CHECK(slot.count - slot.error <= truth[slot.size]);
}

TEST_CASE("moments agree with a direct computation, however they were merged")
{
    std::mt19937_64 random(4);
    std::normal_distribution<double> sample(1e9, 3e4);  // a small spread far from zero
    std::vector<std::uint64_t> values(5000);
    for (std::uint64_t& value : values) value = static_cast<std::uint64_t>(sample(random));

    long double sum = 0, squares = 0;
    for (const std::uint64_t value : values) sum += static_cast<long double>(value);
    const long double mean = sum / static_cast<long double>(values.size());
    for (const std::uint64_t value : values) {
        const long double apart = static_cast<long double>(value) - mean;
        squares += apart * apart;
    }

    for (const std::size_t parts : {std::size_t{1}, std::size_t{7}, values.size()}) {
        std::vector<Moments> part(parts);
        for (std::size_t at = 0; at < values.size(); ++at) part[at % parts].merge(Moments::of(values[at]));
        Moments all;
        for (const Moments& one : part) all.merge(one);
        INFO(parts << " parts");
        CHECK(all.n == values.size());
        CHECK(all.mean() == Approx(static_cast<double>(mean)).epsilon(1e-12));
        CHECK(all.squares == Approx(static_cast<double>(squares)).epsilon(1e-6));
        CHECK(all.variance() == Approx(static_cast<double>(squares) / 5000.0).epsilon(1e-6));
    }
}

TEST_CASE("moments of nothing are zero and merging with nothing changes nothing")
{
    Moments none;
    none.merge(Moments{});
    CHECK(none.n == 0);
    CHECK(none.variance() == 0);
    Moments one = Moments::of(5);
    one.merge(Moments{});
    CHECK(one.mean() == 5);
    none.merge(one);
    CHECK(none.mean() == 5);
    CHECK(none.n == 1);
}

TEST_CASE("rounded moments keep number and sum, and the squares to 12 binary digits")
{
    std::mt19937_64 random(5);
    for (int time = 0; time < 1000; ++time) {
        const double squares = std::ldexp(1 + static_cast<double>(random() % 1000003) / 1e6, time % 200);
        Moments moments{3, 17, squares};
        moments.round();
        CHECK(moments.n == 3);
        CHECK(moments.sum == 17);
        CHECK(moments.squares == Approx(squares).epsilon(1.0 / 8192));
        CHECK((std::bit_cast<std::uint64_t>(moments.squares) & ((std::uint64_t{1} << 40) - 1)) == 0);
    }
    Moments none;
    none.round();
    CHECK(none.squares == 0);
}

TEST_CASE("zigzag keeps every signed number")
{
    for (const std::int64_t value :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1}, INT64_MIN, INT64_MAX})
        CHECK(unzigzag(zigzag(value)) == value);
    CHECK(zigzag(-1) == 1);
    CHECK(zigzag(1) == 2);
}
