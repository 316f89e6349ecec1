// What strace prints, line by line, and what becomes of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <string>
#include <zlib.h>

#include "logformat/log/trace.h"
#include "parsers/open.h"
#include "parsers/strace/call.h"
#include "parsers/strace/line.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using Catch::Contains;

namespace {

// Each line of a process of its own time: "read(...) = 3 <0.000010>" becomes a line of strace's.
class Trace {
  public:
    Trace& line(std::string_view text, int pid = 100)
    {
        text_ += fmt::format("{} 1700000000.{:06} {}\n", pid, 1000 * ++lines_, text);
        return *this;
    }
    Trace& raw(std::string_view text)
    {
        text_ += text;
        return *this;
    }
    const std::string& text() const { return text_; }

    Log read(std::string_view name = "t.txt") const
    {
        const testing::Temporary folder;
        const std::string path = folder.path(std::string(name));
        std::ofstream(path, std::ios::binary) << text_;
        Log log = open_dataset(path);
        log.trace_elsewhere(  // the file is gone when the test looks
            [&](const TraceEvent& event) {
                events.push_back(event);
                return true;
            });
        return log;
    }
    std::string complaint() const
    {
        try {
            read();
        } catch (const LogError& error) {
            return error.what();
        }
        return {};
    }
    mutable std::vector<TraceEvent> events;

  private:
    std::string text_;
    int lines_ = 0;
};

Trace shell()
{
    Trace trace;
    trace.line(R"(execve("/usr/bin/app", ["app", "-x"], 0x7ffe /* 20 vars */) = 0 <0.000300>)");
    trace.line(
        R"(openat(AT_FDCWD</work/run>, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3</etc/ld.so.cache> <0.00001>)");
    trace.line(R"(close(3</etc/ld.so.cache>) = 0 <0.000005>)");
    return trace;
}

std::string path_of(const Log& log, std::uint64_t file)
{
    for (const FileName& name : log.rows<FileName>())
        if (name.file == file) return std::string(name.path);
    return {};
}

PosixRecord of_file(const Log& log, std::string_view path)
{
    PosixRecord sum;
    for (const PosixRecord& record : log.rows<PosixRecord>())
        if (path_of(log, record.file) == path) merge(sum, record);
    return sum;
}

Totals all_of(const Log& log, Scope scope = Scope::direct)
{
    Totals sum;
    for (const Totals& row : log.rows<Totals>())
        if (row.scope == static_cast<std::uint64_t>(scope)) merge(sum, row);
    return sum;
}

}  // namespace

TEST_CASE("strace: a line is taken apart from the left")
{
    const auto one = strace::parse_line("1234  1700000000.000012 read(3, \"\", 1) = 0 <0.000005>");
    CHECK(one.kind == strace::LineKind::call);
    CHECK(one.pid == 1234);
    CHECK(one.time == 1'700'000'000'000'012'000);
    CHECK(one.name == "read");
    CHECK(strace::parse_line("[pid  77] 1700000000.5 close(3) = 0").pid == 77);
    CHECK(strace::parse_line("1700000000.5 close(3) = 0").pid == 0);
    CHECK(strace::parse_line("7 12:00:01 close(3) = 0").clock == strace::Clock::of_day);
    CHECK(strace::parse_line("7 close(3) = 0").clock == strace::Clock::not_told);
    const auto killed = strace::parse_line("7 1700000000.5 +++ killed by SIGSEGV (core dumped) +++");
    CHECK(killed.kind == strace::LineKind::killed);
    CHECK(killed.status == 11);
    CHECK(strace::parse_line("7 1700000000.5 +++ exited with 3 +++").status == 3);
    CHECK(strace::parse_line("7 1700000000.5 --- SIGCHLD {si_signo=SIGCHLD} ---").kind ==
          strace::LineKind::remark);
    const auto resumed = strace::parse_line("7 1700000000.5 <... read resumed>\"a\", 1) = 1 <0.1>");
    CHECK(resumed.kind == strace::LineKind::resumed);
    CHECK(resumed.text == "\"a\", 1) = 1 <0.1>");
    CHECK(strace::parse_line("hello world").kind == strace::LineKind::other);
}

