// Where the recorders of a node, and the nodes of a launch, meet; and where a site files what they leave.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "analyzer/record/collector.h"
#include "analyzer/record/file_lock.h"
#include "analyzer/record/filing.h"
#include "analyzer/record/launch_folder.h"
#include "analyzer/record/liveness.h"
#include "analyzer/record/node_folder.h"

using namespace fathom;

namespace {

namespace fs = std::filesystem;

class Folder {
  public:
    Folder() { fs::create_directory(path_); }
    ~Folder() { fs::remove_all(path_); }
    std::string path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ / name; }

  private:
    fs::path path_ = fs::temp_directory_path() / ("fathom-nodes-" + std::to_string(getpid()));
};

// Of a process that has ended.
std::string identity_of_the_dead()
{
    const pid_t child = fork();
    if (child == 0) _exit(0);
    const std::string identity = identity_of(child);
    waitpid(child, nullptr, 0);
    return identity;
}

Log log_of(std::uint64_t pid)
{
    Log log;
    log.add_fact("job", "a");
    Process process;
    process.pid = pid;
    process.start = 1000 + pid;
    process.end = 2000 + pid;
    log.rows<Process>().push_back(process);
    return log;
}

std::multiset<std::uint64_t> processes_in(const std::string& path)
{
    std::multiset<std::uint64_t> processes;
    const Log log = read_log(path);
    for (const Process& process : log.rows<Process>()) processes.insert(process.pid);
    return processes;
}

using Processes = std::multiset<std::uint64_t>;
using Spools = std::vector<std::string>;

const std::string me = identity_of(getpid());

}  // namespace

TEST_CASE("the last recorder of a node takes the spools of all, also of one that was killed")
{
    const Folder folder;
    NodeFolder node(folder / "node");
    int begun = 0;
    const auto begin = [&] {
        ++begun;
        return Beginning{"/home/x.fathom", "mark"};
    };
    node.join("/s/a", me, begin);
    node.join("/s/b", identity_of_the_dead(), begin);
    const Beginning last = node.join("/s/c", me, begin);
    CHECK(begun == 1);
    CHECK(last.output == "/home/x.fathom");
    CHECK(last.mark == "mark");
    CHECK(node.leave("/s/a").spools.empty());
    CHECK(node.handed_over() == Spools{"/s/a"});
    CHECK(node.leave("/s/c").spools == Spools{"/s/a", "/s/c", "/s/b"});
    CHECK_FALSE(fs::exists(folder / "node"));
    CHECK(node.handed_over().empty());
    // One that comes later begins anew.
    node.join("/s/d", me, begin);
    CHECK(begun == 2);
    CHECK(node.leave("/s/d").spools == Spools{"/s/d"});
}

TEST_CASE("a recorder without a folder in common collects by itself")
{
    NodeFolder node("");
    node.join("/s/a", me, [] { return Beginning{"x", ""}; });
    CHECK(node.leave("/s/a").spools == Spools{"/s/a"});
}

