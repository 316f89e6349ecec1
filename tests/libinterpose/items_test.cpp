// Names and records on their way between ranks.
#include "libinterpose/items.h"

#include <catch2/catch.hpp>
#include <deque>
#include <string>
#include <vector>

using namespace fathom;

namespace {

// What one rank knows of some files: the number of each file is its id, and it wrote id * 10 bytes to each.
void make_run(std::int64_t rank, const std::vector<std::uint64_t>& files, Bytes& run)
{
    static std::deque<std::string> paths;
    PartRows rows;
    for (const std::uint64_t file : files) {
        const std::string& path = paths.emplace_back("/file/" + std::to_string(file));
        *rows.names.append_array<FileName>(1) = {file, 0, path};
        PosixRecord record;
        record.file = file;
        record.process = rank;
        record.processes = record.writers = 1;
        record.bytes_written = file * 10;
        static_cast<ProcessShare&>(record.slowest) = {rank, file * 100 + static_cast<std::uint64_t>(rank),
                                                      file * 10};
        static_cast<ProcessShare&>(record.fastest) = {rank, file * 100 + static_cast<std::uint64_t>(rank),
                                                      file * 10};
        *rows.posix.append_array<PosixRecord>(1) = record;
    }
    append_items(rows, run);
}

std::vector<PosixRecord> records_of(Bytes& run)
{
    PartRows rows;
    rows_of_items(run.view(), rows);
    const auto all = rows.posix.as<PosixRecord>();
    return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("rows come back from a run as they went in")
{
    Bytes run;
    make_run(3, {1, 5, 9}, run);
    PartRows rows;
    rows_of_items(run.view(), rows);
    REQUIRE(rows.names.as<FileName>().size() == 3);
    CHECK(rows.names.as<FileName>()[1].path == "/file/5");
    REQUIRE(rows.posix.as<PosixRecord>().size() == 3);
    CHECK(rows.posix.as<PosixRecord>()[2].bytes_written == 90);
    CHECK(rows.posix.as<PosixRecord>()[2].process == 3);
}

TEST_CASE("merging reduces the files that both have, and keeps the others as they are")
{
    Bytes a, b, merged;
    make_run(0, {1, 2, 7}, a);
    make_run(1, {2, 3, 7, 8}, b);
    merge_items(a.view(), b.view(), merged);
    const auto records = records_of(merged);
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

TEST_CASE("splitting by a bit loses nothing and keeps the order")
{
    Bytes run, without, with;
    make_run(0, {1, 2, 3, 4, 5, 6, 7}, run);
    split_items(run.view(), 1, without, with);
    const auto low = records_of(without), high = records_of(with);
    CHECK(low.size() == 3);
    CHECK(high.size() == 4);
    for (const PosixRecord& record : low) CHECK((record.file & 2) == 0);
    for (const PosixRecord& record : high) CHECK((record.file & 2) == 2);
    Bytes whole;
    merge_items(without.view(), with.view(), whole);
    CHECK(std::equal(whole.view().begin(), whole.view().end(), run.view().begin(), run.view().end()));
}

TEST_CASE("merging with nothing changes nothing")
{
    Bytes run, merged;
    make_run(2, {4, 6}, run);
    merge_items(run.view(), {}, merged);
    CHECK(std::equal(merged.view().begin(), merged.view().end(), run.view().begin(), run.view().end()));
}
