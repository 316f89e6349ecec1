// Bins of durations, numbers of histograms, lists of ranks.
#include "logformat/duration_bins.h"

#include <catch2/catch.hpp>

#include "logformat/kinds.h"
#include "logformat/rank_list.h"

using namespace fathom;

TEST_CASE("a duration lies in its bin, which is at most 3.2 % wide")
{
    std::size_t before = 0;
    for (std::uint64_t duration = 0; duration < std::uint64_t{1} << 60; duration += 1 + duration / 100) {
        const std::size_t number = bins::bin_of(duration).number();
        REQUIRE(number >= before);
        REQUIRE(number < bins::count);
        REQUIRE(duration >= bins::at_least(number));
        REQUIRE(duration - bins::at_least(number) < bins::width(number));
        if (duration >= bins::per_octave)
            REQUIRE(static_cast<double>(bins::width(number)) <= 0.032 * static_cast<double>(duration));
        before = number;
    }
}

TEST_CASE("a bin begins where the one before it ends")
{
    for (std::size_t number = 1; number < bins::count; ++number)
        REQUIRE(bins::at_least(number) == bins::at_least(number - 1) + bins::width(number - 1));
}

TEST_CASE("each kind and size has a histogram, from which they come back")
{
    for (std::size_t number = 0; number < histogram_count; ++number) {
        const auto [kind, size_class] = kind_of_histogram(number);
        CHECK(histogram_of(kind, size_class) == number);
    }
    CHECK(histogram_of(Kind::read, 3) != histogram_of(Kind::write, 3));
    CHECK(histogram_of(Kind::lock) == histogram_of(Kind::other));
    CHECK(kind_of(&PosixCounters::locks) == Kind::lock);
    CHECK(kind_of(&PosixCounters::stats) == Kind::stat);
}

TEST_CASE("a list of ranks has single ones and ranges")
{
    RankList ranks;
    REQUIRE(ranks.take("0,4-7,12"));
    for (const std::int64_t in : {0, 4, 5, 7, 12}) CHECK(ranks.has(in));
    for (const std::int64_t out : {-1, 1, 3, 8, 11, 13}) CHECK_FALSE(ranks.has(out));
}

TEST_CASE("what is no list of ranks is refused and means none")
{
    for (const char* const list : {"", ",", "1,", "a", "3-1", "1-2-3", "-1", "1 ", "9999999999"}) {
        RankList ranks;
        ranks.take("1");
        CHECK_FALSE(ranks.take(list));
        CHECK(ranks.empty());
    }
}