TEST_CASE("nodes agree on the name that came first, and the last one to leave knows it")
{
    const Folder folder;
    LaunchFolder one(folder.path(), "key"), other(folder.path(), "key");
    one.enter();
    CHECK(one.agree_on_output("first") == "first");
    other.enter();
    CHECK(other.agree_on_output("second") == "first");
    CHECK_FALSE(one.leave());
    CHECK(other.leave());
    CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a node without a mark is the last one")
{
    const Folder folder;
    LaunchFolder nowhere(folder / "missing/deeper", "key");
    fs::create_directory(folder / "missing");
    std::ofstream(folder / "missing/deeper");  // a file where a folder should be
    CHECK(nowhere.enter().empty());
    CHECK(nowhere.agree_on_output("mine") == "mine");
    CHECK(nowhere.leave());
}

TEST_CASE("the one that has the lock puts in what others wait with, and nothing twice")
{
    const Folder folder;
    const std::string path = folder / "x.fathom";
    LaunchFolder one(folder.path(), "key"), other(folder.path(), "key");
    one.enter();
    other.enter();
    // The second is one that died after it was put in, before it was removed.
    write_log(log_of(7), one.path() + "/share.waits.fathom");
    one.put(log_of(8), path);
    write_log(log_of(7), one.path() + "/share.again.fathom");
    other.put(log_of(9), path);
    CHECK(processes_in(path) == Processes{7, 8, 9});
    CHECK_FALSE(fs::exists(one.path() + "/share.again.fathom"));
}

TEST_CASE("the last node to leave takes nothing away from one that is at work again")
{
    const Folder folder;
    LaunchFolder last(folder.path(), "key");
    last.enter();
    {
        const FileLock at_work(FileLock::file, last.path() + "/lock");
        std::ofstream(last.path() + "/fresh.other");
        CHECK_FALSE(last.leave());
    }
    CHECK(fs::exists(last.path() + "/fresh.other"));
    LaunchFolder again(folder.path(), "key");
    again.enter();
    CHECK(again.leave());
    CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("who waited for a lock whose file was removed holds the lock of the next file")
{
    const Folder folder;
    const std::string path = folder / "lock";
    std::optional<FileLock> first(std::in_place, FileLock::file, path);
    std::optional<FileLock> second;
    std::thread waiting([&] { second.emplace(FileLock::file, path); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    fs::remove(path);
    first.reset();
    waiting.join();
    CHECK(fs::exists(path));
    CHECK_FALSE(FileLock(FileLock::file, path, FileLock::does_not_wait).held());
}

TEST_CASE("the collector replies before the program starts and learns how it ended")
{
    const Folder folder;
    const pid_t here = getpid();
    const auto finish = [&](const std::optional<LaunchOutcome>& outcome) {
        std::ofstream(folder / "end") << (outcome ? outcome->status : -1) << ' ' << (getsid(0) == getpid())
                                      << ' ' << (getpid() != here);
        return outcome ? outcome->status + 1 : 0;
    };
    Collector collector([] { return "reply\nof two lines"; }, finish);
    CHECK(collector.reply() == "reply\nof two lines");
    LaunchOutcome outcome;
    outcome.status = 3;
    CHECK(collector.end(outcome) == 4);
    std::ifstream end(folder / "end");
    CHECK(std::string(std::istreambuf_iterator<char>(end), {}) == "3 1 1");
}

TEST_CASE("the collector goes to work when its recorder dies")
{
    const Folder folder;
    const std::string end = folder / "end";
    const pid_t recorder = fork();
    if (recorder == 0) {
        Collector collector([] { return ""; },
                            [&](const std::optional<LaunchOutcome>& outcome) {
                                std::ofstream(end + ".new") << (outcome ? "told" : "dead");
                                fs::rename(end + ".new", end);
                                return 0;
                            });
        _exit(0);
    }
    waitpid(recorder, nullptr, 0);
    for (int look = 0; look < 500 && !fs::exists(end); ++look) usleep(10'000);
    std::ifstream in(end);
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "dead");
}

TEST_CASE("logs are filed by day, those of one step together on both sides of midnight")
{
    const Folder folder;
    const std::string zone = std::getenv("TZ") == nullptr ? "" : std::getenv("TZ");
    setenv("TZ", "UTC", 1);
    tzset();
    constexpr std::uint64_t second = 1'000'000'000, midnight = 1'795'392'000 * second;  // 2026-11-23
    const std::string before = path_for_day(folder.path(), "alice-7.0", midnight - second);
    CHECK(before == folder / "2026/11/22/alice-7.0.fathom");
    CHECK(path_for_day(folder.path(), "alice-8.0", midnight) == folder / "2026/11/23/alice-8.0.fathom");
    std::ofstream{before};
    CHECK(path_for_day(folder.path(), "alice-7.0", midnight + second) == before);
    CHECK(fs::status(folder / "2026/11").permissions() == fs::status(folder.path()).permissions());
    zone.empty() ? unsetenv("TZ") : setenv("TZ", zone.c_str(), 1);
    tzset();
}
