// The slowest rank's time from records that stand for one rank, or for all of them.
#include "analyzer/methods/slowest.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace fathom;

TEST_CASE("own files count by the rank that took longest for them, shared files by their slowest rank")
{
    // Rank 0: 3 + 4 s of its own, rank 1: 5 s. Two shared files, of four ranks: 20 s in all, the slowest 9 s;
    // 8 s, the slowest 2 s.
    const std::vector<RecordTime> records = {{0, 10, 3, -1, 0, 0},
                                             {1, 20, 5, -1, 0, 0},
                                             {0, 30, 4, -1, 0, 0},
                                             {-1, 40, 20, 1, 9, 2},
                                             {-1, 50, 8, 3, 2, 2}};
    const SlowestTime time = slowest_time(records, 4);
    CHECK(time.bytes == 150);
    CHECK(time.unique == 7);
    CHECK(time.unique_rank == 0);
    CHECK(time.shared == 11);
    CHECK(time.most() == 18);
    // Rank 1: its own 5 s, 9 s where it was the slowest, and 2 s as the fastest, at least, of the other file.
    CHECK(time.least == 16);
    CHECK(time.least_rank == 1);
    CHECK(time.mean == Approx(10));
    CHECK_FALSE(time.exact());
}

TEST_CASE("where every record is of one rank the slowest rank's time is known")
{
    const std::vector<RecordTime> records = {{2, 1, 3, -1, 0, 0}, {1, 1, 5, -1, 0, 0}, {2, 1, 4, -1, 0, 0}};
    const SlowestTime time = slowest_time(records, 3);
    CHECK(time.exact());
    CHECK(time.most() == 7);
    CHECK(time.least_rank == 2);
}

TEST_CASE("the slowest rank took no less than the mean")
{
    // Three files of four ranks, each with another slowest rank: 10 s in all, 3 s by the slowest.
    const std::vector<RecordTime> records = {
        {-1, 1, 10, 0, 3, 1}, {-1, 1, 10, 1, 3, 1}, {-1, 1, 10, 2, 3, 1}};
    const SlowestTime time = slowest_time(records, 4);
    CHECK(time.most() == 9);
    CHECK(time.mean == Approx(7.5));
    CHECK(time.least == 7);
    CHECK(time.least_rank == -1);
}

TEST_CASE("without records there is no time")
{
    const SlowestTime time = slowest_time({}, 4);
    CHECK(time.records == 0);
    CHECK(time.most() == 0);
    CHECK(time.unique_rank == -1);
}

TEST_CASE("of ranks with as much time the first counts, and the bounds meet where all is known")
{
    const std::vector<RecordTime> records = {{3, 1, 5, -1, 0, 0}, {1, 1, 5, -1, 0, 0}};
    const SlowestTime time = slowest_time(records, 2);
    CHECK(time.records == 2);
    CHECK(time.unique_rank == 1);
    CHECK(time.least_rank == 1);
    CHECK(time.exact());
    CHECK(slowest_time(records, 0).mean == 0);
}

TEST_CASE("rank 0 may be the slowest of a shared file, and nobody is where that is not known")
{
    const SlowestTime by_first = slowest_time(std::vector<RecordTime>{{-1, 1, 12, 0, 9, 1}}, 4);
    CHECK(by_first.least == 9);
    CHECK(by_first.least_rank == 0);
    CHECK(by_first.exact());
    // All that is known: no rank had more than 9, and the mean is 3.
    const SlowestTime unknown = slowest_time(std::vector<RecordTime>{{-1, 1, 12, -1, 9, 1}}, 4);
    CHECK(unknown.least == 3);
    CHECK(unknown.least_rank == -1);
    CHECK(unknown.most() == 9);
    // The fastest of a damaged log is slower than the slowest.
    CHECK(slowest_time(std::vector<RecordTime>{{-1, 1, 2, 2, 5, 8}}, 4).least == 5);
    CHECK(slowest_time(std::vector<RecordTime>{{-1, 1, 40, 2, 5, 8}}, 4).least == 5);
}
