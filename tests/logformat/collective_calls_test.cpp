// Which collective calls a rank keeps.
#include "logformat/collective_calls.h"

#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <utility>

using namespace fathom;

namespace {

using Which = std::set<std::pair<std::uint64_t, std::uint64_t>>;

Which kept_by(const CollectiveSample& sample)
{
    Which kept;
    for (std::uint32_t at = 0; at < sample.used; ++at)
        kept.emplace(sample.calls[at].file, sample.calls[at].call);
    return kept;
}

}  // namespace

TEST_CASE("a sample of collective calls has all while there is room, then every 2^k-th")
{
    const auto sample = std::make_unique<CollectiveSample>();
    std::uint64_t call = 0;
    for (; call < 16; ++call) sample->add({.file = 7, .call = call}, 16);
    CHECK(sample->used == 16);
    CHECK(sample->halvings == 0);
    for (; call < 5000; ++call) {
        sample->add({.file = 7, .call = call}, 16);
        REQUIRE(sample->used <= 16);
    }
    const Which kept = kept_by(*sample);
    CHECK(kept.size() == sample->used);
    CHECK(kept.size() >= 8);
    const std::uint64_t step = std::uint64_t{1} << sample->halvings;
    for (const auto& [file, number] : kept) CHECK((file + number) % step == 0);
    CHECK(kept.size() == 5000 / step + ((7 + 4999) % step < 4999 % step ? 1 : 0));
}

TEST_CASE("ranks that made other calls besides keep the same of those they made together")
{
    const auto one = std::make_unique<CollectiveSample>(), other = std::make_unique<CollectiveSample>();
    for (std::uint64_t call = 0; call < 1000; ++call) {
        one->add({.file = 1, .call = call}, 32);
        other->add({.file = 1, .call = call}, 32);
        for (std::uint64_t file = 2; file < 9; ++file) other->add({.file = file, .call = call}, 32);
    }
    REQUIRE(other->halvings > one->halvings);
    const Which of_one = kept_by(*one), of_other = kept_by(*other);
    std::size_t together = 0;
    for (const auto& which : of_other)
        if (which.first == 1) together += of_one.count(which);
    CHECK(together > 0);
    CHECK(together ==
          static_cast<std::size_t>(std::count_if(of_other.begin(), of_other.end(),
                                                 [](const auto& which) { return which.first == 1; })));
}

TEST_CASE("of many files with one call each some are kept, and others are not")
{
    const auto sample = std::make_unique<CollectiveSample>();
    for (std::uint64_t file = 0; file < 100'000; ++file)
        sample->add({.file = file * 0x9e3779b97f4a7c15, .call = 0}, 16);
    CHECK(sample->used <= 16);
    CHECK(sample->used > 0);
    // A file that no number of halvings leaves out.
    for (int times = 0; times < 40; ++times) sample->add({.file = 0, .call = 0}, 16);
    CHECK(sample->used <= 16);
}

TEST_CASE("all ranks together keep a bounded number of collective calls")
{
    CHECK(CollectiveSample::room(0) == CollectiveSample::most);
    CHECK(CollectiveSample::room(4) == CollectiveSample::most);
    CHECK(CollectiveSample::room(1024) == 64);
    CHECK(CollectiveSample::room(1'000'000) == 8);
}