TEST_CASE("strace: quotes, escapes, brackets and descriptors of a call")
{
    strace::Call call;
    REQUIRE(
        strace::parse_call(R"(write(3</tmp/a\76b, (c)->, "x\")\n, <\1"..., 4096) = 12 <0.000010>)", call));
    CHECK(call.arguments == 3);
    CHECK(strace::path_shown(strace::descriptor_of(call.at(0)).shown) == "/tmp/a>b, (c)-");
    CHECK(call.result == 12);
    CHECK(call.duration == 10'000);
    CHECK_FALSE(strace::text_of(call.at(1)).has_value());
    REQUIRE(strace::parse_call(
        R"(read(4<TCP:[127.0.0.1:1->127.0.0.1:2]>, "", 1) = -1 EAGAIN (Not now) <0.1>)", call));
    CHECK(strace::path_shown(strace::descriptor_of(call.at(0)).shown).empty());
    CHECK(call.error == "EAGAIN");
    REQUIRE(strace::parse_call(R"(read(0</dev/pts/0<char 136:0>>, "a", 1) = 1 <0.1>)", call));
    CHECK(strace::path_shown(strace::descriptor_of(call.at(0)).shown) == "/dev/pts/0");
    REQUIRE(strace::parse_call(R"(close(3</tmp/x>(deleted)) = 0 <0.1>)", call));
    CHECK(call.result == 0);
    REQUIRE(strace::parse_call("nanosleep({tv_sec=1}, NULL) = ? ERESTART_RESTARTBLOCK (Interrupted) <0.5>",
                               call));
    CHECK_FALSE(call.has_result);
    CHECK(strace::text_of(R"("a\tb\x41\101\\")") == "a\tbAA\\");
    CHECK(strace::texts_of(R"(["sh", "-c", "ls \"x\""...])") == "sh -c ls \"x\"...");
    CHECK_FALSE(strace::parse_call("read(3, \"abc", call));
    CHECK_FALSE(strace::parse_call("read(3, 4) + 3", call));
}

