// Histograms and shapes on their way between ranks.
#include "libinterpose/mpi/timing_items.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "libinterpose/mpi/items.h"
#include "logformat/duration_bins.h"
#include "logformat/path_id.h"

using namespace fathom;

namespace {

using Class = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
Class class_of(const OperationClass& row)
{
    return {row.layer, row.streams, row.kind, row.size_class};
}

// What a job did, as plain maps.
struct Expected {
    std::map<Class, std::vector<std::uint64_t>> times;  // operations, time, longest
    std::map<std::pair<Class, std::uint64_t>, std::uint64_t> bins;
    std::map<std::uint64_t, std::string> shapes;
};

Expected read_all(RunView runs)
{
    PartRows rows;
    read_timings(runs, rows);
    REQUIRE(rows.good());
    Expected seen;
    for (const OperationTimes& row : rows.operations.as<OperationTimes>())
        CHECK(
            seen.times.try_emplace(class_of(row), std::vector{row.operations, row.time, row.longest}).second);
    for (const DurationBin& row : rows.durations.as<DurationBin>()) {
        CHECK(seen.bins.try_emplace({class_of(row), row.at_least}, row.operations).second);
        CHECK(bins::at_least(bins::bin_of(row.at_least).number()) == row.at_least);
        CHECK(row.below - row.at_least == bins::width(bins::bin_of(row.at_least).number()));
    }
    for (const TraceShape& row : rows.trace_shapes.as<TraceShape>())
        CHECK(seen.shapes.try_emplace(row.shape, row.code).second);
    return seen;
}

void check_same(const Expected& seen, const Expected& expected)
{
    CHECK(seen.times == expected.times);
    CHECK(seen.bins == expected.bins);
    CHECK(seen.shapes == expected.shapes);
}

// A rank that did some operations of some classes, and has shapes that others have too. Rows come in any
// order.
struct RankRows {
    std::vector<OperationTimes> operations;
    std::vector<DurationBin> durations;
    std::vector<TraceShape> shapes;

    RankRows(std::mt19937_64& random, Expected& all)
    {
        static std::deque<std::string> codes;
        for (std::uint64_t kind = 0; kind < 7; ++kind) {
            if (random() % 4 == 0) continue;
            const OperationClass of{random() % 3, random() % 2, kind, kind < 2 ? random() % 10 : 0};
            std::map<std::size_t, std::uint64_t> counts;
            std::uint64_t time = 0, longest = 0, count = 0;
            for (std::uint64_t at = random() % 200 + 1; at > 0; --at, ++count) {
                const std::uint64_t duration = random() % (random() % 2 == 0 ? 3000 : std::uint64_t{1} << 40);
                ++counts[bins::bin_of(duration).number()];
                time += duration;
                longest = std::max(longest, duration);
            }
            operations.push_back({of, count, time, longest});
            auto& sums = all.times.try_emplace(class_of(of), std::vector<std::uint64_t>(3)).first->second;
            sums[0] += count;
            sums[1] += time;
            sums[2] = std::max(sums[2], longest);
            for (const auto& [bin, times] : counts) {
                durations.push_back({of, bins::at_least(bin), bins::at_least(bin + 1), times});
                all.bins[{class_of(of), bins::at_least(bin)}] += times;
            }
        }
        for (std::uint64_t at = random() % 6; at > 0; --at) {
            const std::uint64_t number = random() % 10;
            const std::string& code = codes.emplace_back(number * 7, static_cast<char>(0x80 + number));
            shapes.push_back({path_id(code), code});
            all.shapes[path_id(code)] = code;
        }
        std::shuffle(operations.begin(), operations.end(), random);
        std::shuffle(durations.begin(), durations.end(), random);
    }

    void make_run(Bytes& run) { make_runs(std::span(&run, 1), 0); }

    // A run for each wave, by the highest bits of the ids.
    void make_runs(std::span<Bytes> runs, unsigned wave_bits)
    {
        std::vector<Bytes> items(runs.size());
        append_histograms(operations, durations, items[0]);
        append_shapes(shapes, [&](std::uint64_t id) -> Bytes& {
            return items[wave_bits == 0 ? 0 : id >> (64 - wave_bits)];
        });
        for (std::size_t wave = 0; wave < runs.size(); ++wave)
            REQUIRE(sort_items(items[wave].view(), runs[wave]));
    }
};

// Gives from's items to `to`, which merges them in.
void merge_into(Bytes& to, RunView kept, RunView given)
{
    Bytes merged;
    merge_items(kept, given, merged);
    to.clear();
    to.append(merged.view());
}

// What the ranks do at MPI_Finalize: those beyond the power of two give all to another one first. All ids
// agree in the highest `known` bits.
void reduce(std::vector<Bytes>& runs, unsigned known = 0)
{
    const std::size_t power = std::bit_floor(runs.size());
    for (std::size_t client = power; client < runs.size(); ++client) {
        merge_into(runs[client - power], runs[client - power].view(), runs[client].view());
        runs[client].clear();
    }
    for (unsigned round = 0; std::size_t{1} << round < power; ++round) {
        std::vector<Bytes> next(power);
        for (std::size_t rank = 0; rank < power; ++rank) {
            const auto half = [&](std::size_t of) {
                const auto [without, with] = split_items(runs[of].view(), 63 - known - round);
                return (rank >> round & 1) != 0 ? with : without;
            };
            merge_items(half(rank), half(rank ^ std::size_t{1} << round), next[rank]);
        }
        for (std::size_t rank = 0; rank < power; ++rank) {
            runs[rank].clear();
            runs[rank].append(next[rank].view());
        }
    }
}

}  // namespace

