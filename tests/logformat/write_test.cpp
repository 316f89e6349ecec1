// A log file is whole or untouched, and says why it could not be written.
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/logformat/sample.h"
#include "tests/skip.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path;
    Folder()
    {
        std::string pattern = fs::temp_directory_path() / "fathom-write-XXXXXX";
        path = mkdtemp(pattern.data());
    }
    ~Folder() { fs::remove_all(path); }
    std::size_t entries() const
    {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(path), fs::directory_iterator()));
    }
};

std::string content(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A log of some hundred kilobytes, whatever the compression.
Log large_log()
{
    Log log;
    for (std::uint64_t at = 0; at < 50'000; ++at)
        log.rows<Burst>().push_back(
            {0, at * at * at * 0x9e3779b97f4a7c15, at * at * at * 0xc2b2ae3d27d4eb4f});
    return log;
}

// Writes fail beyond so many bytes, with EFBIG rather than a signal.
struct FileSizeLimit {
    rlimit before{};
    explicit FileSizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit now{bytes, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, SIG_DFL);
    }
};

}  // namespace

TEST_CASE("a written log reads back, and nothing else is left in its folder")
{
    const Folder folder;
    const std::string path = folder.path / "job.fathom";
    const Log log = sample::small_log();
    write_log(log, path);
    write_log(log, path);  // over the old one
    CHECK(folder.entries() == 1);
    const Log back = read_log(path);
    CHECK(back.problems.empty());
    CHECK(back.rows<Process>().at(0).host == log.rows<Process>().at(0).host);
}

TEST_CASE("a log that does not fit leaves the old one untouched and no temporary file")
{
    const Folder folder;
    const std::string path = folder.path / "job.fathom";
    write_log(sample::small_log(), path);
    const std::string before = content(path);
    {
        const FileSizeLimit limit(100'000);
        CHECK_THROWS_WITH(write_log(large_log(), path),
                          Catch::StartsWith(path + ": ") && Catch::Contains("write the log"));
    }
    CHECK(content(path) == before);
    CHECK(folder.entries() == 1);
}

TEST_CASE("a full disk leaves the old log untouched and no temporary file")
{
    const Folder folder;
    if (mount("none", folder.path.c_str(), "tmpfs", 0, "size=64k") != 0) {
        fathom::testing::skip("mounting a small tmpfs needs root");
        return;
    }
    const std::string path = folder.path / "job.fathom";
    write_log(sample::small_log(), path);
    const std::string before = content(path);
    CHECK_THROWS_WITH(write_log(large_log(), path), Catch::Contains("No space left on device"));
    CHECK(content(path) == before);
    CHECK(folder.entries() == 1);
    CHECK(umount(folder.path.c_str()) == 0);
}

TEST_CASE("a log cannot be written where there is no folder, or a folder of that name")
{
    const Folder folder;
    CHECK_THROWS_WITH(write_log(sample::small_log(), folder.path / "none" / "job.fathom"),
                      Catch::Contains("cannot create the log: No such file"));
    fs::create_directory(folder.path / "job.fathom");
    CHECK_THROWS_WITH(write_log(sample::small_log(), folder.path / "job.fathom"),
                      Catch::Contains("this is a folder"));
    CHECK(folder.entries() == 1);
}

TEST_CASE("a log goes to what a link names, and never in the place of a device")
{
    const Folder folder;
    const fs::path target = folder.path / "target", link = folder.path / "link", fifo = folder.path / "fifo";
    write_log(sample::small_log(), target);
    fs::create_symlink("target", link);
    const std::string before = content(target);
    write_log(large_log(), link);
    CHECK(fs::is_symlink(link));
    CHECK(content(target) != before);
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    CHECK_THROWS_WITH(write_log(sample::small_log(), fifo), Catch::Contains("no regular file"));
    CHECK(fs::is_fifo(fifo));
    CHECK(folder.entries() == 3);
}

TEST_CASE("a folder that may not be written stays as it is")
{
    const Folder folder;
    const std::string path = folder.path / "job.fathom";
    write_log(sample::small_log(), path);
    chmod(folder.path.c_str(), 0555);
    const uid_t root = geteuid();
    if (root == 0 && seteuid(65534) != 0) FAIL("cannot become nobody");
    CHECK_THROWS_WITH(write_log(Log{}, path), Catch::Contains("Permission denied"));
    if (root == 0 && seteuid(0) != 0) FAIL("cannot become root again");
    chmod(folder.path.c_str(), 0755);
    CHECK(read_log(path).rows<PosixRecord>().size() == 1);
    CHECK(folder.entries() == 1);
}

TEST_CASE("what cannot be read is named")
{
    const Folder folder;
    const std::string empty = folder.path / "empty.fathom";
    std::ofstream{empty};
    const struct {
        std::string path;
        const char* why;
    } cases[] = {{folder.path / "none.fathom", "cannot open: No such file"},
                 {folder.path, "this is a folder"},
                 {"/dev/null", "not a regular file"},
                 {empty, "the file is empty"}};
    for (const auto& one : cases)
        CHECK_THROWS_WITH(read_log(one.path), Catch::StartsWith(one.path + ": ") && Catch::Contains(one.why));
}
