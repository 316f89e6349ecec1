// Classes and sums of inodes.
#include "analyzer/scan/count/sums.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace fathom::scan;

namespace {

constexpr std::int64_t noon = 1'800'000'000;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       most = std::numeric_limits<std::int64_t>::max();

Entry file_of(std::uint64_t size, std::uint64_t allocated, std::int64_t accessed = noon)
{
    Entry entry;
    entry.name = "x";
    entry.size = size;
    entry.allocated = allocated;
    entry.accessed = entry.modified = accessed;
    entry.mode = S_IFREG | 0644;
    return entry;
}

std::uint32_t age_class(std::int64_t accessed)
{
    return class_of_access(file_of(0, 0, accessed), noon);
}

}  // namespace

TEST_CASE("scan: a size class ends before its power of two")
{
    const auto size_class = [](std::uint64_t size) { return class_of_size(file_of(size, 0), noon); };
    CHECK(size_class(0) == 0);
    CHECK(size_class(1) == 1);
    CHECK(size_class(65535) == 16);
    CHECK(size_class(65536) == 17);
    CHECK(size_class(~std::uint64_t{0}) == 64);
}

TEST_CASE("scan: an age class begins with its days, and clocks may say anything")
{
    CHECK(age_class(noon + 1) == 0);
    CHECK(age_class(noon) == 1);
    CHECK(age_class(noon - seconds_a_day + 1) == 1);
    CHECK(age_class(noon - seconds_a_day) == 2);
    CHECK(age_class(noon - 90 * seconds_a_day + 1) == 10);
    CHECK(age_class(noon - 90 * seconds_a_day) == 11);
    CHECK(age_class(noon - 2048 * seconds_a_day) == age_days.size());
    CHECK(age_class(least) == age_days.size());
    CHECK(age_class(most) == 0);
    CHECK(class_of_change(file_of(0, 0, least), least) == 1);
    CHECK(class_of_change(file_of(0, 0, least), most) == age_days.size());
}

TEST_CASE("scan: a file is sparse that has less on the device, and other inodes have no bytes")
{
    Tally tally;
    tally.add(file_of(100, 4096), noon);
    tally.add(file_of(8192, 4096), noon - 1);
    Entry folder = file_of(4096, 4096);
    folder.mode = S_IFDIR | 0755;
    folder.links = 7;
    tally.add(folder, noon);
    Entry linked = file_of(1, 512);
    linked.links = 2;
    tally.add(linked, noon);
    const Sums& sums = tally.sums;
    CHECK(sums.inodes == 4);
    CHECK(sums.files == 3);
    CHECK(sums.bytes == 8293);
    CHECK(sums.file_allocated == 8704);
    CHECK(sums.allocated == 12800);
    CHECK(sums.sparse_files == 1);
    CHECK(sums.sparse_bytes == 8192);
    CHECK(sums.sparse_allocated == 4096);
    CHECK(sums.linked_files == 1);
    CHECK(sums.largest == 8192);
    CHECK(tally.by(Axis::accessed).before(1).files == 1);
    CHECK(tally.by(Axis::accessed).before(2).files == 3);
    CHECK(tally.by(Axis::size).before(14) == Histogram::Cell{14, 2, 101});
}

TEST_CASE("scan: sums that are too large stay at their greatest, however they are merged")
{
    const std::uint64_t huge = static_cast<std::uint64_t>(most);
    Tally one, two, three;
    for (Tally* tally : {&one, &two, &three}) tally->add(file_of(huge, 0), noon);
    one.merge(two);
    one.merge(three);
    CHECK(one.sums.bytes == ~std::uint64_t{0});
    CHECK(one.sums.largest == huge);
    CHECK(one.by(Axis::size).before(64).bytes == ~std::uint64_t{0});
}
