// Which processes of a log of ours are ranks of Darshan's, and which of its records go along.
#include <catch2/catch.hpp>

#include "parsers/darshan/modules.h"
#include "tests/analyzer/synthetic.h"
#include "tests/logformat/trace_sample.h"
#include "tests/parsers/converted_log.h"
#include "tests/parsers/darshan_text.h"

using namespace fathom;
using namespace fathom::testing;
using darshan::CounterRecord;
using darshan::Module;
using darshan::posix;

namespace {

std::vector<std::pair<std::uint64_t, std::int64_t>> keys_of(const darshan::File& file, Module module)
{
    std::vector<std::pair<std::uint64_t, std::int64_t>> keys;
    file.each_record(module, [&](const CounterRecord& record) {
        keys.emplace_back(record.id, record.rank);
        return true;
    });
    return keys;
}

bool has_name(const darshan::File& file, std::string_view name)
{
    const auto names = file.names();
    return std::any_of(names.begin(), names.end(), [&](const auto& one) { return one.second == name; });
}

// Two ranks of an MPI job, whom a launcher started 20 s before.
struct Launched : Synthetic {
    std::uint64_t mine, launchers;

    Launched()
    {
        log.add_fact("command", "mpirun -n 2 ./app");
        ranks(2);
        for (Process& rank : log.rows<Process>()) {
            rank.start += 20 * second;
            rank.end -= 20 * second;
            rank.command = "./app";
        }
        log.rows<Process>()[process(-1)].program = "/usr/bin/mpirun";
        mine = file("/mine/data");
        launchers = file("/launchers/data");
        io<PosixRecord>(mine, 1, {1000, 0, second, 0, 0});
        io<PosixRecord>(launchers, 2, {7, 50, second, second, 0});
        io<PosixRecord>(mine, 2, {0, 5, 0, second, 0});
        log.rows<Layout>().push_back({launchers, 1 << 20, 1, 5, "5", ""});
    }
};

}  // namespace

TEST_CASE("a Darshan log of an MPI job is of its ranks alone")
{
    Launched made;
    made.slice(1, Layer::posix, 90, second / 4, {1000, 0, 0, 0, 0});
    made.slice(2, Layer::posix, 1, second / 4, {0, 50, 0, 0, 0});
    made.slice(2, Layer::stdio, 1, second / 4, {0, 50, 0, 0, 0});
    for (std::int64_t process = 1; process < 3; ++process) {
        sample::TracedThread thread(made.log, process, 0, 100);
        const std::uint64_t start = job_start + 30 * second;
        thread.add({made.mine, Layer::posix, Kind::read, 0, 64, start, start + 20});
        thread.end();
    }
    const Converted converted(made.log);
    const darshan::File file(converted.path);
    CHECK(file.job().processes == 2);
    CHECK(file.job().start == 1'800'000'020);
    CHECK(file.job().run_time() == 60);
    CHECK(file.job().command == "./app");
    CHECK(file.job().jobid == 1000);  // process id of rank 0
    CHECK(keys_of(file, Module::posix) ==
          std::vector{std::pair(darshan::record_id("/mine/data"), std::int64_t{1})});
    CHECK(has_name(file, "/mine/data"));
    CHECK_FALSE(has_name(file, "/launchers/data"));
    CHECK(lines_of_module(file, Module::lustre).empty());
    CHECK(lines_of_module(file, Module::dxt_posix).size() == 2);
    file.each_heatmap([&](const darshan::HeatmapRecord& record) {
        CHECK(record.rank == 1);
        CHECK(file.name_of(record.id) == "heatmap:POSIX");
        return true;
    });
    CHECK(converted.tells(
        "1 process that is no MPI rank (mpirun), with 2 records of files: 7 bytes read, 55 bytes written"));
    CHECK(converted.tells("what started the job: mpirun -n 2 ./app"));
}

TEST_CASE(
    "ranks of MPI keep their numbers where one is missing, and are numbered through where jobs have the same")
{
    Launched made;
    made.log.rows<Process>()[1].rank = 3;
    for (Process& process : made.log.rows<Process>()) process.ranks = process.rank < 0 ? 0 : 6;
    const Converted missing(made.log);
    CHECK(darshan::File(missing.path).job().processes == 6);
    CHECK(keys_of(darshan::File(missing.path), Module::posix).at(0).second == 3);

    made.log.rows<Process>()[1].rank = 0;
    const Converted twice(made.log);
    CHECK(darshan::File(twice.path).job().processes == 2);
    CHECK(keys_of(darshan::File(twice.path), Module::posix).at(0).second == 1);
}

TEST_CASE("without MPI the ranks of a Darshan log are the processes that did I/O on files, each once")
{
    Synthetic made;
    const std::int64_t shell = made.process(-1, "node0", 10), replaced = made.process(-1, "node0", 11),
                       copy = made.process(-1, "node0", 11), other = made.process(-1, "node0", 12);
    made.log.rows<Process>()[replaced].ending = static_cast<std::uint64_t>(Ending::replaced);
    made.log.rows<Process>()[copy].start += second;
    const std::uint64_t out = made.file("<stdout>", NameKind::stream), data = made.file("/data"),
                        program = made.file("/usr/bin/cp");
    made.io<StdioRecord>(out, shell, {0, 10, 0, 0, 0}, Scope::streams);
    made.io<PosixRecord>(program, shell, {}).opens = 0;
    made.io<PosixRecord>(data, replaced, {});
    made.io<PosixRecord>(data, copy, {0, 100, 0, second, 0});
    made.io<PosixRecord>(data, other, {50, 0, second, 0, 0});
    const Converted converted(made.log);
    const darshan::File file(converted.path);
    CHECK(file.job().processes == 2);
    const std::uint64_t id = darshan::record_id("/data");
    CHECK(keys_of(file, Module::posix) ==
          std::vector{std::pair(id, std::int64_t{0}), std::pair(id, std::int64_t{1})});
    file.each_record(Module::posix, [&](const CounterRecord& record) {
        CHECK(record.numbers[posix("OPENS")] == (record.rank == 0 ? 2 : 1));
        return true;
    });
    CHECK(converted.tells("1 process that is a launcher or did no I/O on files (app), with 2 records"));
}

TEST_CASE(
    "a job of programs without MPI is one of what was launched, and of all processes where none did I/O")
{
    Synthetic made;
    for (const std::uint64_t pid : {10, 11, 12}) made.process(-1, "node0", pid, 10);
    CHECK(darshan::File(Converted(made.log).path).job().processes == 3);
    const std::uint64_t data = made.file("/data");
    for (std::int64_t process = 0; process < 3; ++process)
        made.io<PosixRecord>(data, process, {1, 0, 0, 0, 0});
    CHECK(darshan::File(Converted(made.log).path).job().processes == 3);
    for (const std::int64_t task : {0, 1}) made.log.rows<Process>()[task + 1].task = task;
    CHECK(darshan::File(Converted(made.log).path).job().processes == 2);
}

TEST_CASE("what a rank did after MPI_Finalize is in the same record of Darshan as what it did before")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t own = made.file("/own"), shared = made.file("/shared");
    made.io<PosixRecord>(own, 1, {100, 0, second, 0, 0}).highest_read = 100;
    made.io<PosixRecord>(shared, 1, {0, 30, 0, second, 0});
    PosixRecord& together = made.reduced_io<PosixRecord>(shared, 2, 0, 2, {0, 600, 0, second, 0});
    together.slowest.process = 0;
    together.slowest.bytes = 400;
    made.io<PosixRecord>(own, 1, {50, 7, second, 0, 0}).highest_read = 150;
    const Converted converted(made.log);
    const darshan::File file(converted.path);
    CHECK(keys_of(file, Module::posix).size() == 2);
    with_record(file, Module::posix, "/own", [](const CounterRecord& record) {
        CHECK(record.rank == 1);
        CHECK(record.numbers[posix("BYTES_READ")] == 150);
        CHECK(record.numbers[posix("BYTES_WRITTEN")] == 7);
        CHECK(record.numbers[posix("MAX_BYTE_READ")] == 149);
        CHECK(record.numbers[posix("OPENS")] == 2);
        CHECK(record.times[darshan::transfer_time("READ_TIME")] == 2);
    });
    with_record(file, Module::posix, "/shared", [](const CounterRecord& record) {
        CHECK(record.rank == -1);
        CHECK(record.numbers[posix("BYTES_WRITTEN")] == 630);
        CHECK(record.numbers[posix("SLOWEST_RANK")] == 0);
        CHECK(record.numbers[posix("SLOWEST_RANK_BYTES")] == 400);
    });
    CHECK_FALSE(converted.tells("some of them"));
}

