// The model beside the numbers of the LWM2 study, and time bins of jobs that were worked out by hand.
#include "analyzer/methods/interference.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace fathom;

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
constexpr double volume = 16.0 * 1000;  // MiB a job

// Tables 1 to 3 of the study, on hard disks: MiB/s.
double alone_private(int processes)
{
    return processes == 1 ? 82.6 : processes == 12 ? 95.5 : processes == 36 ? 95.0 : 93.5;
}
double alone_shared(int processes)
{
    return processes == 1 ? 83.8 : processes == 12 ? 78.5 : processes == 36 ? 73.8 : 55.4;
}

struct PaperRow {
    bool shared;
    int small, large;
    double small_rate, large_rate;    // over all of each run
    double small_error, large_error;  // of the predicted times, worked out by hand from tables 1 to 3
};
constexpr PaperRow paper_rows[] = {
    {false, 1, 12, 47.3, 51.8, 0.068, -0.412}, {false, 1, 36, 46.8, 74.8, 0.059, -0.191},
    {false, 1, 60, 46.8, 82.0, 0.067, -0.108}, {false, 12, 36, 48.3, 69.2, 0.014, -0.029},
    {false, 12, 60, 50.4, 78.8, 0.067, 0.011}, {false, 36, 60, 51.5, 59.9, 0.093, 0.025},
    {true, 1, 12, 49.1, 45.1, 0.211, -0.378},  {true, 1, 36, 43.3, 51.5, 0.103, -0.283},
    {true, 1, 60, 37.9, 45.6, 0.136, -0.163},  {true, 12, 36, 38.3, 50.8, 0.007, -0.082},
    {true, 12, 60, 35.3, 47.8, 0.087, 0.035},  {true, 36, 60, 23.9, 23.7, -0.245, -0.316},
};

ActiveBins made(std::uint64_t length, std::vector<ActiveBin> bins)
{
    return {length, std::move(bins)};
}
constexpr std::uint64_t s = 1'000'000'000;

}  // namespace

TEST_CASE("interference: from tables 1 and 2 of LWM2's study come the rows of its table 3")
{
    for (const PaperRow& row : paper_rows) {
        INFO((row.shared ? "shared " : "private ") << row.small << ", " << row.large);
        const auto rate = row.shared ? alone_shared : alone_private;
        const PairSeconds alone{volume / rate(row.large), volume / rate(row.small)},
            together = seconds_together(alone, row.large, row.small);
        const double large = relative_error(together.large, volume / row.large_rate),
                     small = relative_error(together.small, volume / row.small_rate);
        CHECK(large == Approx(row.large_error).margin(0.0006));
        CHECK(small == Approx(row.small_error).margin(0.0006));
        // What the study claims: under 12 % in private mode, where no job has one process.
        if (!row.shared && row.small > 1) CHECK(std::max(std::abs(large), std::abs(small)) < 0.12);
    }
}

TEST_CASE("interference: times alone follow from times together, and the other way round")
{
    const PairSeconds together = seconds_together({100, 120}, 60, 12);
    CHECK(together.large == Approx(120));
    CHECK(together.small == Approx(220));
    const PairSeconds alone = seconds_alone(together, 60, 12);
    CHECK(alone.large == Approx(100));
    CHECK(alone.small == Approx(120));
    CHECK(seconds_alone(0, together.large, 60, 12) == Approx(alone.large));
    CHECK(seconds_alone(together.small - together.large, together.large, 12, 60) == Approx(alone.small));
    CHECK(seconds_alone(5, 0, 1, 0) == 5);
    CHECK(std::isnan(seconds_alone(-1, 1, 1, 1)));
    CHECK(std::isnan(seconds_alone(1, 1, 0, 1)));
    for (const PairSeconds wrong : {PairSeconds{0, 1}, {1, 0}, {-1, 1}, {not_known, 1}, {1, HUGE_VAL}}) {
        CHECK(std::isnan(seconds_together(wrong, 2, 1).large));
        CHECK(std::isnan(seconds_alone(wrong, 2, 1).small));
    }
    CHECK(std::isnan(seconds_together({1, 1}, 1, 2).large));
    CHECK(std::isnan(seconds_together({1, 1}, 2, 0).large));
    CHECK(std::isnan(seconds_together({1, 1}, not_known, 1).large));
}

