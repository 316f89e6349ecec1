// What a log that we write looks like, byte by byte.
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <zlib.h>

#include "logformat/log/log.h"
#include "parsers/darshan/file.h"
#include "tests/parsers/darshan_logs.h"
#include "tests/parsers/darshan_text.h"
#include "tests/parsers/small_darshan_logs.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

std::string bytes_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::uint64_t number_at(const std::string& bytes, std::size_t at, std::size_t size = 8)
{
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + at, size);
    return number;
}

std::string inflated(const std::string& bytes, std::size_t at, std::size_t length)
{
    std::string out(1 << 16, '\0');
    uLongf size = out.size();
    REQUIRE(uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data() + at), length) == Z_OK);
    out.resize(size);
    return out;
}

constexpr std::size_t map_at = 48, versions_at = 1072, slots = 64;

}  // namespace

TEST_CASE("the header of a Darshan log has every field where format 3.41 has it")
{
    const TemporaryFolder folder;
    const std::string bytes = bytes_of(write_small_darshan_logs(folder.path)[0]);
    CHECK(std::memcmp(bytes.data(), "3.41\0\0\0\0", 8) == 0);
    CHECK(number_at(bytes, 8) == 6567223);
    CHECK(number_at(bytes, 16) == 0);        // zlib, then zeros
    CHECK(number_at(bytes, 24) == 1U << 9);  // STDIO is partial
    const std::uint64_t names = number_at(bytes, 32), names_length = number_at(bytes, 40);
    CHECK(names > 1328);

    const std::map<std::size_t, std::uint32_t> versions = {{1, 4}, {2, 3}, {3, 3},  {4, 2},  {5, 3}, {6, 1},
                                                           {8, 2}, {9, 2}, {10, 1}, {11, 2}, {15, 1}};
    const std::map<std::size_t, std::size_t> sizes = {{1, 3 * 704},
                                                      {2, 3 * 560},
                                                      {3, 3 * 80},
                                                      {4, 3 * 912},
                                                      {5, 3 * 152},
                                                      {6, 3 * 1120},
                                                      {8, 112 + 8},
                                                      {9, 3 * 248},
                                                      {10, 2 * (104 + 3 * 32)},
                                                      {11, 2 * (104 + 3 * 32)},
                                                      {15, 2 * (48 + 2 * 4 * 8)}};
    std::size_t covered = names + names_length;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        INFO("slot " << slot);
        const std::uint64_t offset = number_at(bytes, map_at + 16 * slot);
        const std::uint64_t length = number_at(bytes, map_at + 16 * slot + 8);
        const auto version = versions.find(slot);
        CHECK(number_at(bytes, versions_at + 4 * slot, 4) ==
              (version == versions.end() ? 0 : version->second));
        if (version == versions.end()) {
            CHECK(offset == 0);
            CHECK(length == 0);
        } else {
            CHECK(inflated(bytes, offset, length).size() == sizes.at(slot));
            covered += length;
        }
    }
    CHECK(covered == bytes.size());
}

TEST_CASE("the job and the names of a Darshan log are laid out as format 3.41 has them")
{
    const TemporaryFolder folder;
    const std::string bytes = bytes_of(write_small_darshan_logs(folder.path)[0]);
    const std::uint64_t names = number_at(bytes, 32);
    const std::string job = inflated(bytes, 1328, names - 1328);
    const std::uint64_t expected[] = {1000, 1'700'000'000, 250'000'000, 1'700'000'010, 750'000'000, 2, 4711};
    for (std::size_t at = 0; at < std::size(expected); ++at) CHECK(number_at(job, 8 * at) == expected[at]);
    CHECK(std::string(job.c_str() + 56) == "lib_ver=3.5.0\nh=romio_no_indep_rw=true;cb_nodes=4\n");
    CHECK(job.substr(56 + 1024) == std::string("./app -o /scratch/out\nlustre\t/scratch\next4\t/") + '\0');

    const std::string text = inflated(bytes, names, number_at(bytes, 40));
    CHECK(number_at(text, 0) == darshan::record_id("/scratch/out"));
    CHECK(std::string(text.c_str() + 8) == "/scratch/out");
    CHECK(number_at(text, 8 + 13) == darshan::record_id("/scratch/out:data"));
    CHECK(text.back() == '\0');
}