TEST_CASE("strace: files, bytes, times and positions")
{
    const Trace trace =
        shell()
            .line(R"(openat(AT_FDCWD</work/run>, "in.dat", O_RDONLY) = 3</work/run/in.dat> <0.000020>)")
            .line(R"(read(3</work/run/in.dat>, "abc"..., 1000) = 1000 <0.000100>)")
            .line(R"(read(3</work/run/in.dat>, "abc"..., 1000) = 500 <0.000050>)")
            .line(R"(pread64(3</work/run/in.dat>, "abc"..., 10, 4000) = 10 <0.000010>)")
            .line(R"(lseek(3</work/run/in.dat>, 0, SEEK_SET) = 0 <0.000001>)")
            .line(R"(read(3</work/run/in.dat>, 0x1, 5) = -1 EIO (Input/output error) <0.000002>)")
            .line(
                R"(openat(AT_FDCWD</work/run>, "out", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 4</work/run/out> <0.00002>)")
            .line(R"(pwritev(4</work/run/out>, [{iov_base="a, ]", iov_len=5}], 1, 100) = 5 <0.000007>)")
            .line(R"(fsync(4</work/run/out>) = 0 <0.004000>)")
            .line(R"(close(4</work/run/out>) = 0 <0.000001>)")
            .line(R"(unlink("out") = 0 <0.000003>)")
            .line(R"(stat("missing", 0x7ffe) = -1 ENOENT (No such file or directory) <0.000003>)")
            .line(R"(stat("/usr/lib/missing", 0x7ffe) = -1 ENOENT (No such file or directory) <0.000003>)")
            .line("exit_group(3) = ?")
            .line("+++ exited with 3 +++");
    const Log log = trace.read();
    CHECK(log.problems.empty());
    CHECK(log.fact("source") == "strace");
    const PosixRecord in = of_file(log, "/work/run/in.dat"), out = of_file(log, "/work/run/out");
    CHECK(in.opens == 1);
    CHECK(in.reads == 3);
    CHECK(in.bytes_read == 1510);
    CHECK(in.read_time == 162'000);  // with the one that failed
    CHECK(in.failed == 1);
    CHECK(in.seeks == 1);
    CHECK(in.consecutive_reads == 1);
    CHECK(in.sequential_reads == 1);
    CHECK(in.highest_read == 4010);
    CHECK(in.slowest_read.size == 1000);
    CHECK(in.first_read == 1'700'000'000'005'000'000);
    CHECK(in.closes == 0);
    CHECK(out.creates == 1);
    CHECK(out.bytes_written == 5);
    CHECK(out.highest_written == 105);
    CHECK(out.syncs == 1);
    CHECK(out.sync_time == 4'000'000);
    CHECK(out.write_time == 4'007'000);
    CHECK(out.closes == 1);
    CHECK(out.unlinks == 1);
    CHECK(of_file(log, "<not opened>").failed == 1);
    CHECK(of_file(log, "/etc/ld.so.cache").opens == 0);
    const Totals all = all_of(log);
    CHECK(all.reads == 3);
    CHECK(all.failed == 2);
    CHECK(all.bytes_written == 5);
    REQUIRE(log.rows<Process>().size() == 1);
    const Process& process = log.rows<Process>()[0];
    CHECK(process.pid == 100);
    CHECK(process.program == "/usr/bin/app");
    CHECK(process.command == "app -x");
    CHECK(process.ending == static_cast<std::uint64_t>(Ending::exited));
    CHECK(process.status == 3);
    CHECK(process.traced == 12);
    REQUIRE(trace.events.size() == 12);
    CHECK(trace.events[3].kind == Kind::read);
    CHECK(trace.events[3].offset == 4000);
    std::uint64_t sliced = 0, timed = 0;
    for (const Slice& slice : log.rows<Slice>()) sliced += slice.bytes_read + slice.bytes_written;
    for (const OperationTimes& row : log.rows<OperationTimes>()) timed += row.operations;
    CHECK(sliced == 1515);
    CHECK(timed == 12);
    CHECK_FALSE(log.recorded("mpiio.reads"));
    CHECK_FALSE(log.recorded("posix.map_bytes_read"));
    CHECK(log.recorded("posix.closes"));
}

TEST_CASE("strace: calls that others interrupt, and those that the kernel begins anew")
{
    const Log log = shell()
                        .line(R"(read(0</work/in>,  <unfinished ...>)")
                        .line(R"(write(1</work/out>, "x", 1 <unfinished ...>)", 101)
                        .line(R"(<... read resumed>"abc", 4096) = 3 <0.002500>)")
                        .line(R"(<... write resumed>) = 1 <0.003000>)", 101)
                        .line(R"(read(0</work/in>, 0x7f, 10) = ? ERESTARTSYS (To be restarted) <0.100000>)")
                        .line(R"(--- SIGALRM {si_signo=SIGALRM, si_code=SI_KERNEL} ---)")
                        .line(R"(read(0</work/in>, "", 10) = 0 <0.000001>)")
                        .line(R"(+++ killed by SIGKILL +++)")
                        .line(R"(+++ exited with 0 +++)", 101)
                        .read();
    CHECK(log.problems.empty());
    const PosixRecord in = of_file(log, "/work/in");
    CHECK(in.reads == 2);
    CHECK(in.read_time == 2'501'000);
    CHECK(in.first_read == 1'700'000'000'004'000'000);  // when it began
    CHECK(of_file(log, "/work/out").bytes_written == 1);
    CHECK(log.rows<Process>().size() == 2);
    CHECK(log.rows<Process>()[0].ending == static_cast<std::uint64_t>(Ending::killed));
    CHECK(log.rows<Process>()[0].status == 9);
    // What the job was given as standard input and output counts as such.
    CHECK(all_of(log, Scope::streams).bytes_read == 3);
    CHECK(all_of(log).reads == 0);
}