TEST_CASE("interference: the model of any jobs is the study's where two begin at once")
{
    for (const PaperRow& row : paper_rows) {
        const auto rate = row.shared ? alone_shared : alone_private;
        const PairSeconds alone{volume / rate(row.large), volume / rate(row.small)},
            together = seconds_together(alone, row.large, row.small);
        const Contender jobs[] = {{alone.large, double(row.large), 7}, {alone.small, double(row.small), 7}};
        const auto taken = seconds_side_by_side(jobs);
        CHECK(taken[0] == Approx(together.large));
        CHECK(taken[1] == Approx(together.small));
    }
    // The small job has little to do and ends first: 2 s at a quarter of the bandwidth are 8 s.
    const Contender little[] = {{100, 3, 0}, {2, 1, 0}};
    CHECK(seconds_side_by_side(little)[1] == Approx(8));
    CHECK(seconds_side_by_side(little)[0] == Approx(102));
    // The second one begins when the first has 4 s left, at half of the bandwidth: 8 s together.
    const Contender later[] = {{10, 1, 0}, {6, 1, 6}};
    CHECK(seconds_side_by_side(later)[0] == Approx(14));
    CHECK(seconds_side_by_side(later)[1] == Approx(10));
    // Never together.
    const Contender apart[] = {{1, 5, 0}, {2, 1, 10}, {3, 1, 100}};
    CHECK(seconds_side_by_side(apart) == std::vector<double>{1, 2, 3});
    // Three alike.
    const Contender three[] = {{1, 2, 0}, {1, 2, 0}, {1, 2, 0}};
    for (const double taken : seconds_side_by_side(three)) CHECK(taken == Approx(3));
    // What is no job disturbs nobody.
    const Contender none[] = {{5, 1, 0}, {0, 1, 0},         {not_known, 1, 0},
                              {5, 0, 0}, {5, 1, not_known}, {-1, 1, 0}};
    const auto with_none = seconds_side_by_side(none);
    CHECK(with_none[0] == Approx(5));
    for (std::size_t at = 1; at < 6; ++at) CHECK(std::isnan(with_none[at]));
    CHECK(seconds_side_by_side({}).empty());
}

TEST_CASE("interference: an error is that of the prediction over what was observed")
{
    CHECK(relative_error(8.1, 8.7) == Approx(-0.0690).epsilon(0.001));
    CHECK(relative_error(11, 10) == Approx(0.1));
    CHECK(std::isnan(relative_error(1, 0)));
    CHECK(std::isnan(relative_error(not_known, 1)));
}

TEST_CASE("interference: bins of another length have the same bytes")
{
    const ActiveBins fine = made(s, {{5, 10, 1}, {6, 20, 3}, {9, 8, 2}});
    const ActiveBins coarse = on_grid(fine, 4 * s);
    REQUIRE(coarse.bins.size() == 2);
    CHECK(coarse.bins[0].number == 1);
    CHECK(coarse.bins[0].bytes == Approx(30));
    CHECK(coarse.bins[0].processes == 3);
    CHECK(coarse.bins[1].number == 2);
    const ActiveBins finer = on_grid(made(4 * s, {{1, 40, 2}}), s);
    REQUIRE(finer.bins.size() == 4);
    CHECK(finer.bins[3].number == 7);
    CHECK(finer.bins[3].bytes == Approx(10));
    // Lengths of which neither is a multiple of the other: [2, 4) of [0, 3) and [3, 6).
    const ActiveBins other = on_grid(made(2 * s, {{1, 10, 1}}), 3 * s);
    REQUIRE(other.bins.size() == 2);
    CHECK(other.bins[0].bytes == Approx(5));
    CHECK(other.bins[1].bytes == Approx(5));
    CHECK(on_grid({}, s).bins.empty());
}

TEST_CASE("interference: the active overlap is the longest stretch in which all processes of both are active")
{
    const ActiveBins first = made(s, {{10, 100, 4},
                                      {11, 100, 4},
                                      {12, 100, 3},
                                      {13, 100, 4},
                                      {14, 100, 4},
                                      {15, 100, 4},
                                      {17, 100, 4}}),
                     second = made(s, {{9, 7, 2},
                                       {10, 10, 2},
                                       {11, 10, 2},
                                       {12, 10, 2},
                                       {13, 10, 2},
                                       {14, 20, 2},
                                       {15, 30, 1},
                                       {16, 40, 2}});
    const PairOverlap pair = overlap_of(first, second);
    CHECK(pair.length == s);
    CHECK(pair.together == Approx(6));
    CHECK(pair.first_to_last == BinStretch{10, 16});
    // 10 and 11 as long as 13 and 14: the first of them. In 12 a process was missing, in 15 another one.
    CHECK(pair.active_overlap == BinStretch{10, 12});
    CHECK(pair.first.processes == 4);
    CHECK(pair.first.together.bytes == Approx(600));
    CHECK(pair.first.apart.bytes == Approx(100));
    CHECK(pair.first.apart.seconds == Approx(1));
    CHECK(pair.first.overlap.rate() == Approx(100));
    CHECK(pair.second.together.bytes == Approx(90));
    CHECK(pair.second.apart.bytes == Approx(47));
    CHECK(pair.second.apart.seconds == Approx(2));
    CHECK(pair.second.overlap.rate() == Approx(10));
    const PairOverlap turned = overlap_of(second, first);
    CHECK(turned.active_overlap == pair.active_overlap);
    CHECK(turned.second.apart.bytes == pair.first.apart.bytes);
}

