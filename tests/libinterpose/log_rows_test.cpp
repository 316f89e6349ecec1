// What is said once for a job, and the name of its log.
#include "libinterpose/recording/log_rows.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "logformat/log/log.h"
#include "logformat/version.h"

using namespace fathom;

namespace {

// The log that `encode` makes the middle of.
template <class Encode>
Log log_of(Encode encode)
{
    Bytes bytes;
    Encoder encoder(bytes);
    encoder.begin();
    encode(encoder);
    encoder.end(encoder.blocks());
    Log log = decode_log(bytes.view(), "memory");
    CHECK(log.problems.empty());
    return log;
}

std::string path_of(std::string_view program, std::uint64_t unix_seconds)
{
    Process process;
    process.program = program;
    process.host = "node7";
    process.pid = 4321;
    process.start = unix_seconds * 1'000'000'000 + 999'999'999;
    PathText path;
    default_log_path(path, "/logs", process);
    return std::string(path.view());
}

std::string date_by_libc(std::uint64_t unix_seconds)
{
    const auto time = static_cast<std::time_t>(unix_seconds);
    std::tm parts{};
    gmtime_r(&time, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
    return text;
}

std::vector<std::string> facts_of(const Log& log, std::string_view name)
{
    std::vector<std::string> all;
    for (const Fact& fact : log.rows<Fact>())
        if (fact.name == name) all.emplace_back(fact.value);
    return all;
}

}  // namespace

TEST_CASE("a log is called by program, date, host and process")
{
    CHECK(path_of("/usr/bin/app", 951'827'696) == "/logs/app-20000229-123456-node7-4321.fathom");
    CHECK(path_of("app", 0) == "/logs/app-19700101-000000-node7-4321.fathom");
    CHECK(path_of("", 0) == "/logs/program-19700101-000000-node7-4321.fathom");
    CHECK(path_of("/odd/", 0) == "/logs/program-19700101-000000-node7-4321.fathom");
}

TEST_CASE("dates of log names are libc's, on every day of two centuries")
{
    constexpr std::uint64_t day = 86400;
    std::uint64_t wrong = 0;
    for (std::uint64_t days = 0; days < 73'049; ++days) {  // to the end of 2169
        const std::uint64_t at = days * day + days * 7919 % day;
        if (path_of("a", at) != "/logs/a-" + date_by_libc(at) + "-node7-4321.fathom") ++wrong;
    }
    CHECK(wrong == 0);
    for (const std::uint64_t at : {day - 1, 365 * day - 1, 365 * day})
        CHECK(path_of("a", at) == "/logs/a-" + date_by_libc(at) + "-node7-4321.fathom");
}

TEST_CASE("a job's facts are those that are known, none of them empty")
{
    const Log log = log_of([](Encoder& encoder) { encode_job(encoder, "app --fast", "MPICH 4"); });
    CHECK(facts_of(log, "recorder") == std::vector<std::string>{std::string(fathom_version)});
    CHECK(facts_of(log, "command") == std::vector<std::string>{"app --fast"});
    CHECK(facts_of(log, "mpi") == std::vector<std::string>{"MPICH 4"});
    CHECK(facts_of(log, "folder") == std::vector<std::string>{std::filesystem::current_path().string()});
    REQUIRE_FALSE(facts_of(log, "excluded").empty());
    CHECK(facts_of(log, "excluded").front() ==
          "/proc /sys /dev /etc /usr /lib /lib32 /lib64 /libx32 /bin /sbin /run /dev/shm/ucx_shm_posix_* "
          "/dev/shm/mpich_shar_* /dev/shm/vader_segment.*");
    REQUIRE_FALSE(facts_of(log, "included").empty());
    CHECK(facts_of(log, "included").front() == "/dev/shm /dev/urandom /dev/random");
    for (const Fact& fact : log.rows<Fact>()) CHECK_FALSE(fact.value.empty());
    const Log alone = log_of([](Encoder& encoder) { encode_job(encoder, "app", ""); });
    CHECK(facts_of(alone, "mpi").empty());
    CHECK(alone.rows<Fact>().size() == log.rows<Fact>().size() - 1);
}

TEST_CASE("a job's folder may be the root")
{
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path("/");
    const Log log = log_of([](Encoder& encoder) { encode_job(encoder, "app", ""); });
    std::filesystem::current_path(before);
    CHECK(facts_of(log, "folder") == std::vector<std::string>{"/"});
}

TEST_CASE("a job's mounts are those that the system lists")
{
    const Log log = log_of([](Encoder& encoder) { encode_job(encoder, "app", ""); });
    std::ifstream mounts("/proc/self/mounts");
    std::vector<std::string> expected, told;
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream words(line);
        std::string source, path, type;
        words >> source >> path >> type;
        expected.push_back(path + " " + type + " " + source);
    }
    for (const Mount& mount : log.rows<Mount>())
        told.push_back(std::string(mount.path) + " " + std::string(mount.type) + " " +
                       std::string(mount.source));
    std::sort(expected.begin(), expected.end());
    std::sort(told.begin(), told.end());
    CHECK(told == expected);
}

TEST_CASE("rows of files, timings and processes come into the tables that they are of")
{
    PartRows rows;
    *rows.names.append_array<FileName>(1) = {7, 0, "/file"};
    rows.posix.append_array<PosixRecord>(1)->file = 7;
    rows.stdio.append_array<StdioRecord>(1)->file = 7;
    rows.mpiio.append_array<MpiioRecord>(1)->file = 7;
    *rows.layouts.append_array<Layout>(1) = {7, 1 << 20, 2, 3, "3,4", ""};
    *rows.hints.append_array<Hints>(1) = {7, "cb_nodes=2", "cb_nodes=1", 0};
    *rows.failed_paths.append_array<FailedPath>(1) = {"/missing", 4, 1, 2};
    rows.operations.append_array<OperationTimes>(1)->operations = 5;
    rows.durations.append_array<DurationBin>(1)->operations = 5;
    rows.totals.append_array<Totals>(1)->reads = 9;
    rows.processes.append_array<Process>(1)->pid = 11;
    *rows.bursts.append_array<Burst>(1) = {0, 1, 2};
    rows.slices.append_array<Slice>(1)->start = 4;
    const Log log = log_of([&](Encoder& encoder) {
        encode_files(encoder, rows);
        encode_timings(encoder, rows);
        encode_process(encoder, rows);
    });
    CHECK(log.rows<FileName>().at(0).path == "/file");
    CHECK(log.rows<PosixRecord>().at(0).file == 7);
    CHECK(log.rows<StdioRecord>().at(0).file == 7);
    CHECK(log.rows<MpiioRecord>().at(0).file == 7);
    CHECK(log.rows<Layout>().at(0).servers == "3,4");
    CHECK(log.rows<Hints>().at(0).asked == "cb_nodes=2");
    CHECK(log.rows<Hints>().at(0).used == "cb_nodes=1");
    CHECK(log.rows<FailedPath>().at(0).path == "/missing");
    CHECK(log.rows<FailedPath>().at(0).certain() == 3);
    CHECK(log.rows<OperationTimes>().at(0).operations == 5);
    CHECK(log.rows<DurationBin>().at(0).operations == 5);
    CHECK(log.rows<Totals>().at(0).reads == 9);
    CHECK(log.rows<Process>().at(0).pid == 11);
    CHECK(log.rows<Burst>().at(0).end == 2);
    CHECK(log.rows<Slice>().at(0).start == 4);
}