TEST_CASE("strace: children, threads and programs, also where a child is seen before its parent's call ends")
{
    const Log log =
        shell()
            .line(R"(openat(AT_FDCWD</work>, "f", O_WRONLY|O_CREAT|O_EXCL, 0666) = 3</work/f> <0.00002>)")
            .line("vfork( <unfinished ...>")
            .line(R"(dup2(3, 1) = 1 <0.000001>)", 200)
            .line(R"(execve("/bin/echo", ["echo", "hi"], 0x7ffe /* 20 vars */ <unfinished ...>)", 200)
            .line("<... vfork resumed>) = 200 <0.002000>")
            .line("<... execve resumed>) = 0 <0.000500>", 200)
            .line(R"(write(1, "hi\n", 3) = 3 <0.000004>)", 200)
            .line("+++ exited with 0 +++", 200)
            .line(
                "clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD, tls=0x7f} => {parent_tid=[300]}, "
                "88) = "
                "300 <0.00003>")
            .line(R"(write(3, "abcd", 4) = 4 <0.000004>)", 300)
            .line("+++ exited with 0 +++", 300)
            .line("+++ exited with 1 +++")
            .read();
    CHECK(log.problems.empty());
    const auto& processes = log.rows<Process>();
    REQUIRE(processes.size() == 3);  // app, the child until it became echo, echo
    CHECK(processes[1].ending == static_cast<std::uint64_t>(Ending::replaced));
    CHECK(processes[2].program == "/bin/echo");
    CHECK(processes[2].command == "echo hi");
    CHECK(processes[2].parent == 100);
    CHECK(processes[0].threads == 2);
    CHECK(processes[0].status == 1);
    const PosixRecord file = of_file(log, "/work/f");
    CHECK(file.bytes_written == 7);  // without -y too
    CHECK(file.dups == 1);
    CHECK(file.highest_written == 7);  // they share a position
    CHECK(
        std::none_of(processes.begin(), processes.end(), [](const Process& one) { return one.missed > 0; }));
}

TEST_CASE("strace: a thread that executes a program goes on under the number of its process")
{
    const Log log =
        shell()
            .line("clone(child_stack=0x7f, flags=CLONE_VM|CLONE_FILES|CLONE_THREAD) = 101 <0.0001>")
            .line("futex(0x7f, FUTEX_WAIT, 2, NULL <unfinished ...>")
            .line(R"(write(1</w/a>, "x", 1) = 1 <0.0001>)", 101)
            .line(R"(execve("/bin/echo", ["echo"], 0x7f /* 1 var */ <unfinished ...>)", 101)
            .line("+++ superseded by execve in pid 101 +++")
            .line("<... execve resumed>) = 0 <0.0005>")
            .line(R"(write(1</w/a>, "yz", 2) = 2 <0.0001>)")
            .line("+++ exited with 0 +++")
            .read();
    CHECK(log.problems.empty());
    REQUIRE(log.rows<Process>().size() == 2);
    CHECK(log.rows<Process>()[0].ending == static_cast<std::uint64_t>(Ending::replaced));
    CHECK(log.rows<Process>()[1].program == "/bin/echo");
    CHECK(log.rows<Process>()[1].pid == 100);
    CHECK(log.rows<Process>()[1].ending == static_cast<std::uint64_t>(Ending::exited));
    CHECK(of_file(log, "/w/a").bytes_written == 3);
}