TEST_CASE("interference: a sync without bytes is activity, nothing at all is none")
{
    const ActiveBins syncing = made(s, {{1, 10, 1}, {2, 0, 1}, {3, 10, 1}, {4, 0, 0}});
    const PairOverlap pair = overlap_of(syncing, made(s, {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}}));
    CHECK(pair.active_overlap == BinStretch{1, 4});
    CHECK(pair.second.apart.seconds == Approx(1));
    CHECK_FALSE(overlap_of(syncing, {}).active_overlap);
    CHECK(overlap_of(syncing, {}).first.apart.seconds == Approx(3));
    CHECK(overlap_of({}, {}).together == 0);
    CHECK(std::isnan(Moved().rate()));
}

TEST_CASE("interference: seconds lost are those of bins beside others, and divided by who moved most")
{
    // Alone 100 a second; at 30 in [4, 8) beside one, at 40 in [8, 10) beside two that move 10 and 30.
    const ActiveBins job = made(s, {{2, 100, 2},
                                    {3, 100, 2},
                                    {4, 30, 2},
                                    {5, 30, 2},
                                    {6, 30, 2},
                                    {7, 30, 2},
                                    {8, 40, 2},
                                    {9, 40, 2},
                                    {12, 100, 2}}),
                     one = made(2 * s, {{2, 20, 1}, {3, 20, 1}, {4, 20, 1}}),
                     two = made(s, {{1, 900, 5}, {8, 30, 5}, {9, 30, 5}, {10, 900, 5}, {20, 1, 1}}), none;
    const ActiveBins* const all[] = {&none, &one, &two};
    const Disturbance known = disturbance_of(job, all, 100);
    CHECK(known.alone.rate() == Approx(100));
    CHECK(known.alone.seconds == Approx(3));
    CHECK(known.beside.seconds == Approx(6));
    CHECK(known.lost == Approx(4 * 0.7 + 2 * 0.6));
    REQUIRE(known.parts.size() == 2);
    CHECK(known.parts[0].neighbour == 1);
    CHECK(known.parts[0].bytes == Approx(60));
    CHECK(known.parts[0].seconds == Approx(6));
    CHECK(known.parts[0].lost == Approx(4 * 0.7 + 2 * 0.6 / 4));
    CHECK(known.parts[1].lost == Approx(2 * 0.6 * 3 / 4));
    CHECK(known.parts[0].own.bytes == Approx(4 * 30 + 2 * 40 / 4));
    CHECK(known.parts[0].own.seconds == Approx(4.5));
    CHECK(known.parts[0].lost + known.parts[1].lost == Approx(known.lost));
    const Disturbance unknown = disturbance_of(job, all, not_known);
    CHECK(std::isnan(unknown.lost));
    CHECK(std::isnan(unknown.parts[0].lost));
    CHECK(unknown.beside.bytes == Approx(200));
    CHECK(std::isnan(disturbance_of(job, all, 0).lost));
    CHECK(disturbance_of(job, {}, 100).lost == 0);
    CHECK(disturbance_of({}, all, 100).parts.empty());
}

TEST_CASE("interference: bytes that come in jumps are divided by windows of a second")
{
    // Quarters of a second: bytes in one of four bins, syncs in the others, as each of both has them.
    constexpr std::uint64_t quarter = s / 4;
    ActiveBins job = made(quarter, {}), other = made(quarter, {}), third = made(quarter, {});
    for (std::uint64_t at = 0; at < 40; ++at) {
        job.bins.push_back({at, at % 4 == 0 ? 50.0 : 0, 1});
        other.bins.push_back({at, at % 4 == 1 ? 60.0 : 0, 1});
        third.bins.push_back({at, at % 4 == 2 ? 20.0 : 0, 1});
    }
    const ActiveBins* const both[] = {&other, &third};
    const Disturbance result = disturbance_of(job, both, 100);
    CHECK(result.lost == Approx(5));
    REQUIRE(result.parts.size() == 2);
    CHECK(result.parts[0].lost == Approx(3.75));
    CHECK(result.parts[1].lost == Approx(1.25));
}

TEST_CASE("interference: neighbours that move less than a twentieth of what the job does do not count")
{
    const ActiveBins job = made(s, {{1, 100, 2}, {2, 100, 2}, {3, 20, 2}, {4, 0, 2}}),
                     little = made(s, {{1, 4.9, 1}, {2, 5, 1}, {3, 4.9, 1}, {4, 0, 1}});
    const ActiveBins* const all[] = {&little};
    const Disturbance result = disturbance_of(job, all, 100);
    CHECK(result.alone.seconds == Approx(1));
    CHECK(result.beside.seconds == Approx(3));
    CHECK(result.lost == Approx(0.8 + 1));
    REQUIRE(result.parts.size() == 1);
    CHECK(result.parts[0].seconds == Approx(3));
    CHECK(result.parts[0].bytes == Approx(9.9));
}
