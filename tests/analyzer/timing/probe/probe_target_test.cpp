// One path: what is written and read, what system calls that fail lead to, and what stays behind.
#include "analyzer/timing/probe/probe_target.h"

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

class Folder {
  public:
    Folder() { fs::create_directory(path()); }
    std::string path(const std::string& name = "") const { return temporary_.path("probed" + name); }
    std::size_t files() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(path()), {}));
    }

  private:
    Temporary temporary_;
};

bool refuses(int error)
{
    errno = error;
    return true;
}

}  // namespace

TEST_CASE("a probe is a row for the write and one for the read, and leaves nothing behind")
{
    const Folder folder;
    ProbeTarget target(folder.path());
    target.prepare();
    CHECK(folder.files() == 0);
    for (int time = 0; time < 2; ++time) {
        const std::vector<ProbeRow> rows = target.probe();
        REQUIRE(rows.size() == 2);
        CHECK(rows[0].operation == "write");
        CHECK(rows[1].operation == "read");
        for (const ProbeRow& row : rows) {
            CHECK(row.target == folder.path());
            CHECK(row.size == 1048576);
            CHECK(row.error.empty());
            REQUIRE(row.latency);
            CHECK(*row.latency > 0);
        }
        CHECK(rows[1].time > rows[0].time);
        CHECK(folder.files() == 1);
        CHECK(fs::file_size(fs::directory_iterator(folder.path())->path()) == probe_bytes);
    }
    CHECK(target.step() == ProbeStep::idle);
    target.clean_up();
    CHECK(folder.files() == 0);
}

TEST_CASE("where O_DIRECT is refused it goes through the cache and says so once")
{
    const Folder folder;
    const bool on_open = GENERATE(true, false);
    ProbeCalls calls = system_calls();
    if (on_open)
        calls.open = [](const char* path, int flags, mode_t mode) {
            return (flags & O_DIRECT) != 0 && refuses(EINVAL) ? -1 : ::open(path, flags, mode);
        };
    else
        calls.pwrite = [](int fd, const void* from, std::size_t size, off_t at) -> ssize_t {
            if ((fcntl(fd, F_GETFL) & O_DIRECT) != 0 && refuses(EINVAL)) return -1;
            return ::pwrite(fd, from, size, at);
        };
    ProbeTarget target(folder.path(), calls);
    target.prepare();
    target.take_note();
    std::vector<ProbeRow> rows = target.probe();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].mode == "buffered+fdatasync");
    CHECK(rows[1].mode == "buffered+dontneed");
    CHECK(rows[0].latency);
    CHECK(rows[1].latency);
    CHECK_THAT(target.take_note(), Contains("O_DIRECT is refused here"));
    CHECK(target.probe().size() == 2);
    CHECK(target.take_note().empty());
    target.clean_up();
}

TEST_CASE("errors are rows, and the next probe tries again")
{
    const Folder folder;
    int error = 0;
    bool in_sync = false, in_read = false;
    ProbeCalls calls = system_calls();
    calls.pwrite = [&](int fd, const void* from, std::size_t size, off_t at) -> ssize_t {
        // A part is written before the disk is full.
        if (error == 0 || in_sync || in_read) return ::pwrite(fd, from, size, at);
        if (at == 0) return ::pwrite(fd, from, size / 2, at);
        return refuses(error) ? -1 : 0;
    };
    calls.fdatasync = [&](int fd) { return in_sync && error != 0 && refuses(error) ? -1 : ::fdatasync(fd); };
    calls.pread = [&](int fd, void* to, std::size_t size, off_t at) -> ssize_t {
        return in_read && error != 0 && refuses(error) ? -1 : ::pread(fd, to, size, at);
    };
    ProbeTarget target(folder.path(), calls);
    target.prepare();
    const auto probed = [&](int fails) {
        error = fails;
        return target.probe();
    };
    CHECK(probed(ENOSPC).at(0).error == "No space left on device");
    CHECK_FALSE(probed(ENOSPC).at(0).latency);
    CHECK(probed(ENOSPC).size() == 1);
    CHECK(probed(0).size() == 2);
    in_sync = true;
    CHECK(probed(EIO).at(0).error == "Input/output error");
    in_sync = false;
    in_read = true;
    const std::vector<ProbeRow> rows = probed(EIO);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].error.empty());
    CHECK(rows[1].error == "Input/output error");
    CHECK(probed(0).at(1).error.empty());
    target.clean_up();
    CHECK(folder.files() == 0);
}

TEST_CASE("data that comes back different is an error, with its time")
{
    const Folder folder;
    ProbeCalls calls = system_calls();
    calls.pread = [](int fd, void* to, std::size_t size, off_t at) -> ssize_t {
        const ssize_t got = ::pread(fd, to, size, at);
        if (got > 5000) static_cast<char*>(to)[5000] ^= 1;
        return got;
    };
    ProbeTarget target(folder.path(), calls);
    target.prepare();
    const std::vector<ProbeRow> rows = target.probe();
    CHECK(rows.at(1).error == "what was read is not what was written");
    target.clean_up();
}

TEST_CASE("a folder that goes is an error, and one that comes back is probed again")
{
    const Folder folder;
    ProbeTarget target(folder.path());
    target.prepare();
    fs::rename(folder.path(), folder.path("-away"));
    CHECK(target.probe().at(0).error == "No such file or directory");
    fs::rename(folder.path("-away"), folder.path());
    CHECK(target.probe().size() == 2);
    target.clean_up();
    CHECK(folder.files() == 0);
}

TEST_CASE("an empty file is probed in its place and emptied again, one with data is refused")
{
    const Folder folder;
    const std::string file = folder.path() + "/mine";
    std::ofstream(file).close();
    {
        ProbeTarget target(file);
        target.prepare();
        CHECK(target.probe().size() == 2);
        CHECK(fs::file_size(file) == probe_bytes);
        // Of a probe that was killed: it is known again.
        ProbeTarget next(file);
        CHECK_NOTHROW(next.prepare());
        target.clean_up();
    }
    CHECK(fs::file_size(file) == 0);
    std::ofstream(file) << "results of a year";
    CHECK_THROWS_WITH(ProbeTarget(file).prepare(), Contains("holds data"));
    CHECK_THROWS_WITH(ProbeTarget(folder.path("-none")).prepare(), Contains("No such file"));
    CHECK_THROWS_WITH(ProbeTarget("/dev/null").prepare(), Contains("neither a folder nor a regular file"));
}

TEST_CASE("files that killed probes left in a folder are removed, others are not")
{
    const Folder folder;
    const pid_t child = fork();
    if (child == 0) {
        ProbeTarget target(folder.path());
        target.prepare();
        target.probe();
        _exit(0);  // without cleaning up
    }
    waitpid(child, nullptr, 0);
    REQUIRE(folder.files() == 1);
    const fs::path left = fs::directory_iterator(folder.path())->path();
    char host[256] = "";
    gethostname(host, sizeof host);
    std::ofstream(fmt::format("{}/.fathom-probe-{}-{}.9999", folder.path(), host, child)) << "not of a probe";
    fs::copy_file(left,
                  fmt::format("{}/.fathom-probe-{}-2-{}.0", folder.path(), host, child));  // of another host
    ProbeTarget target(folder.path());
    target.prepare();
    CHECK(folder.files() == 2);
    CHECK_FALSE(fs::exists(left));
}
