// Two looks at made-up recordings, and what is shown of them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/watch/node_row.h"
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

namespace {

NodeRow told(const std::string& node, std::uint64_t written, std::uint64_t seconds, double age)
{
    NodeRow row;
    row.job = "4711";
    row.node = node;
    row.command = "lmp -in big";
    row.start = second;
    row.until = 100 * second;
    row.from = row.until - seconds * second;
    row.processes = 3;
    row.nodes = 4;
    row.all.written = row.all.writes = written;
    row.lately.written = written / 2;
    row.age = age;
    return row;
}

}  // namespace

TEST_CASE("watch: what a node tells of a job comes back from its line, and nothing of what is no such line")
{
    NodeRow row = told("node1", 1 << 20, 10, 0);
    row.user = "anna";
    row.project = "climate";
    row.step = "0";
    row.command = std::string(500, 'x') + "\n";
    const std::string line = json_of(row);
    CHECK(line.size() < 700);
    const auto back = node_row_from(line);
    REQUIRE(back);
    CHECK(back->user == "anna");
    CHECK(back->project == "climate");
    CHECK(back->step == "0");
    CHECK(back->command == std::string(120, 'x'));
    CHECK(back->all.written == 1 << 20);
    CHECK(back->lately.written == 1 << 19);
    CHECK(back->seconds() == 10);
    CHECK(back->processes == 3);
    const auto with = [&](const std::string& name, const nlohmann::json& value) {
        auto changed = nlohmann::json::parse(line);
        changed[name] = value;
        return node_row_from(changed.dump()).has_value();
    };
    CHECK(with("nodes", 5));
    CHECK_FALSE(with("nodes", -5));
    CHECK_FALSE(with("job", ""));
    CHECK_FALSE(with("job", 4711));
    CHECK_FALSE(with("all", {1, 2, 3}));
    CHECK_FALSE(with("processes", 1e300));
    CHECK_FALSE(with("start_ns", ~std::uint64_t{0}));
    CHECK_FALSE(with("from_ns", 200 * second));
    CHECK_FALSE(node_row_from("[]"));
    CHECK_FALSE(node_row_from("{"));
}

TEST_CASE("watch: nodes of a job are laid into one length of time, and a silent one is not of now")
{
    std::vector<NodeRow> rows{told("node2", 2000, 10, 3), told("node1", 1000, 5, 1),
                              told("node3", 500, 10, 41)};
    CHECK_FALSE(rows[0].is_silent());
    CHECK(rows[2].is_silent());
    rows.push_back(told("node4", 100, 10, 200));
    rows.back().processes = 0;  // it has ended there
    const Looks looks = looks_of(rows, 1000 * second, {.id = "4711", .user = "anna"});
    CHECK(looks.now.time - looks.before.time == 10 * second);
    REQUIRE(looks.now.recordings.size() == 4);
    CHECK(looks.now.recordings[0].node == "node1");
    CHECK(nodes_at_work(looks.now) == 2);
    const Row sum = sum_of(looks.before, looks.now);
    CHECK(sum.all.written == 3600);
    CHECK(sum.lately.written == 2000);  // 500 in 5 s, 1000 in 10 s
    CHECK(sum.processes == 6);
    const auto lines = lines_of(looks.before, looks.now, {}, {}, 0, 0);
    CHECK_THAT(lines[0], Contains("job 4711 of anna: 2 of 4 nodes, 6 processes; the last 10.0 s"));
    CHECK_THAT(lines[3], Contains("all nodes"));
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    CHECK_THAT(all, Contains("node1 (1 s old): lmp -in big\n") && Contains("node3 (no news for 41 s): lmp") &&
                        Contains("node4 (200 s old): lmp -in big (ended)"));
    const auto line = nlohmann::json::parse(json_of(looks.before, looks.now));
    CHECK(line["nodes_at_work"] == 2);
    CHECK(line["nodes"] == 4);
    CHECK(line["all"]["written"] == 3600);
    CHECK(line["all"]["write_rate"] == 200);
    CHECK(line["recordings"][2]["silent"] == true);
    CHECK(line["recordings"][2]["write_rate"] == 0);
    CHECK(line["recordings"][2]["age_seconds"] == 41);
    CHECK_THAT(lines_of({}, looks_of({}, second, {.id = "1", .user = {}}).now, {}, {}, 80, 24).back(),
               Contains("no node reports it"));
}
