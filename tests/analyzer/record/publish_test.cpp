// What is at the path of a log already, and what becomes of it.
#include "analyzer/record/publish.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <unistd.h>

#include "analyzer/record/spool.h"

using namespace fathom;

namespace {

constexpr std::uint64_t second = 1'000'000'000, hour = 3600 * second;

class Folder {
  public:
    Folder() { std::filesystem::create_directory(path_); }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string log() const { return path_ / "run.fathom"; }
    std::string second_log() const { return path_ / "run-2.fathom"; }

  private:
    std::filesystem::path path_ =
        std::filesystem::temp_directory_path() / ("fathom-publish-" + std::to_string(getpid()));
};

Log log_of(std::string_view job, std::int64_t rank, std::uint64_t start, std::uint64_t end)
{
    Log log;
    log.add_fact("job", job);
    Process process;
    process.rank = rank;
    process.pid = static_cast<std::uint64_t>(100 + rank);
    process.start = start;
    process.end = end;
    process.host = log.keep(rank < 2 ? "node1" : "node2");
    log.rows<Process>().push_back(process);
    return log;
}

std::string put(Log log, const std::string& path)
{
    const FileLock lock(FileLock::folder, folder_of(path));
    std::vector<Log> logs;
    logs.push_back(std::move(log));
    return publish(std::move(logs), path, lock, {path + ".held", path + ".fresh"});
}

std::multiset<std::int64_t> ranks_in(const std::string& path)
{
    std::multiset<std::int64_t> ranks;
    const Log log = read_log(path);
    for (const Process& process : log.rows<Process>()) ranks.insert(process.rank);
    return ranks;
}

using Ranks = std::multiset<std::int64_t>;

}  // namespace

TEST_CASE("recorders of one job make one log")
{
    const Folder folder;
    put(log_of("a", 0, hour, hour + second), folder.log());
    CHECK(put(log_of("a", 1, 3 * hour, 3 * hour + second), folder.log()) == folder.log());
    CHECK(ranks_in(folder.log()) == Ranks{0, 1});
}

TEST_CASE("ranks that their launcher describes as if they were of two launches make one log all the same")
{
    const Folder folder;
    put(log_of("a", 0, hour, hour + 2 * second), folder.log());
    CHECK(put(log_of("b", 2, hour + second, hour + 3 * second), folder.log()) == folder.log());
    CHECK(ranks_in(folder.log()) == Ranks{0, 2});
}

TEST_CASE("what MPI_Finalize wrote for a process is added to, whoever wrote it")
{
    const Folder folder;
    put(log_of("a", 0, hour, hour + second), folder.log());
    Log rest = log_of("b", 0, 0, 0);  // of which nothing but its end is news
    rest.add_fact("started_ns", std::to_string(hour - second));
    rest.add_fact("ended_ns", std::to_string(hour + 2 * second));
    CHECK(put(std::move(rest), folder.log()) == folder.log());
    CHECK(read_log(folder.log()).fact("job") == "a");
    CHECK(ranks_in(folder.log()) == Ranks{0});
}

TEST_CASE("a later run, whose processes have the same numbers, replaces the log")
{
    const Folder folder;
    put(log_of("a", 0, hour, hour + second), folder.log());
    CHECK(put(log_of("b", 0, 2 * hour, 2 * hour + second), folder.log()) == folder.log());
    CHECK(read_log(folder.log()).fact("job") == "b");
}

TEST_CASE("a log goes where a link leads to, and replaces nothing that is no file")
{
    const Folder folder;
    std::filesystem::create_symlink(folder.second_log(), folder.log());
    put(log_of("a", 0, hour, hour + second), folder.second_log());
    put(log_of("a", 1, hour, hour + second), folder.log());
    CHECK(std::filesystem::is_symlink(folder.log()));
    CHECK(ranks_in(folder.second_log()) == Ranks{0, 1});
    std::filesystem::remove(folder.log());
    std::filesystem::create_directory(folder.log());
    CHECK_THROWS_AS(put(log_of("a", 1, hour, hour + second), folder.log()), LogError);
    CHECK(std::filesystem::is_directory(folder.log()));
}

TEST_CASE("a log of an earlier run is replaced")
{
    const Folder folder;
    put(log_of("a", 0, hour, hour + second), folder.log());
    CHECK(put(log_of("b", 1, 2 * hour, 2 * hour + second), folder.log()) == folder.log());
    CHECK(ranks_in(folder.log()) == Ranks{1});
    CHECK_FALSE(std::filesystem::exists(folder.second_log()));
    std::filesystem::create_directory(folder.second_log());
    CHECK(put(log_of("c", 1, 4 * hour, 4 * hour + second), folder.log()) == folder.log());
}

TEST_CASE("a log of a launch of which some nodes have not yet begun stays")
{
    const Folder folder;
    put(log_of("a", 0, hour, hour + second), folder.log());
    const std::filesystem::path launch = folder.log().substr(0, folder.log().rfind('/')) + "/.fathom-a";
    make_own_folder(launch);
    std::filesystem::create_symlink(folder.log(), launch / "output");
    CHECK(put(log_of("b", 1, 2 * hour, 2 * hour + second), folder.log()) == folder.second_log());
    CHECK(ranks_in(folder.log()) == Ranks{0});
    std::filesystem::remove_all(launch);
    CHECK(put(log_of("c", 1, 3 * hour, 3 * hour + second), folder.log()) == folder.log());
}

TEST_CASE("the log of a launch of which tasks are missing stays for a while")
{
    const Folder folder;
    Log half = log_of("a", 0, hour, hour + second);
    half.rows<Process>().front().task = 0;
    half.rows<Process>().front().tasks = 2;
    put(std::move(half), folder.log());
    CHECK(put(log_of("b", 1, hour + 3 * second, hour + 4 * second), folder.log()) == folder.second_log());
    CHECK(put(log_of("a", 1, hour + 2 * second, hour + 3 * second), folder.log()) == folder.log());
    CHECK(ranks_in(folder.log()) == Ranks{0, 1});
    CHECK(put(log_of("c", 1, 2 * hour, 3 * hour), folder.log()) == folder.log());
}

TEST_CASE("what begins late in a launch finds its log under the name that it was given")
{
    const Folder folder;
    put(log_of("a", 0, hour, hour + second), folder.log());
    put(log_of("b", 0, hour + 1, hour + second), folder.log());
    CHECK(put(log_of("b", 1, 2 * hour, 2 * hour + second), folder.log()) == folder.second_log());
    CHECK(ranks_in(folder.log()) == Ranks{0});
    CHECK(ranks_in(folder.second_log()) == Ranks{0, 1});
}

TEST_CASE("a log that another recording wrote meanwhile stays, and this one's lies beside it")
{
    const Folder folder;
    put(log_of("a", 0, hour, hour + 2 * second), folder.log());
    CHECK(put(log_of("b", 0, hour + second, hour + 3 * second), folder.log()) == folder.second_log());
    CHECK(put(log_of("b", 1, hour + second, hour + 3 * second), folder.log()) == folder.log());
    CHECK(ranks_in(folder.second_log()) == Ranks{0});

    SECTION("be it one of a program that is no MPI program, or of which nothing was recorded")
    {
        Log nothing;
        nothing.add_fact("job", "c");
        nothing.add_fact("started_ns", std::to_string(hour + second));
        CHECK(put(std::move(nothing), folder.log()) != folder.log());
        CHECK(put(log_of("d", -1, hour, hour + second), folder.log()) != folder.log());
    }
}
