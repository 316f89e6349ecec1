// Names and records on their way between ranks.
#include "libinterpose/mpi/items.h"

#include <catch2/catch.hpp>
#include <deque>
#include <fmt/format.h>
#include <random>
#include <string>
#include <vector>

#include "libinterpose/mpi/failed_path_items.h"
#include "libinterpose/mpi/text_items.h"
#include "logformat/tables.h"

using namespace fathom;

namespace {

// A file that one rank used: it wrote id * 10 bytes to it.
FileRecords use_of(std::int64_t rank, std::uint64_t file)
{
    static std::deque<std::string> paths;
    FileRecords use;
    use.name = {file, 0, paths.emplace_back("/file/" + std::to_string(file))};
    use.in[static_cast<std::size_t>(Layer::posix)] = true;
    use.posix.file = file;
    use.posix.bytes_written = file * 10;
    use.posix.write_time = file * 100 + static_cast<std::uint64_t>(rank);
    share_alone(use.posix, rank);
    return use;
}

void make_run(std::int64_t rank, const std::vector<std::uint64_t>& files, Bytes& run)
{
    Bytes items;
    for (const std::uint64_t file : files) append_items(use_of(rank, file), items);
    REQUIRE(sort_items(items.view(), run));
}

// All rows of a run, in the order of their paths.
void read_all(RunView run, PartRows& rows)
{
    RowsOfItems files(run);
    REQUIRE(files.next(SIZE_MAX, rows));
    PartRows more;
    REQUIRE_FALSE(files.next(SIZE_MAX, more));
}

template <class Row>
std::vector<Row> rows_of(Bytes& rows)
{
    const auto all = rows.as<Row>();
    return {all.begin(), all.end()};
}

std::vector<PosixRecord> records_of(RunView run)
{
    PartRows rows;
    read_all(run, rows);
    return rows_of<PosixRecord>(rows.posix);
}

// The first column in which two records differ; nothing if none does.
template <class Row>
std::string first_difference(const Row& one, const Row& other)
{
    const Columns columns = columns_of<Row>();
    for (const Column& column : columns.all())
        if (load<std::uint64_t>(&one, column) != load<std::uint64_t>(&other, column))
            return std::string(column.label());
    return {};
}

// Counters of which about a third are zero and some as large as can be.
template <class Counters>
Record<Counters> random_record(std::mt19937_64& random, std::uint64_t file, std::int64_t process)
{
    Record<Counters> record;
    Counters& counters = record;
    const Columns columns = columns_of<Counters>();
    for (const Column& column : columns.all()) {
        const std::uint64_t kind = random() % 6;
        store(&counters, column, kind < 2 ? 0 : kind == 2 ? UINT64_MAX >> 8 : random() % 1000);
    }
    counters.common_size = {};
    for (int call = 0; call < 5; ++call) counters.common_size.add(random() % 4 * 512, 1 + random() % 3);
    record.file = file;
    share_alone(record, process);
    return record;
}

FileRecords random_use(std::mt19937_64& random, std::uint64_t file, std::int64_t process)
{
    FileRecords use = use_of(process, file);
    use.posix = random_record<PosixCounters>(random, file, process);
    use.stdio = random_record<StdioCounters>(random, file, process);
    use.mpiio = random_record<MpiioCounters>(random, file, process);
    for (bool& in : use.in) in = true;
    return use;
}

bool same_bytes(RunView one, RunView other)
{
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

}  // namespace

TEST_CASE("rows come back from a run as they went in, in the order of their paths")
{
    Bytes run;
    make_run(3, {9, 1, 50, 5}, run);
    PartRows rows;
    read_all(run.view(), rows);
    const auto names = rows_of<FileName>(rows.names);
    REQUIRE(names.size() == 4);
    CHECK(names[1].path == "/file/5");
    CHECK(names[2].path == "/file/50");
    const auto records = rows_of<PosixRecord>(rows.posix);
    REQUIRE(records.size() == 4);
    CHECK(records[3].bytes_written == 90);
    CHECK(first_difference(records[3], use_of(3, 9).posix).empty());
}

TEST_CASE("records of all layers come back in every column, whatever is zero in them")
{
    std::mt19937_64 random(1);
    for (std::uint64_t file = 1; file <= 50; ++file) {
        const FileRecords use = random_use(random, file, static_cast<std::int64_t>(file % 7));
        Bytes items;
        append_items(use, items);
        PartRows rows;
        read_all(items.view(), rows);
        CHECK(first_difference(rows_of<PosixRecord>(rows.posix).at(0), use.posix).empty());
        CHECK(first_difference(rows_of<StdioRecord>(rows.stdio).at(0), use.stdio).empty());
        CHECK(first_difference(rows_of<MpiioRecord>(rows.mpiio).at(0), use.mpiio).empty());
    }
}

TEST_CASE("a record that is all zeros takes a header and two words")
{
    FileRecords use;
    use.in[static_cast<std::size_t>(Layer::posix)] = true;
    share_alone(use.posix, 2);
    Bytes with, without;
    append_items(use, with);
    use.in[static_cast<std::size_t>(Layer::posix)] = false;
    append_items(use, without);
    CHECK(with.size() - without.size() == sizeof(Item) + 2 * sizeof(std::uint64_t));
    CHECK(records_of(with.view()).at(0).processes == 1);
}

TEST_CASE("merging runs is merging their records")
{
    std::mt19937_64 random(2);
    const FileRecords uses[] = {random_use(random, 4, 0), random_use(random, 4, 1), random_use(random, 4, 2)};
    Bytes one, two, three, first, all;
    append_items(uses[0], one);
    append_items(uses[1], two);
    append_items(uses[2], three);
    merge_items(one.view(), two.view(), first);
    merge_items(first.view(), three.view(), all);
    const auto expect = [&](auto record, const auto& second, const auto& third) {
        merge(record, second);
        merge(record, third);
        record.process = reduced;
        record.time.round();
        record.bytes.round();
        return record;
    };
    PartRows rows;
    read_all(all.view(), rows);
    CHECK(first_difference(rows_of<PosixRecord>(rows.posix).at(0),
                           expect(uses[0].posix, uses[1].posix, uses[2].posix))
              .empty());
    CHECK(first_difference(rows_of<StdioRecord>(rows.stdio).at(0),
                           expect(uses[0].stdio, uses[1].stdio, uses[2].stdio))
              .empty());
    CHECK(first_difference(rows_of<MpiioRecord>(rows.mpiio).at(0),
                           expect(uses[0].mpiio, uses[1].mpiio, uses[2].mpiio))
              .empty());
}

TEST_CASE("merging reduces the files that both have, and keeps the others as they are")
{
    Bytes a, b, merged;
    make_run(0, {1, 2, 7}, a);
    make_run(1, {2, 3, 7, 8}, b);
    merge_items(a.view(), b.view(), merged);
    const auto records = records_of(merged.view());
    REQUIRE(records.size() == 5);
    CHECK(records[0].process == 0);
    CHECK(records[1].file == 2);
    CHECK(records[1].process == reduced);
    CHECK(records[1].processes == 2);
    CHECK(records[1].writers == 2);
    CHECK(records[1].bytes_written == 40);
    CHECK(records[1].slowest.process == 1);
    CHECK(records[1].fastest.process == 0);
    CHECK(records[2].process == 1);
    CHECK(records[4].file == 8);
}

TEST_CASE("a run parts at a bit of the ids without losing anything")
{
    Bytes run;
    make_run(0, {7, 3, 4, 1, 2, 5, 6}, run);
    const auto [without, with] = split_items(run.view(), 2);
    for (const PosixRecord& record : records_of(without)) CHECK(record.file < 4);
    for (const PosixRecord& record : records_of(with)) CHECK(record.file >= 4);
    CHECK(records_of(without).size() == 3);
    CHECK(without.size() + with.size() == run.size());
    const auto [nothing, all] = split_items(with, 2);
    CHECK(nothing.empty());
    CHECK(same_bytes(all, with));
    CHECK(split_items({}, 5).second.empty());
}

TEST_CASE("merging with nothing changes nothing")
{
    Bytes run, merged, other;
    make_run(2, {4, 6}, run);
    merge_items(run.view(), {}, merged);
    CHECK(same_bytes(merged.view(), run.view()));
    merge_items({}, run.view(), other);
    CHECK(same_bytes(other.view(), run.view()));
}

TEST_CASE("rows of many files can be had some at a time")
{
    Bytes run;
    make_run(1, {10, 11, 12, 13, 14}, run);
    RowsOfItems files(run.view());
    PartRows rows;
    std::vector<std::uint64_t> seen;
    while (files.next(2, rows)) {
        CHECK(rows_of<FileName>(rows.names).size() <= 2);
        for (const PosixRecord& record : rows_of<PosixRecord>(rows.posix)) seen.push_back(record.file);
    }
    CHECK(seen == std::vector<std::uint64_t>{10, 11, 12, 13, 14});
}

TEST_CASE("a file's layout stays with its name on the way between ranks, once")
{
    const auto run_of = [](std::int64_t rank, const std::vector<Layout>& layouts, Bytes& run) {
        Bytes items;
        for (const std::uint64_t file : {3, 9, 1}) append_items(use_of(rank, file), items);
        for (const Layout& layout : layouts) append_layout(layout, items);
        REQUIRE(sort_items(items.view(), run));
    };
    const Layout of_3{3, 1 << 20, 4, 7, "7,8,9,10", "flash"}, of_9{9, 65536, 1, 2, "2", ""};
    Bytes one, other, merged;
    run_of(0, {of_9, of_3}, one);
    run_of(1, {of_3}, other);
    merge_items(one.view(), other.view(), merged);
    PartRows rows;
    read_all(merged.view(), rows);
    CHECK(rows_of<PosixRecord>(rows.posix).size() == 3);
    const auto layouts = rows_of<Layout>(rows.layouts);
    REQUIRE(layouts.size() == 2);
    const auto same = [](const Layout& a, const Layout& b) {
        return a.file == b.file && a.stripe_size == b.stripe_size && a.stripe_count == b.stripe_count &&
               a.first_server == b.first_server && a.servers == b.servers && a.pool == b.pool;
    };
    CHECK(same(layouts[0], of_3));
    CHECK(same(layouts[1], of_9));
    const auto [low, high] = split_items(merged.view(), 3);  // 9 has this bit, 1 and 3 have not
    PartRows high_rows;
    read_all(high, high_rows);
    REQUIRE(rows_of<Layout>(high_rows.layouts).size() == 1);
    CHECK(same(rows_of<Layout>(high_rows.layouts).front(), of_9));
    CHECK(low.size() + high.size() == merged.size());
}

TEST_CASE("failed paths of two ranks add up on the way, in one item that follows no file")
{
    const auto run_of = [](std::int64_t rank, const std::vector<FailedPath>& paths, Bytes& run) {
        PartRows rows;
        for (const FailedPath& one : paths)
            failed_sums_of(rows)->add(one.path, one.calls, one.error, static_cast<std::uint32_t>(one.cause),
                                      one.slept);
        Bytes items;
        for (const std::uint64_t file : {3, 9, 1}) append_items(use_of(rank, file), items);
        append_failed_paths(rows, items);
        REQUIRE(sort_items(items.view(), run));
    };
    Bytes one, other, none, merged, all;
    run_of(0, {{"/a", 10, 1, 2, 100}, {"/only/here", 3, 0, 13}}, one);
    run_of(1, {{"/b", 40, 0, 2}, {"/a", 20, 2, 20, 7}}, other);
    run_of(2, {}, none);
    merge_items(one.view(), other.view(), merged);
    merge_items(none.view(), merged.view(), all);
    PartRows rows;
    read_all(all.view(), rows);
    CHECK(rows_of<PosixRecord>(rows.posix).size() == 3);
    read_failed_paths(all.view(), rows);
    std::string told;
    for (const FailedPath& row : rows.failed_paths.as<FailedPath>())
        told += fmt::format("{} {} {} {} {}\n", row.path, row.calls, row.error, row.cause, row.slept);
    CHECK(told == "/b 40 0 2 0\n/a 30 3 20 107\n/only/here 3 0 13 0\n");
    read_failed_paths(none.view(), rows);
    CHECK(rows.failed_paths.size() == 0);
}

TEST_CASE("a file's hints stay with its name on the way between ranks, once")
{
    const auto run_of = [](std::int64_t rank, const std::vector<Hints>& all, Bytes& run) {
        Bytes items;
        for (const std::uint64_t file : {3, 9, 1}) append_items(use_of(rank, file), items);
        for (const Hints& hints : all) append_hints(hints, items);
        REQUIRE(sort_items(items.view(), run));
    };
    const Hints of_3{3, "cb_nodes=2", "cb_nodes=2;romio_ds_write=automatic", 0}, of_9{9, "", "", 1};
    Bytes one, other, merged;
    run_of(0, {of_9}, one);
    run_of(1, {of_3, of_9}, other);
    merge_items(one.view(), other.view(), merged);
    PartRows rows;
    read_all(merged.view(), rows);
    CHECK(rows_of<PosixRecord>(rows.posix).size() == 3);
    const auto all = rows_of<Hints>(rows.hints);
    REQUIRE(all.size() == 2);
    CHECK(all[0].file == 3);
    CHECK(all[0].asked == of_3.asked);
    CHECK(all[0].used == of_3.used);
    CHECK(all[1].file == 9);
    CHECK(all[1].left_out == 1);
}