TEST_CASE("operations of a Darshan log have threads in the versions that have room for them")
{
    const TemporaryFolder folder;
    const std::string bytes = bytes_of(write_small_darshan_logs(folder.path)[1]);
    CHECK(number_at(bytes, versions_at + 4 * 10, 4) == 2);
    CHECK(number_at(bytes, versions_at + 4 * 11, 4) == 3);
    const std::string trace = inflated(bytes, number_at(bytes, map_at + 160), number_at(bytes, map_at + 168));
    REQUIRE(trace.size() == 2 * (104 + 3 * 40));
    CHECK(std::string(trace.c_str() + 24) == "node1");
    CHECK(number_at(trace, 88) == 2);  // writes
    CHECK(number_at(trace, 96) == 1);  // reads
    CHECK(number_at(trace, 104 + 32) == 77);
}

TEST_CASE("a job without I/O is a log of Darshan too")
{
    const TemporaryFolder folder;
    const std::string path = write_small_darshan_logs(folder.path)[2];
    const std::string bytes = bytes_of(path);
    CHECK(number_at(bytes, 32) == bytes.size());
    CHECK(number_at(bytes, 40) == 0);
    const darshan::File file(path);
    CHECK(file.problems().empty());
    CHECK(file.modules().empty());
    CHECK(file.job().command == "./app -o /scratch/out");
    CHECK(file.job().run_time() == 10.5);
}

TEST_CASE("what has no room in the job's region is left out from its end")
{
    const TemporaryFolder folder;
    darshan::JobRecord job = small_job();
    job.command = std::string(5000, 'c') + "\nd";
    job.mounts.clear();
    for (int mount = 0; mount < 300; ++mount) job.mounts.push_back({fmt::format("/mount{}", mount), "nfs"});
    for (int note = 0; note < 30; ++note) job.metadata.emplace_back("note", std::string(50, 'n'));
    const std::string path = folder.path / "full.darshan";
    darshan::Writer writer(path, job);
    const darshan::JobText text = writer.job_text();
    writer.finish();
    CHECK(text.command_cut);
    CHECK(text.mounts_left_out > 0);
    CHECK(text.metadata_left_out > 0);
    const darshan::File file(path);
    CHECK(file.problems().empty());
    CHECK(file.job().command == std::string(1024, 'c'));
    CHECK(file.job().mounts.size() == job.mounts.size() - text.mounts_left_out);
    CHECK(file.job().metadata.size() == job.metadata.size() - text.metadata_left_out);
    const std::string bytes = bytes_of(path);
    CHECK(inflated(bytes, 1328, number_at(bytes, 32) - 1328).size() <= 4096);
}

TEST_CASE("records of a Darshan log come back as they were written")
{
    using namespace darshan;
    const TemporaryFolder folder;
    for (const bool threads : {false, true}) {
        const File file(write_small_darshan_logs(folder.path)[threads ? 1 : 0]);
        CHECK(file.problems().empty());
        CHECK(file.find(Module::stdio)->partial);
        CHECK(!file.find(Module::posix)->partial);
        std::int64_t rank = -1;
        CHECK(file.each_record(Module::posix,
                               [&](const CounterRecord& record) {
                                   const FilledRecord filled(Module::posix, rank + 1);
                                   CHECK(record.rank == rank++);
                                   CHECK(std::equal(record.numbers.begin(), record.numbers.end(),
                                                    filled.numbers.begin()));
                                   CHECK(std::equal(record.times.begin(), record.times.end(),
                                                    filled.times.begin()));
                                   return true;
                               })
                  .empty());
        CHECK(rank == 2);
        CHECK(lines_of_module(file, Module::lustre).at(0) ==
              fmt::format("{} -1: 1048576 2 0 0 0 -1 0 'fast', 3 7", record_id("/scratch/out")));
        const auto trace = lines_of_module(file, Module::dxt_mpiio);
        REQUIRE(trace.size() == 8);
        CHECK(trace[4] == fmt::format("{} 1 0 node1 2 1 {}", record_id("/scratch/out"), threads));
        CHECK(trace[5].starts_with("true 4096 4096 "));
        CHECK(trace[5].ends_with(threads ? " 77" : " 0"));
    }
}

TEST_CASE("a Darshan log that is not finished leaves nothing behind")
{
    const TemporaryFolder folder;
    const std::string path = folder.path / "job.darshan";
    {
        darshan::Writer writer(path, small_job());
        writer.add_name(1, "/file");
    }
    CHECK(std::filesystem::is_empty(folder.path));
    CHECK_THROWS_AS(darshan::Writer(folder.path, small_job()), LogError);
}
