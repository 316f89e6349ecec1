// Items at their edges: kinds, padding, ids that differ in one bit, paths that begin alike, numbers of any
// length.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "libinterpose/mpi/items.h"
#include "libinterpose/mpi/text_items.h"
#include "libinterpose/mpi/timing_items.h"
#include "logformat/duration_bins.h"

using namespace fathom;

namespace {

FileRecords named(std::uint64_t file, std::string_view path)
{
    FileRecords use;
    use.name = {file, 0, path};
    return use;
}

// The files of a run in the order in which it tells of them.
std::vector<std::string> paths_in(RunView run)
{
    RowsOfItems files(run);
    PartRows rows;
    std::vector<std::string> paths;
    while (files.next(1, rows))
        for (const FileName& name : rows.names.as<FileName>()) paths.emplace_back(name.path);
    CHECK(files.good());
    return paths;
}

std::vector<std::uint64_t> ids_in(RunView run)
{
    std::vector<std::uint64_t> ids;
    for (Run at(run); !at.at_end(); at.next()) ids.push_back(at.item().file);
    return ids;
}

}  // namespace

TEST_CASE("items: what follows a file's name is its records and its layout")
{
    for (const ItemKind kind : {ItemKind::posix, ItemKind::stdio, ItemKind::mpiio, ItemKind::layout})
        CHECK(is_of_file(kind));
    for (const ItemKind kind : {ItemKind::name, ItemKind::histogram, ItemKind::shape})
        CHECK_FALSE(is_of_file(kind));
}

TEST_CASE("items: payloads are padded to words, and what pads them is zero")
{
    CHECK(padded(0) == 0);
    CHECK(padded(1) == 8);
    CHECK(padded(8) == 8);
    CHECK(padded(9) == 16);
    for (std::size_t length = 0; length <= 17; ++length) {
        const std::string path(length, 'p');
        Bytes items;
        std::byte* const before = items.room(4096);
        std::fill(before, before + 4096, std::byte{0xff});
        append_items(named(5, path), items);
        Run at(items.view());
        CHECK(at.item().bytes == 24 + padded(length));
        for (std::size_t from = 24 + length; from < at.payload().size(); ++from)
            CHECK(at.payload()[from] == std::byte{0});
        CHECK(at.rest().size() == at.whole().size());
        at.next();
        CHECK(at.at_end());
    }
}

TEST_CASE("items: shapes and layouts of every length come back, padded with zeros")
{
    for (std::size_t length = 0; length <= 17; ++length) {
        const std::string text(length, 's');
        Bytes items;
        std::byte* const before = items.room(4096);
        std::fill(before, before + 4096, std::byte{0xff});
        append_shape({77, text}, items);
        const std::size_t shape_bytes = items.size();
        CHECK(shape_bytes == sizeof(Item) + 8 + padded(length));
        for (std::size_t from = sizeof(Item) + 8 + length; from < shape_bytes; ++from)
            CHECK(items.view()[from] == std::byte{0});
        append_layout({5, 6, 7, 8, text, text.substr(length / 2)}, items);
        Run at(items.view());
        at.next();
        CHECK(at.item().bytes == 40 + padded(length + length - length / 2));
        for (std::size_t from = 40 + length + length - length / 2; from < at.payload().size(); ++from)
            CHECK(at.payload()[from] == std::byte{0});
        PartRows rows;
        read_timings(items.view(), rows);
        REQUIRE(rows.trace_shapes.as<TraceShape>().size() == 1);
        CHECK(rows.trace_shapes.as<TraceShape>()[0].code == text);
    }
}

TEST_CASE("items: a run is parted at each of the 64 bits")
{
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t with_bit = std::uint64_t{1} << bit;
        Bytes items, run;
        append_items(named(with_bit, "/with"), items);
        append_items(named(0, "/without"), items);
        REQUIRE(sort_items(items.view(), run));
        const auto [without, with] = split_items(run.view(), bit);
        CHECK(ids_in(without) == std::vector<std::uint64_t>{0});
        CHECK(ids_in(with) == std::vector<std::uint64_t>{with_bit});
    }
}

TEST_CASE("items: they are sorted by what they are of, then by their kind")
{
    Bytes items, run;
    append_shape({3, "shape"}, items);
    append_items(named(9, "/behind"), items);
    append_items(named(3, "/file"), items);
    append_items(named(2, "/before"), items);
    REQUIRE(sort_items(items.view(), run));
    CHECK(ids_in(run.view()) == std::vector<std::uint64_t>{2, 3, 3, 9});
    std::vector<ItemKind> kinds;
    for (Run at(run.view()); !at.at_end(); at.next()) kinds.push_back(at.item().kind);
    CHECK(kinds == std::vector<ItemKind>{ItemKind::name, ItemKind::name, ItemKind::shape, ItemKind::name});
}

