// A short-lived program started again and again.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

struct Loop {
    std::uint64_t turns = 5000, lasting = 5 * ms, turn = 10 * ms;
    std::int64_t rank = -1;
};

// A shell that starts cat in each turn, which is the shell's copy for the first tenth of it.
Synthetic script(const Loop& loop)
{
    Synthetic made;
    made.process(loop.rank);
    made.log.rows<Process>().front().program = "/usr/bin/bash";
    made.log.rows<Process>().front().libraries = "libc";
    const auto add = [&](std::uint64_t pid, std::string_view program, std::uint64_t from, std::uint64_t to) {
        made.process(-1, "node0", pid, 1000);
        Process& one = made.log.rows<Process>().back();
        one.program = program;
        one.libraries = "libc";
        one.start = job_start + from;
        one.end = job_start + to;
    };
    for (std::uint64_t at = 0; at < loop.turns; ++at) {
        const std::uint64_t from = at * loop.turn;
        add(2000 + at, "/usr/bin/bash", from, from + loop.lasting / 10);
        add(2000 + at, "/usr/bin/cat", from + loop.lasting / 10, from + loop.lasting);
    }
    return made;
}

}  // namespace

TEST_CASE("processes: a turn of the loop for each, but for what recording adds")
{
    const report::Finding one = finding_of(script({}).log, "many_processes");
    CHECK(one.title == "5,000 processes of cat, each 5.00 ms long");
    CHECK(cost_of(one) == Approx(4998 * (0.010 - 0.0005) + 0.005 - 0.0005).epsilon(1e-3));
    CHECK_THAT(lines_of(one), Contains("awk"));
}

TEST_CASE("processes: 20 are many, up to 10 ms each, and none where MPI started them")
{
    const auto of_turns = [](std::uint64_t turns) {
        Synthetic made = script({.turns = turns, .turn = 100 * ms});
        made.log.rows<Process>().front().end = job_start + 2 * second;
        return finds(made.log, "many_processes");
    };
    CHECK(of_turns(20));
    CHECK_FALSE(of_turns(19));
    CHECK(finds(script({.lasting = 10 * ms}).log, "many_processes"));
    CHECK_FALSE(finds(script({.lasting = 10 * ms + us, .turn = 11 * ms}).log, "many_processes"));
    CHECK_FALSE(finds(script({.rank = 0}).log, "many_processes"));
}

TEST_CASE("processes: a turn counts for four times the median, and work beyond the shortest tenth remains")
{
    Synthetic paused = script({.turns = 2000});
    for (Process& process : paused.log.rows<Process>())
        if (process.pid >= 3000) process.start += 40 * second, process.end += 40 * second;
    CHECK(cost_of(paused.log, "many_processes") == Approx(2000 * 0.0095).epsilon(0.01));
    Synthetic working = script({});
    for (Process& process : working.log.rows<Process>())
        if (process.program == "/usr/bin/cat" && process.pid % 4 == 0) process.end -= 3 * ms;
    CHECK(cost_of(working.log, "many_processes") == Approx(5000 * 0.0065).epsilon(0.01));
}

