// Two looks at made-up recordings, and what is shown of them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/watch/screen.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::watch;
using Catch::Matchers::Contains;
using fathom::testing::Synthetic;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

// A recording with two ranks, which write to a file each; the second one reads as well.
Recording recording(std::uint64_t blocks, const std::string& spool = "/dev/shm/fathom-1")
{
    Synthetic made;
    made.ranks(2, 1);
    for (Process& process : made.log.rows<Process>())
        process.ending = static_cast<std::uint64_t>(Ending::running);
    const std::uint64_t first = made.file("/scratch/a"), other = made.file("/scratch/b");
    const fathom::testing::Io done{.bytes_written = blocks << 20, .write_time = blocks * second / 100};
    for (const std::uint64_t file : {first, other}) {
        PosixRecord& record = made.io<PosixRecord>(file, file == first ? 0 : 1, done);
        record.writes = record.stats = blocks;
        if (file == first) continue;
        record.reads = 1;
        record.bytes_read = 4096;
    }
    return recording_of(Job(made.log), spool);
}

Snapshot at(std::uint64_t time, std::vector<Recording> recordings)
{
    return {time, std::move(recordings)};
}

}  // namespace

TEST_CASE("watch: sums of processes and files are those of the recording")
{
    const Recording one = recording(10);
    CHECK(one.running);
    CHECK(one.processes_running() == 2);
    CHECK(one.amounts.written == 20 << 20);
    CHECK(one.amounts.read == 4096);
    CHECK(one.amounts.metadata_calls == 22);
    for (const View view : {View::recordings, View::processes, View::files}) {
        Amounts sum;
        for (const Row& row : rows_of({}, at(1, {one}), view)) sum.add(row.all);
        CHECK(sum.written == one.amounts.written);
        CHECK(sum.reads == one.amounts.reads);
        CHECK(sum.io_time() == one.amounts.io_time());
    }
}

TEST_CASE("watch: rates are of what was done between two looks")
{
    const Snapshot before = at(10 * second, {recording(10)}), now = at(12 * second, {recording(30)});
    const auto rows = rows_of(before, now, View::recordings);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].lately.written == 40 << 20);
    const auto number = [&](char key) {
        for (const watch::Column& column : columns())
            if (column.key == key) return column.of(rows[0], 2);
        return -1.0;
    };
    CHECK(number('w') == Approx(20 << 20));
    CHECK(number('o') == Approx(20));
    CHECK(number('m') == Approx(20));
    CHECK(number('i') == Approx(0.1));  // two processes, 0.2 s each in 2 s
    // What began since has done all of it lately; nothing becomes less.
    CHECK(rows_of({}, now, View::files)[0].lately.written == 30 << 20);
    CHECK(rows_of(now, before, View::files)[0].lately.written == 0);
}

TEST_CASE("watch: rows come by the column that was chosen, and only those with the word")
{
    const Snapshot now = at(second, {recording(10)});
    Show show{.view = View::files};
    const auto names = [&](std::size_t sort, const std::string& filter) {
        show.sort = sort;
        show.filter = filter;
        std::string all;
        for (const Row& row : chosen(rows_of({}, now, show.view), show, 1)) all += row.name + " ";
        return all;
    };
    CHECK(names(1, "") == "/scratch/b /scratch/a ");
    CHECK(names(0, "ch/a") == "/scratch/a ");
    CHECK(names(0, "nowhere").empty());
}

TEST_CASE("watch: lines fit the terminal, whatever its size")
{
    const Snapshot before = at(10 * second, {recording(10)}), now = at(11 * second, {recording(30)});
    for (const std::size_t width : {20u, 40u, 80u, 200u})
        for (const std::size_t height : {6u, 24u}) {
            const auto lines = lines_of(before, now, {.view = View::files}, {1e6, 0, 5e6}, width, height);
            CHECK(lines.size() <= height);
            for (const std::string& line : lines) CHECK(report::display_width(line) <= width);
        }
    const auto lines = lines_of(before, now, {.view = View::files}, {1e6, 5e6}, 0, 0);
    CHECK_THAT(lines[0], Contains("1 recording, 2 processes; the last 1.00 s"));
    CHECK_THAT(lines.back(), Contains("20.0 MiB/s") && Contains("/scratch/"));
    CHECK_THAT(lines_of({}, at(1, {}), {}, {}, 80, 24).back(),
               Contains("no recording of yours is under way"));
}

TEST_CASE("watch: a line of JSON has each recording with its processes and files")
{
    const auto line =
        nlohmann::json::parse(json_of(at(10 * second, {recording(10)}), at(12 * second, {recording(30)})));
    CHECK(line["seconds"] == 2.0);
    const auto& one = line["recordings"].at(0);
    CHECK(one["spool"] == "/dev/shm/fathom-1");
    CHECK(one["write_rate"] == 20 << 20);
    CHECK(one["written"] == 60 << 20);
    CHECK(one["processes"].size() == 2);
    CHECK(one["files"].size() == 2);
    CHECK(one["files"][0]["name"] == "/scratch/a");
}
