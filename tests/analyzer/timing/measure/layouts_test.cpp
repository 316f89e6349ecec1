// Where accesses lie, by hand.
#include "analyzer/timing/measure/layouts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "analyzer/timing/measure/axes.h"

using namespace fathom::measure;

namespace {

std::vector<std::uint64_t> first(std::size_t count, Places places)
{
    std::vector<std::uint64_t> all(count);
    for (std::uint64_t& one : all) one = places.next();
    return all;
}

using Offsets = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("off0 stays, seq goes on and begins again, reverse comes from the back")
{
    CHECK(first(3, Places(Layout::off0, 4, 16, 1, 1)) == Offsets{0, 0, 0});
    CHECK(first(6, Places(Layout::seq, 4, 16, 1, 1)) == Offsets{0, 4, 8, 12, 0, 4});
    CHECK(first(5, Places(Layout::seq, 6, 16, 1, 1)) == Offsets{0, 6, 0, 6, 0});
    CHECK(first(6, Places(Layout::reverse, 4, 16, 1, 1)) == Offsets{12, 8, 4, 0, 12, 8});
    CHECK(first(4, Places(Layout::reverse, 6, 16, 1, 1)) == Offsets{10, 4, 10, 4});
}

TEST_CASE("stride8MiB leaves out 8 MiB after each access, around a ring")
{
    const Offsets found = first(4, Places(Layout::stride8MiB, mib, 20 * mib, 1, 1));
    CHECK(found == Offsets{0, 9 * mib, 18 * mib, 7 * mib});
    // What would reach over the end lies at the start.
    CHECK(first(3, Places(Layout::stride8MiB, 3 * mib, 24 * mib, 1, 1)) == Offsets{0, 11 * mib, 0});
}

TEST_CASE("rnd reaches all places, and none outside")
{
    Offsets found = first(2000, Places(Layout::rnd, 4, 16, 1, 1));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    CHECK(found == Offsets{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    Offsets aligned = first(2000, Places(Layout::rnd, 1024, 4096, 512, 1));
    std::sort(aligned.begin(), aligned.end());
    aligned.erase(std::unique(aligned.begin(), aligned.end()), aligned.end());
    CHECK(aligned == Offsets{0, 512, 1024, 1536, 2048, 2560, 3072});
}

TEST_CASE("rnd8MiB goes up to 16 MiB further from the end of the last access, 8 MiB on the mean")
{
    constexpr std::uint64_t size = 4096, span = std::uint64_t{1} << 40;  // no turn of the ring
    const Offsets found = first(4000, Places(Layout::rnd8MiB, size, span, 512, 7));
    double sum = 0;
    for (std::size_t at = 1; at < found.size(); ++at) {
        const std::uint64_t further = found[at] - found[at - 1] - size;
        REQUIRE(further <= 16 * mib);
        REQUIRE(further % 512 == 0);
        sum += static_cast<double>(further);
    }
    CHECK(sum / static_cast<double>(found.size() - 1) == Approx(8.0 * mib).epsilon(0.05));
}

TEST_CASE("every layout stays within the span, aligned, also where the span is no more than an access")
{
    for (std::size_t layout = 0; layout < layout_names.size(); ++layout)
        for (const std::uint64_t span : {4096u, 8192u, 512u * 99})
            for (const std::uint64_t offset :
                 first(500, Places(static_cast<Layout>(layout), 4096, span, 512, 3))) {
                INFO(layout_names[layout] << " in " << span);
                REQUIRE(offset + 4096 <= span);
                REQUIRE(offset % 512 == 0);
            }
}

TEST_CASE("what is random is the same for the same seed, and other for others")
{
    const auto of = [](std::uint64_t seed) { return first(50, Places(Layout::rnd, 4, 1000, 1, seed)); };
    CHECK(of(1) == of(1));
    CHECK(of(1) != of(2));
}