TEST_CASE("items: paths come in their order, however long what they begin with alike")
{
    const std::vector<std::string> sorted = {"/d/aaaaaaaa", "/d/aaaaaaaaa", "/d/aaaaaaaab", "/d/aaaaaaab",
                                             "/d/b",        "/d/b\xff",     "/d/c"};
    Bytes items, run;
    for (std::size_t at = 0; at < sorted.size(); ++at) append_items(named((at * 5) % 7, sorted[at]), items);
    REQUIRE(sort_items(items.view(), run));
    CHECK(paths_in(run.view()) == sorted);
    Bytes nothing_alike;
    append_items(named(1, "<stdin>"), nothing_alike);
    append_items(named(2, "/z"), nothing_alike);
    CHECK(paths_in(nothing_alike.view()) == std::vector<std::string>{"/z", "<stdin>"});
    Bytes one;
    append_items(named(4, "/alone"), one);
    CHECK(paths_in(one.view()) == std::vector<std::string>{"/alone"});
    Bytes empty_path;
    append_items(named(4, ""), empty_path);
    append_items(named(5, "/b"), empty_path);
    CHECK(paths_in(empty_path.view()) == std::vector<std::string>{"", "/b"});
}

TEST_CASE("items: names merge to the kind and the number of files that say more")
{
    Bytes one, other, merged;
    FileRecords use = named(9, "/name");
    use.name.kind = 2;
    use.name.files = 10;
    append_items(use, one);
    use.name.kind = 3;
    use.name.files = 4;
    append_items(use, other);
    merge_items(one.view(), other.view(), merged);
    RowsOfItems files(merged.view());
    PartRows rows;
    REQUIRE(files.next(5, rows));
    const FileName name = rows.names.as<FileName>()[0];
    CHECK(name.kind == 3);
    CHECK(name.files == 10);
    CHECK(name.path == "/name");
}

TEST_CASE("items: kinds of one id are merged in the order of the kinds")
{
    Bytes one, other, merged;
    append_items(named(9, "/name"), one);
    append_shape({9, "code"}, other);
    merge_items(other.view(), one.view(), merged);
    std::vector<ItemKind> kinds;
    for (Run at(merged.view()); !at.at_end(); at.next()) kinds.push_back(at.item().kind);
    CHECK(kinds == std::vector<ItemKind>{ItemKind::name, ItemKind::shape});
}

TEST_CASE("timings: counts of every length, the first and the last bin, come back through a merge")
{
    const OperationClass of{2, 1, 3, 9};
    for (const std::uint64_t count :
         {std::uint64_t{1}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{16'383},
          std::uint64_t{16'384}, std::uint64_t{1} << 40, UINT64_MAX / 4}) {
        const auto run_of = [&](std::size_t second_bin, Bytes& items) {
            OperationTimes times[] = {{of, 2 * count, 50, 7}};
            std::vector<DurationBin> rows;
            for (const std::size_t bin : {std::size_t{0}, second_bin, bins::count - 1})
                rows.push_back({of, bins::at_least(bin), 0, count});
            append_histograms(times, rows, items);
            CHECK(items.size() % 8 == 0);
        };
        Bytes one, other, merged;
        run_of(5, one);
        run_of(200, other);
        merge_items(one.view(), other.view(), merged);
        PartRows rows;
        read_timings(merged.view(), rows);
        const auto times = rows.operations.as<OperationTimes>();
        REQUIRE(times.size() == 1);
        CHECK(times[0].layer == 2);
        CHECK(times[0].streams == 1);
        CHECK(times[0].kind == 3);
        CHECK(times[0].size_class == 9);
        CHECK(times[0].operations == 4 * count);
        CHECK(times[0].time == 100);
        CHECK(times[0].longest == 7);
        const auto bins_of_it = rows.durations.as<DurationBin>();
        REQUIRE(bins_of_it.size() == 4);
        const std::size_t numbers[] = {0, 5, 200, bins::count - 1};
        for (std::size_t at = 0; at < 4; ++at) {
            CHECK(bins_of_it[at].at_least == bins::at_least(numbers[at]));
            CHECK(bins_of_it[at].operations == (at == 0 || at == 3 ? 2 * count : count));
        }
        CHECK(bins_of_it[0].below == bins::at_least(1));
        CHECK(bins_of_it[3].below == UINT64_MAX);
    }
}