TEST_CASE("processes: what other programs of a turn work for long remains")
{
    Synthetic made = script({.turns = 2000});
    for (std::uint64_t at = 0; at < 2000; ++at) {
        made.process(-1, "node0", 20'000 + at, 1000);
        Process& one = made.log.rows<Process>().back();
        one.program = "/usr/bin/cc1";
        one.start = job_start + at * 10 * ms + ms;
        one.end = one.start + 10 * ms;
    }
    // As short as cat: without one of them the other's turn remains.
    CHECK(cost_of(made.log, "many_processes") == Approx(2000 * 1.5 * 0.005).epsilon(0.01));
    for (Process& process : made.log.rows<Process>())
        if (process.program == "/usr/bin/cc1") process.end += us;
    CHECK_FALSE(finds(made.log, "many_processes"));
}

TEST_CASE("processes: what the other end of a pipe computes remains, though it began before")
{
    const auto log_with = [](std::uint64_t computed, std::uint64_t lasting = 5 * ms) {
        Synthetic made = script({.turns = 2000});
        for (std::uint64_t at = 0; at < 2000; ++at) {
            made.process(-1, "node0", 20'000 + at, 1000);
            Process& one = made.log.rows<Process>().back();
            one.program = "/usr/bin/xz";
            one.start = job_start + at * 10 * ms;
            one.end = one.start + lasting;
            one.cpu_time = computed;
        }
        return made;
    };
    const double all = cost_of(log_with(2 * ms).log, "many_processes");
    CHECK(all == Approx(2000 * 1.5 * 0.005).epsilon(0.01));
    CHECK(cost_of(log_with(4 * ms).log, "many_processes") == Approx(all - 2000 * 1.5 * 0.002).epsilon(0.02));
    // One that goes on for many turns is no part of them.
    CHECK(cost_of(log_with(4 * ms, 60 * ms).log, "many_processes") == Approx(all).epsilon(0.01));
}

namespace {

struct Slow {
    std::uint64_t turns = 15, lasting = 80 * ms, ready = 70 * ms, turn = 90 * ms;
    std::string_view file = "/data/n.txt", parent = "/usr/bin/bash", program = "/usr/bin/python3.11";
    bool writes_first = false, own_scripts = false;
};

// A script that starts Python for each file, which reads it once it has loaded its modules.
Synthetic slow_script(const Slow& slow)
{
    Synthetic made;
    made.process(-1, "node0", 1000, 1);
    Process& script = made.log.rows<Process>().front();
    script.program = slow.parent;
    script.command = "script";
    script.libraries = "libc";
    script.end = job_start + slow.turns * slow.turn;
    for (std::uint64_t at = 0; at < slow.turns; ++at) {
        made.process(-1, "node0", 2000 + at, 1000);
        const auto number = static_cast<std::int64_t>(at + 1);
        Process& one = made.log.rows<Process>().back();
        one.program = slow.program;
        static const std::string scripts[] = {"python3 -u sum.py n.txt n.json", "python3 -u mean.py n.txt"};
        one.command = scripts[slow.own_scripts ? at % 2 : 0];
        one.libraries = "libc";
        one.start = job_start + at * slow.turn;
        one.end = one.start + slow.lasting;
        const std::uint64_t start = one.start;
        if (slow.file.empty()) continue;
        auto& row = made.io<PosixRecord>(made.file(slow.file), number, {.bytes_read = 1000, .read_time = us});
        row.first_read = row.last_read = start + slow.ready;
        if (slow.writes_first) {
            auto& written =
                made.io<PosixRecord>(made.file("/data/log"), number, {.bytes_written = 10, .write_time = us});
            written.first_write = written.last_write = start + slow.ready / 2;
        }
    }
    return made;
}

}  // namespace

TEST_CASE("processes: few that take long to start cost what they take until they read data")
{
    const report::Finding one = finding_of(slow_script({}).log, "many_processes");
    CHECK(one.title == "15 processes of python3.11, each 80.0 ms long");
    CHECK(cost_of(one) == Approx(13 * (0.080 - 0.0005) + 0.070 - 0.0005).epsilon(1e-3));
    CHECK_THAT(one.advice.front().text, Contains("Start python3.11 once"));
    CHECK(finds(slow_script({.turns = 8}).log, "many_processes"));
    CHECK_FALSE(finds(slow_script({.turns = 7}).log, "many_processes"));
}

TEST_CASE("processes: those that work longer than they start are no slow starts")
{
    CHECK(finds(slow_script({.ready = 40 * ms}).log, "many_processes"));
    CHECK_FALSE(finds(slow_script({.ready = 39 * ms}).log, "many_processes"));
    CHECK(finds(slow_script({.turns = 100, .lasting = 20 * ms, .ready = 10 * ms}).log, "many_processes"));
    CHECK_FALSE(
        finds(slow_script({.turns = 100, .lasting = 19 * ms, .ready = 10 * ms - us}).log, "many_processes"));
    const auto found = [](std::uint64_t lasting, bool own_scripts) {
        Slow slow{.lasting = lasting, .ready = lasting / 10 * 8, .turn = 4 * second};
        slow.own_scripts = own_scripts;
        return finds(slow_script(slow).log, "many_processes");
    };
    // Scripts of their own are steps, the same one might go through several files.
    CHECK(found(500 * ms, true));
    CHECK_FALSE(found(501 * ms, true));
    CHECK(found(3 * second, false));
    CHECK_FALSE(found(3 * second + ms, false));
}

TEST_CASE("processes: a script, and modules, are no data, and what is written before shows no start")
{
    CHECK_FALSE(finds(slow_script({.file = "/home/u/sum.py"}).log, "many_processes"));
    CHECK_FALSE(finds(slow_script({.file = "/home/u/settings.json"}).log, "many_processes"));
    CHECK(finds(slow_script({.file = "/data/n.json"}).log, "many_processes"));  // named in its command
    CHECK_FALSE(
        finds(slow_script({.file = "/home/u/__pycache__/sum.cpython-311.pyc"}).log, "many_processes"));
    CHECK_FALSE(
        finds(slow_script({.file = "/home/u/venv/lib/python3.11/site-packages/certifi/cacert.pem"}).log,
              "many_processes"));
    CHECK_FALSE(finds(slow_script({.writes_first = true}).log, "many_processes"));
}

TEST_CASE("processes: interpreters that read nothing, and live hardly longer than they take to start")
{
    const Slow one_liner{.turns = 45, .lasting = 15 * ms, .turn = 16 * ms, .file = ""};
    const report::Finding one = finding_of(slow_script(one_liner).log, "many_processes");
    CHECK(one.title == "45 processes of python3.11, each 15.0 ms long");
    CHECK(cost_of(one) == Approx(43 * 0.0155 + 0.0145).epsilon(1e-3));
    CHECK(one.cost_least == Approx(44 * 0.010));
    CHECK_THAT(lines_of(one), Contains("awk"));
    const auto found = [](Slow slow) { return finds(slow_script(slow).log, "many_processes"); };
    CHECK(found({.turns = 8, .lasting = 15 * ms, .turn = 16 * ms, .file = ""}));
    CHECK_FALSE(found({.turns = 7, .lasting = 15 * ms, .turn = 16 * ms, .file = ""}));
    CHECK(found({.turns = 45, .lasting = 30 * ms, .turn = 40 * ms, .file = ""}));
    CHECK_FALSE(found({.turns = 45, .lasting = 30 * ms + us, .turn = 40 * ms, .file = ""}));
    // What takes a program of the user's own that long is not known.
    CHECK_FALSE(
        found({.turns = 45, .lasting = 15 * ms, .turn = 16 * ms, .file = "", .program = "/home/user/step"}));
    CHECK(
        found({.turns = 45, .lasting = 110 * ms, .turn = 120 * ms, .file = "", .program = "/opt/bin/java"}));
}

TEST_CASE("processes: what a packaged tool starts is its own affair")
{
    const auto started_by = [](const char* tool) {
        Synthetic made = script({});
        for (Process& process : made.log.rows<Process>())
            if (process.program == "/usr/bin/bash") process.program = tool;
        return made;
    };
    CHECK_FALSE(finds(started_by("/usr/bin/gcc").log, "many_processes"));
    CHECK(finds(started_by("/usr/bin/find").log, "many_processes"));
    // Of make's own shells those may be in vain that a variable starts wherever it is used.
    Synthetic rules = started_by("/usr/bin/make");
    CHECK_THAT(lines_of(finding_of(rules.log, "many_processes")), !Contains("$(shell"));
    std::vector<std::string> recipes(rules.log.rows<Process>().size(), "sh -c 'find data | sort'");
    const auto run_them = [&] {
        for (std::size_t at = 0; at < recipes.size(); ++at)
            if (Process& one = rules.log.rows<Process>()[at]; !one.program.ends_with("make"))
                one.program = "/usr/bin/dash", one.command = recipes[at];
    };
    run_them();
    const report::Finding again = finding_of(rules.log, "many_processes");
    CHECK_THAT(lines_of(again), Contains("$(shell"));
    CHECK_THAT(again.title, Contains("that run the same command again"));
    // A recipe is a task of its own.
    for (std::size_t at = 0; at < recipes.size(); ++at) recipes[at] += std::to_string(at);
    run_them();
    CHECK_FALSE(finds(rules.log, "many_processes"));
    CHECK(finds(slow_script({.parent = "/home/u/pipeline"}).log, "many_processes"));
    CHECK_FALSE(finds(slow_script({.parent = "/usr/bin/gcc"}).log, "many_processes"));
}

TEST_CASE("processes: what programs of the user's own compute, beyond a start of 2 ms, remains")
{
    const auto cost_with = [](std::string_view program, std::uint64_t cpu_time) {
        Synthetic made = script({.turns = 1000});
        for (Process& process : made.log.rows<Process>())
            if (process.program == "/usr/bin/cat") process.program = program, process.cpu_time = cpu_time;
        return finds(made.log, "many_processes") ? cost_of(made.log, "many_processes") : 0;
    };
    const double all = cost_with("/usr/bin/cat", 4 * ms);
    CHECK(cost_with("/home/u/member", 2 * ms) == Approx(all));
    CHECK(cost_with("/home/u/member", 4 * ms) == Approx(all - 999 * 0.002).epsilon(1e-3));
    CHECK(cost_with("/home/u/env/bin/python3", 4 * ms) == Approx(all).epsilon(1e-3));
}

TEST_CASE("processes: copies of a process, as of multiprocessing, are no starts")
{
    Synthetic made = slow_script({});
    for (Process& one : made.log.rows<Process>())
        one.program = "/usr/bin/python3.11", one.command = "python3 x.py";
    CHECK_FALSE(finds(made.log, "many_processes"));
}

TEST_CASE("processes: what recording adds is stretched by how long these processes waited for cores")
{
    Synthetic made = script({.turns = 1000});
    Process& shell = made.log.rows<Process>().front();
    shell.cpu_time = second, shell.core_wait = 20 * second;  // as a parent that waits for its children
    CHECK(cost_of(made.log, "many_processes") == Approx(998 * 0.0095 + 0.0045).epsilon(1e-3));
}

TEST_CASE("processes: a program that starts others computes meanwhile, and gets advice of its own")
{
    Synthetic made = script({.turns = 1000});
    Process& parent = made.log.rows<Process>().front();
    parent.program = "/home/u/spectra";
    parent.cpu_time = 2 * second;
    const report::Finding one = finding_of(made.log, "many_processes");
    CHECK(cost_of(one) == Approx(998 * 0.0075 + 0.0025).epsilon(1e-3));
    CHECK_THAT(one.advice.front().text, Contains("rather than start it by system or popen"));
}

TEST_CASE("processes: of tools that write a file each, git can write them all at once")
{
    const auto found = [](std::string_view program) {
        Synthetic made = script({.turns = 100});
        made.log.rows<Process>().front().end = job_start + 2 * second;
        for (Process& process : made.log.rows<Process>())
            if (process.program == "/usr/bin/cat") process.program = program;
        const std::size_t processes = made.log.rows<Process>().size();
        for (std::size_t at = 0; at < processes; ++at) {
            const Process& process = made.log.rows<Process>()[at];
            if (process.program != program) continue;
            PosixRecord& row = made.io<PosixRecord>(made.file("/out/" + std::to_string(at)), process.process,
                                                    {.bytes_written = 100, .write_time = us});
            row.opens = 0;
            made.io<PosixRecord>(row.file, process.process - 1, {}).creates = 1;  // by the shell that it was
        }
        return finds(made.log, "many_processes");
    };
    CHECK(found("/usr/bin/git"));
    CHECK_FALSE(found("/usr/bin/cat"));
}