TEST_CASE(
    "a Darshan log has no records of calls that opened nothing, nor of files without names of their own")
{
    Synthetic made;
    made.ranks(1);
    const std::uint64_t none = made.file("<not opened>", NameKind::unopened),
                        rest = made.file("/scratch/<further files>", NameKind::overflow),
                        looked_at = made.file("/scratch/<files that were not opened>", NameKind::by_path),
                        data = made.file("/data");
    made.io<PosixRecord>(none, 0, {}).failed = 3;
    made.io<PosixRecord>(rest, 0, {70, 8, 0, 0, 0});
    made.io<PosixRecord>(looked_at, 0, {}).stats = 50;
    made.io<PosixRecord>(data, 0, {1, 0, 0, 0, 0});
    made.io<StdioRecord>(data, 0, {1, 0, 0, 0, 0});
    const Converted converted(made.log);
    const darshan::File file(converted.path);
    CHECK(keys_of(file, Module::posix) ==
          std::vector{std::pair(darshan::record_id("/data"), std::int64_t{0})});
    CHECK(file.names().size() == 1);
    CHECK(file.find(Module::posix)->partial);
    CHECK_FALSE(file.find(Module::stdio)->partial);
    CHECK(converted.tells("3 calls by a path that opened nothing"));
    CHECK(converted.tells("had no room: 1 record, with 70 bytes read and 8 bytes written"));
    CHECK(converted.tells(
        "were not opened and have no names of their own: 1 record, with 50 stats and 0 unlinks"));
}

TEST_CASE("a layer in which no byte was moved has no heatmap in a Darshan log")
{
    Synthetic made;
    made.ranks(1);
    made.slice(0, Layer::posix, 1, second / 4, {0, 0, 0, 0, second});
    CHECK(darshan::File(Converted(made.log).path).find(Module::heatmap) == nullptr);
    CHECK_FALSE(has_name(darshan::File(Converted(made.log).path), "heatmap:POSIX"));
    made.slice(0, Layer::mpiio, 1, second / 4, {0, 1, 0, 0, 0});
    const Converted some(made.log);
    CHECK(has_name(darshan::File(some.path), "heatmap:MPIIO"));
    CHECK_FALSE(has_name(darshan::File(some.path), "heatmap:POSIX"));
}