TEST_CASE("strace: pipes, sockets and files of the system are left out, as the recorder leaves them out")
{
    const Log log =
        shell()
            .line(R"(pipe2([3<pipe:[17]>, 4<pipe:[17]>], O_CLOEXEC) = 0 <0.00001>)")
            .line(R"(write(4<pipe:[17]>, "x", 1) = 1 <0.00001>)")
            .line(R"(socketpair(AF_UNIX, SOCK_STREAM, 0, [5, 6]) = 0 <0.00001>)")
            .line(R"(write(6, "x", 1) = 1 <0.00001>)")
            .line(R"(socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 7<TCP:[8]> <0.00001>)")
            .line(R"(read(7<TCP:[127.0.0.1:1->127.0.0.1:2]>, "x", 1) = 1 <0.00001>)")
            .line(R"(openat(AT_FDCWD</work>, "/proc/self/maps", O_RDONLY) = 8 <0.00001>)")
            .line(R"(read(8, "x", 1) = 1 <0.00001>)")
            .line(R"(write(9</memfd:x>(deleted), "x", 1) = 1 <0.00001>)")
            .line(R"(write(2</dev/pts/0>, "x", 1) = 1 <0.00001>)")
            .line(R"(openat(AT_FDCWD</work>, "/dev/shm/x", O_RDWR|O_CREAT|O_TRUNC, 0600) = 9 <0.00001>)")
            .line(R"(write(9, "xy", 2) = 2 <0.00001>)")
            .read();
    CHECK(log.problems.empty());
    CHECK(all_of(log).bytes_read == 0);
    CHECK(all_of(log).bytes_written == 2);
    CHECK(of_file(log, "/dev/shm/x").bytes_written == 2);
    CHECK(of_file(log, "<stderr>").bytes_written == 1);
    CHECK(log.fact("excluded").has_value());
    CHECK(log.rows<Process>()[0].missed == 0);
}