TEST_CASE("histograms and shapes of any number of ranks are reduced to their sums")
{
    std::mt19937_64 random(5);
    for (const std::size_t ranks : {1, 2, 3, 5, 8, 11}) {
        INFO(ranks << " ranks");
        Expected expected;
        std::vector<Bytes> runs(ranks);
        for (Bytes& run : runs) RankRows(random, expected).make_run(run);
        reduce(runs);
        Bytes all;
        for (const Bytes& run : runs) all.append(run.view());
        check_same(read_all(all.view()), expected);
        CHECK(read_all(runs[0].view()).times == expected.times);  // of all of them, in one block
    }
}

TEST_CASE("histograms and shapes are reduced to their sums in waves, too")
{
    std::mt19937_64 random(8);
    constexpr unsigned wave_bits = 3;
    constexpr std::size_t ranks = 6;
    Expected expected;
    std::vector<std::vector<Bytes>> of_wave(1 << wave_bits);
    for (auto& runs : of_wave) runs = std::vector<Bytes>(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        std::vector<Bytes> runs(1 << wave_bits);
        RankRows(random, expected).make_runs(runs, wave_bits);
        for (std::size_t wave = 0; wave < runs.size(); ++wave) of_wave[wave][rank].append(runs[wave].view());
    }
    Bytes all;
    for (auto& runs : of_wave) {
        reduce(runs, wave_bits);
        for (const Bytes& run : runs) all.append(run.view());
    }
    check_same(read_all(all.view()), expected);
}

TEST_CASE("runs merge to the same whatever the order")
{
    std::mt19937_64 random(6);
    Expected expected;
    Bytes one, two, three, forth, back;
    for (Bytes* const run : {&one, &two, &three}) RankRows(random, expected).make_run(*run);
    merge_into(forth, one.view(), two.view());
    merge_into(forth, forth.view(), three.view());
    merge_into(back, three.view(), two.view());
    merge_into(back, one.view(), back.view());
    REQUIRE(forth.size() == back.size());
    CHECK(std::equal(forth.view().begin(), forth.view().end(), back.view().begin()));
    check_same(read_all(forth.view()), expected);
}

TEST_CASE("ranks without histograms and shapes change nothing")
{
    std::mt19937_64 random(7);
    Expected expected;
    std::vector<Bytes> runs(4);
    RankRows(random, expected).make_run(runs[2]);
    reduce(runs);
    check_same(read_all(runs[0].view()), {expected.times, expected.bins, read_all(runs[0].view()).shapes});
    Bytes none;
    append_histograms({}, {}, none);
    CHECK(none.size() == 0);
    check_same(read_all(none.view()), {});
}

TEST_CASE("histograms and shapes may stand anywhere among files")
{
    FileRecords use;
    use.name = {12, 0, "/a"};
    use.in[static_cast<std::size_t>(Layer::posix)] = true;
    use.posix.file = 12;
    share_alone(use.posix, 0);
    OperationTimes times[] = {{{}, 1, 50, 50}};  // its id is smaller than that of the file
    DurationBin bin[] = {{{}, 50, 51, 1}};
    TraceShape shapes[] = {{12, "of the same id"}, {13, ""}, {12, "of the same id"}};
    Bytes items, run;
    append_shapes(shapes, [&](std::uint64_t) -> Bytes& { return items; });
    append_histograms(times, bin, items);
    append_items(use, items);
    REQUIRE(sort_items(items.view(), run));
    const Expected seen = read_all(run.view());
    CHECK(seen.times.size() == 1);
    CHECK(seen.shapes == std::map<std::uint64_t, std::string>{{12, "of the same id"}, {13, ""}});
    RowsOfItems files(run.view());
    PartRows rows;
    REQUIRE(files.next(10, rows));
    CHECK(rows.names.as<FileName>().size() == 1);
    REQUIRE(rows.posix.as<PosixRecord>().size() == 1);
    CHECK(rows.posix.as<PosixRecord>()[0].processes == 1);
}

TEST_CASE("rows of one class and bins that are none of ours are added up")
{
    OperationTimes times[] = {{{0, 0, 1, 2}, 1, 100, 100}, {{0, 0, 1, 2}, 2, 400, 300}};
    DurationBin rows[] = {{{0, 0, 1, 2}, 1001, 1002, 1}, {{0, 0, 1, 2}, 1000, 1001, 2}};
    Bytes items;
    append_histograms(times, rows, items);
    const Expected seen = read_all(items.view());
    CHECK(seen.times.begin()->second == std::vector<std::uint64_t>{3, 500, 300});
    REQUIRE(seen.bins.size() == 1);
    CHECK(seen.bins.begin()->first.second == 992);
    CHECK(seen.bins.begin()->second == 3);
}

TEST_CASE("a histogram of 60 bins takes little more than 180 bytes between ranks")
{
    OperationTimes times[] = {{{0, 0, 1, 2}, 60 * 1000, 1, 1}};
    std::vector<DurationBin> rows;
    for (std::size_t bin = 400; bin < 460; ++bin)
        rows.push_back({{0, 0, 1, 2}, bins::at_least(bin), bins::at_least(bin + 1), 1000});
    Bytes items;
    append_histograms(times, rows, items);
    CHECK(items.size() <= sizeof(Item) + 32 + 60 * 3 + 8);
}