TEST_CASE("strace: copies, mappings, locks, folders and appended data")
{
    const Log log =
        shell()
            .line(R"(open("/w/a", O_RDONLY) = 3</w/a> <0.00001>)")
            .line(R"(open("/w/b", O_WRONLY|O_APPEND) = 4</w/b> <0.00001>)")
            .line(R"(copy_file_range(3</w/a>, [10], 4</w/b>, NULL, 100, 0) = 100 <0.000010>)")
            .line(R"(sendfile(4</w/b>, 3</w/a>, NULL, 50) = 50 <0.000004>)")
            .line(R"(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 3</w/a>, 0) = 0x7f35e3d5c000 <0.000008>)")
            .line(
                R"(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f35e3d5c000 <0.000008>)")
            .line(R"(fcntl(3</w/a>, F_SETLKW, {l_type=F_RDLCK, l_whence=SEEK_SET}) = 0 <0.000009>)")
            .line(R"(fcntl(3</w/a>, F_GETFL) = 0 <0.000009>)")
            .line(R"(mkdir("/w/d", 0777) = 0 <0.000002>)")
            .line(R"(unlinkat(AT_FDCWD</w>, "d", AT_REMOVEDIR) = 0 <0.000002>)")
            .line(R"(rename("/w/b", "/w/c") = 0 <0.000002>)")
            .line(
                R"(newfstatat(3</w/a>, "", {st_mode=S_IFREG|0644, st_size=1}, AT_EMPTY_PATH) = 0 <0.000002>)")
            .line(
                R"(io_uring_enter(5<anon_inode:[io_uring]>, 1, 1, IORING_ENTER_GETEVENTS, NULL, 8) = 1 <0.1>)")
            .read();
    const PosixRecord a = of_file(log, "/w/a"), b = of_file(log, "/w/b"), d = of_file(log, "/w/d");
    CHECK(a.reads == 2);
    CHECK(a.bytes_read == 150);
    CHECK(a.read_time == 7'000);  // half of the time; the other half counts as writing
    CHECK(b.bytes_written == 150);
    CHECK(b.consecutive_writes == 1);
    CHECK(b.highest_written == 0);  // behind what was there, of which nothing is known
    CHECK(a.maps == 1);
    CHECK(a.locks == 1);
    CHECK(a.lock_time == 9'000);
    CHECK(a.stats == 1);
    CHECK(b.renames == 1);
    CHECK(d.directory_changes == 2);
    CHECK(log.rows<Process>()[0].missed == 1);
    CHECK(log.rows<Process>()[0].ending == static_cast<std::uint64_t>(Ending::running));
}

TEST_CASE("strace: a trace on a terminal, where lines name no process while there is one")
{
    const Log log =
        Trace()
            .raw(
                "1700000000.000001 execve(\"/bin/app\", [\"app\"], 0x7f /* 1 var */) = 0 <0.0001>\n"
                "1700000000.010001 open(\"/w/a\", O_RDONLY) = 3 <0.0001>\n"
                "1700000000.020001 fork(strace: Process 51 attached\n"
                ") = 51 <0.0001>\n"
                "strace: Process 51 attached\n"
                "[pid    51] 1700000000.030001 read(3, \"a\", 1) = 1 <0.0001>\n"
                "[pid    50] 1700000000.030002 read(3, \"a\", 1) = 1 <0.0001>\n"
                "[pid    51] 1700000000.030003 +++ exited with 0 +++\n"
                "1700000000.040001 read(3, \"a\", 1) = 1 <0.0001>\n"
                "1700000000.050001 +++ exited with 0 +++\n")
            .read();
    CHECK(log.problems.empty());
    REQUIRE(log.rows<Process>().size() == 2);
    CHECK(log.rows<Process>()[0].pid == 50);
    CHECK(log.rows<Process>()[0].ending == static_cast<std::uint64_t>(Ending::exited));
    CHECK(log.rows<Process>()[1].parent == 50);
    CHECK(of_file(log, "/w/a").bytes_read == 3);
}

TEST_CASE("strace: output without times is refused, with the line and the remedy")
{
    CHECK_THAT(Trace().raw("100 execve(\"/bin/a\", [\"a\"], 0x7f /* 1 var */) = 0 <0.0001>\n").complaint(),
               Contains("line 1") && Contains("-ttt") && Contains("strace -f -ttt -T -y -o trace.txt ./app"));
    CHECK_THAT(Trace().raw("100 12:00:00.5 execve(\"/bin/a\", [\"a\"], 0x7f) = 0 <0.0001>\n").complaint(),
               Contains("line 1") && Contains("-ttt"));
    CHECK_THAT(Trace().raw("100 0.000015 execve(\"/bin/a\", [\"a\"], 0x7f) = 0 <0.0001>\n").complaint(),
               Contains("-ttt"));
    CHECK_THAT(Trace().line("--- SIGCHLD {} ---").line("execve(\"/bin/a\", [\"a\"], 0x7f) = 0").complaint(),
               Contains("line 2") && Contains("(-T)") && Contains("strace -f -ttt -T -y"));
}

TEST_CASE("strace: what is strange is left out and reported")
{
    const Log log = shell()
                        .raw("hello from the program\n")
                        .line("<... read resumed>\"a\", 1) = 1 <0.1>", 900)
                        .line(R"(read(0</w/a>, "abc", 3) = 3 <0.000100>)")
                        .raw(std::string(3 << 20, 'x') + "\n")
                        .raw("100 1700000009.5 read(0</w/a>, \"ab")
                        .read();
    CHECK(of_file(log, "/w/a").bytes_read == 3);
    const auto told = [&](std::string_view words) {
        return std::any_of(log.problems.begin(), log.problems.end(), [&](const std::string& problem) {
            return problem.find(words) != std::string::npos && problem.find("t.txt: ") != std::string::npos;
        });
    };
    CHECK(told("1 line is not understood"));
    CHECK(told("line 4"));
    CHECK(told("the last line breaks off"));
    CHECK(told("1 call is left out: the trace has its end alone"));
    CHECK(told("1 line is longer than"));
    CHECK(log.problems.size() == 4);
}

TEST_CASE("strace: a packed trace says the same, and one that breaks off says so")
{
    const Trace trace = shell().line(R"(read(0</w/a>, "abc", 3) = 3 <0.000100>)");
    const testing::Temporary folder;
    const std::string path = folder.path("t.gz");
    const gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, trace.text().data(), static_cast<unsigned>(trace.text().size()));
    gzclose(file);
    CHECK(of_file(open_dataset(path), "/w/a").bytes_read == 3);
    std::string packed;
    {
        std::ifstream in(path, std::ios::binary);
        packed.assign(std::istreambuf_iterator<char>(in), {});
    }
    std::ofstream(path, std::ios::binary) << packed.substr(0, packed.size() - 6);
    const Log log = open_dataset(path);
    REQUIRE(log.problems.size() == 1);
    CHECK_THAT(log.problems[0], Contains("breaks off"));
}

TEST_CASE("strace: whatever bytes of a trace are changed, it is read as far as it goes or refused by name")
{
    const std::string good =
        shell()
            .line(R"(openat(AT_FDCWD</w>, "a\76b", O_RDWR|O_CREAT) = 3</w/a\76b> <0.00001>)")
            .line(R"(clone3({flags=CLONE_VM|CLONE_THREAD} => {parent_tid=[7]}, 88 <unfinished ...>)")
            .line(R"(read(3</w/a\76b>, "x", 10) = 10 <0.00001>)", 7)
            .line(R"(<... clone3 resumed>) = 7 <0.00001>)")
            .line(R"(pipe2([4<pipe:[1]>, 5<pipe:[1]>], O_CLOEXEC) = 0 <0.00001>)")
            .line(R"(copy_file_range(3</w/a\76b>, [1], 3</w/a\76b>, NULL, 9, 0) = 9 <0.00001>)")
            .line("+++ killed by SIGSEGV (core dumped) +++")
            .text();
    const testing::Temporary folder;
    const std::string path = folder.path("t.txt");
    std::mt19937 random(1);
    std::size_t read = 0, refused = 0;
    for (int time = 0; time < 2000; ++time) {
        std::string bad = good;
        for (int change = 0; change <= time % 4; ++change)
            bad[random() % bad.size()] =
                time % 2 == 0 ? static_cast<char>(random()) : "<>()[]{}\",= 0\\"[random() % 14];
        if (time % 5 == 0) bad.resize(random() % bad.size());
        std::ofstream(path, std::ios::binary) << bad;
        try {
            const Log log = open_dataset(path);
            for (const PosixRecord& record : log.rows<PosixRecord>())
                CHECK_FALSE(path_of(log, record.file).empty());
            ++read;
        } catch (const LogError& error) {
            ++refused;
            CHECK_THAT(error.what(), Contains(path));
        }
    }
    CHECK(read > 1000);
    CHECK(refused > 0);
}

TEST_CASE("strace: other texts are not taken for its output")
{
    for (const char* const text : {"hello\n", "main(argc) {\n  x = f(3);\n}\n", "12 apples (red) = 3\n",
                                   "a(b)\n", "time,latency\n1,2\n", "{\"a\": 1}\n"})
        CHECK_FALSE(strace::is_strace_output(text));
    CHECK(
        strace::is_strace_output("strace: Process 3 attached\n3 1700000000.1 read(3, \"\", 1) = 0 <0.1>\n"));
    CHECK(strace::is_strace_output("execve(\"/bin/ls\", [\"ls\", \"-"));
    CHECK(strace::is_strace_output("brk(NULL)                               = 0x55 <0.1>\n"));
}
